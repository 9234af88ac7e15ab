import { createHash } from 'node:crypto';
import { readBinaryRows } from './binary-rows.ts';
import { energyStatement, layoutOf } from './energy-layout.ts';
import type { DaysOfDevices, DeviceDays } from './energy-gaps.ts';
import type { Database, Queryable, Transaction } from './pool.ts';
import { execute } from './rows.ts';

/** What a piece of a range adds up to, to be found again by a key that says all that it depends on (docs/adr/0037). */
export interface KeptSum {
  /** Hexadecimal digits. */
  key: string;
  sums: Float64Array;
}

/** Of sums of each customer: as much as a hundred devices need for some twenty questions about five years. */
const maxKeptBytes = 64 * 1024 * 1024;

const INSERT_SUMS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_sums')} (${t.key}key, sums)
         SELECT ${t.keyValue}k, s FROM unnest($1::bytea[], $2::bytea[]) AS row (k, s) ORDER BY k ON CONFLICT DO NOTHING`,
);
// The table has thousands of small rows, as long as what they add up to lies out of line.
const DELETE_OLDEST_SUMS = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_sums')} WHERE ${t.own()}key IN (
           SELECT key FROM (SELECT key, sum(octet_length(sums)) OVER (ORDER BY kept_at DESC, key) AS bytes
                            FROM ${t.table('energy_sums')} WHERE ${t.own()}true) newest
           WHERE bytes > $1)`,
);

/** Remembers sums; the oldest go where they are too many. */
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

/** Leaves no more bytes than that, of the customer. */
export const deleteOldestSums = (tx: Queryable, maxBytes: number) => execute(tx, DELETE_OLDEST_SUMS, maxBytes);

/** Those that are kept of these keys. */
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

/** The version of what is stored of a week of a device: another one each time that any of its days is written or deleted. */
export type WeekVersions = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** By the first day of the week and the number of the device; a week in which nothing was ever stored has none. */
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

/** The key of sums: what they are of, and what is stored of it. */
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
