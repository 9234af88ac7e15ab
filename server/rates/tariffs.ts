import { randomUUIDv7 } from 'node:crypto';
import { deleteTariff, insertTariff, lockTariff, type MunicipalityTariff, updateTariff } from './tariffs.sql.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { refuseInvalidTariff } from './tariff-rules.rules.ts';
import type { TariffPeriod } from './tariffs.rules.ts';
import { timeOfDay } from '../base/times-of-day.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { noMunicipality, refuseViolation } from '../database/violations.ts';

/** A tariff to be written, always with its periods. */
export interface TariffValues extends Omit<MunicipalityTariff, 'id' | 'periods'> {
  periods: readonly Omit<TariffPeriod, 'id'>[];
}

/**
 * Adds a tariff with its periods. Throws `invalid` for an unknown municipality or overlapping periods, and `conflict` if another
 * active tariff of the municipality starts on the same day (decisions.md 6).
 */
export async function createTariff(changing: Changing, values: TariffValues): Promise<MunicipalityTariff> {
  const tariff = identifyTariff(null, values);
  const { id, name } = tariff;
  await makeChange(changing, async (tx, recordChange) => {
    await insertTariff(tx, tariff).catch(explain(values));
    await recordChange('tariff.create', { id, name, after: shownTariff(tariff) });
  });
  return tariff;
}

/**
 * Replaces a tariff and all its periods, which reprices the past. Throws `notFound`, and what `createTariff` and `checkVersion`
 * throw.
 */
export async function changeTariff(
  changing: Changing,
  id: string,
  values: TariffValues,
  checkVersion: Precondition<MunicipalityTariff>,
): Promise<MunicipalityTariff> {
  const tariff = identifyTariff(id, values);
  await makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockTariff(tx, id), 'tariff');
    checkVersion(before);
    await updateTariff(tx, tariff).catch(explain(values));
    await recordChange('tariff.change', {
      id,
      name: before.name,
      before: shownTariff(before),
      after: shownTariff(tariff),
    });
  });
  return tariff;
}

/** Deletes a tariff with its periods. Throws `notFound`, and what `checkVersion` throws of the tariff as it was. */
export async function removeTariff(
  changing: Changing,
  id: string,
  checkVersion: Precondition<MunicipalityTariff>,
): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockTariff(tx, id), 'tariff');
    checkVersion(before);
    await deleteTariff(tx, id);
    await recordChange('tariff.delete', { id, name: before.name, before: shownTariff(before) });
  });
}

/** As in the API, without the ids of periods, which are new with every change. */
export const shownTariff = (tariff: MunicipalityTariff) => ({
  ...tariff,
  id: undefined,
  periods: tariff.periods.map(({ name, daysOfWeek, startMinute, endMinute, ratePerKwh }) => ({
    name,
    daysOfWeek,
    startTime: timeOfDay(startMinute),
    endTime: timeOfDay(endMinute),
    ratePerKwh,
  })),
});

/** The tariff as it will be stored; one without an id is new and gets one. Throws `invalid` if it breaks a rule. */
export function identifyTariff(id: string | null, values: TariffValues): MunicipalityTariff {
  const periods = values.periods.map((period) => ({ ...period, id: randomUUIDv7() }));
  const tariff = { ...values, id: id ?? randomUUIDv7(), periods };
  refuseInvalidTariff(tariff);
  return tariff;
}

/** Throws `conflict` where the constraint of the database would. */
export function refuseSameStart(tariff: MunicipalityTariff, others: readonly MunicipalityTariff[]): void {
  const isSame = ({ id, isActive, municipalityId, effectiveFrom }: MunicipalityTariff) =>
    id !== tariff.id && isActive && municipalityId === tariff.municipalityId && effectiveFrom === tariff.effectiveFrom;
  if (tariff.isActive && others.some(isSame)) throw sameStart(tariff);
}

const sameStart = ({ effectiveFrom }: TariffValues) =>
  refuse('tariffStartTaken', { date: effectiveFrom }, { field: 'effectiveFrom' });

const explain = (values: TariffValues) =>
  refuseViolation({
    tariffs_active_from_key: () => sameStart(values),
    tariffs_municipality_fkey: () => noMunicipality(values.municipalityId),
  });
