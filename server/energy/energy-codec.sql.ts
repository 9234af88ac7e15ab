import { slotsPerDay } from './energy.rules.ts';
import { powerColumns, type Statistics, type StatisticsColumn, statisticsColumns } from './statistics.rules.ts';
import type { Field } from '../database/rows.ts';
import {
  form,
  isSame,
  isZero,
  packNumbers,
  packStatistics,
  unpackNumbers,
  unpackStatistics,
} from './packed-days.sql.ts';

/**
 * The length in bytes of a plain column. Days that are computed in memory have plain columns; packed columns have other
 * lengths.
 */
const plainBytes = slotsPerDay * Float64Array.BYTES_PER_ELEMENT;

/** The 96 numbers as bytes, least significant first; null if all are 0. For days in memory: packing takes a tenth of a millisecond. */
export function encodeNumbers(values: Float64Array): Buffer | null {
  return isZero(values) ? null : Buffer.from(new Float64Array(values).buffer);
}

/** The packed form of the numbers, which is stored because it takes fewer bytes. */
export const packedNumbers = (values: Float64Array): Buffer | null =>
  isZero(values) ? null : packNumbers(values, plainBytes);

/** Decodes numbers into `target`, beginning at position `at`. */
export function decodeNumbers(bytes: Buffer, { start, length }: Field, target: Float64Array, at: number): void {
  if (length !== plainBytes) unpackNumbers(bytes, start, target, at);
  else bytes.copy(bytesUnder(target), at * Float64Array.BYTES_PER_ELEMENT, start, start + plainBytes);
}

// Shared, because a view per day and column would be most of the garbage of a summary over years.
const views = new WeakMap<Float64Array, Uint8Array>();
const viewOf = (target: Float64Array) => new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
const bytesUnder = (target: Float64Array): Uint8Array => views.getOrInsertComputed(target, viewOf);

/** The columns that load curves need are in a field of their own, so that load curves need not read these. */
const quantityColumns = statisticsColumns.filter((name) => name !== 'samples' && name !== 'powerSum');

/** How a column is encoded: most are counts, small integers, or derived from another one. */
const code = { zeros: 0, sameAsSamples: 1, sameAsPowerSum: 2, sameAsReactiveSum: 3, int16: 4, int32: 5, float64: 6 };
const references = [
  { code: code.sameAsSamples, name: 'samples' },
  { code: code.sameAsPowerSum, name: 'powerSum' },
  { code: code.sameAsReactiveSum, name: 'reactivePowerKvarSum' },
] as const;

export interface EncodedStatistics {
  power: Buffer | null;
  quantities: Buffer | null;
}

/** Encodes the statistics of a day. Both fields are null if the day has no reading. */
export function encodeStatistics(statistics: Statistics): EncodedStatistics {
  if (isZero(statistics.samples)) return { power: null, quantities: null };
  return { power: encodeColumns(statistics, powerColumns), quantities: encodeColumns(statistics, quantityColumns) };
}

/** The packed form of the statistics, which is stored because it takes fewer bytes. */
export function packedStatistics(statistics: Statistics): EncodedStatistics {
  if (isZero(statistics.samples)) return { power: null, quantities: null };
  return { power: packStatistics(statistics, powerColumns), quantities: packStatistics(statistics, quantityColumns) };
}

/**
 * Decodes plain and packed statistics. Columns are 0 if their field is null or was not read, or if their quantity is newer than
 * the field.
 */
export function decodeStatistics(
  bytes: Buffer,
  { power, quantities }: { power: Field | null; quantities: Field | null },
  target: Statistics,
): void {
  decodeColumns(bytes, power, target, powerColumns);
  decodeColumns(bytes, quantities, target, quantityColumns);
}

function encodeColumns(statistics: Statistics, names: readonly StatisticsColumn[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const name of names) {
    const values = statistics[name];
    const { code: kind, bytes } = encodeColumn(statistics, name, values);
    parts.push(Uint8Array.of(kind), bytes);
  }
  return Buffer.concat(parts);
}

const nothing = new Uint8Array(0);

function encodeColumn(statistics: Statistics, name: StatisticsColumn, values: Float64Array) {
  if (isZero(values)) return { code: code.zeros, bytes: nothing };
  for (const reference of references) {
    if (reference.name === name) continue;
    const isBefore = statisticsColumns.indexOf(reference.name) < statisticsColumns.indexOf(name);
    if (isBefore && isSame(values, statistics[reference.name])) return { code: reference.code, bytes: nothing };
  }
  const { low, high } = rangeOfIntegers(values);
  if (low >= 0 && high <= 0xffff) return { code: code.int16, bytes: bytesOf(Uint16Array.from(values)) };
  if (low >= -(2 ** 31) && high < 2 ** 31) return { code: code.int32, bytes: bytesOf(Int32Array.from(values)) };
  return { code: code.float64, bytes: bytesOf(Float64Array.from(values)) };
}

/** The smallest and the largest value; infinite if one of them is not an integer. */
function rangeOfIntegers(values: Float64Array): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isInteger(value)) return { low: -Infinity, high: Infinity };
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

const bytesOf = (values: Uint16Array | Int32Array | Float64Array) => new Uint8Array(values.buffer);

function decodeColumns(
  bytes: Buffer,
  field: Field | null,
  target: Statistics,
  names: readonly StatisticsColumn[],
): void {
  if (field === null) {
    for (const name of names) target[name].fill(0);
    return;
  }
  if (bytes[field.start] === form.statistics) {
    unpackStatistics(bytes, field, target, names);
    return;
  }
  let at = field.start;
  for (const name of names) {
    const kind = at < field.start + field.length ? bytes[at] : code.zeros;
    at += 1;
    const values = target[name];
    const reference = references.find((one) => one.code === kind);
    if (reference !== undefined) {
      values.set(target[reference.name]);
    } else if (kind === code.int16) {
      for (let slot = 0; slot < slotsPerDay; slot += 1) values[slot] = bytes.readUInt16LE(at + slot * 2);
      at += slotsPerDay * 2;
    } else if (kind === code.int32) {
      for (let slot = 0; slot < slotsPerDay; slot += 1) values[slot] = bytes.readInt32LE(at + slot * 4);
      at += slotsPerDay * 4;
    } else if (kind === code.float64) {
      decodeNumbers(bytes, { start: at, length: plainBytes }, values, 0);
      at += plainBytes;
    } else {
      values.fill(0);
    }
  }
}
