import { slotsPerDay } from '../domain/energy-day.ts';
import { emptyStatistics, type Statistics, type StatisticsColumn, statisticsColumns } from '../domain/statistics.ts';

const columnBytes = slotsPerDay * Float64Array.BYTES_PER_ELEMENT;

/** The 96 numbers as bytes, least significant first; null where all are 0. */
export function encodeNumbers(values: Float64Array): Buffer | null {
  return values.every((value) => value === 0) ? null : Buffer.from(new Float64Array(values).buffer);
}

/** Puts encoded numbers into `target` from `at` on; null leaves it as it is. */
export function decodeNumbers(bytes: Uint8Array | null, target: Float64Array, at: number): void {
  if (bytes === null) return;
  new Uint8Array(target.buffer, target.byteOffset + at * Float64Array.BYTES_PER_ELEMENT, columnBytes).set(bytes);
}

/** What a load curve needs lies in one field, so that it need not read the other. */
const powerColumns = ['samples', 'powerSum'] as const satisfies StatisticsColumn[];
const quantityColumns = statisticsColumns.filter((name) => name !== 'samples' && name !== 'powerSum');

/** How a column is written: most of them are counts, small whole numbers, or what another one says already. */
const code = { zeros: 0, sameAsSamples: 1, sameAsPowerSum: 2, sameAsReactiveSum: 3, int16: 4, int32: 5, float64: 6 };
const references = [
  { code: code.sameAsSamples, name: 'samples' },
  { code: code.sameAsPowerSum, name: 'powerSum' },
  { code: code.sameAsReactiveSum, name: 'reactiveSum' },
] as const;

export interface EncodedStatistics {
  power: Buffer | null;
  quantities: Buffer | null;
}

/** The statistics of a day; null both where it has no reading. */
export function encodeStatistics(statistics: Statistics): EncodedStatistics {
  if (statistics.samples.every((count) => count === 0)) return { power: null, quantities: null };
  return { power: encodeColumns(statistics, powerColumns), quantities: encodeColumns(statistics, quantityColumns) };
}

/** The inverse; columns of a field that was not read are 0. */
export function decodeStatistics({
  power,
  quantities,
}: {
  power: Uint8Array | null;
  quantities: Uint8Array | null;
}): Statistics {
  const statistics = emptyStatistics(slotsPerDay);
  if (power !== null) decodeColumns(power, statistics, powerColumns);
  if (quantities !== null) decodeColumns(quantities, statistics, quantityColumns);
  return statistics;
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
  if (values.every((value) => value === 0)) return { code: code.zeros, bytes: nothing };
  for (const reference of references) {
    if (reference.name === name) continue;
    const other = statistics[reference.name];
    const isBefore = statisticsColumns.indexOf(reference.name) < statisticsColumns.indexOf(name);
    if (isBefore && values.every((value, at) => value === other[at])) return { code: reference.code, bytes: nothing };
  }
  const fits = (low: number, high: number) =>
    values.every((value) => Number.isInteger(value) && value >= low && value <= high);
  if (fits(0, 0xffff)) return { code: code.int16, bytes: bytesOf(Uint16Array.from(values)) };
  if (fits(-(2 ** 31), 2 ** 31 - 1)) return { code: code.int32, bytes: bytesOf(Int32Array.from(values)) };
  return { code: code.float64, bytes: bytesOf(Float64Array.from(values)) };
}

const bytesOf = (values: Uint16Array | Int32Array | Float64Array) => new Uint8Array(values.buffer);

function decodeColumns(bytes: Uint8Array, statistics: Statistics, names: readonly StatisticsColumn[]): void {
  let at = 0;
  /** A copy, because the numbers need not lie on a boundary of their size. */
  const take = (length: number) => {
    const copy = Uint8Array.from(bytes.subarray(at, at + length));
    at += length;
    return copy.buffer;
  };
  for (const name of names) {
    const kind = bytes[at];
    at += 1;
    const reference = references.find((one) => one.code === kind);
    if (reference !== undefined) statistics[name].set(statistics[reference.name]);
    else if (kind === code.int16) statistics[name].set(new Uint16Array(take(slotsPerDay * 2)));
    else if (kind === code.int32) statistics[name].set(new Int32Array(take(slotsPerDay * 4)));
    else if (kind === code.float64) statistics[name].set(new Float64Array(take(slotsPerDay * 8)));
  }
}
