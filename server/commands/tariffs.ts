import { randomUUIDv7 } from 'node:crypto';
import { type Database, violatedConstraint } from '../db/pool.ts';
import { deleteTariff, insertTariff, type MunicipalityTariff, updateTariff } from '../db/tariffs.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import { refuseInvalidTariff } from '../domain/tariff-rules.ts';
import type { TariffPeriod } from '../domain/tariffs.ts';

/** A tariff as it is written: always whole, with its periods. */
export interface TariffValues extends Omit<MunicipalityTariff, 'id' | 'periods'> {
  periods: readonly Omit<TariffPeriod, 'id'>[];
}

/**
 * Adds a tariff with its periods. Throws `invalid` on an unknown municipality, on periods that overlap and the like, and
 * `conflict` where another active tariff of the municipality starts on the same day (decisions.md 6).
 */
export async function createTariff(database: Database, values: TariffValues): Promise<MunicipalityTariff> {
  const tariff = identify(randomUUIDv7(), values);
  refuseInvalidTariff(tariff);
  await database.transaction((tx) => insertTariff(tx, tariff)).catch(explain(values));
  return tariff;
}

/** Replaces a tariff and all its periods, which reprices the past. Throws `notFound`, and what `createTariff` throws. */
export async function changeTariff(database: Database, id: string, values: TariffValues): Promise<MunicipalityTariff> {
  const tariff = identify(id, values);
  refuseInvalidTariff(tariff);
  const isFound = await database.transaction((tx) => updateTariff(tx, tariff)).catch(explain(values));
  if (!isFound) throw notFound('tariff');
  return tariff;
}

/** Deletes a tariff with its periods. Throws `notFound`. */
export async function removeTariff(database: Database, id: string): Promise<void> {
  if (!(await deleteTariff(database, id))) throw notFound('tariff');
}

const identify = (id: string, values: TariffValues): MunicipalityTariff => ({
  ...values,
  id,
  periods: values.periods.map((period) => ({ ...period, id: randomUUIDv7() })),
});

const explain = (values: TariffValues) => (error: unknown) => {
  switch (violatedConstraint(error)) {
    case 'tariffs_active_from_key':
      throw new DomainError(
        'conflict',
        `effectiveFrom: another active tariff of the municipality starts on ${values.effectiveFrom} already; choose another day, or switch one of them off.`,
      );
    case 'tariffs_municipality_fkey':
      throw new DomainError(
        'invalid',
        `municipalityId: there is no municipality ${values.municipalityId}; choose one of GET /api/rates.`,
      );
    default:
      throw error;
  }
};
