import { type EnergyBuckets, slotMicros, dayOf, slotsPerDay } from '../energy/energy.rules.ts';
import { dayMicros, type MicrosRange, steadyIntervals } from '../base/instants.ts';

/** The number of weeks that determine usual consumption. */
export const usualWeeks = 8;
const placesPerWeek = 7 * slotsPerDay;
const cells = usualWeeks * placesPerWeek;
const daysBefore = usualWeeks * 7;

/** The share of a quarter-hour that may be filled in for devices that were not measured in it. */
export const maxFilledShare = 0.1;
/** A device that measured in fewer quarter-hours of its weeks than this is left out. */
const minKnownShare = 0.9;
/** The share of a bucket that may be taken from other weeks. */
const maxBorrowedShare = 0.25;
/** Iglewicz and Hoaglin 1993: how far from the median a value may lie, in median absolute deviations scaled to sigmas. */
const maxDeviations = 3.5;
const sigmasPerDeviation = 0.6745;
/** A day that differs by less than this is typical, however alike the others are. */
const minOddShare = 0.2;
const minDaysToJudge = 5;

/**
 * The quarter-hours of the eight weeks before a range in a time zone. A place is a weekday and time of day, counted from the
 * first local day of the range; a cell is a place in one of the weeks.
 */
export interface UsualWeeks {
  /** The place of each quarter-hour of the range. */
  places: Int16Array;
  /** The first quarter-hour of the range, in slots since 1970. */
  firstSlot: number;
  /** The slot since 1970 of each cell; -1 if the hour was skipped or the range has no such place. */
  slots: Int32Array;
  /** The UTC days that hold those slots, ascending. */
  days: number[];
}

/** The weeks before a range for the sites of a zone. An hour that occurred twice counts as its first time. */
export function planWeeks({ fromMicros, toMicros }: MicrosRange, timeZone: string): UsualWeeks {
  const [firstSlot, endSlot] = [Math.floor(fromMicros / slotMicros), Math.ceil(toMicros / slotMicros)];
  const earliest = firstSlot - (daysBefore + 2) * slotsPerDay;
  const offsets = new Int32Array(endSlot - earliest);
  for (const steady of steadyIntervals(earliest * slotMicros, endSlot * slotMicros, timeZone)) {
    const from = Math.ceil(steady.fromMicros / slotMicros) - earliest;
    offsets.fill(Math.floor(steady.offsetMicros / slotMicros), from);
  }
  const localOf = (slot: number) => slot + (offsets[slot - earliest] ?? 0);
  const firstDay = Math.floor(localOf(firstSlot) / slotsPerDay);
  const isAsked = new Uint8Array(placesPerWeek);
  const places = Int16Array.from({ length: endSlot - firstSlot }, (_, at) => {
    const place = (localOf(firstSlot + at) - firstDay * slotsPerDay) % placesPerWeek;
    isAsked[place] = 1;
    return place;
  });
  const slots = new Int32Array(cells).fill(-1);
  const days = new Set<number>();
  const start = (firstDay - daysBefore) * slotsPerDay;
  for (let slot = earliest; slot < firstSlot; slot += 1) {
    const cell = localOf(slot) - start;
    if (cell < 0 || cell >= cells || slots[cell] !== -1 || isAsked[cell % placesPerWeek] === 0) continue;
    slots[cell] = slot;
    days.add(dayOf(slot * slotMicros));
  }
  return { places, firstSlot, slots, days: [...days].toSorted((a, b) => a - b) };
}

/** The energy of one device from a slot on, and when it is known. */
export interface UsualMeasured {
  firstSlot: number;
  energy: EnergyBuckets;
  known: readonly MicrosRange[];
}

/** The energy of a zone in each cell; if a week does not count, the median of the others. */
export interface UsualProfile {
  weeks: UsualWeeks;
  deviceCount: number;
  importedKwh: Float64Array;
  netKwh: Float64Array;
  /** 1 where a week counts. */
  counts: Uint8Array;
}

/** Sums the energy of the devices of a zone in each cell. */
export function createUsualZone(weeks: UsualWeeks) {
  const column = () => new Float64Array(cells);
  const [imported, net, all, filled, missing] = [column(), column(), column(), column(), column()];
  const asked = [...new Set(weeks.places)];
  let deviceCount = 0;
  return {
    weeks,
    /** False, and nothing is added, if too little of the device was measured. */
    addDevice({ firstSlot, energy, known }: UsualMeasured): boolean {
      const isKnown = knownCells(weeks, firstSlot, energy, known);
      const knownWeeks = asked.map((place) => countWeeks(isKnown, place));
      if (knownWeeks.filter((count) => count > 0).length < minKnownShare * asked.length) return false;
      deviceCount += 1;
      const addTo = (cell: number, takenKwh: number, givenKwh: number) => {
        add(imported, cell, takenKwh);
        add(net, cell, takenKwh - givenKwh);
        add(all, cell, takenKwh + givenKwh);
      };
      const slotOf = (cell: number) => (weeks.slots[cell] ?? 0) - firstSlot;
      for (const [position, place] of asked.entries()) {
        const isWhole = knownWeeks[position] === usualWeeks;
        const usualOf = (values: Float64Array) =>
          isWhole ? 0 : (median(weeksWhere(isKnown, place).map((cell) => values[slotOf(cell)] ?? 0)) ?? 0);
        const [taken, given] = [usualOf(energy.importedKwh), usualOf(energy.exportedKwh)];
        for (let cell = place; cell < cells; cell += placesPerWeek) {
          if (isKnown[cell] === 1) {
            addTo(cell, energy.importedKwh[slotOf(cell)] ?? 0, energy.exportedKwh[slotOf(cell)] ?? 0);
          } else {
            addTo(cell, taken, given);
            add(filled, cell, taken + given);
            add(missing, cell, 1);
          }
        }
      }
      return true;
    },
    close(): UsualProfile {
      const counts = new Uint8Array(cells);
      for (const place of asked) {
        for (let cell = place; cell < cells; cell += placesPerWeek) {
          const isMeasured =
            (missing[cell] ?? 0) <= maxFilledShare * deviceCount &&
            (filled[cell] ?? 0) <= maxFilledShare * (all[cell] ?? 0);
          if (deviceCount > 0 && isMeasured) counts[cell] = 1;
        }
      }
      leaveOutOddDays(asked, all, counts);
      for (const place of asked) {
        const counted = weeksWhere(counts, place);
        for (const values of [imported, net]) {
          const usual = median(counted.map((cell) => values[cell] ?? 0)) ?? 0;
          for (let cell = place; cell < cells; cell += placesPerWeek) if (counts[cell] === 0) values[cell] = usual;
        }
      }
      return { weeks, deviceCount, importedKwh: imported, netKwh: net, counts };
    },
  };
}

/** Where the energy of a device is known and none of it is interpolated. */
export function knownCells(
  { slots }: Pick<UsualWeeks, 'slots'>,
  firstSlot: number,
  energy: EnergyBuckets,
  known: readonly MicrosRange[],
): Uint8Array {
  const isKnown = new Uint8Array(energy.importedKwh.length);
  for (const { fromMicros, toMicros } of known) {
    const [from, to] = [Math.ceil(fromMicros / slotMicros) - firstSlot, Math.floor(toMicros / slotMicros) - firstSlot];
    if (from < to) isKnown.fill(1, Math.max(0, from), Math.max(0, to));
  }
  return Uint8Array.from(slots, (slot) => {
    const at = slot - firstSlot;
    const isWhole = energy.interpolatedImportedKwh[at] === 0 && energy.interpolatedExportedKwh[at] === 0;
    return slot >= 0 && isWhole ? (isKnown[at] ?? 0) : 0;
  });
}

/**
 * Leaves out days that are not typical of their weekday, such as holidays or a shutdown: those whose energy is far from the
 * median of that weekday. This needs no calendar.
 */
function leaveOutOddDays(asked: readonly number[], all: Float64Array, counts: Uint8Array): void {
  for (const places of Map.groupBy(asked, (place) => Math.floor(place / slotsPerDay)).values()) {
    const days: { week: number; kwh: number }[] = [];
    for (let week = 0; week < usualWeeks; week += 1) {
      const own = places.map((place) => week * placesPerWeek + place);
      if (!own.some((cell) => counts[cell] === 1)) continue;
      days.push({ week, kwh: own.reduce((sum, cell) => sum + (all[cell] ?? 0), 0) });
    }
    const middle = median(days.map(({ kwh }) => kwh));
    if (days.length < minDaysToJudge || middle === null) continue;
    const deviation = median(days.map(({ kwh }) => Math.abs(kwh - middle))) ?? 0;
    const most = Math.max((maxDeviations * deviation) / sigmasPerDeviation, minOddShare * middle);
    for (const { week, kwh } of days) {
      if (Math.abs(kwh - middle) <= most) continue;
      for (const place of places) counts[week * placesPerWeek + place] = 0;
    }
  }
}

/** The 10th, 50th and 90th percentile over the weeks, and the number of weeks. */
export interface UsualBand {
  low: number;
  median: number;
  high: number;
  weekCount: number;
}

/** The mean power in kW, import minus export, between two edges of each zone; null if no week has data. */
export function usualPower(profiles: readonly UsualProfile[], spanOf: (zone: number) => MicrosRange): UsualBand | null {
  const sums = sumWeeks(profiles, spanOf, 'netKwh');
  return sums === null ? null : bandOf(sums.weeks, sums.hours === 0 ? 0 : 1 / sums.hours);
}

/** The energy imported between two edges of each zone, kWh; null if no week has data. */
export function usualEnergy(
  profiles: readonly UsualProfile[],
  spanOf: (zone: number) => MicrosRange,
): UsualBand | null {
  const sums = sumWeeks(profiles, spanOf, 'importedKwh');
  return sums === null ? null : bandOf(sums.weeks, 1);
}

interface WeekSum {
  kwh: number;
  doesCount: boolean;
}

/**
 * The sum of each week. A slot that is cut counts by its share of the time; one without data in any week counts as the mean of the
 * others.
 */
function sumWeeks(
  profiles: readonly UsualProfile[],
  spanOf: (zone: number) => MicrosRange,
  column: 'netKwh' | 'importedKwh',
): { weeks: WeekSum[]; hours: number } | null {
  const kwh = new Float64Array(usualWeeks);
  const borrowed = new Float64Array(usualWeeks);
  let [asked, told] = [0, 0];
  let hours = 0;
  for (const [zone, { weeks, deviceCount, counts, [column]: values }] of profiles.entries()) {
    const { fromMicros, toMicros } = spanOf(zone);
    hours = Math.max(hours, (toMicros - fromMicros) / (4 * slotMicros));
    const first = Math.floor(fromMicros / slotMicros);
    let [ownAsked, ownTold] = [0, 0];
    const own = new Float64Array(usualWeeks);
    for (let slot = first; slot * slotMicros < toMicros; slot += 1) {
      const place = weeks.places[slot - weeks.firstSlot];
      if (place === undefined) continue;
      const start = slot * slotMicros;
      const share = (Math.min(toMicros, start + slotMicros) - Math.max(fromMicros, start)) / slotMicros;
      ownAsked += share;
      if (countWeeks(counts, place) === 0) continue;
      ownTold += share;
      for (let week = 0; week < usualWeeks; week += 1) {
        const cell = week * placesPerWeek + place;
        add(own, week, (values[cell] ?? 0) * share);
        if (counts[cell] === 0) add(borrowed, week, share * deviceCount);
      }
    }
    asked += ownAsked * deviceCount;
    told += ownTold * deviceCount;
    if (ownTold > 0) own.forEach((value, week) => add(kwh, week, (value * ownAsked) / ownTold));
  }
  if (told === 0 || told < (1 - maxBorrowedShare) * asked) return null;
  const weeks = Array.from(kwh, (value, week) => ({
    kwh: value,
    doesCount: (borrowed[week] ?? 0) <= maxBorrowedShare * asked,
  }));
  return { weeks, hours };
}

function bandOf(weeks: readonly WeekSum[], factor: number): UsualBand | null {
  const values = weeks.filter(({ doesCount }) => doesCount).map(({ kwh }) => kwh * factor);
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => percentile(sorted, share);
  return { low: at(0.1), median: at(0.5), high: at(0.9), weekCount: values.length };
}

/** The value at `share` of the way through ascending values, interpolated linearly. */
export function percentile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)] ?? NaN, sorted[Math.ceil(position)] ?? NaN];
  return below + (above - below) * (position - Math.floor(position));
}

export const median = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : percentile(
        values.toSorted((a, b) => a - b),
        0.5,
      );

/** The weeks before a range, and the days around them. */
export function daysBeforeRange({ fromMicros }: MicrosRange): MicrosRange {
  return { fromMicros: fromMicros - (daysBefore + 2) * dayMicros, toMicros: fromMicros };
}

/** The cells of a place that are marked. */
function weeksWhere(marks: Uint8Array, place: number): number[] {
  const found: number[] = [];
  for (let cell = place; cell < cells; cell += placesPerWeek) if (marks[cell] === 1) found.push(cell);
  return found;
}

function countWeeks(marks: Uint8Array, place: number): number {
  let count = 0;
  for (let cell = place; cell < cells; cell += placesPerWeek) count += marks[cell] ?? 0;
  return count;
}

const add = (column: Float64Array, at: number, value: number) => {
  column[at] = (column[at] ?? 0) + value;
};
