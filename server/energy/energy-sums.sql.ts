import { createHash } from 'node:crypto';
import { energyStatement, execute, layoutOf, readBinaryRows } from '../database/rows.ts';
import type { DaysOfDevices, DeviceDays } from './energy-flags.sql.ts';
import type { Database, Queryable, Transaction } from '../database/pool.ts';

/** The sums of a piece of a range, stored under a key of everything that they depend on (docs/adr/0037). */
export interface KeptSum {
  /** Hexadecimal digits. */
  key: string;
  sums: Float64Array;
}

/** The number of sums kept per customer: enough for a hundred devices and some twenty queries about five years. */
const maxKeptBytes = 64 * 1024 * 1024;

const INSERT_SUMS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_sums')} (${t.key}key, sums)
         SELECT ${t.keyValue}k, s FROM unnest($1::bytea[], $2::bytea[]) AS row (k, s) ORDER BY k ON CONFLICT DO NOTHING`,
);
// The table has thousands of small rows, because the sums themselves are stored out of line.
const DELETE_OLDEST_SUMS = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_sums')} WHERE ${t.own()}key IN (
           SELECT key FROM (SELECT key, sum(octet_length(sums)) OVER (ORDER BY kept_at DESC, key) AS bytes
                            FROM ${t.table('energy_sums')} WHERE ${t.own()}true) newest
           WHERE bytes > $1)`,
);

/** Stores sums, and deletes the oldest if there are too many. */
export async function keepSums(database: Database, kept: readonly KeptSum[], maxBytes = maxKeptBytes): Promise<void> {
  await database.transaction(async (tx) => {
    await insertSums(tx, kept);
    await deleteOldestSums(tx, maxBytes);
  });
}

export const insertSums = (tx: Transaction, kept: readonly KeptSum[]) =>
  execute(
    tx,
    INSERT_SUMS,
    kept.map(({ key }) => Buffer.from(key, 'hex')),
    kept.map(({ sums }) => Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength)),
  );

/** Keeps at most this many bytes of the customer. */
export const deleteOldestSums = (tx: Queryable, maxBytes: number) => execute(tx, DELETE_OLDEST_SUMS, maxBytes);

/** The kept sums among these keys. */
export async function findSums(tx: Transaction, keys: readonly string[]): Promise<Map<string, Float64Array>> {
  const found = new Map<string, Float64Array>();
  if (keys.length === 0) return found;
  const layout = layoutOf(tx);
  // Primary key energy_sums_pkey.
  const asked = keys.map((key) => `'\\x${key}'`).join(', ');
  const rows = await readBinaryRows(
    tx,
    `SELECT key, sums FROM ${layout.table('energy_sums')} WHERE ${layout.own()}key IN (${asked})`,
  );
  while (rows.next()) {
    const [key, sums] = [rows.field(), rows.field()];
    if (key === null || sums === null) continue;
    const bytes = new Uint8Array(rows.bytes.subarray(sums.start, sums.start + sums.length));
    found.set(rows.bytes.toString('hex', key.start, key.start + key.length), new Float64Array(bytes.buffer));
  }
  return found;
}

/** The version of the stored days of a week of a device; changes whenever one of the days is written or deleted. */
export type WeekVersions = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** Versions by the first day of the week and the device number; a week in which nothing was ever stored has none. */
export async function listWeekVersions(tx: Transaction, filter: DaysOfDevices): Promise<WeekVersions> {
  const versions = new Map<number, Map<number, string>>();
  const layout = layoutOf(tx);
  // Primary key energy_weeks_pkey.
  const rows = await readBinaryRows(
    tx,
    `SELECT device_number, week - date '1970-01-01', version FROM ${layout.table('energy_weeks')}
     WHERE ${layout.own()}device_number = ANY ('{${filter.deviceNumbers.join(',')}}'::integer[])
       AND week >= date '1970-01-01' + ${filter.fromDay} AND week < date '1970-01-01' + ${filter.toDay}`,
  );
  while (rows.next()) {
    const [deviceNumber, week, version] = [rows.int4(), rows.int4(), rows.field()];
    if (version === null) continue;
    const own = versions.getOrInsertComputed(week, () => new Map<number, string>());
    own.set(deviceNumber, rows.bytes.toString('latin1', version.start, version.start + version.length));
  }
  return versions;
}

/** The key of sums: a hash of their inputs and of the versions of the stored days. */
export function keyOfSums(
  description: string,
  versions: ReadonlyMap<number, string> | undefined,
  gaps: readonly DeviceDays[],
): string {
  const byNumber = [...(versions ?? [])].toSorted(([a], [b]) => a - b);
  const stored = byNumber.map(([deviceNumber, version]) => `${deviceNumber} ${version}`).join('');
  return createHash('sha256')
    .update(JSON.stringify([description, gaps]))
    .update(stored, 'latin1')
    .digest('hex');
}
