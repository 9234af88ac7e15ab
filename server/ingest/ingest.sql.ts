import { type FixedUnits, storedQuantities } from '../base/quantities.ts';
import type { SortedReadings } from './sorted-readings.rules.ts';
import { postgresEpochMicros } from '../database/rows.ts';
import { arrayText, type Step, type TextRow } from '../database/exchange.ts';
import { clientMeasurements, type MeasurementTable } from '../database/engines/engine.ts';

/** From this many rows on, a binary COPY is faster than array literals (bench/ingest). */
const copyFromRows = 400;

// Index devices_external_id_key. Under the shared ingest lock, so no device it finds can be deleted before the commit.
const FIND_DEVICE_NUMBERS = {
  name: 'ingest_find_device_numbers',
  text: `SELECT external_id, number FROM monitoring.devices WHERE external_id = ANY($1::text[])`,
};

interface Column {
  name: string;
  type: string;
}
const quantityColumns = (type: 'bigint' | 'integer') =>
  storedQuantities.filter((one) => one.type === type).map(({ column, at }) => ({ name: column, type, at }));
/** Quantities before and after the columns of the key: by their alignment. */
export const columnsBefore = quantityColumns('bigint');
export const columnsBehind = quantityColumns('integer');

/** The statements for a table of measurements; those of the fleet are given the instant at which they were received. */
export function statementsFor({ schema, key }: MeasurementTable) {
  const table = `${schema}.measurements`;
  const isFleet = schema === 'fleet';
  const keyColumns = key
    .split(', ')
    .map((name): Column => ({ name, type: name === 'customer_id' ? 'uuid' : 'integer' }));
  const others = [...columnsBefore, ...keyColumns, ...columnsBehind];
  const unnested = `time, ${others.map(({ name }) => name).join(', ')}`;
  const columns = isFleet ? [...others, { name: 'received_at', type: 'timestamptz' }] : others;
  const names = `time, ${columns.map(({ name }) => name).join(', ')}`;
  const into = `INSERT INTO ${table} (${names})`;
  const arrays = ['bigint', ...others.map(({ type }) => type)].map((type, at) => `$${at + 1}::${type}[]`);
  const received = isFleet ? `, $${arrays.length + 1}::timestamptz` : '';
  // Index measurements_device_time_key detects duplicates. Rows are sorted by (device, time), so that two ingests of the same rows
  // wait for each other instead of deadlocking.
  const unlessStored = `ON CONFLICT DO NOTHING RETURNING ${key}, (extract(epoch FROM time) * 1000000)::bigint`;
  return {
    copyNew: `COPY ${table} (${names}) FROM STDIN (FORMAT binary)`,
    insertFromArrays: {
      name: `ingest_insert_from_arrays_${schema}`,
      text: `${into}
             SELECT timestamptz 'epoch' + time * interval '1 microsecond', ${others.map(({ name }) => name).join(', ')}${received}
             FROM unnest(${arrays.join(', ')}) AS row (${unnested}) ${unlessStored}`,
    },
    createIncoming: {
      text: `CREATE TEMPORARY TABLE IF NOT EXISTS incoming_measurements (
               time timestamptz, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')}) ON COMMIT DELETE ROWS`,
    },
    copyIncoming: `COPY pg_temp.incoming_measurements (${names}) FROM STDIN (FORMAT binary)`,
    insertFromIncoming: {
      text: `${into} SELECT ${names} FROM pg_temp.incoming_measurements ${unlessStored}`,
    },
  };
}

/** The table that readings go to, and how the columns of its key are written and read. */
export interface Destination {
  statements: ReturnType<typeof statementsFor>;
  /** The fields of the key in a binary COPY. */
  keyFields: number;
  keyBytes: number;
  writeKey: (view: DataView, at: number, deviceNumber: number) => number;
  /** The values of the key columns, one after the other. */
  keyTexts: readonly ((deviceNumber: number) => string | number)[];
  /** The number of the device of a row within the readings; undefined if it is not among them. */
  deviceNumberOf: (row: TextRow) => number | undefined;
  /** Epoch microseconds; undefined if the table uses the start of the transaction. */
  receivedMicros?: number;
}

export const ofClient: Destination = {
  statements: statementsFor(clientMeasurements),
  keyFields: 1,
  keyBytes: 4 + 4,
  writeKey: writeInt4,
  keyTexts: [(deviceNumber) => deviceNumber],
  deviceNumberOf: ([number]) => Number(number),
};

const SAVEPOINT = { name: 'ingest_savepoint', text: 'SAVEPOINT before_new_rows' };
const ROLLBACK_TO_SAVEPOINT = { name: 'ingest_rollback', text: 'ROLLBACK TO SAVEPOINT before_new_rows' };

/** Finds the devices that have these external ids; for {@link deviceNumbersOf}. */
export function findDeviceNumbers(externalIds: readonly string[]): Step {
  // PostgreSQL takes no NUL in text, so no device has one.
  const possible = externalIds.filter((externalId) => !externalId.includes('\u0000'));
  return { ...FIND_DEVICE_NUMBERS, values: [arrayText(possible)] };
}

/** The numbers of the devices by external id; unknown ones are left out. */
export const deviceNumbersOf = (rows: readonly TextRow[]): Map<string, number> =>
  new Map(rows.map(([externalId, number]) => [externalId ?? '', Number(number)]));

/** Chooses some of the readings. */
export type Choice = (at: number) => boolean;

/** Stores readings that are new; one that is not fails the transaction back to {@link forgetNewReadings}. Their partitions must exist. */
export const insertNewReadings = (readings: SortedReadings, isMeant: Choice, into: Destination): Step[] => [
  SAVEPOINT,
  { text: into.statements.copyNew, bytes: encodeCopy(readings, isMeant, into) },
];

export const forgetNewReadings: Step = ROLLBACK_TO_SAVEPOINT;

/** Stores readings unless they are stored already; the last step is for {@link storedOf}. Their partitions must exist. */
export function insertReadings(readings: SortedReadings, isMeant: Choice, count: number, into: Destination): Step[] {
  const { insertFromArrays, createIncoming, copyIncoming, insertFromIncoming } = into.statements;
  if (count < copyFromRows) {
    const received = into.receivedMicros === undefined ? [] : [new Date(into.receivedMicros / 1000).toISOString()];
    return [{ ...insertFromArrays, values: [...arrayLiterals(readings, isMeant, into), ...received] }];
  }
  return [createIncoming, { text: copyIncoming, bytes: encodeCopy(readings, isMeant, into) }, insertFromIncoming];
}

/** The positions of the readings that were stored. */
export function* storedOf(readings: SortedReadings, rows: readonly TextRow[], into: Destination): Generator<number> {
  let next = 0;
  for (const row of rows) {
    const at = readings.find(into.deviceNumberOf(row) ?? -1, Number(row.at(-1)), next);
    if (at === undefined) throw new Error('A row was stored that is none of the group.');
    yield at;
    next = at + 1;
  }
}

/** The parameters of `insertFromArrays`, column by column. */
export function arrayLiterals(
  readings: SortedReadings,
  isMeant: Choice,
  { keyTexts }: Pick<Destination, 'keyTexts'>,
): string[] {
  const literal = (pick: (at: number) => FixedUnits | string | null): string => {
    const texts: string[] = [];
    for (let at = 0; at < readings.count; at += 1) if (isMeant(at)) texts.push(String(pick(at) ?? 'NULL'));
    return `{${texts.join(',')}}`;
  };
  const of = (quantity: { at: number }) => literal((at) => readings.quantity(at, quantity.at));
  return [
    literal((at) => readings.timeMicros(at)),
    ...columnsBefore.map(of),
    ...keyTexts.map((textOf) => literal((at) => textOf(readings.deviceNumber(at)))),
    ...columnsBehind.map(of),
  ];
}

const copySignature = Buffer.from([
  0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const copyEnd = Buffer.from([0xff, 0xff]);
/** Fields besides those of the key. */
const fieldCount = 1 + storedQuantities.length;
/** Field count, then a length and the value of the time and the quantities. */
const maxRowBytes = 2 + (1 + columnsBefore.length) * (4 + 8) + columnsBehind.length * (4 + 4);

/** Rows encoded at a time: about a millisecond, and the only ones in memory. */
const rowsPerPiece = 2_000;

/** The rows in PostgreSQL's binary COPY format, https://www.postgresql.org/docs/current/sql-copy.html, piece by piece. */
export function* encodeCopy(readings: SortedReadings, isMeant: Choice, into: Destination): Generator<Buffer> {
  for (let from = 0; from < readings.count; from += rowsPerPiece) {
    const to = Math.min(readings.count, from + rowsPerPiece);
    yield encodeRows(readings, isMeant, [from, to], into);
  }
}

function encodeRows(
  readings: SortedReadings,
  isMeant: Choice,
  [from, to]: readonly [number, number],
  { keyFields, keyBytes, writeKey, receivedMicros }: Destination,
): Buffer {
  const rowBytes = maxRowBytes + keyBytes + (receivedMicros === undefined ? 0 : 4 + 8);
  const fields = fieldCount + keyFields + (receivedMicros === undefined ? 0 : 1);
  const buffer = Buffer.allocUnsafe(copySignature.length + (to - from) * rowBytes + copyEnd.length);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = from === 0 ? copySignature.copy(buffer) : 0;
  for (let row = from; row < to; row += 1) {
    if (!isMeant(row)) continue;
    view.setInt16(at, fields);
    at = writeInt8(view, at + 2, readings.timeMicros(row) - postgresEpochMicros);
    for (const quantity of columnsBefore) at = writeInt8(view, at, readings.quantity(row, quantity.at));
    at = writeKey(view, at, readings.deviceNumber(row));
    for (const quantity of columnsBehind) at = writeInt4(view, at, readings.quantity(row, quantity.at));
    if (receivedMicros !== undefined) at = writeInt8(view, at, receivedMicros - postgresEpochMicros);
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

export function writeInt4(view: DataView, at: number, value: FixedUnits | null): number {
  if (value === null) {
    view.setInt32(at, -1);
    return at + 4;
  }
  view.setInt32(at, 4);
  view.setInt32(at + 4, Number(value));
  return at + 8;
}
