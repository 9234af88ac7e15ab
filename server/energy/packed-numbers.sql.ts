/**
 * Columns of numbers in few bytes (docs/adr/0015): integers minus the least of each block of thirty-two, in as many bits as the
 * greatest difference needs. Lossless to the bit.
 */

const perBlock = 32;
/** The bits that 32-bit operations can read from any bit position of a byte. */
const pieceBits = 24;
const pieceRange = 2 ** pieceBits;

/** A buffer that grows. */
export class ByteWriter {
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
export class ByteReader {
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
export const isPackable = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 50;

/** Takes packable numbers, whose count must be a multiple of eight. */
export function packIntegers(writer: ByteWriter, values: Float64Array): void {
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
export function unpackIntegers(reader: ByteReader, target: Float64Array): void {
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
