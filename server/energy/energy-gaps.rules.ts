import { type EnergyBuckets, endOfGrid, type Grid, slotMicros } from './energy.rules.ts';
import { dayOf, piecesOfDays, slotsPerDay, type StoredDay } from './energy-day.rules.ts';
import type { Interval } from './energy-window.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import { statisticsColumns } from './statistics.rules.ts';

/**
 * Whole UTC days of a device without a reading, with what its registers counted over them: because the silence is longer than any
 * gap limit, each quarter-hour has the same share of the increase, all of it interpolated.
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

/** Quarter-hours to compute: those of the grid, or those of `days` days that are all like the grid's one. */
export interface GridPart {
  grid: Grid;
  /** Null if the grid represents only itself. */
  days: number | null;
}

/** The range of the quarter-hours of a part, epoch microseconds. */
export const rangeOfPart = ({ grid, days }: GridPart): MicrosRange => ({
  fromMicros: grid.startMicros,
  toMicros: days === null ? endOfGrid(grid) : grid.startMicros + days * dayMicros,
});

/** The silences of an interval that may be a part of their own: between two of its readings (ascending), or one and its end. */
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
