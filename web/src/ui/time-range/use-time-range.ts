import type { RangePreset } from '../../../../shared/time.ts';
import {
  presetOf,
  resolveTimeRange,
  wireRange,
  type TimeRange,
  type TimeRangeSearch,
  type WireRange,
} from '../../lib/time-range.ts';
import { useRangeNow } from '../../lib/use-figures-at.ts';

export interface ResolvedTimeRange extends TimeRange {
  /** The range as on the wire. */
  wire: WireRange;
  preset: RangePreset | null;
  /** Whether the range reaches the present, so that new readings can still fall into it. */
  isLive: boolean;
}

/** What the range in the URL means now. It moves on automatically, at midnight and, for rolling presets, every minute. */
export function useTimeRange(search: TimeRangeSearch, timeZone: string): ResolvedTimeRange {
  const nowMs = useRangeNow(30_000);
  const range = resolveTimeRange(search, timeZone, nowMs);
  return {
    ...range,
    wire: wireRange(range, timeZone),
    preset: presetOf(search),
    isLive: range.fromMs <= nowMs && nowMs < range.toMs,
  };
}
