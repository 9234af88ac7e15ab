import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { FixedUnits } from '../domain/fixed-units.ts';
import type { Reading } from '../domain/readings.ts';
import type { Queryable, Transaction } from './pool.ts';

/** A reading whose device is known by its number. */
export interface DeviceReading extends Reading {
  deviceNumber: number;
}

/** From this many rows on a binary COPY wins over array literals (bench/ingest). */
const copyFromRows = 400;

// Index devices_external_id_key. Runs under the shared ingest lock, so no device it finds can be deleted before the commit.
const FIND_DEVICE_NUMBERS = {
  name: 'ingest_find_device_numbers',
  text: `SELECT external_id AS "externalId", number FROM monitoring.devices WHERE external_id = ANY($1::text[])`,
};

const columns = `time, active_power_milliwatts, reactive_power_millivars, apparent_power_millivoltamperes,
  energy_imported_milliwatthours, energy_exported_milliwatthours, device_number, power_factor_millionths,
  voltage_millivolts, frequency_tenth_millihertz`;

// Index measurements_device_time_key decides what is known already. Rows come sorted by (device, time), so that two
// ingests of the same rows wait for each other instead of deadlocking.
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

/**
 * Stores readings that are not known yet and returns how many those were. `readings` must be sorted by device and time
 * and have each (device, time) once; their partitions must exist.
 */
export async function insertReadings(tx: Transaction, readings: readonly DeviceReading[]): Promise<number> {
  if (readings.length === 0) return 0;
  if (readings.length < copyFromRows) {
    const { rowCount } = await tx.query(INSERT_FROM_ARRAYS, arrayLiterals(readings));
    return rowCount;
  }
  await tx.query(CREATE_INCOMING);
  await pipeline([encodeCopy(readings)], tx.client.query(copyFrom(COPY_INCOMING)));
  const { rowCount } = await tx.query(INSERT_FROM_INCOMING);
  return rowCount;
}

/** The positions in `readings` of those that this transaction has stored; the others were known before. */
export async function listStoredHere(tx: Transaction, readings: readonly DeviceReading[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ position: number }>(LIST_STORED_HERE, [
    literal(readings, (reading) => reading.deviceNumber),
    literal(readings, (reading) => reading.timeMicros),
  ]);
  return new Set(rows.map((row) => row.position - 1));
}

function literal(readings: readonly DeviceReading[], pick: (reading: DeviceReading) => FixedUnits | null): string {
  let text = '{';
  for (const reading of readings) text += `${text.length > 1 ? ',' : ''}${pick(reading) ?? 'NULL'}`;
  return `${text}}`;
}

function arrayLiterals(readings: readonly DeviceReading[]): string[] {
  return [
    literal(readings, (r) => r.timeMicros),
    literal(readings, (r) => r.activePower),
    literal(readings, (r) => r.reactivePower),
    literal(readings, (r) => r.apparentPower),
    literal(readings, (r) => r.energyImported),
    literal(readings, (r) => r.energyExported),
    literal(readings, (r) => r.deviceNumber),
    literal(readings, (r) => r.powerFactor),
    literal(readings, (r) => r.voltage),
    literal(readings, (r) => r.frequency),
  ];
}

const copySignature = Buffer.from([
  0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const fieldCount = 10;
/** Field count, then a length and the value of six int8 and four int4. */
const maxRowBytes = 2 + 6 * (4 + 8) + 4 * (4 + 4);
/** PostgreSQL counts microseconds from 2000-01-01. */
const postgresEpochMicros = 946_684_800_000_000;

/** The rows in PostgreSQL's binary COPY format, https://www.postgresql.org/docs/current/sql-copy.html. */
export function encodeCopy(readings: readonly DeviceReading[]): Buffer {
  const buffer = Buffer.allocUnsafe(copySignature.length + readings.length * maxRowBytes + 2);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = copySignature.copy(buffer);
  for (const r of readings) {
    view.setInt16(at, fieldCount);
    at = writeInt8(view, at + 2, r.timeMicros - postgresEpochMicros);
    at = writeInt8(view, at, r.activePower);
    at = writeInt8(view, at, r.reactivePower);
    at = writeInt8(view, at, r.apparentPower);
    at = writeInt8(view, at, r.energyImported);
    at = writeInt8(view, at, r.energyExported);
    at = writeInt4(view, at, r.deviceNumber);
    at = writeInt4(view, at, r.powerFactor);
    at = writeInt4(view, at, r.voltage);
    at = writeInt4(view, at, r.frequency);
  }
  view.setInt16(at, -1);
  return buffer.subarray(0, at + 2);
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
