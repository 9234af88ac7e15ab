import { type FixedUnits, nothingRead, storedQuantities } from '../base/quantities.ts';
import type { Choice, Place, SortedReadings } from './sorted-readings.rules.ts';
import { errorState } from '../database/errors.ts';
import { instantOf, postgresEpochMicros } from '../database/rows.ts';
import { arrayText, type Step, type TextRow } from '../database/exchange.ts';
import type { MeasurementTable } from '../database/engines/engine.ts';

/** From this many rows on, a binary COPY is faster than array literals (bench/ingest). */
const copyFromRows = 400;

// Index devices_external_id_key. No join, which could compare each id with each device while the plan is older than the devices.
const FIND_DEVICE_NUMBERS = {
  name: 'ingest_find_device_numbers',
  text: `SELECT NULL, external_id, number FROM monitoring.devices WHERE external_id = ANY($1::text[])`,
};

/** What a group assumes. The database checks it, and may refute it. */
export interface Guess {
  devices: readonly { customerId: string | null; id: string; number: number }[];
  /** The ids of API keys. */
  keyIds: readonly string[];
  earliestMicros: number;
}

// Fails unless each device still has its number and name, the keys exist, and the rows are kept. Uses primary keys devices_pkey
// and api_keys_pkey. Ordered by number, so that nothing is joined.
const CHECK_GUESS = {
  name: 'ingest_check_guess',
  text: `SELECT 1 / (coalesce(array_agg(external_id ORDER BY number), '{}') = $2::text[]
             AND (SELECT count(*) FROM monitoring.api_keys WHERE id = ANY($3::uuid[])) = $4::integer
             AND NOT EXISTS (SELECT FROM monitoring.retention WHERE kept_from > ${instantOf('$5::bigint')}))::integer
         FROM monitoring.devices WHERE number = ANY($1::integer[])`,
};

interface Column {
  name: string;
  type: string;
}
const quantityColumns = (type: 'bigint' | 'integer') =>
  storedQuantities.filter((one) => one.type === type).map(({ column, at }) => ({ name: column, type, at }));
/** The quantities whose columns are before and after those of the key. The alignment of their types decides. */
export const columnsBefore = quantityColumns('bigint');
export const columnsBehind = quantityColumns('integer');

/** How readings are written into a table of measurements. The table of the fleet also has the time when they were received. */
export function layoutOf({ schema, key }: MeasurementTable) {
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
    // The same index, once for each reading.
    findStored: {
      text: `SELECT ${keyColumns.map(({ name }) => `m.${name}`).join(', ')}, row.micros
             FROM unnest($1::bigint[], ${keyColumns.map(({ type }, at) => `$${at + 2}::${type}[]`).join(', ')})
               AS row (micros, ${key})
             JOIN ${table} m ON ${keyColumns.map(({ name }) => `m.${name} = row.${name}`).join(' AND ')}
               AND m.time = timestamptz 'epoch' + row.micros * interval '1 microsecond'`,
    },
    fieldCount: 1 + columns.length,
    /** The values of the key columns in PostgreSQL's text format. */
    keyTexts: ({ customerId, number }: Place) => (isFleet ? [customerId ?? '', String(number)] : [String(number)]),
    /** The fields of the key in a binary COPY, as words of four bytes: a length, then the value. */
    keyWords(places: readonly Place[]): number[][] {
      let last: string | null = null;
      let words: number[] = [];
      return places.map(({ customerId, number }) => {
        // Places are sorted, so the places of a customer follow each other.
        if (isFleet && customerId !== last) [last, words] = [customerId, [16, ...wordsOf(customerId ?? '')]];
        return [...words, 4, number];
      });
    },
    receivedText: (at: Date) => (isFleet ? [at.toISOString()] : []),
    receivedMicros: (at: Date) => (isFleet ? at.getTime() * 1000 : undefined),
  };
}
export type Layout = ReturnType<typeof layoutOf>;

/** A GUID as four words. */
function wordsOf(guid: string): number[] {
  const hex = guid.replaceAll('-', '');
  return [0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16));
}

/** The table that readings go to, and when they were received. */
export interface Target {
  layout: Layout;
  at: Date;
}

const SAVEPOINT = { name: 'ingest_savepoint', text: 'SAVEPOINT before_new_rows' };
const ROLLBACK_TO_SAVEPOINT = { name: 'ingest_rollback', text: 'ROLLBACK TO SAVEPOINT before_new_rows' };

/** Finds devices by their external IDs; returns no position, the external ID and the number of each. */
export const findDeviceNumbers = (asked: readonly { id: string }[]): Step => ({
  ...FIND_DEVICE_NUMBERS,
  // PostgreSQL takes no NUL in text, and no device has an empty id.
  values: [arrayText(asked.map(({ id }) => (id.includes('\u0000') ? '' : id)))],
});

/** Fails the transaction if the guess is wrong. */
export function checkGuess({ devices, keyIds, earliestMicros }: Guess): Step {
  const inOrder = devices.toSorted((a, b) => a.number - b.number);
  const numbers = arrayText(inOrder.map(({ number }) => number));
  const ids = arrayText(inOrder.map(({ id }) => id));
  return { ...CHECK_GUESS, values: [numbers, ids, arrayText(keyIds), String(keyIds.length), String(earliestMicros)] };
}

/** Whether a check has failed: it divides by zero, as nothing else does. */
export const isRefuted = (error: unknown): boolean => errorState(error) === '22012';

/**
 * Stores readings that are new. If one of them is already stored, the transaction rolls back to {@link forgetNewReadings}.
 * Their partitions must exist.
 */
export const insertNewReadings = (readings: SortedReadings, isMeant: Choice, target: Target): Step[] => [
  SAVEPOINT,
  { text: target.layout.copyNew, bytes: encodeCopy(readings, readings.positions(isMeant), target) },
];

export const forgetNewReadings: Step = ROLLBACK_TO_SAVEPOINT;

/**
 * Stores those readings that are not stored yet. {@link storedOf} reads the answer of the last step. The partitions must exist.
 */
export function insertReadings(readings: SortedReadings, isMeant: Choice, target: Target): Step[] {
  const { layout, at } = target;
  const chosen = readings.positions(isMeant);
  const { insertFromArrays, createIncoming, copyIncoming, insertFromIncoming } = layout;
  if (chosen.length < copyFromRows) {
    const values = arrayLiterals(readings, chosen, readings.places.map(layout.keyTexts));
    return [{ ...insertFromArrays, values: [...values, ...layout.receivedText(at)] }];
  }
  return [createIncoming, { text: copyIncoming, bytes: encodeCopy(readings, chosen, target) }, insertFromIncoming];
}

/** The positions of the readings that were stored. */
export function* storedOf(readings: SortedReadings, rows: readonly TextRow[], { keyTexts }: Layout): Generator<number> {
  const placeOf = new Map(readings.places.map((place, at) => [keyTexts(place).join(' '), at]));
  let next = 0;
  for (const row of rows) {
    const at = readings.find(placeOf.get(row.slice(0, -1).join(' ')) ?? -1, Number(row.at(-1)), next);
    if (at === undefined) throw new Error('A row was stored that is none of the group.');
    yield at;
    next = at + 1;
  }
}

/** Finds the readings that are already stored. {@link storedOf} reads the answer. */
export function findStoredReadings(readings: SortedReadings, layout: Layout): Step {
  const all = readings.positions(() => true);
  const keys = readings.places.map(layout.keyTexts);
  const column = (pick: (at: number) => number | string | undefined) =>
    arrayText(Array.from(all, (at) => pick(at) ?? null));
  const ofKey = (keys[0] ?? []).map((_, part) => column((at) => keys[readings.placeAt(at)]?.[part]));
  return { ...layout.findStored, values: [column((at) => readings.timeMicros(at)), ...ofKey] };
}

/** The parameters of `insertFromArrays`, column by column. `keys` has the values of the key columns for each place. */
export function arrayLiterals(readings: SortedReadings, chosen: Iterable<number>, keys: readonly string[][]): string[] {
  const literal = (pick: (at: number) => FixedUnits | string | null | undefined): string =>
    `{${Array.from(chosen, (at) => String(pick(at) ?? 'NULL')).join(',')}}`;
  const of = (quantity: { at: number }) => literal((at) => readings.quantity(at, quantity.at));
  return [
    literal((at) => readings.timeMicros(at)),
    ...columnsBefore.map(of),
    ...(keys[0] ?? []).map((_, column) => literal((at) => keys[readings.placeAt(at)]?.[column])),
    ...columnsBehind.map(of),
  ];
}

const copySignature = Buffer.from([
  0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const copyEnd = Buffer.from([0xff, 0xff]);
/**
 * A row has the number of fields, then the length and the value of each field. A value has at most 8 bytes, that of a customer
 * 16.
 */
const maxRowBytes = (fieldCount: number) => 2 + fieldCount * (4 + 8) + 8;

/** The number of rows that are encoded at a time. This takes about a millisecond, and only these rows are in memory. */
const rowsPerPiece = 2_000;

/** The rows in PostgreSQL's binary COPY format, https://www.postgresql.org/docs/current/sql-copy.html, piece by piece. */
export function* encodeCopy(readings: SortedReadings, chosen: Uint32Array, { layout, at }: Target): Generator<Buffer> {
  const keys = layout.keyWords(readings.places);
  const received = layout.receivedMicros(at);
  const rowBytes = maxRowBytes(layout.fieldCount);
  const quantities = nothingRead.slice();
  for (let from = 0; from < chosen.length; from += rowsPerPiece) {
    const rows = chosen.subarray(from, from + rowsPerPiece);
    const buffer = Buffer.allocUnsafe(copySignature.length + rows.length * rowBytes + copyEnd.length);
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    let end = from === 0 ? copySignature.copy(buffer) : 0;
    for (const row of rows) {
      readings.readTo(quantities, row);
      view.setInt16(end, layout.fieldCount);
      end = writeInt8(view, end + 2, readings.timeMicros(row) - postgresEpochMicros);
      for (const quantity of columnsBefore) end = writeInt8(view, end, quantities[quantity.at] ?? null);
      for (const word of keys[readings.placeAt(row)] ?? []) {
        view.setInt32(end, word);
        end += 4;
      }
      for (const quantity of columnsBehind) end = writeInt4(view, end, quantities[quantity.at] ?? null);
      if (received !== undefined) end = writeInt8(view, end, received - postgresEpochMicros);
    }
    if (from + rows.length === chosen.length) end += copyEnd.copy(buffer, end);
    yield buffer.subarray(0, end);
  }
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
