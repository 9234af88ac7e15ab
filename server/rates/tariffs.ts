import type { TariffTerms } from '../../shared/rates.ts';
import { money } from '../base/money.ts';
import { randomUUIDv7 } from 'node:crypto';
import {
  countSitesOfMunicipality,
  deleteMunicipality,
  deleteTariff,
  insertMunicipality,
  insertTariff,
  isTimeZoneKnown,
  listTariffs,
  lockMunicipality,
  lockTariff,
  type Municipality,
  type MunicipalityTariff,
  type MunicipalityValues,
  updateMunicipality,
  updateTariff,
} from './tariffs.sql.ts';
import { refuse } from '../base/errors.ts';
import { refuseInvalidTariff, type TariffPeriod, timeOfDay, minuteOfDay } from './tariffs.rules.ts';
import { changesOf, type Changing, makeChange } from '../accounts/audit.ts';
import { nameTaken, noMunicipality, refuseViolation, refuseWhileUsed } from '../database/errors.ts';
import type { Queryable } from '../database/pool.ts';
import { canonicalTimeZone } from '../base/instants.ts';

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

/** A tariff as in the API, without the ids of its periods, which change with every write. */
const shownTariff = (tariff: MunicipalityTariff) => ({
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
const nameOf = ({ name }: { name: string }) => name;
const tariffs = changesOf({ kind: 'tariff', what: 'tariff', lock: lockTariff, nameOf, shownOf: shownTariff });

/**
 * Replaces a tariff and all its periods, which reprices the past. Throws `notFound`, and what `createTariff` and `checkVersion`
 * throw.
 */
export const changeTariff = tariffs.changer(async (tx, id, values: TariffValues) => {
  const tariff = identifyTariff(id, values);
  await updateTariff(tx, tariff).catch(explain(values));
  return tariff;
});

/** Deletes a tariff with its periods. Throws `notFound`, and what `checkVersion` throws for the tariff before the deletion. */
export const removeTariff = tariffs.remover(deleteTariff);

/** The tariff as it will be stored. A tariff without an id is new and gets one. Throws `invalid` if it breaks a rule. */
export function identifyTariff(id: string | null, values: TariffValues): MunicipalityTariff {
  const periods = values.periods.map((period) => ({ ...period, id: randomUUIDv7() }));
  const tariff = { ...values, id: id ?? randomUUIDv7(), periods };
  refuseInvalidTariff(tariff);
  return tariff;
}

/** Throws `conflict` if the constraint of the database would be violated. */
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

/** Adds a municipality. Throws `invalid` for a zone that the database does not know, `conflict` for a taken name. */
export async function createMunicipality(changing: Changing, values: MunicipalityValues): Promise<Municipality> {
  const timeZone = await checkTimeZone(changing.database, values.timeZone);
  const { id, ...after } = { id: randomUUIDv7(), name: values.name, timeZone };
  await makeChange(changing, async (tx, recordChange) => {
    await insertMunicipality(tx, { id, ...after }).catch(explainPlace(values));
    await recordChange('municipality.create', { id, name: after.name, after });
  });
  return { id, ...after };
}

const shownOf = ({ id: _id, ...shown }: Municipality) => shown;
const municipalities = changesOf({
  kind: 'municipality',
  what: 'municipality',
  lock: lockMunicipality,
  nameOf,
  shownOf,
});

/** Changes a municipality. Throws `notFound`, and what `createMunicipality` and `checkVersion` throw. */
export const changeMunicipality = municipalities.changer(async (tx, id, values: MunicipalityValues) => {
  const after = { id, name: values.name, timeZone: await checkTimeZone(tx, values.timeZone) };
  await updateMunicipality(tx, after).catch(explainPlace(values));
  return after;
});

/** Deletes a municipality with its tariffs. Throws `notFound`, `conflict` while it has sites, and what `checkVersion` throws. */
export const removeMunicipality = municipalities.remover(async (tx, id, recordChange) => {
  refuseWhileUsed('municipality', await countSitesOfMunicipality(tx, id));
  const own = (await listTariffs(tx, [id])).get(id) ?? [];
  await deleteMunicipality(tx, id);
  for (const tariff of own)
    await recordChange('tariff.delete', { id: tariff.id, name: tariff.name, before: shownTariff(tariff) });
});

/** The zone by its canonical name. Throws `invalid` if the database does not know it. */
export async function checkTimeZone(db: Queryable, given: string): Promise<string> {
  const timeZone = canonicalTimeZone(given);
  if (await isTimeZoneKnown(db, timeZone)) return timeZone;
  throw refuse('zoneUnknown', { timeZone }, { field: 'timeZone' });
}

const explainPlace = ({ name }: MunicipalityValues) =>
  refuseViolation({ municipalities_name_key: () => nameTaken('aMunicipality', name) });

/** Reads prices from JSON. The shortest text of a number is the decimal that was sent. */
export const readTerms = (terms: TariffTerms) => ({
  currency: terms.currency,
  defaultRatePerKwh: money(terms.defaultRatePerKwh),
  fixedChargePerMonth: money(terms.fixedChargePerMonth),
  vatPercent: money(terms.vatPercent),
  exportRatePerKwh: terms.exportRatePerKwh === null ? null : money(terms.exportRatePerKwh),
  periods: terms.periods.map(({ startTime, endTime, ratePerKwh, ...period }) => ({
    ...period,
    startMinute: minuteOfDay(startTime),
    endMinute: minuteOfDay(endTime),
    ratePerKwh: money(ratePerKwh),
  })),
});
