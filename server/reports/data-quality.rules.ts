import {
  emptyEnergy,
  type EnergyRules,
  gapLimitMicros,
  microsPerHour,
  type ReadingSpans,
  type RegisterSpan,
  slotMicros,
  spanOfReadings,
  unionOfSpans,
  wholeSpan,
  energyColumns,
  slotsPerDay,
  type StoredDay,
} from '../energy/energy.rules.ts';
import { mergeIntervals } from '../energy/energy-window.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import { daysIn, type SiteRanges } from '../base/ranges.ts';
import { addsUp } from '../rates/energy-totals.rules.ts';

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

/** The time in which something is known: between readings, and in intervals; the time between these is covered by gaps. */
export const knownSpan = ({ rules, spans }: Pick<JudgedDevice, 'rules' | 'spans'>): RegisterSpan =>
  unionOfSpans(spanOfReadings(rules, spans), spans.intervals);

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

/** The parts of a range in which the energy of a device is known: between its first and its last reading, except its gaps. */
export function knownParts(range: MicrosRange, span: RegisterSpan, gaps: readonly MicrosRange[]): MicrosRange[] {
  if (span === null) return [];
  const end = Math.min(range.toMicros, span.lastMicros);
  let start = Math.max(range.fromMicros, span.firstMicros);
  const parts: MicrosRange[] = [];
  for (const gap of mergeIntervals(gaps, 0)) {
    parts.push({ fromMicros: start, toMicros: Math.min(end, gap.fromMicros) });
    start = Math.max(start, gap.toMicros);
  }
  parts.push({ fromMicros: start, toMicros: end });
  return parts.filter(({ fromMicros, toMicros }) => fromMicros < toMicros);
}

/** The hours of a range in which the energy of a device is known. */
export const measuredHours = (range: MicrosRange, span: RegisterSpan, gaps: readonly MicrosRange[]): number =>
  knownParts(range, span, gaps).reduce((sum, part) => sum + part.toMicros - part.fromMicros, 0) / microsPerHour;

interface DeviceFlag {
  deviceNumber: number;
  kind: string;
  timeMicros: number;
  untilMicros: number | null;
}

interface KnownDevice extends Pick<JudgedDevice, 'rules' | 'spans'> {
  number: number;
  timeZone: string;
  countedIn: string | null;
}

interface Energy {
  importedKwh: number;
  exportedKwh: number;
}

/** The share of a device in the average power of all. */
export interface PowerPart {
  /**
   * How much of a running range its site has had; null if that is all of it, even if its local range is an hour longer than
   * elsewhere.
   */
  passedMicros: number | null;
  energy: Energy;
  known: readonly MicrosRange[];
}

/**
 * What each device that adds up has measured, and when its energy is known, relative to the start of its site's own days, so that for
 * the same dates a day in Tokyo and a day in New York count as one day. Takes the flags of the whole range.
 */
export function listPowerParts(
  devices: readonly KnownDevice[],
  ranges: SiteRanges,
  {
    flags,
    nowMicros,
    energyOf,
  }: { flags: readonly DeviceFlag[]; nowMicros: number; energyOf: (number: number) => Energy },
): PowerPart[] {
  const ofDevice = Map.groupBy(flags, (flag) => flag.deviceNumber);
  const ends = new Map<string, number>();
  return devices.filter(addsUp).map((device) => {
    const { number, timeZone } = device;
    const { fromMicros, toMicros } = ranges.of(timeZone);
    const known = knownParts({ fromMicros, toMicros }, knownSpan(device), gapsIn(ofDevice.get(number)));
    const moved = known.map((part) => ({
      fromMicros: part.fromMicros - fromMicros,
      toMicros: part.toMicros - fromMicros,
    }));
    // The days of this site may be cut by the end of the range.
    const { dates } = ranges;
    const endOf = () => (dates === null ? toMicros : daysIn(dates, timeZone).toMicros);
    const endMicros = ends.getOrInsertComputed(timeZone, endOf);
    const passedUntil = Math.min(toMicros, nowMicros);
    const passedMicros = passedUntil >= endMicros ? null : passedUntil - fromMicros;
    return { passedMicros, energy: energyOf(number), known: moved };
  });
}

/** The gaps among some flags. */
export const gapsIn = (flags: readonly DeviceFlag[] = []): MicrosRange[] =>
  flags.flatMap(({ kind, timeMicros, untilMicros }) =>
    kind === 'gap' && untilMicros !== null ? [{ fromMicros: timeMicros, toMicros: untilMicros }] : [],
  );

/**
 * The average power of devices together, kW: import minus export, divided by the time in which the energy of any of
 * them is known. Averages of devices that measured at different times must not be added. Averages of sites whose days
 * have progressed differently are added, because time still to come is no time without power. Null without data.
 */
export function averagePowerKw(parts: readonly PowerPart[]): number | null {
  const averages = [...Map.groupBy(parts, ({ passedMicros }) => passedMicros).values()].flatMap((alike) => {
    const known = mergeIntervals(
      alike.flatMap((part) => part.known),
      0,
    );
    const micros = known.reduce((all, { fromMicros, toMicros }) => all + toMicros - fromMicros, 0);
    const kwh = alike.reduce((sum, { energy }) => sum + energy.importedKwh - energy.exportedKwh, 0);
    return micros === 0 ? [] : [(kwh * microsPerHour) / micros];
  });
  return averages.length === 0 ? null : averages.reduce((sum, kw) => sum + kw, 0);
}
