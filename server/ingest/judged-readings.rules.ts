import { type FixedUnits, type Reading, storedQuantities } from '../base/quantities.ts';
import type { RejectedRow } from './readings.rules.ts';

const [indexAt, externalIdAt, timeAt, quantitiesAt] = [0, 1, 2, 3];
const width = quantitiesAt + storedQuantities.length;

const firstCapacity = 16;
const blockBits = 12;
const rowsOfBlock = 2 ** blockBits;
const rowsOfRun = 2_000;
const rowsOfStep = 20_000;

/** The rows of a request, sorted by external ID and time. */
export interface SortedRows {
  /**
   * The positions of the rows: those of an external ID follow each other, ascending by time. Rows with the same time keep the
   * order of arrival.
   */
  order: Uint32Array;
  /** The rows of external ID `n` are in `order` from `starts[n]` up to `starts[n + 1]`. */
  starts: Uint32Array;
}

/** The accepted rows of one request as numbers in blocks, which take a third of the memory of an object per row. */
export class JudgedReadings {
  count = 0;
  /** The time of the earliest row, epoch microseconds. */
  earliestMicros = Infinity;
  /** Each id once; rows refer to them by position. */
  readonly externalIds: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #blocks: Float64Array[] = [];
  /** Doubles cannot hold integers beyond 2^53, so their remainders are stored here, by block. Undefined if a block has none. */
  readonly #rests: (Int16Array | undefined)[] = [];

  add(index: number, externalId: string, reading: Pick<Reading, 'timeMicros' | 'quantities'>): void {
    const cells = this.#blockOf(this.count);
    const at = (this.count % rowsOfBlock) * width;
    cells[at + indexAt] = index;
    cells[at + externalIdAt] = this.#numberOf(externalId);
    cells[at + timeAt] = reading.timeMicros;
    const { quantities } = reading;
    for (let quantity = 0; quantity < quantities.length; quantity += 1) {
      this.#write(cells, at + quantitiesAt + quantity, quantities[quantity] ?? null);
    }
    if (reading.timeMicros < this.earliestMicros) this.earliestMicros = reading.timeMicros;
    this.count += 1;
  }

  /** The position of the row in the request. */
  index(row: number): number {
    return this.#cell(row, indexAt);
  }

  timeMicros(row: number): number {
    return this.#cell(row, timeAt);
  }

  /** The quantity at a position of their table. */
  quantity(row: number, at: number): FixedUnits | null {
    const value = this.#cell(row, quantitiesAt + at);
    if (Number.isNaN(value)) return null;
    if (Number.isSafeInteger(value)) return value;
    const cell = (row % rowsOfBlock) * width + quantitiesAt + at;
    return BigInt(value) + BigInt(this.#rests[row >> blockBits]?.[cell] ?? 0);
  }

  /** Writes the quantities of a row to `into`, in the order of their table. */
  readTo(into: (FixedUnits | null)[], row: number): void {
    const cells = this.#blocks[row >> blockBits];
    const from = (row % rowsOfBlock) * width + quantitiesAt;
    for (let at = 0; at < into.length; at += 1) {
      const value = cells?.[from + at] ?? Number.NaN;
      into[at] = Number.isSafeInteger(value) ? value : this.quantity(row, at);
    }
  }

  /** Sorts in steps of about a millisecond, so that the caller can yield between them. */
  *sorted(): Generator<void, SortedRows> {
    const starts = new Uint32Array(this.externalIds.length + 1);
    for (let row = 0; row < this.count; row += 1) {
      const next = this.#externalIdOf(row) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
      if (row % rowsOfStep === rowsOfStep - 1) yield;
    }
    for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
    const ends = starts.slice();
    const order = new Uint32Array(this.count);
    for (let row = 0; row < this.count; row += 1) {
      const number = this.#externalIdOf(row);
      const at = ends[number] ?? 0;
      order[at] = row;
      ends[number] = at + 1;
      if (row % rowsOfStep === rowsOfStep - 1) yield;
    }
    for (let number = 0; number < this.externalIds.length; number += 1) {
      const [from = 0, to = 0] = [starts[number], starts[number + 1]];
      if (Math.floor(from / rowsOfStep) < Math.floor(to / rowsOfStep)) yield;
      if (!this.#isAscending(order, from, to)) yield* this.#sortByTime(order.subarray(from, to));
    }
    return { order, starts };
  }

  #isAscending(order: Uint32Array, from: number, to: number): boolean {
    for (let at = from + 1; at < to; at += 1) {
      if (this.timeMicros(order[at] ?? 0) < this.timeMicros(order[at - 1] ?? 0)) return false;
    }
    return true;
  }

  /** Runs are sorted, then merged two by two. */
  *#sortByTime(rows: Uint32Array): Generator<void> {
    const isBefore = (a: number, b: number) => this.timeMicros(a) - this.timeMicros(b) || a - b;
    for (let from = 0; from < rows.length; from += rowsOfRun) {
      rows.subarray(from, from + rowsOfRun).sort(isBefore);
      if (rows.length > rowsOfRun) yield;
    }
    for (let length = rowsOfRun; length < rows.length; length *= 2) {
      const runs = rows.slice();
      for (let from = 0; from < rows.length; from += 2 * length) {
        const [middle, end] = [Math.min(from + length, rows.length), Math.min(from + 2 * length, rows.length)];
        let [left, right] = [from, middle];
        for (let at = from; at < end; at += 1) {
          const isLeft = right === end || (left < middle && isBefore(runs[left] ?? 0, runs[right] ?? 0) < 0);
          rows[at] = (isLeft ? runs[left] : runs[right]) ?? 0;
          if (isLeft) left += 1;
          else right += 1;
          if (at % rowsOfStep === 0) yield;
        }
      }
    }
  }

  #externalIdOf(row: number): number {
    return this.#cell(row, externalIdAt);
  }

  #numberOf(externalId: string): number {
    const known = this.#numbers.get(externalId);
    if (known !== undefined) return known;
    this.#numbers.set(externalId, this.externalIds.length);
    return this.externalIds.push(externalId) - 1;
  }

  #cell(row: number, at: number): number {
    return this.#blocks[row >> blockBits]?.[(row % rowsOfBlock) * width + at] ?? Number.NaN;
  }

  /** Writes into the last block. */
  #write(cells: Float64Array, at: number, value: FixedUnits | null): void {
    const double = value === null ? Number.NaN : Number(value);
    cells[at] = double;
    if (typeof value !== 'bigint') return;
    const rests = (this.#rests[this.#blocks.length - 1] ??= new Int16Array(cells.length));
    rests[at] = Number(value - BigInt(double));
  }

  /** The last block, with room for another row. Only the first block grows. */
  #blockOf(row: number): Float64Array {
    const last = this.#blocks.at(-1);
    const isFull = last === undefined || row % rowsOfBlock === 0;
    if (!isFull && (row % rowsOfBlock) * width < last.length) return last;
    const cells = new Float64Array((isFull && row > 0 ? rowsOfBlock : Math.max(firstCapacity, row * 2)) * width);
    if (isFull) {
      this.#blocks.push(cells);
    } else {
      cells.set(last);
      this.#blocks[0] = cells;
      const rests = this.#rests[0];
      if (rests !== undefined) (this.#rests[0] = new Int16Array(cells.length)).set(rests);
    }
    return cells;
  }
}

/** The number of rejected rows, and the first of these rows. */
export class RejectedRows {
  count = 0;
  /** Ascending by index. */
  readonly first: RejectedRow[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** A copy, because the transaction may be retried. */
  copy(): RejectedRows {
    const copy = new RejectedRows(this.#max);
    copy.count = this.count;
    copy.first.push(...this.first);
    return copy;
  }

  /** Adds a rejected row. `describe` is called only if the row is among those that are listed. */
  add(index: number, describe: () => RejectedRow): void {
    this.count += 1;
    if (this.first.length === this.#max && index > (this.first.at(-1)?.index ?? -1)) return;
    const at = this.first.findLastIndex((row) => row.index < index) + 1;
    this.first.splice(at, 0, describe());
    if (this.first.length > this.#max) this.first.pop();
  }
}
