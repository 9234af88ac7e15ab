import type { AbsoluteTimeRange } from '@perses-dev/core';
import { isPreset } from '../../../shared/range-presets.ts';
import { presetRange, wireRange, type WireRange } from '../../../web/src/lib/time-range.ts';
import { zone } from './zone.ts';

/** What a name of the portal's ranges means now. Perses takes it for a duration (see `perses-changes.ts`). */
export function findPresetRange(name: string): AbsoluteTimeRange | null {
  if (!isPreset(name)) return null;
  const { fromMs, toMs } = presetRange(name, zone(), Date.now());
  return { start: new Date(fromMs), end: new Date(toMs) };
}

/** A range as questions have it: whole days as dates, so that each site has its own of them. */
export const wireOf = ({ start, end }: AbsoluteTimeRange): WireRange =>
  wireRange({ fromMs: start.getTime(), toMs: end.getTime() }, zone());
