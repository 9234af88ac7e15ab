import type { FixedUnits } from './fixed-units.ts';
import type { Reading, RejectedRow } from './readings.ts';

const [indexAt, externalIdAt, timeAt, width] = [0, 1, 2, 11];

/** Where in its row a quantity lies. */
export const quantityAt = {
  activePower: 3,
  reactivePower: 4,
  apparentPower: 5,
  powerFactor: 6,
  voltage: 7,
  frequency: 8,
  energyImported: 9,
  energyExported: 10,
} as const satisfies Record<Exclude<keyof Reading, 'timeMicros'>, number>;

const firstCapacity = 16;
const rowsOfRun = 2_000;
const rowsOfStep = 20_000;

/** The rows of a request by external id and time. */
export interface SortedRows {
  /** Rows of one external id ascend by time, and of one time in the order in which they came. */
  order: Uint32Array;
  /** From where to where in `order` the rows of the external id of that number lie. */
  starts: Uint32Array;
}

/** The accepted rows of one request as numbers in one block, which takes a third of the memory of an object a row. */
export class JudgedReadings {
  count = 0;
  /** Of the earliest row, epoch microseconds. */
  earliestMicros = Infinity;
  /** Each once; the rows have their numbers. */
  readonly externalIds: string[] = [];
  readonly #numbers = new Map<string, number>();
  #cells = new Float64Array(firstCapacity * width);
  /** What a double beyond 2^53 lacks of its integer; there only where something lacks. */
  #rests: Int16Array | undefined;

  add(index: number, externalId: string, reading: Reading): void {
    const at = this.count * width;
    if (at === this.#cells.length) this.#grow();
    this.#cells[at + indexAt] = index;
    this.#cells[at + externalIdAt] = this.#numberOf(externalId);
    this.#cells[at + timeAt] = reading.timeMicros;
    this.#write(at + quantityAt.activePower, reading.activePower);
    this.#write(at + quantityAt.reactivePower, reading.reactivePower);
    this.#write(at + quantityAt.apparentPower, reading.apparentPower);
    this.#write(at + quantityAt.powerFactor, reading.powerFactor);
    this.#write(at + quantityAt.voltage, reading.voltage);
    this.#write(at + quantityAt.frequency, reading.frequency);
    this.#write(at + quantityAt.energyImported, reading.energyImported);
    this.#write(at + quantityAt.energyExported, reading.energyExported);
    if (reading.timeMicros < this.earliestMicros) this.earliestMicros = reading.timeMicros;
    this.count += 1;
  }

  /** Where in the request the row was. */
  index(row: number): number {
    return this.#cells[row * width + indexAt] ?? Number.NaN;
  }

  timeMicros(row: number): number {
    return this.#cells[row * width + timeAt] ?? Number.NaN;
  }

  /** The quantity at one of {@link quantityAt}. */
  quantity(row: number, at: number): FixedUnits | null {
    const cell = row * width + at;
    const value = this.#cells[cell] ?? Number.NaN;
    if (Number.isNaN(value)) return null;
    if (this.#rests === undefined || Number.isSafeInteger(value)) return value;
    return BigInt(value) + BigInt(this.#rests[cell] ?? 0);
  }

  /** Sorts step by step, about a millisecond each, so that whoever asks can let others have their turn. */
  *sorted(): Generator<void, SortedRows> {
    const starts = new Uint32Array(this.externalIds.length + 1);
    for (let row = 0; row < this.count; row += 1) {
      const next = this.#externalIdOf(row) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
    const ends = starts.slice();
    const order = new Uint32Array(this.count);
    for (let row = 0; row < this.count; row += 1) {
      const number = this.#externalIdOf(row);
      const at = ends[number] ?? 0;
      order[at] = row;
      ends[number] = at + 1;
    }
    for (let number = 0; number < this.externalIds.length; number += 1) {
      const [from = 0, to = 0] = [starts[number], starts[number + 1]];
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
    return this.#cells[row * width + externalIdAt] ?? Number.NaN;
  }

  #numberOf(externalId: string): number {
    const known = this.#numbers.get(externalId);
    if (known !== undefined) return known;
    this.#numbers.set(externalId, this.externalIds.length);
    return this.externalIds.push(externalId) - 1;
  }

  #write(cell: number, value: FixedUnits | null): void {
    const double = value === null ? Number.NaN : Number(value);
    this.#cells[cell] = double;
    if (typeof value !== 'bigint') return;
    this.#rests ??= new Int16Array(this.#cells.length);
    this.#rests[cell] = Number(value - BigInt(double));
  }

  #grow(): void {
    const cells = new Float64Array(this.#cells.length * 2);
    cells.set(this.#cells);
    this.#cells = cells;
    if (this.#rests === undefined) return;
    const rests = new Int16Array(cells.length);
    rests.set(this.#rests);
    this.#rests = rests;
  }
}

/** How many rows were rejected, and the first of them. */
export class RejectedRows {
  count = 0;
  /** Ascending by index. */
  readonly first: RejectedRow[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** For a transaction, which may be tried again. */
  copy(): RejectedRows {
    const copy = new RejectedRows(this.#max);
    copy.count = this.count;
    copy.first.push(...this.first);
    return copy;
  }

  /** `describe` is asked only for a row that is listed. */
  add(index: number, describe: () => RejectedRow): void {
    this.count += 1;
    if (this.first.length === this.#max && index > (this.first.at(-1)?.index ?? -1)) return;
    const at = this.first.findLastIndex((row) => row.index < index) + 1;
    this.first.splice(at, 0, describe());
    if (this.first.length > this.#max) this.first.pop();
  }
}
