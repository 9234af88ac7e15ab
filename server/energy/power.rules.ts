import { deviceLimits } from '../../shared/states.rules.ts';
import {
  type EnergyBuckets,
  slotMicros,
  type EnergyRules,
  gapLimitMicros,
  microsPerHour,
  type ReadingSpans,
  type RegisterSpan,
  spanOfReadings,
  unionOfSpans,
} from './energy.rules.ts';
import { addsUp } from './device-tree.rules.ts';
import { mergeIntervals } from './energy-window.rules.ts';
import { daysIn, type SiteRanges } from '../base/ranges.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../base/quantities.ts';
import { microsPerSecond, type MicrosRange } from '../base/instants.ts';

/**
 * A device's latest reading counts as its current power until the device is offline, microseconds (decisions.md 4); one from the
 * future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  deviceLimits(expectedIntervalSeconds).offlineAfterSeconds * microsPerSecond;

/**
 * The longest time for which a device delays comparisons. Without this limit a meter that is read once a day would delay all
 * others.
 */
const longestLagMicros = 2 * 3_600 * microsPerSecond;
/** With many devices, this share of them may be late: their missing readings matter less than a delay for all others. */
const lateShare = 0.02;

/**
 * The instant up to which all sending devices have sent, epoch microseconds. Later readings may be in transit, so a
 * lower total after it proves nothing. Devices that are inactive, or without readings for longer than their gap limit
 * (at most two hours), do not count. Without any, it is now.
 */
export function arrivedUntil(
  devices: readonly { isActive: boolean; rules: EnergyRules; spans: Pick<ReadingSpans, 'any'> }[],
  nowMicros: number,
): number {
  const last = devices.flatMap(({ isActive, rules, spans: { any } }) => {
    const isSending = any !== null && nowMicros - any.lastMicros <= Math.min(longestLagMicros, gapLimitMicros(rules));
    return isActive && isSending ? [any.lastMicros] : [];
  });
  return Math.min(nowMicros, last.toSorted((a, b) => a - b)[Math.floor(last.length * lateShare)] ?? nowMicros);
}

/** The current power of the active devices that have one and add up, null if none has; and how many have one. */
export function sumCurrentPower(
  devices: readonly { number: number; isActive: boolean; countedIn: string | null }[],
  currentPower: ReadonlyMap<number, FixedUnits>,
): { deviceCount: number; powerKw: number | null } {
  const current = devices.filter(({ number, isActive }) => isActive && currentPower.has(number));
  const summed = current.filter(({ countedIn }) => countedIn === null);
  const sum = summed.reduce((all, { number }) => all + BigInt(currentPower.get(number) ?? 0), 0n);
  return { deviceCount: current.length, powerKw: summed.length === 0 ? null : fromFixedUnits(sum, milliOfKilo) };
}

/** The peak demand of a range (energy-and-cost.md 6): kW over the quarter-hour that starts at `slotStartMicros`. */
export interface PeakDemand {
  kw: number;
  slotStartMicros: number;
}

/** Slots from `startMicros` on: the imported energy of one device, or the sum of several, and where any was interpolated. */
export interface DemandSlots {
  startMicros: number;
  importedKwh: Float64Array;
  /** 1 where a slot holds interpolated energy of any device. */
  isInterpolated: Uint8Array;
}

export const emptyDemand = (startMicros: number, count: number): DemandSlots => ({
  startMicros,
  importedKwh: new Float64Array(count),
  isInterpolated: new Uint8Array(count),
});

/** Marks the slots that hold interpolated energy. */
export function markInterpolated(isInterpolated: Uint8Array, energy: EnergyBuckets): void {
  const { interpolatedImportedKwh, interpolatedExportedKwh } = energy;
  for (let slot = 0; slot < interpolatedImportedKwh.length; slot += 1) {
    if (interpolatedImportedKwh[slot] !== 0 || interpolatedExportedKwh[slot] !== 0) isInterpolated[slot] = 1;
  }
}

/**
 * The peak demand of the slots that lie wholly in the range, with imported energy and without interpolated; the earliest of
 * equals, null if there is none.
 */
export function peakDemand(
  { startMicros, importedKwh, isInterpolated }: DemandSlots,
  range: { fromMicros: number; toMicros: number },
): PeakDemand | null {
  const first = Math.max(0, Math.ceil((range.fromMicros - startMicros) / slotMicros));
  const last = Math.min(importedKwh.length, Math.floor((range.toMicros - startMicros) / slotMicros));
  let best = 0;
  let at = -1;
  for (let slot = first; slot < last; slot += 1) {
    const kwh = importedKwh[slot] ?? 0;
    if (kwh > best && isInterpolated[slot] === 0) {
      best = kwh;
      at = slot;
    }
  }
  return at < 0 ? null : { kw: best * 4, slotStartMicros: startMicros + at * slotMicros };
}

/** The time in which something is known: between readings, and in intervals; the time between these is covered by gaps. */
export const knownSpan = ({ rules, spans }: Pick<KnownDevice, 'rules' | 'spans'>): RegisterSpan =>
  unionOfSpans(spanOfReadings(rules, spans), spans.intervals);

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

interface KnownDevice {
  rules: EnergyRules;
  spans: ReadingSpans;
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
