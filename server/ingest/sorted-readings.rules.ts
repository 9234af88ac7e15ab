import { dayOf } from '../energy/energy-day.rules.ts';
import type { FixedUnits } from '../base/quantities.ts';
import type { JudgedReadings } from './judged-readings.rules.ts';
import { dayMicros } from '../base/instants.ts';

/** Readings of several requests, whose devices are known, by device and time and each (device, time) once. */
export class SortedReadings {
  count = 0;
  /** How many of them are taken to be new. */
  sureCount = 0;
  readonly #requests: readonly JudgedReadings[];
  readonly #deviceNumbers: Int32Array;
  readonly #owners: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #isSure: Uint8Array;

  constructor(requests: readonly JudgedReadings[]) {
    const capacity = requests.reduce((sum, { count }) => sum + count, 0);
    this.#requests = requests;
    this.#deviceNumbers = new Int32Array(capacity);
    this.#owners = new Uint32Array(capacity);
    this.#rows = new Uint32Array(capacity);
    this.#isSure = new Uint8Array(capacity);
  }

  /** Adds the next reading, which is row `row` of the request at `owner`; `isSure` if it is taken to be new. */
  add(deviceNumber: number, owner: number, row: number, isSure: boolean): void {
    this.#deviceNumbers[this.count] = deviceNumber;
    this.#owners[this.count] = owner;
    this.#rows[this.count] = row;
    if (isSure) {
      this.#isSure[this.count] = 1;
      this.sureCount += 1;
    }
    this.count += 1;
  }

  isSure(at: number): boolean {
    return this.#isSure[at] === 1;
  }

  /** One for each reading: 1 if it is taken to be new, else 0. */
  sureOnes(): Uint8Array {
    return this.#isSure.slice(0, this.count);
  }

  /** The position of the reading of a device at an instant, most likely `likely`; undefined if there is none. */
  find(deviceNumber: number, timeMicros: number, likely: number): number | undefined {
    if (this.deviceNumber(likely) === deviceNumber && this.timeMicros(likely) === timeMicros) return likely;
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      const difference = this.deviceNumber(middle) - deviceNumber || this.timeMicros(middle) - timeMicros;
      if (difference === 0) return middle;
      if (difference < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  deviceNumber(at: number): number {
    return this.#deviceNumbers[at] ?? Number.NaN;
  }

  owner(at: number): number {
    return this.#owners[at] ?? Number.NaN;
  }

  timeMicros(at: number): number {
    return this.#requests[this.owner(at)]?.timeMicros(this.#rows[at] ?? 0) ?? Number.NaN;
  }

  /** The quantity at a position of their table. */
  quantity(at: number, quantity: number): FixedUnits | null {
    return this.#requests[this.owner(at)]?.quantity(this.#rows[at] ?? 0, quantity) ?? null;
  }

  /** The positions of the readings of each device and UTC day, half-open. */
  *days(): Generator<{ from: number; to: number }> {
    for (let from = 0; from < this.count;) {
      const to = this.#endOfDay(from);
      yield { from, to };
      from = to;
    }
  }

  /** Searches exponentially, then binarily: a large body has thousands of readings of a day. */
  #endOfDay(from: number): number {
    const deviceNumber = this.deviceNumber(from);
    const endMicros = (dayOf(this.timeMicros(from)) + 1) * dayMicros;
    const isInDay = (at: number) => this.deviceNumber(at) === deviceNumber && this.timeMicros(at) < endMicros;
    let [inside, step] = [from, 1];
    while (inside + step < this.count && isInDay(inside + step)) {
      inside += step;
      step *= 2;
    }
    let end = Math.min(inside + step, this.count);
    while (end - inside > 1) {
      const middle = (inside + end) >> 1;
      if (isInDay(middle)) inside = middle;
      else end = middle;
    }
    return end;
  }

  *times(): Generator<number> {
    for (let at = 0; at < this.count; at += 1) yield this.timeMicros(at);
  }
}
