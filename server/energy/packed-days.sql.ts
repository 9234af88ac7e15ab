import type { Field } from '../database/rows.ts';
import { slotsPerDay } from './energy.rules.ts';
import { type Statistics, type StatisticsColumn, statisticsColumns } from './statistics.rules.ts';

/**
 * Columns of numbers in few bytes (docs/adr/0015): integers minus the least of each block of thirty-two, in as many bits as the
 * greatest difference needs. Lossless to the bit.
 */

const perBlock = 32;
/** The bits that 32-bit operations can read from any bit position of a byte. */
const pieceBits = 24;
const pieceRange = 2 ** pieceBits;

/** A buffer that grows. */
class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = value;
  }

  /** An integer from 0 to 2^53, seven bits per byte. */
  count(value: number): void {
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) this.byte((left % 128) + 128);
    this.byte(left);
  }

  append(bytes: Uint8Array): void {
    for (const value of bytes) this.byte(value);
  }

  get length(): number {
    return this.#length;
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}

/** Reads what `ByteWriter` has written. */
class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  count(): number {
    let value = this.byte();
    if (value < 128) return value;
    value -= 128;
    for (let scale = 128; ; scale *= 128) {
      const next = this.byte();
      if (next < 128) return value + next * scale;
      value += (next - 128) * scale;
    }
  }
}

/** Instead of the bit width of the first block: all numbers equal its least one. */
const allSame = 255;
const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number) => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);

/** Their differences must be safe integers. */
const isPackable = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 50;

/** Takes packable numbers, whose count must be a multiple of eight. */
function packIntegers(writer: ByteWriter, values: Float64Array): void {
  const unit = commonUnit(values);
  writer.count(unit);
  const [one = 0] = values;
  if (values.every((value) => value === one)) {
    writer.count(zigzag(one / unit));
    writer.byte(allSame);
    return;
  }
  let before = 0;
  for (let first = 0; first < values.length; first += perBlock) {
    let [least, most] = [Infinity, -Infinity];
    for (let at = first; at < first + perBlock; at += 1) {
      const value = values[at] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    writer.count(zigzag(least / unit - before));
    before = least / unit;
    let bits = bitsOf((most - least) / unit);
    writer.byte(bits);
    for (let scale = unit; bits > 0; bits -= pieceBits, scale *= pieceRange) {
      const own = Math.min(bits, pieceBits);
      let [pending, held] = [0, 0];
      for (let at = first; at < first + perBlock; at += 1) {
        pending |= (Math.floor(((values[at] ?? 0) - least) / scale) % pieceRange) << held;
        for (held += own; held >= 8; held -= 8, pending >>>= 8) writer.byte(pending & 255);
      }
    }
  }
}

/** The inverse, into `target`. */
function unpackIntegers(reader: ByteReader, target: Float64Array): void {
  const { bytes } = reader;
  const unit = reader.count();
  let units = 0;
  for (let first = 0; first < target.length; first += perBlock) {
    units += unzigzag(reader.count());
    const least = units * unit;
    let bits = reader.byte();
    if (bits === allSame) {
      target.fill(least);
      return;
    }
    const end = first + perBlock;
    if (bits === 0) target.fill(least, first, end);
    for (let scale = unit; bits > 0; bits -= pieceBits, scale *= pieceRange) {
      const own = Math.min(bits, pieceBits);
      const mask = (1 << own) - 1;
      let [pending, held, next] = [0, 0, reader.at];
      for (let at = first; at < end; at += 1) {
        for (; held < own; held += 8) pending |= (bytes[next++] ?? 0) << held;
        const before = scale === unit ? least : (target[at] ?? 0);
        target[at] = before + (pending & mask) * scale;
        pending >>>= own;
        held -= own;
      }
      reader.at = next;
    }
  }
}

const bitsOf = (value: number) => (value === 0 ? 0 : Math.floor(Math.log2(value)) + 1);

/** The greatest number that divides them all; at least 1. */
function commonUnit(values: Float64Array): number {
  let unit = 0;
  for (const value of values) {
    let rest = Math.abs(value);
    if (rest === 0 || rest === unit || (unit > 0 && rest % unit === 0)) continue;
    while (rest !== 0) [unit, rest] = [rest, unit % rest];
    if (unit === 1) return 1;
  }
  return Math.max(1, unit);
}

/** The first byte of a packed field. Plain statistics begin with a smaller byte, and plain energy has a different length. */
export const form = { decimals: 16, changes: 17, statistics: 18 };
/** Kilowatt-hours are differences of registers with six decimals. */
const perUnit = 1e6;

const maxExponent = 60;

const integers = new Float64Array(slotsPerDay);
const corrections = new Float64Array(slotsPerDay);
const unpacked = new Float64Array(slotsPerDay);
const eight = new DataView(new ArrayBuffer(8));

/** 96 numbers, as decimals plus their binary rounding errors, or as those that differ from the previous one. */
export function packNumbers(values: Float64Array, plainBytes: number): Buffer {
  const decimals = packDecimals(values);
  const changes = packChanges(values);
  const shorter = decimals !== null && decimals.length < changes.length ? decimals : changes;
  // Must not have the length of a plain field, which it would be mistaken for.
  return shorter.length === plainBytes ? Buffer.concat([shorter, Buffer.alloc(1)]) : shorter;
}

export function unpackNumbers(bytes: Buffer, start: number, target: Float64Array, at: number): void {
  readNumbers(new ByteReader(bytes, start), unpacked);
  target.set(unpacked, at);
}

function readNumbers(reader: ByteReader, target: Float64Array): void {
  if (reader.byte() === form.changes) {
    readChanges(reader, target);
    return;
  }
  const perWhole = 2 ** reader.byte();
  unpackIntegers(reader, integers);
  unpackIntegers(reader, corrections);
  for (let slot = 0; slot < slotsPerDay; slot += 1) {
    target[slot] = (nearest(integers[slot] ?? 0, perWhole) + (corrections[slot] ?? 0)) / perWhole;
  }
}

/** The multiple of `1 / perWhole` nearest to a decimal. */
const nearest = (decimal: number, perWhole: number) => Math.round((decimal / perUnit) * perWhole);

/**
 * Packs differences of registers, which are multiples of a (negative) power of two and close to a decimal; null if the values are
 * not like that.
 */
function packDecimals(values: Float64Array): Buffer | null {
  let exponent = 0;
  let perWhole = 1;
  for (const value of values) {
    for (; !Number.isInteger(value * perWhole) && exponent < maxExponent; perWhole *= 2) exponent += 1;
    // Negative zeros would be read back as zeros.
    if (!isPackable(value * perWhole) || Object.is(value, -0)) return null;
  }
  const decimals = new Float64Array(slotsPerDay);
  const rest = new Float64Array(slotsPerDay);
  for (const [slot, value] of values.entries()) {
    const decimal = Math.round(value * perUnit);
    decimals[slot] = decimal;
    rest[slot] = value * perWhole - nearest(decimal, perWhole);
    // Checked again, because `perWhole` may have grown since the value was first looked at.
    if (!isPackable(rest[slot]) || !isPackable(value * perWhole)) return null;
  }
  const writer = new ByteWriter();
  writer.byte(form.decimals);
  writer.byte(exponent);
  packIntegers(writer, decimals);
  packIntegers(writer, rest);
  return writer.bytes();
}

/** A bit for each slot that differs from the previous one, and the float64 of those slots. */
function packChanges(values: Float64Array): Buffer {
  const writer = new ByteWriter();
  writer.byte(form.changes);
  const changed = Array.from(values, (value, slot) => slot === 0 || !Object.is(value, values[slot - 1]));
  for (let slot = 0; slot < slotsPerDay; slot += 8) {
    writer.byte(changed.slice(slot, slot + 8).reduce((bits, isChanged, at) => bits + (isChanged ? 1 << at : 0), 0));
  }
  for (const [slot, value] of values.entries()) {
    if (changed[slot] !== true) continue;
    eight.setFloat64(0, value);
    for (let at = 0; at < 8; at += 1) writer.byte(eight.getUint8(at));
  }
  return writer.bytes();
}

function readChanges(reader: ByteReader, target: Float64Array): void {
  const changed = Array.from({ length: slotsPerDay / 8 }, () => reader.byte());
  let value = 0;
  for (let slot = 0; slot < slotsPerDay; slot += 1) {
    if (((changed[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0) {
      for (let at = 0; at < 8; at += 1) eight.setUint8(at, reader.byte());
      value = eight.getFloat64(0);
    }
    target[slot] = value;
  }
}

// Loops, because a read encodes tens of columns for each device that sends, and a function called for each value costs more than it does.
export function isZero(values: Float64Array): boolean {
  for (const value of values) if (value !== 0) return false;
  return true;
}

export function isSame(values: Float64Array, others: Float64Array): boolean {
  for (let at = 0; at < values.length; at += 1) if (values[at] !== others[at]) return false;
  return true;
}

/** How a column of statistics is packed; most are integers, or equal to another column. */
const code = { zeros: 0, numbers: 1, integers: 2, morePower: 3, same: 4 };
const references = ['samples', 'powerSum', 'reactivePowerKvarSum'] as const satisfies StatisticsColumn[];

/** Some columns of the statistics of a day. */
export function packStatistics(statistics: Statistics, names: readonly StatisticsColumn[]): Buffer {
  const writer = new ByteWriter();
  writer.byte(form.statistics);
  for (const name of names) packColumn(writer, statistics, name);
  return writer.bytes();
}

function packColumn(writer: ByteWriter, statistics: Statistics, name: StatisticsColumn): void {
  const values = statistics[name];
  const isBefore = (other: StatisticsColumn) => statisticsColumns.indexOf(other) < statisticsColumns.indexOf(name);
  const reference = references.findIndex((other) => isBefore(other) && isSame(values, statistics[other]));
  if (isZero(values)) {
    writer.byte(code.zeros);
  } else if (reference >= 0) {
    writer.byte(code.same + reference);
  } else if (!values.every(isPackable)) {
    writer.byte(code.numbers);
    writer.append(packNumbers(values, 0));
  } else {
    const [own, more] = [new ByteWriter(), new ByteWriter()];
    packIntegers(own, values);
    const power = statistics.powerSum;
    const rest = values.map((value, slot) => value - (power[slot] ?? 0));
    if (isBefore('powerSum') && rest.every(isPackable)) packIntegers(more, rest);
    const isShorter = more.length > 0 && more.length < own.length;
    writer.byte(isShorter ? code.morePower : code.integers);
    writer.append((isShorter ? more : own).bytes());
  }
}

/** The inverse; columns of quantities that are newer than the field are 0. */
export function unpackStatistics(
  bytes: Buffer,
  { start, length }: Field,
  target: Statistics,
  names: readonly StatisticsColumn[],
): void {
  const reader = new ByteReader(bytes, start + 1);
  for (const name of names) {
    const values = target[name];
    const kind = reader.at < start + length ? reader.byte() : code.zeros;
    const reference = references[kind - code.same];
    if (reference !== undefined) values.set(target[reference]);
    else if (kind === code.zeros) values.fill(0);
    else if (kind === code.numbers) readNumbers(reader, values);
    else unpackIntegers(reader, values);
    if (kind !== code.morePower) continue;
    for (let slot = 0; slot < slotsPerDay; slot += 1) values[slot] = (values[slot] ?? 0) + (target.powerSum[slot] ?? 0);
  }
}
