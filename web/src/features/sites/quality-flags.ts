import {
  qualityFlagKind,
  type DataQuality,
  type QualityFlag,
  type QualityFlagKind,
} from '../../../../shared/data-quality.ts';
import type { TimeRange } from '../../lib/time-range.ts';

type Counts = DataQuality['devices'][number]['counts'];

/** The kinds that occur, the most frequent first. */
export function countedKinds(counts: Counts): { kind: QualityFlagKind; count: number }[] {
  return qualityFlagKind.options
    .map((kind) => ({ kind, count: counts[kind] }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}

const minuteMs = 60_000;
const leastAroundMs = 60 * minuteMs;

/** Whole minutes before, during and after an anomaly: enough to show the normal readings around it. */
export function rangeAround({ time, until }: Pick<QualityFlag, 'time' | 'until'>): TimeRange {
  const fromMs = Date.parse(time);
  const toMs = until === null ? fromMs : Date.parse(until);
  const around = Math.max(leastAroundMs, (toMs - fromMs) / 2);
  return {
    fromMs: Math.floor((fromMs - around) / minuteMs) * minuteMs,
    toMs: Math.ceil((toMs + around) / minuteMs) * minuteMs,
  };
}
