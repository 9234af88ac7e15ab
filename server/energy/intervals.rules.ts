import type { MicrosRange } from '../base/instants.ts';
import { slotMicros, type RegisterSpan } from './energy.rules.ts';

/** The energy of a device over an interval, kWh. The intervals of a device never overlap. */
export interface IntervalEnergy extends MicrosRange {
  importedKwh: number;
  exportedKwh: number;
}

/**
 * Whether it is unknown when within the interval its energy was used: it is longer than a quarter-hour, so it never counts as a
 * peak.
 */
export const isSpread = ({ fromMicros, toMicros }: MicrosRange): boolean => toMicros - fromMicros > slotMicros;

/** The parts of a range outside other ranges, which ascend. */
export function partsOutside({ fromMicros, toMicros }: MicrosRange, taken: readonly MicrosRange[]): MicrosRange[] {
  const parts: MicrosRange[] = [];
  let start = fromMicros;
  for (const one of taken) {
    if (one.fromMicros >= toMicros) break;
    const end = Math.min(toMicros, one.fromMicros);
    if (start < end) parts.push({ fromMicros: start, toMicros: end });
    start = Math.max(start, one.toMicros);
  }
  if (start < toMicros) parts.push({ fromMicros: start, toMicros });
  return parts;
}

/** A span as ranges. */
export const rangesOfSpan = (span: RegisterSpan): MicrosRange[] =>
  span === null ? [] : [{ fromMicros: span.firstMicros, toMicros: span.lastMicros }];

/**
 * The gaps that intervals leave: between two of them, unless readings lie there, and between intervals and readings. The flags of
 * the readings cover what lies between two readings. `holes` are the gaps between two intervals.
 */
export function gapsOfIntervals(
  holes: readonly MicrosRange[],
  { intervals, readings }: { intervals: RegisterSpan; readings: RegisterSpan },
): MicrosRange[] {
  const gaps = holes.flatMap((hole) => partsOutside(hole, rangesOfSpan(readings)));
  if (intervals === null || readings === null) return gaps;
  if (intervals.lastMicros < readings.firstMicros)
    gaps.push({ fromMicros: intervals.lastMicros, toMicros: readings.firstMicros });
  if (readings.lastMicros < intervals.firstMicros)
    gaps.push({ fromMicros: readings.lastMicros, toMicros: intervals.firstMicros });
  return gaps;
}
