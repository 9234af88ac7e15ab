import type { FixedUnits } from '../domain/fixed-units.ts';
import { quantityAt } from '../domain/judged-readings.ts';
import type { SortedReadings } from '../domain/sorted-readings.ts';
import { postgresEpochMicros } from './binary-rows.ts';
import type { Step, TextRow } from './exchange.ts';

/** From this many rows on, a binary COPY is faster than array literals (bench/ingest). */
const copyFromRows = 400;

// Index devices_external_id_key. Under the shared ingest lock, so no device it finds can be deleted before the commit.
const FIND_DEVICE_NUMBERS = {
  name: 'ingest_find_device_numbers',
  text: `SELECT external_id, number FROM monitoring.devices WHERE external_id = ANY($1::text[])`,
};

const columns = `time, active_power_milliwatts, reactive_power_millivars, apparent_power_millivoltamperes,
  energy_imported_milliwatthours, energy_exported_milliwatthours, device_number, power_factor_millionths,
  voltage_millivolts, frequency_tenth_millihertz`;

const COPY_NEW = `COPY monitoring.measurements (${columns}) FROM STDIN (FORMAT binary)`;
const SAVEPOINT = { name: 'ingest_savepoint', text: 'SAVEPOINT before_new_rows' };
const ROLLBACK_TO_SAVEPOINT = { name: 'ingest_rollback', text: 'ROLLBACK TO SAVEPOINT before_new_rows' };

// Index measurements_device_time_key detects duplicates. Rows are sorted by (device, time), so that two ingests of the same rows
// wait for each other instead of deadlocking.
const unlessStored = `ON CONFLICT DO NOTHING RETURNING device_number, (extract(epoch FROM time) * 1000000)::bigint`;
const INSERT_FROM_ARRAYS = {
  name: 'ingest_insert_from_arrays',
  text: `INSERT INTO monitoring.measurements (${columns})
         SELECT timestamptz 'epoch' + micros * interval '1 microsecond', p, q, s, ei, ee, d, pf, v, f
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[],
                     $8::integer[], $9::integer[], $10::integer[]) AS row (micros, p, q, s, ei, ee, d, pf, v, f)
         ${unlessStored}`,
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
         ${unlessStored}`,
};

/** Finds the devices that have these external ids; for {@link deviceNumbersOf}. */
export function findDeviceNumbers(externalIds: readonly string[]): Step {
  // PostgreSQL takes no NUL in text, so no device has one.
  const possible = externalIds.filter((externalId) => !externalId.includes('\u0000'));
  const quoted = possible.map((externalId) => `"${externalId.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  return { ...FIND_DEVICE_NUMBERS, values: [`{${quoted.join(',')}}`] };
}

/** The numbers of the devices by external id; unknown ones are left out. */
export const deviceNumbersOf = (rows: readonly TextRow[]): Map<string, number> =>
  new Map(rows.map(([externalId, number]) => [externalId ?? '', Number(number)]));

/** Which of the readings are meant. */
export type Choice = (at: number) => boolean;

/** Stores readings that are new; one that is not fails the transaction back to {@link forgetNewReadings}. Their partitions must exist. */
export const insertNewReadings = (readings: SortedReadings, isMeant: Choice): Step[] => [
  SAVEPOINT,
  { text: COPY_NEW, bytes: encodeCopy(readings, isMeant) },
];

export const forgetNewReadings: Step = ROLLBACK_TO_SAVEPOINT;

/** Stores readings unless they are stored already; the last step is for {@link storedOf}. Their partitions must exist. */
export function insertReadings(readings: SortedReadings, isMeant: Choice, count: number): Step[] {
  if (count < copyFromRows) return [{ ...INSERT_FROM_ARRAYS, values: arrayLiterals(readings, isMeant) }];
  return [CREATE_INCOMING, { text: COPY_INCOMING, bytes: encodeCopy(readings, isMeant) }, INSERT_FROM_INCOMING];
}

/** Where the readings are that were stored. */
export function* storedOf(readings: SortedReadings, rows: readonly TextRow[]): Generator<number> {
  let next = 0;
  for (const [deviceNumber, timeMicros] of rows) {
    const at = readings.find(Number(deviceNumber), Number(timeMicros), next);
    if (at === undefined) throw new Error('A row was stored that is none of the group.');
    yield at;
    next = at + 1;
  }
}

function arrayLiterals(readings: SortedReadings, isMeant: Choice): string[] {
  const literal = (pick: (at: number) => FixedUnits | null): string => {
    const texts: string[] = [];
    for (let at = 0; at < readings.count; at += 1) if (isMeant(at)) texts.push(String(pick(at) ?? 'NULL'));
    return `{${texts.join(',')}}`;
  };
  const of = (quantity: number) => literal((at) => readings.quantity(at, quantity));
  return [
    literal((at) => readings.timeMicros(at)),
    of(quantityAt.activePower),
    of(quantityAt.reactivePower),
    of(quantityAt.apparentPower),
    of(quantityAt.energyImported),
    of(quantityAt.energyExported),
    literal((at) => readings.deviceNumber(at)),
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
export function* encodeCopy(readings: SortedReadings, isMeant: Choice): Generator<Buffer> {
  for (let from = 0; from < readings.count; from += rowsPerPiece) {
    const to = Math.min(readings.count, from + rowsPerPiece);
    yield encodeRows(readings, isMeant, from, to);
  }
}

function encodeRows(readings: SortedReadings, isMeant: Choice, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(copySignature.length + (to - from) * maxRowBytes + copyEnd.length);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = from === 0 ? copySignature.copy(buffer) : 0;
  for (let row = from; row < to; row += 1) {
    if (!isMeant(row)) continue;
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
  if (to === readings.count) at += copyEnd.copy(buffer, at);
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
