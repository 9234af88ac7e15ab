import { dayOf } from '../energy/energy.rules.ts';
import type { FixedUnits } from '../base/quantities.ts';
import type { JudgedReadings } from './judged-readings.rules.ts';
import { dayMicros } from '../base/instants.ts';

/**
 * Where a reading belongs: the number of a device and, in the fleet, the customer to whom this number belongs (null at a
 * Client). Only the statements of a destination and `NewestStored` use its fields. All other code passes it on.
 */
export interface Place {
  readonly customerId: string | null;
  readonly number: number;
}

/** The order of the tables of measurements. */
export const byPlace = (a: Place, b: Place): number =>
  a.customerId === b.customerId ? a.number - b.number : (a.customerId ?? '') < (b.customerId ?? '') ? -1 : 1;

/** An interval of a place in which readings were stored. */
export interface PlacedRange {
  place: Place;
  fromMicros: number;
  toMicros: number;
}

/** Decides for each position whether the reading is chosen. */
export type Choice = (at: number) => boolean;

const nowhere: Place = { customerId: null, number: Number.NaN };

/**
 * Readings of several requests whose places are known. They are sorted by place and time, and each (place, time) occurs once.
 */
export class SortedReadings {
  count = 0;
  /** How many of them are assumed to be new. */
  sureCount = 0;
  /** The places in sorted order, each once. */
  readonly places: readonly Place[];
  readonly #requests: readonly JudgedReadings[];
  readonly #places: Uint32Array;
  readonly #owners: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #isSure: Uint8Array;

  constructor(requests: readonly JudgedReadings[], places: readonly Place[]) {
    const capacity = requests.reduce((sum, { count }) => sum + count, 0);
    this.places = places;
    this.#requests = requests;
    this.#places = new Uint32Array(capacity);
    this.#owners = new Uint32Array(capacity);
    this.#rows = new Uint32Array(capacity);
    this.#isSure = new Uint8Array(capacity);
  }

  /**
   * Adds the next reading: row `row` of request `owner`, which belongs to place `place`. `isSure` means that the reading is
   * assumed to be new.
   */
  add(place: number, owner: number, row: number, isSure: boolean): void {
    this.#places[this.count] = place;
    this.#owners[this.count] = owner;
    this.#rows[this.count] = row;
    if (isSure) {
      this.#isSure[this.count] = 1;
      this.sureCount += 1;
    }
    this.count += 1;
  }

  /** One entry per reading: 1 if it is assumed to be new, else 0. */
  sureOnes(): Uint8Array {
    return this.#isSure.slice(0, this.count);
  }

  /** The positions of those that are chosen, ascending. */
  positions(isMeant: Choice): Uint32Array {
    const positions = new Uint32Array(this.count);
    let chosen = 0;
    for (let at = 0; at < this.count; at += 1) if (isMeant(at)) positions[chosen++] = at;
    return positions.subarray(0, chosen);
  }

  /** The position of the reading of a place at an instant, most likely `likely`; undefined if there is none. */
  find(place: number, timeMicros: number, likely: number): number | undefined {
    if (this.placeAt(likely) === place && this.timeMicros(likely) === timeMicros) return likely;
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      const difference = this.placeAt(middle) - place || this.timeMicros(middle) - timeMicros;
      if (difference === 0) return middle;
      if (difference < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  /** The position of the place of a reading. */
  placeAt(at: number): number {
    return this.#places[at] ?? Number.NaN;
  }

  place(at: number): Place {
    return this.places[this.placeAt(at)] ?? nowhere;
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

  /** Writes the quantities of a reading to `into`, in the order of their table. */
  readTo(into: (FixedUnits | null)[], at: number): void {
    this.#requests[this.owner(at)]?.readTo(into, this.#rows[at] ?? 0);
  }

  /** One instant for each place and UTC day that has readings. */
  times(): Iterable<number> {
    return this.days().map(({ from }) => this.timeMicros(from));
  }

  /** From the first to the last chosen reading, for each place and UTC day that has one. */
  ranges(isMeant: Choice): PlacedRange[] {
    const ranges: PlacedRange[] = [];
    for (const { from, to } of this.days()) {
      let [first, last] = [from, to - 1];
      while (first <= last && !isMeant(first)) first += 1;
      while (last > first && !isMeant(last)) last -= 1;
      if (first > last) continue;
      ranges.push({ place: this.place(from), fromMicros: this.timeMicros(first), toMicros: this.timeMicros(last) });
    }
    return ranges;
  }

  /** The positions of the readings of each place and UTC day, half-open. */
  days(): { from: number; to: number }[] {
    const days = [];
    for (let from = 0; from < this.count; from = days.at(-1)?.to ?? 0) days.push({ from, to: this.#endOfDay(from) });
    return days;
  }

  /** Exponential search, then binary search: a large body has thousands of readings per day. */
  #endOfDay(from: number): number {
    const place = this.placeAt(from);
    const endMicros = (dayOf(this.timeMicros(from)) + 1) * dayMicros;
    const isInDay = (at: number) => this.placeAt(at) === place && this.timeMicros(at) < endMicros;
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
}
