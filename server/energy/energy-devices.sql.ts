import type { EnergyRules } from './energy.rules.ts';
import { energyStatement, listRows, listValues } from '../database/rows.ts';
import type { Queryable } from '../database/pool.ts';

/** The columns of a device `d` that determine how its energy is computed. */
export const energyRules = `d.energy_source AS "energySource", d.rated_power_kw AS "ratedPowerKw",
  d.register_max_kwh AS "registerMaxKwh", d.expected_interval_seconds AS "expectedIntervalSeconds"`;

const LIST_ENERGY_RULES = energyStatement(
  (t) =>
    `SELECT d.number, ${energyRules} FROM ${t.table('devices')} d WHERE ${t.own('d')}d.number = ANY ($1::integer[])`,
);
const LIST_DEVICE_NUMBERS = `SELECT number FROM monitoring.devices ORDER BY number`;

/** The energy settings of devices, by number. */
export async function listEnergyRules(
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, EnergyRules>> {
  const rows = await listRows<EnergyRules & { number: number }>(db, LIST_ENERGY_RULES, deviceNumbers);
  return new Map(rows.map(({ number, ...rules }) => [number, rules]));
}

export const listDeviceNumbers = (db: Queryable) => listValues<number>(db, LIST_DEVICE_NUMBERS);
