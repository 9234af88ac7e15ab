import type { SlotState } from './data-quality.rules.ts';
import { slotMicros } from '../energy/energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';

/** Whether a profile has the quarter-hours of each device or the sums of each site. */
export type ProfileGroup = 'device' | 'site';

/** What is known of a quarter-hour. `incomplete`: a part of it is missing, or some devices of the site are. */
export const profileStates = ['measured', 'estimated', 'incomplete', 'missing'] as const;
export type ProfileState = (typeof profileStates)[number];

/** The quarter-hours that lie wholly in a range and are over. */
export function profileRange({ fromMicros, toMicros }: MicrosRange, nowMicros: number): MicrosRange {
  const from = Math.ceil(fromMicros / slotMicros) * slotMicros;
  const to = Math.floor(Math.min(toMicros, nowMicros) / slotMicros) * slotMicros;
  return { fromMicros: from, toMicros: Math.max(from, to) };
}

/** The quarter-hours of a range. */
export const countSlots = ({ fromMicros, toMicros }: MicrosRange): number => (toMicros - fromMicros) / slotMicros;

/**
 * The states of the quarter-hours from `firstSlot` (counted from 1970) on, given the gaps in which nothing is known: one that lies
 * wholly in a gap is missing even if there is a reading at its edge, one that a gap cuts is incomplete.
 */
export function withGaps(
  states: readonly SlotState[],
  firstSlot: number,
  gaps: readonly MicrosRange[],
): (SlotState | 'incomplete')[] {
  const found: (SlotState | 'incomplete')[] = [...states];
  for (const { fromMicros, toMicros } of gaps) {
    const first = Math.max(0, Math.floor(fromMicros / slotMicros) - firstSlot);
    const end = Math.min(found.length, Math.ceil(toMicros / slotMicros) - firstSlot);
    for (let at = first; at < end; at += 1) {
      const startMicros = (firstSlot + at) * slotMicros;
      const isWhole = fromMicros <= startMicros && startMicros + slotMicros <= toMicros;
      if (isWhole) found[at] = 'missing';
      else if (found[at] !== 'missing') found[at] = 'incomplete';
    }
  }
  return found;
}

/**
 * The state of the sum of some devices, from the number of devices in each state; devices not expected to send anything then are
 * not counted.
 */
export function stateOfSum(counts: Record<SlotState | 'incomplete', number>): ProfileState {
  const { measured, interpolated, incomplete, missing } = counts;
  if (measured + interpolated + incomplete === 0) return 'missing';
  if (incomplete + missing > 0) return 'incomplete';
  return interpolated > 0 ? 'estimated' : 'measured';
}
