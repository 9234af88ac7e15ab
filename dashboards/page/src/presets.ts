import { isDurationString, toAbsoluteTimeRange, type AbsoluteTimeRange, type DurationString } from '@perses-dev/core';
import { isPreset } from '../../../shared/time.ts';
import { presetRange, wireRange, type WireRange } from '../../../web/src/lib/time-range.ts';
import { zone } from './zone.ts';

/**
 * A duration, or the name of one of the portal's ranges, such as this month. URLs and dashboards store it. Its meaning is
 * computed again each time.
 */
export const isRangeName = (name: string | null | undefined): name is DurationString =>
  isPreset(name) || (typeof name === 'string' && isDurationString(name));

/** The current meaning of a name or duration. */
export function rangeNow(name: DurationString): AbsoluteTimeRange {
  if (!isPreset(name)) return toAbsoluteTimeRange({ pastDuration: name });
  const { fromMs, toMs } = presetRange(name, zone(), Date.now());
  return { start: new Date(fromMs), end: new Date(toMs) };
}

/** A range for queries: whole days as dates, because each site has its own days. */
export const wireOf = ({ start, end }: AbsoluteTimeRange): WireRange =>
  wireRange({ fromMs: start.getTime(), toMs: end.getTime() }, zone());
