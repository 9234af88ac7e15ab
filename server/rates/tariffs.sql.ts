import type { Big } from 'big.js';
import { money } from '../base/money.ts';
import type { Tariff, TariffPeriod } from './tariffs.rules.ts';
import {
  affectsRows,
  columnsOf,
  type EnergyLayout,
  energyStatement,
  execute,
  findRow,
  findValue,
  listRows,
} from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { errorState } from '../database/errors.ts';

/** A tariff with its municipality. */
export interface MunicipalityTariff extends Tariff {
  municipalityId: string;
}

/** Money is read as text, because a binary float would lose digits. */
type AsText<T> = { [Field in keyof T]: Big extends T[Field] ? Exclude<T[Field], Big> | string : T[Field] };
type TariffRow = AsText<Omit<MunicipalityTariff, 'periods'>> & { periods: AsText<TariffPeriod>[] };

// One statement, so that nobody sees a tariff with half of its periods. Uses indexes tariffs_municipality_id and
// tariff_periods_position_key; a customer has few tariffs.
const selectTariffs = (
  l: Pick<EnergyLayout, 'table' | 'own'>,
  more = '',
) => `SELECT ${more}t.id, t.municipality_id AS "municipalityId", t.name, t.currency, t.is_active AS "isActive",
                t.effective_from::text AS "effectiveFrom", t.effective_to::text AS "effectiveTo",
                t.default_rate_per_kwh::text AS "defaultRatePerKwh",
                t.fixed_charge_per_month::text AS "fixedChargePerMonth", t.vat_percent::text AS "vatPercent",
                t.export_rate_per_kwh::text AS "exportRatePerKwh",
                coalesce((SELECT json_agg(json_build_object(
                                   'id', p.id, 'name', p.name, 'daysOfWeek', p.days_of_week,
                                   'startMinute', p.start_minute, 'endMinute', p.end_minute,
                                   'ratePerKwh', p.rate_per_kwh::text) ORDER BY p.position)
                          FROM ${l.table('tariff_periods')} p WHERE ${l.own('p')}p.tariff_id = t.id), '[]') AS periods
         FROM ${l.table('tariffs')} t`;
const LIST_TARIFFS = energyStatement(
  (l) => `${selectTariffs(l)}
  WHERE ${l.own('t')}${l.current('t')}($1::uuid[] IS NULL OR t.municipality_id = ANY ($1::uuid[]))
  ORDER BY t.effective_from DESC, t.is_active DESC, lower(t.name), t.id`,
  'tariffs_list',
);
// The tariffs of some customers. A period belongs to the tariff of its own customer.
const LIST_TARIFFS_OF_FLEET = `${selectTariffs(
  { table: (name) => `fleet.${name}`, own: () => 'p.customer_id = t.customer_id AND ' },
  't.customer_id AS "customerId", ',
)}
  WHERE t.customer_id = ANY ($1::uuid[]) AND t.removed_at IS NULL
  ORDER BY t.effective_from DESC, t.is_active DESC, lower(t.name), t.id`;
// Index tariffs_active_from_key: no two active tariffs of a municipality start on the same day.
const INSERT_TARIFF = `INSERT INTO monitoring.tariffs (id, municipality_id, name, currency, is_active, effective_from, effective_to,
    default_rate_per_kwh, fixed_charge_per_month, vat_percent, export_rate_per_kwh)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const UPDATE_TARIFF = `UPDATE monitoring.tariffs
  SET municipality_id = $2, name = $3, currency = $4, is_active = $5, effective_from = $6, effective_to = $7,
    default_rate_per_kwh = $8, fixed_charge_per_month = $9, vat_percent = $10, export_rate_per_kwh = $11
  WHERE id = $1`;
const LIST_SOME_TARIFFS = energyStatement((l) => `${selectTariffs(l)} WHERE ${l.own('t')}t.id = ANY ($1::uuid[])`);
const LOCK_TARIFF = `SELECT FROM monitoring.tariffs WHERE id = $1 FOR UPDATE`;
const DELETE_TARIFF = `DELETE FROM monitoring.tariffs WHERE id = $1`;
// Index tariff_periods_position_key.
const DELETE_PERIODS = `DELETE FROM monitoring.tariff_periods WHERE tariff_id = $1`;
const INSERT_PERIODS = `INSERT INTO monitoring.tariff_periods
    (tariff_id, id, position, name, days_of_week, start_minute, end_minute, rate_per_kwh)
  SELECT $1, p.id, p.position, p.name, p.days_of_week, p.start_minute, p.end_minute, p.rate_per_kwh
  FROM unnest($2::uuid[], $3::text[], $4::smallint[], $5::smallint[], $6::smallint[], $7::numeric[])
    WITH ORDINALITY AS p (id, name, days_of_week, start_minute, end_minute, rate_per_kwh, position)`;

/** The tariffs by municipality (of all if null), the latest start first. Municipalities without tariffs are left out. */
export async function listTariffs(
  db: Queryable,
  municipalityIds: readonly string[] | null,
): Promise<Map<string, MunicipalityTariff[]>> {
  const rows = await listRows<TariffRow>(db, LIST_TARIFFS, municipalityIds);
  return Map.groupBy(rows.map(tariffOf), (tariff) => tariff.municipalityId);
}

/** Some tariffs, in no order. */
export const listTariffsById = async (db: Queryable, ids: readonly string[]): Promise<MunicipalityTariff[]> =>
  (await listRows<TariffRow>(db, LIST_SOME_TARIFFS, ids)).map(tariffOf);

/** The tariffs of some customers of the fleet by customer, in the same order. */
export async function listTariffsOfFleet(
  db: Queryable,
  customerIds: readonly string[],
): Promise<Map<string, MunicipalityTariff[]>> {
  const rows = await listRows<TariffRow & { customerId: string }>(db, LIST_TARIFFS_OF_FLEET, customerIds);
  const byCustomer = Map.groupBy(rows, ({ customerId }) => customerId);
  return new Map([...byCustomer].map(([id, own]) => [id, own.map(tariffOf)]));
}

/**
 * Writes a new tariff with its periods. Violates `tariffs_active_from_key` if another active tariff of the municipality
 * starts on the day, and `tariffs_municipality_fkey` if the municipality does not exist.
 */
export async function insertTariff(tx: Transaction, tariff: MunicipalityTariff): Promise<void> {
  await execute(tx, INSERT_TARIFF, ...tariffColumns([tariff]).flat());
  await insertPeriods(tx, tariff);
}

/** A tariff, locked until the transaction ends; null if there is none. */
export async function lockTariff(tx: Transaction, id: string): Promise<MunicipalityTariff | null> {
  // A separate statement after the lock, so that it sees the changes of the previous holder of the lock.
  await execute(tx, LOCK_TARIFF, id);
  const [tariff = null] = await listTariffsById(tx, [id]);
  return tariff;
}

/** Replaces an existing tariff and all its periods. Violates the same constraints as `insertTariff`. */
export async function updateTariff(tx: Transaction, tariff: MunicipalityTariff): Promise<void> {
  // The row stays locked until the transaction ends, so concurrent writers replace the periods one after the other.
  await execute(tx, UPDATE_TARIFF, ...tariffColumns([tariff]).flat());
  await execute(tx, DELETE_PERIODS, tariff.id);
  await insertPeriods(tx, tariff);
}

/** Deletes a tariff with its periods; false if it does not exist. */
export const deleteTariff = (db: Queryable, id: string) => affectsRows(db, DELETE_TARIFF, id);

async function insertPeriods(tx: Transaction, { id, periods }: MunicipalityTariff): Promise<void> {
  const columns = columnsOf(periods, ['id', 'name', 'daysOfWeek', 'startMinute', 'endMinute']);
  const rates = periods.map((period) => period.ratePerKwh.toFixed());
  await execute(tx, INSERT_PERIODS, id, ...columns, rates);
}

/** The columns of some tariffs, each as an array. */
export const tariffColumns = (tariffs: readonly MunicipalityTariff[]) =>
  columnsOf(
    tariffs.map((tariff) => ({
      ...tariff,
      defaultRatePerKwh: tariff.defaultRatePerKwh.toFixed(),
      fixedChargePerMonth: tariff.fixedChargePerMonth.toFixed(),
      vatPercent: tariff.vatPercent.toFixed(),
      exportRatePerKwh: tariff.exportRatePerKwh?.toFixed() ?? null,
    })),
    [
      'id',
      'municipalityId',
      'name',
      'currency',
      'isActive',
      'effectiveFrom',
      'effectiveTo',
      'defaultRatePerKwh',
      'fixedChargePerMonth',
      'vatPercent',
      'exportRatePerKwh',
    ],
  );

const tariffOf = (row: TariffRow): MunicipalityTariff => ({
  ...row,
  defaultRatePerKwh: money(row.defaultRatePerKwh),
  fixedChargePerMonth: money(row.fixedChargePerMonth),
  vatPercent: money(row.vatPercent),
  exportRatePerKwh: row.exportRatePerKwh === null ? null : money(row.exportRatePerKwh),
  periods: row.periods.map((period) => ({ ...period, ratePerKwh: money(period.ratePerKwh) })),
});

export interface MunicipalityValues {
  name: string;
  /** An IANA name in its canonical spelling. */
  timeZone: string;
}

export interface Municipality extends MunicipalityValues {
  id: string;
}

const selectMunicipalities = `SELECT id, name, time_zone AS "timeZone" FROM monitoring.municipalities`;
const LIST_MUNICIPALITIES = { text: selectMunicipalities };
// PostgreSQL has a copy of the IANA database that may be older than the copy in Node.
const TRY_TIME_ZONE = `SELECT now() AT TIME ZONE $1`;
// Names are unique by municipalities_name_key, ignoring case.
const INSERT_MUNICIPALITY = `INSERT INTO monitoring.municipalities (id, name, time_zone) VALUES ($1, $2, $3)`;
const UPDATE_MUNICIPALITY = `UPDATE monitoring.municipalities SET name = $2, time_zone = $3 WHERE id = $1`;
// Waits until sites under way have been added to the municipality, and prevents new ones until the transaction ends.
const LOCK_MUNICIPALITY = `${selectMunicipalities} WHERE id = $1 FOR UPDATE`;
// Index sites_municipality_id.
const COUNT_SITES = `SELECT count(*)::integer AS count FROM monitoring.sites WHERE municipality_id = $1`;
// The tariffs of the municipality are deleted with it (tariffs_municipality_fkey).
const DELETE_MUNICIPALITY = `DELETE FROM monitoring.municipalities WHERE id = $1`;

/** All municipalities, in no order. */
export const listMunicipalities = (db: Queryable) => listRows<Municipality>(db, LIST_MUNICIPALITIES);

/** Whether the database knows this time zone. Do not call it inside a transaction, which an unknown zone would abort. */
export async function isTimeZoneKnown(db: Queryable, timeZone: string): Promise<boolean> {
  try {
    return await affectsRows(db, TRY_TIME_ZONE, timeZone);
  } catch (error) {
    if (errorState(error) === '22023') return false;
    throw error;
  }
}

/** Violates `municipalities_name_key` if the name is taken. */
export const insertMunicipality = (db: Queryable, { id, name, timeZone }: Municipality) =>
  execute(db, INSERT_MUNICIPALITY, id, name, timeZone);

/** Violates `municipalities_name_key` if the name is taken. */
export const updateMunicipality = (db: Queryable, { id, name, timeZone }: Municipality) =>
  execute(db, UPDATE_MUNICIPALITY, id, name, timeZone);

/** Locked until the end of the transaction; null if there is none. */
export const lockMunicipality = (tx: Transaction, id: string) => findRow<Municipality>(tx, LOCK_MUNICIPALITY, id);

export const countSitesOfMunicipality = async (db: Queryable, id: string) =>
  (await findValue<number>(db, COUNT_SITES, id)) ?? 0;

export const deleteMunicipality = (tx: Transaction, id: string) => execute(tx, DELETE_MUNICIPALITY, id);
