import {
  emptyEnergy,
  type EnergyRules,
  gapLimitMicros,
  type ReadingSpans,
  slotMicros,
  wholeSpan,
  energyColumns,
  slotsPerDay,
  type StoredDay,
} from '../energy/energy.rules.ts';
import { knownSpan } from '../energy/power.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';

/** The quality of a quarter-hour. */
export const slotStates = ['missing', 'measured', 'interpolated'] as const;
export type SlotState = (typeof slotStates)[number];

/** A gap, from the reading before it to the one after it. */
export interface QualityGap {
  kind: 'gap' | 'interpolated';
  fromMicros: number;
  untilMicros: number;
}

interface JudgedDevice {
  rules: EnergyRules;
  spans: ReadingSpans;
  isActive: boolean;
  /** When the device was added. */
  createdMicros: number;
}

/**
 * The part of a range in which readings of a device are expected: from its first one, or from when it was added if that is
 * earlier; for an inactive device, up to its last one. Null if none are. The time after the last reading counts as missing only
 * once it is longer than a gap (energy-and-cost.md 2): readings of an active device may still be on their way.
 */
export function expectedPart(
  { fromMicros, toMicros }: MicrosRange,
  device: JudgedDevice,
  nowMicros: number,
): MicrosRange | null {
  const { firstMicros = Infinity, lastMicros = -Infinity } = wholeSpan(device.spans) ?? {};
  const from = Math.max(fromMicros, Math.min(device.createdMicros, firstMicros));
  const isSending = nowMicros - lastMicros <= gapLimitMicros(device.rules);
  const to = device.isActive && !isSending ? toMicros : Math.min(toMicros, lastMicros + 1);
  return from < to ? { fromMicros: from, toMicros: to } : null;
}

/**
 * The state of each slot that begins in the range, ascending; a slot that the start of the range cuts is the first. Between two
 * readings without a gap a slot counts as measured even if no reading falls into it.
 */
export function judgeSlots(
  range: MicrosRange,
  device: JudgedDevice,
  days: readonly StoredDay[],
  gaps: readonly QualityGap[],
): SlotState[] {
  const first = Math.floor(range.fromMicros / slotMicros);
  const states = Array.from(
    { length: Math.max(0, Math.ceil(range.toMicros / slotMicros) - first) },
    (): SlotState => 'missing',
  );
  const fill = (fromSlot: number, toSlot: number, state: SlotState) => {
    const [from, to] = [Math.max(0, fromSlot - first), Math.min(states.length, toSlot - first)];
    if (from < to) states.fill(state, from, to);
  };
  const known = knownSpan(device);
  if (known !== null) {
    fill(Math.floor(known.firstMicros / slotMicros), Math.floor(known.lastMicros / slotMicros) + 1, 'measured');
  }
  for (const { kind, fromMicros, untilMicros } of gaps) {
    const state = kind === 'gap' ? 'missing' : 'interpolated';
    fill(Math.ceil(fromMicros / slotMicros), Math.floor(untilMicros / slotMicros), state);
  }
  const [energy, statistics] = [emptyEnergy(slotsPerDay), emptyStatistics(slotsPerDay)];
  for (const day of days) {
    for (const name of energyColumns) energy[name].fill(0);
    day.fillEnergy(energy, 0);
    day.readStatistics(statistics);
    const { samples } = statistics;
    for (let slot = 0; slot < slotsPerDay; slot += 1) {
      const number = day.day * slotsPerDay + slot;
      const isInterpolated = energy.interpolatedImportedKwh[slot] !== 0 || energy.interpolatedExportedKwh[slot] !== 0;
      if (isInterpolated) fill(number, number + 1, 'interpolated');
      else if (samples[slot] !== 0) fill(number, number + 1, 'measured');
    }
  }
  return states;
}

interface ListedFlag {
  timeMicros: number;
  kind: string;
  direction: string;
}

/** Newest first; flags of the same time by kind and direction, like the key of the table. */
export const compareFlags = (a: ListedFlag, b: ListedFlag): number =>
  b.timeMicros - a.timeMicros || compareTexts(a.kind, b.kind) || compareTexts(a.direction, b.direction);
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Flags of all devices together that an export lists; each device has its share, within bounds. */
const maxFlags = 10_000;
const flagsOfDevice = { least: 10, most: 1000 } as const;

/** How many flags of each device an export lists, given the number of devices. */
export const flagShare = (deviceCount: number): number =>
  Math.min(flagsOfDevice.most, Math.max(flagsOfDevice.least, Math.floor(maxFlags / Math.max(1, deviceCount))));
