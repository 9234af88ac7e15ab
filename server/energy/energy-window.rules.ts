import {
  type EnergyReading,
  type EnergyRules,
  type Grid,
  type ReadingSpans,
  type RegisterSpans,
  slotMicros,
  unionOfSpans,
  type EnergyBuckets,
  endOfGrid,
  dayOf,
  piecesOfDays,
  slotsPerDay,
  type StoredDay,
} from './energy.rules.ts';
import { registerReadings, findGlitches, longestGlitch, type RegisterReading } from './measure-energy.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import { statisticsColumns } from './statistics.rules.ts';

/**
 * Whole UTC days of a device without a reading, with what its registers counted over them. The silence is longer than any gap
 * limit, so each quarter-hour has the same share of the increase, and all of it is interpolated.
 */
export interface EnergyGap {
  deviceNumber: number;
  /** Days since 1970-01-01, half-open. */
  fromDay: number;
  toDay: number;
  /** The energy of each quarter-hour. */
  importedKwh: number;
  exportedKwh: number;
}

/** A silence with fewer whole days is kept as days; more than the longest gap limit (3 x 86,400 s). */
export const minGapDays = 7;

/** Quarter-hours to compute: those of a grid, or those of `days` days that are all equal to the day of the grid. */
export interface GridPart {
  grid: Grid;
  /** Null if the grid stands for itself only. */
  days: number | null;
}

/** The range of the quarter-hours of a part, in epoch microseconds. */
export const rangeOfPart = ({ grid, days }: GridPart): MicrosRange => ({
  fromMicros: grid.startMicros,
  toMicros: days === null ? endOfGrid(grid) : grid.startMicros + days * dayMicros,
});

/**
 * The silences of an interval that may become a part of their own: between two of its readings (ascending), or between one and
 * its end.
 */
export function silencesBetween(
  readings: readonly { timeMicros: number }[],
  { fromMicros, toMicros }: Interval,
): Interval[] {
  const times = [fromMicros, ...readings.map(({ timeMicros }) => timeMicros), toMicros];
  return times.flatMap((time, at) => {
    const before = times[at - 1];
    return before !== undefined && time - before > minGapDays * dayMicros
      ? [{ fromMicros: before, toMicros: time }]
      : [];
  });
}

/**
 * The parts of an interval of whole quarter-hours, ascending. A long gap between two readings is one part. The rest is
 * in parts of at most `maxDays`, cut at midnight UTC.
 */
export function cutAtSilences({ fromMicros, toMicros }: MicrosRange, silences: readonly Interval[], maxDays: number) {
  const parts: GridPart[] = [];
  const addSlots = (from: number, to: number) => {
    for (const piece of piecesOfDays({ fromMicros: from, toMicros: to }, maxDays)) {
      const count = (piece.toMicros - piece.fromMicros) / slotMicros;
      parts.push({ grid: { startMicros: piece.fromMicros, widthMicros: slotMicros, count }, days: null });
    }
  };
  let start = fromMicros;
  for (const silence of silences) {
    const [first, last] = [dayOf(silence.fromMicros) + 1, dayOf(silence.toMicros)];
    if (last - first < minGapDays || first * dayMicros < start || last * dayMicros > toMicros) continue;
    addSlots(start, first * dayMicros);
    const grid = { startMicros: first * dayMicros, widthMicros: slotMicros, count: slotsPerDay };
    parts.push({ grid, days: last - first });
    start = last * dayMicros;
  }
  addSlots(start, toMicros);
  return parts;
}

/** The days of a gap that lie in a range of days, as if each had been stored; none for a gap without energy. */
export function* daysOfGap(gap: EnergyGap, { fromDay, toDay }: { fromDay: number; toDay: number }) {
  if (isEmptyGap(gap)) return;
  const to = Math.min(gap.toDay, toDay);
  for (let day = Math.max(gap.fromDay, fromDay); day < to; day += 1) yield dayOfGap(gap, day);
}

export const isEmptyGap = ({ importedKwh, exportedKwh }: EnergyGap): boolean => importedKwh === 0 && exportedKwh === 0;

function dayOfGap({ deviceNumber, importedKwh, exportedKwh }: EnergyGap, day: number): StoredDay {
  return {
    deviceNumber,
    day,
    samples: 0,
    powerSum: 0,
    factorActiveSum: 0,
    factorReactiveSum: 0,
    hasInterpolated: true,
    fillEnergy(target: EnergyBuckets, at: number) {
      const end = at + slotsPerDay;
      target.importedKwh.fill(importedKwh, at, end);
      target.interpolatedImportedKwh.fill(importedKwh, at, end);
      target.exportedKwh.fill(exportedKwh, at, end);
      target.interpolatedExportedKwh.fill(exportedKwh, at, end);
    },
    readStatistics(target) {
      for (const name of statisticsColumns) target[name].fill(0);
    },
  };
}

/** An interval in which readings arrived; epoch microseconds, both ends included. */
export interface Interval {
  fromMicros: number;
  toMicros: number;
}

/** The readings next to an interval on one of its sides. */
export interface Side {
  /** The nearest reading of any kind. */
  sample: EnergyReading | null;
  /** The nearest readings of each register, ascending, and whether these are all on this side. */
  imported: RegisterSide;
  exported: RegisterSide;
}
export interface RegisterSide {
  readings: readonly RegisterReading[];
  isComplete: boolean;
}
export interface Neighbours {
  before: Side;
  after: Side;
}

/**
 * The slots that the readings of an interval can change. Null if more neighbours are needed. A reading affects two things: how
 * the three readings before and after it are judged, and the gap that it splits (energy-and-cost.md 2 to 5). So on each side
 * the slots end at the nearest register reading that cannot be a glitch, and at the nearest sample.
 */
export function affectedSlots(interval: Interval, { before, after }: Neighbours, rules: EnergyRules): Grid | null {
  const first = [interval.fromMicros, before.sample?.timeMicros ?? Infinity];
  const last = [interval.toMicros, after.sample?.timeMicros ?? -Infinity];
  for (const direction of rules.energySource === 'power' ? [] : (['imported', 'exported'] as const)) {
    const start = steadyReading(before[direction], 'before');
    const end = steadyReading(after[direction], 'after');
    if (start === 'unknown' || end === 'unknown') return null;
    first.push(start ?? Infinity);
    last.push(end ?? -Infinity);
  }
  const start = Math.floor(Math.min(...first) / slotMicros);
  const end = Math.floor(Math.max(...last) / slotMicros) + 1;
  return { startMicros: start * slotMicros, widthMicros: slotMicros, count: end - start };
}

/** Where readings are searched: before or after an instant or interval. */
export type SideName = 'before' | 'after';

/**
 * The barrier that the nearest readings on a side of an instant are to changes beyond them: intervals that end before it (on the side
 * `after`: begin after it) change no slot on the other side of the instant, the edge of a slot. Null if these readings do not tell.
 * `spans` are those of the readings on the other side and of any on this one.
 *
 * Between such an interval and the instant lies a sample, and of each register that goes on beyond the instant a reading that is no
 * glitch, as the three on both sides of it show, with all three towards the interval behind the barrier. So `affectedSlots` of the
 * interval end at that reading or earlier.
 */
export function barrierOf(
  { side, atMicros }: { side: SideName; atMicros: number },
  readings: readonly EnergyReading[],
  spans: RegisterSpans,
  { energySource }: Pick<EnergyRules, 'energySource'>,
): number | null {
  const isBefore = side === 'before';
  const sample = isBefore ? readings.at(-1) : readings[0];
  if (sample === undefined) return null;
  const barriers = [sample.timeMicros];
  for (const direction of energySource === 'power' ? [] : (['imported', 'exported'] as const)) {
    const span = spans[direction];
    const goesOn = span !== null && (isBefore ? span.lastMicros >= atMicros : span.firstMicros < atMicros);
    if (!goesOn) continue;
    const registers = registerReadings(readings, direction);
    const steady = steadyReading({ readings: registers, isComplete: false }, side);
    const at = registers.findIndex(({ timeMicros }) => timeMicros === steady);
    const barrier = at === -1 ? undefined : registers[isBefore ? at - longestGlitch : at + longestGlitch];
    if (barrier === undefined) return null;
    barriers.push(barrier.timeMicros);
  }
  return isBefore ? Math.min(...barriers) : Math.max(...barriers);
}

/**
 * The time of the nearest reading that changes in the interval cannot turn into a glitch. If they could change all readings,
 * the time of the farthest.
 */
function steadyReading({ readings, isComplete }: RegisterSide, side: SideName): number | null | 'unknown' {
  const isGlitch = findGlitches(readings);
  // Distances are counted outwards from the interval.
  const at = (distance: number) => (side === 'before' ? readings.length - 1 - distance : distance);
  for (let distance = longestGlitch; distance < readings.length; distance += 1) {
    const isJudged = isComplete || distance + longestGlitch < readings.length;
    if (isJudged && isGlitch[at(distance)] === false) return readings[at(distance)]?.timeMicros ?? null;
  }
  if (!isComplete) return 'unknown';
  return readings[at(readings.length - 1)]?.timeMicros ?? null;
}

/**
 * Whether the readings of one register are enough to compute the slots between `fromMicros` and `toMicros`. They are if, beyond
 * each end, there is a reading that three further readings prove not to be a glitch; or if there are no more readings at all.
 */
export function isJudgedBeyond(
  readings: readonly RegisterReading[],
  { fromMicros, toMicros }: Interval,
  isComplete: { before: boolean; after: boolean },
): boolean {
  const isGlitch = findGlitches(readings);
  const isKept = (at: number) => isGlitch[at] === false;
  const hasBefore = readings.some(
    (reading, at) => at >= longestGlitch && reading.timeMicros < fromMicros && isKept(at),
  );
  const hasAfter = readings.some(
    (reading, at) => at < readings.length - longestGlitch && reading.timeMicros > toMicros && isKept(at),
  );
  return (isComplete.before || hasBefore) && (isComplete.after || hasAfter);
}

/** The union of two spans, separately for all readings, for each register and for intervals. */
export const unionOfReadingSpans = (a: ReadingSpans, b: ReadingSpans): ReadingSpans => ({
  any: unionOfSpans(a.any, b.any),
  imported: unionOfSpans(a.imported, b.imported),
  exported: unionOfSpans(a.exported, b.exported),
  intervals: unionOfSpans(a.intervals, b.intervals),
});

/** Merges intervals closer than `apartMicros`; ascending. */
export function mergeIntervals(intervals: readonly Interval[], apartMicros: number): Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.fromMicros - b.fromMicros)) {
    const last = merged.at(-1);
    if (last !== undefined && interval.fromMicros - last.toMicros <= apartMicros) {
      last.toMicros = Math.max(last.toMicros, interval.toMicros);
    } else {
      merged.push({ ...interval });
    }
  }
  return merged;
}

/** The maximum length. A dirty range is materialized in one transaction. */
const longestDirtyDays = 31;

/**
 * The dirty ranges for half-open ranges in which slots may change, each of some weeks at most, and without holes between them.
 */
export const dirtyRangesOf = (changed: readonly (MicrosRange & { deviceNumber: number })[]) =>
  [...Map.groupBy(changed, ({ deviceNumber }) => deviceNumber)].flatMap(([deviceNumber, own]) =>
    mergeIntervals(own, 0).flatMap((range) =>
      [...piecesOfDays(range, longestDirtyDays)].map(({ fromMicros, toMicros }) => ({
        deviceNumber,
        fromMicros,
        toMicros: toMicros - 1,
      })),
    ),
  );
