import type { FixedUnits } from '../domain/fixed-units.ts';
import { quantityAt } from '../domain/judged-readings.ts';
import type { SortedReadings } from '../domain/sorted-readings.ts';
import { postgresEpochMicros } from './binary-rows.ts';
import type { Queryable, Transaction } from './pool.ts';

/** From this many rows on, a binary COPY is faster than array literals (bench/ingest). */
const copyFromRows = 400;

// Index devices_external_id_key. Under the shared ingest lock, so no device it finds can be deleted before the commit.
const FIND_DEVICE_NUMBERS = {
  name: 'ingest_find_device_numbers',
  text: `SELECT external_id AS "externalId", number FROM monitoring.devices WHERE external_id = ANY($1::text[])`,
};

const columns = `time, active_power_milliwatts, reactive_power_millivars, apparent_power_millivoltamperes,
  energy_imported_milliwatthours, energy_exported_milliwatthours, device_number, power_factor_millionths,
  voltage_millivolts, frequency_tenth_millihertz`;

// Index measurements_device_time_key detects duplicates. Rows are sorted by (device, time), so that two ingests of the same rows
// wait for each other instead of deadlocking.
const INSERT_FROM_ARRAYS = {
  name: 'ingest_insert_from_arrays',
  text: `INSERT INTO monitoring.measurements (${columns})
         SELECT timestamptz 'epoch' + micros * interval '1 microsecond', p, q, s, ei, ee, d, pf, v, f
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[],
                     $8::integer[], $9::integer[], $10::integer[]) AS row (micros, p, q, s, ei, ee, d, pf, v, f)
         ON CONFLICT DO NOTHING`,
};

const CREATE_INCOMING = {
  text: `CREATE TEMPORARY TABLE IF NOT EXISTS incoming_measurements (
           time timestamptz, active_power_milliwatts bigint, reactive_power_millivars bigint,
           apparent_power_millivoltamperes bigint, energy_imported_milliwatthours bigint,
           energy_exported_milliwatthours bigint, device_number integer, power_factor_millionths integer,
           voltage_millivolts integer, frequency_tenth_millihertz integer
         ) ON COMMIT DELETE ROWS`,
};
const COPY_INCOMING = 'COPY pg_temp.incoming_measurements FROM STDIN (FORMAT binary)';
const INSERT_FROM_INCOMING = {
  text: `INSERT INTO monitoring.measurements (${columns})
         SELECT ${columns} FROM pg_temp.incoming_measurements
         ON CONFLICT DO NOTHING`,
};

// Which of these rows this transaction itself has stored: those that were received when it began. (A compressed row does not
// tell its transaction id.)
const LIST_STORED_HERE = {
  text: `SELECT row.position::integer AS position
         FROM unnest($1::integer[], $2::bigint[]) WITH ORDINALITY AS row (d, micros, position)
         JOIN monitoring.measurements m
           ON m.device_number = row.d AND m.time = timestamptz 'epoch' + row.micros * interval '1 microsecond'
         WHERE m.received_at = now()`,
};

/** The numbers of the devices that have these external ids; unknown ones are left out. */
export async function findDeviceNumbers(db: Queryable, externalIds: readonly string[]): Promise<Map<string, number>> {
  // PostgreSQL takes no NUL in text, so no device has one.
  const possible = externalIds.filter((externalId) => !externalId.includes('\u0000'));
  const { rows } = await db.query<{ externalId: string; number: number }>(FIND_DEVICE_NUMBERS, [possible]);
  return new Map(rows.map((row) => [row.externalId, row.number]));
}

/** Stores readings that are not known yet and returns how many those were. Their partitions must exist. */
export async function insertReadings(tx: Transaction, readings: SortedReadings): Promise<number> {
  if (readings.count === 0) return 0;
  if (readings.count < copyFromRows) {
    const { rowCount } = await tx.query(INSERT_FROM_ARRAYS, arrayLiterals(readings));
    return rowCount;
  }
  await tx.query(CREATE_INCOMING);
  await tx.copyIn(COPY_INCOMING, encodeCopy(readings));
  const { rowCount } = await tx.query(INSERT_FROM_INCOMING);
  return rowCount;
}

/** The positions in `readings` of those that this transaction has stored; the others were known before. */
export async function listStoredHere(tx: Transaction, readings: SortedReadings): Promise<Set<number>> {
  const { rows } = await tx.query<{ position: number }>(LIST_STORED_HERE, [
    literal(readings, (at) => readings.deviceNumber(at)),
    literal(readings, (at) => readings.timeMicros(at)),
  ]);
  return new Set(rows.map((row) => row.position - 1));
}

function literal(readings: SortedReadings, pick: (at: number) => FixedUnits | null): string {
  let text = '{';
  for (let at = 0; at < readings.count; at += 1) text += `${at > 0 ? ',' : ''}${pick(at) ?? 'NULL'}`;
  return `${text}}`;
}

function arrayLiterals(readings: SortedReadings): string[] {
  const of = (quantity: number) => literal(readings, (at) => readings.quantity(at, quantity));
  return [
    literal(readings, (at) => readings.timeMicros(at)),
    of(quantityAt.activePower),
    of(quantityAt.reactivePower),
    of(quantityAt.apparentPower),
    of(quantityAt.energyImported),
    of(quantityAt.energyExported),
    literal(readings, (at) => readings.deviceNumber(at)),
    of(quantityAt.powerFactor),
    of(quantityAt.voltage),
    of(quantityAt.frequency),
  ];
}

const copySignature = Buffer.from([
  0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const copyEnd = Buffer.from([0xff, 0xff]);
const fieldCount = 10;
/** Field count, then a length and the value of six int8 and four int4. */
const maxRowBytes = 2 + 6 * (4 + 8) + 4 * (4 + 4);

/** Rows encoded at a time: about a millisecond, and the only ones in memory. */
const rowsPerPiece = 2_000;

/** The rows in PostgreSQL's binary COPY format, https://www.postgresql.org/docs/current/sql-copy.html, piece by piece. */
export function* encodeCopy(readings: SortedReadings): Generator<Buffer> {
  yield copySignature;
  for (let from = 0; from < readings.count; from += rowsPerPiece) {
    yield encodeRows(readings, from, Math.min(readings.count, from + rowsPerPiece));
  }
  yield copyEnd;
}

function encodeRows(readings: SortedReadings, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe((to - from) * maxRowBytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;
  for (let row = from; row < to; row += 1) {
    view.setInt16(at, fieldCount);
    at = writeInt8(view, at + 2, readings.timeMicros(row) - postgresEpochMicros);
    at = writeInt8(view, at, readings.quantity(row, quantityAt.activePower));
    at = writeInt8(view, at, readings.quantity(row, quantityAt.reactivePower));
    at = writeInt8(view, at, readings.quantity(row, quantityAt.apparentPower));
    at = writeInt8(view, at, readings.quantity(row, quantityAt.energyImported));
    at = writeInt8(view, at, readings.quantity(row, quantityAt.energyExported));
    at = writeInt4(view, at, readings.deviceNumber(row));
    at = writeInt4(view, at, readings.quantity(row, quantityAt.powerFactor));
    at = writeInt4(view, at, readings.quantity(row, quantityAt.voltage));
    at = writeInt4(view, at, readings.quantity(row, quantityAt.frequency));
  }
  return buffer.subarray(0, at);
}

const highWord = 2 ** 32;

function writeInt8(view: DataView, at: number, value: FixedUnits | null): number {
  if (value === null) {
    view.setInt32(at, -1);
    return at + 4;
  }
  view.setInt32(at, 8);
  if (typeof value === 'bigint') {
    view.setBigInt64(at + 4, value);
  } else {
    // Two words are several times faster than a bigint, and exact for safe integers.
    const high = Math.floor(value / highWord);
    view.setInt32(at + 4, high);
    view.setUint32(at + 8, value - high * highWord);
  }
  return at + 12;
}

function writeInt4(view: DataView, at: number, value: FixedUnits | null): number {
  if (value === null) {
    view.setInt32(at, -1);
    return at + 4;
  }
  view.setInt32(at, 4);
  view.setInt32(at + 4, Number(value));
  return at + 8;
}
