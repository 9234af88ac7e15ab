import { isFlagIn, type StoredFlag, type EnergyFailure } from '../energy/energy-flags.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import {
  compareFlags,
  expectedPart,
  judgeSlots,
  type QualityGap,
  slotStates,
  type SlotState,
} from './data-quality.rules.ts';
import { slotMicros, wholeSpan, piecesOfDays, type StoredDay } from '../energy/energy.rules.ts';
import { isAny, type MicrosRange, overlapOf, unionOf } from '../base/instants.ts';
import { localDays } from '../rates/tariffs.rules.ts';
import type { EnergyReader, SnapshotDevice } from '../energy/energy-reader.ts';

type SlotCounts = Record<SlotState, number>;
/** The quarter-hours of all devices in one local day. */
type QualityDay = SlotCounts & { date: string };

export interface Quality {
  /** By device number. */
  devices: ReadonlyMap<number, DeviceQuality>;
  days: QualityDay[];
}

export interface QualityAsked {
  ranges: SiteRanges;
  /** The zone of the days, if the range is the same two instants everywhere. */
  timeZone: string;
  /** How many flags of a device are listed. */
  flagLimit: number;
}

/** The data quality of a range: completeness and anomalies (energy-and-cost.md 2 to 4). */
export async function readQuality(
  snapshot: EnergyReader,
  { ranges, timeZone, flagLimit }: QualityAsked,
  nowMicros: number,
): Promise<Quality> {
  const { devices } = snapshot;
  const found = new Map(devices.map(({ number }): [number, DeviceQuality] => [number, emptyQuality()]));
  for (const failure of await snapshot.listFailures()) {
    const own = found.get(failure.deviceNumber);
    if (own !== undefined) own.failure = failure;
  }
  const ofDevice = new Map(devices.map((device) => [device.number, ranges.of(device.timeZone)]));
  const rangeOf = (number: number) => ofDevice.get(number) ?? ranges.all;
  // The days of local dates are each site's own.
  const zones =
    ranges.dates === null || devices.length === 0 ? [timeZone] : [...new Set(devices.map((device) => device.timeZone))];
  const days = new Map<string, SlotCounts>();
  const earliest = earliestExpected(snapshot);
  for (const piece of piecesOfDays(ranges.all, daysAtOnce)) {
    const isBefore = piece.toMicros <= earliest;
    const stored = isBefore ? [] : await snapshot.listFlags(piece);
    const flags = Map.groupBy(
      stored.filter((flag) => isFlagIn(flag, rangeOf(flag.deviceNumber))),
      (flag) => flag.deviceNumber,
    );
    for (const [number, own] of flags) addFlags(found.get(number), own, ranges.all, piece, flagLimit);
    // The future is neither measured nor missing.
    const known = isBefore ? piece : { ...piece, toMicros: Math.min(piece.toMicros, nowMicros) };
    if (!isAny(known)) continue;
    const judged = isBefore
      ? []
      : await judgeDevices(snapshot, (number) => overlapOf(known, rangeOf(number)), flags, nowMicros);
    for (const { device, states } of judged) addStates(found.get(device.number)?.slots, states);
    for (const zone of zones) {
      const own = zones.length === 1 ? judged : judged.filter(({ device }) => device.timeZone === zone);
      addDays(days, countByDay(own, overlapOf(known, ranges.of(zone)), zone));
    }
    await snapshot.yieldOrAbort();
  }
  const counted = [...days].map(([date, counts]) => ({ date, ...counts }));
  return {
    devices: found,
    // The days of one zone ascend already; sorting as text would misplace dates of the year 10000, which instants can lead to.
    days: zones.length === 1 ? counted : counted.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

/** Some weeks of all devices at a time, cut at midnight UTC. */
const daysAtOnce = 61;

/** No reading of any device is expected before it. */
function earliestExpected({ devices }: EnergyReader): number {
  const expected = ({ createdMicros, spans }: SnapshotDevice) =>
    Math.min(createdMicros, wholeSpan(spans)?.firstMicros ?? Infinity);
  return devices.reduce((least, device) => Math.min(least, expected(device)), Infinity);
}

/** The states of the slots of a device from `firstSlot` (counted from 1970) on, and the days that they were judged by. */
interface JudgedSlots {
  device: SnapshotDevice;
  firstSlot: number;
  states: SlotState[];
  days: readonly StoredDay[];
}

/**
 * The quarter-hours of all devices in which readings are expected; `nowMicros` is Infinity if no readings in transit are waited
 * for.
 */
export async function judgeDevices(
  snapshot: EnergyReader,
  pieceOf: (deviceNumber: number) => MicrosRange,
  flags: ReadonlyMap<number, readonly StoredFlag[]>,
  nowMicros: number,
): Promise<JudgedSlots[]> {
  const statistics = { depth: 'power', days: 'all' } as const;
  const piece = unionOf(snapshot.devices.map(({ number }) => pieceOf(number)).filter(isAny));
  const stored = await snapshot.listDays({ ...snapshot.clipDays(piece), statistics });
  const days = Map.groupBy(stored, (day: StoredDay) => day.deviceNumber);
  return snapshot.devices.flatMap((device) => {
    const { number } = device;
    const part = expectedPart(pieceOf(number), device, nowMicros);
    if (part === null) return [];
    const gaps = (flags.get(number) ?? []).flatMap(gapOf);
    const own = days.get(number) ?? [];
    const states = judgeSlots(part, device, own, gaps);
    return [{ device, firstSlot: Math.floor(part.fromMicros / slotMicros), states, days: own }];
  });
}

function gapOf({ kind, timeMicros, untilMicros }: StoredFlag): QualityGap[] {
  if (untilMicros === null || (kind !== 'gap' && kind !== 'interpolated')) return [];
  return [{ kind, fromMicros: timeMicros, untilMicros }];
}

function addStates(counts: SlotCounts | undefined, states: readonly SlotState[]): void {
  if (counts !== undefined) for (const state of states) counts[state] += 1;
}

/** Counts the slots of all devices by the local day in which they begin. */
function countByDay(judged: readonly JudgedSlots[], range: MicrosRange, timeZone: string): QualityDay[] {
  if (!isAny(range)) return [];
  const start = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  const asked = { fromMicros: start, toMicros: range.toMicros };
  return localDays(asked, timeZone, []).map(({ date, fromMicros, toMicros }) => {
    const first = Math.ceil(fromMicros / slotMicros);
    const last = Math.ceil(toMicros / slotMicros);
    const counts = { measured: 0, interpolated: 0, missing: 0 };
    for (const { firstSlot, states } of judged) {
      if (last > firstSlot) addStates(counts, states.slice(Math.max(0, first - firstSlot), last - firstSlot));
    }
    return { date, ...counts };
  });
}

/** A piece may end within a local day. */
function addDays(days: Map<string, SlotCounts>, more: QualityDay[]): void {
  for (const { date, ...counts } of more) {
    const own = days.get(date);
    if (own === undefined) days.set(date, counts);
    else for (const state of slotStates) own[state] += counts[state];
  }
}

/** Data quality of one device. */
export interface DeviceQuality {
  /** Null if its slots can be computed. */
  failure: EnergyFailure | null;
  slots: SlotCounts;
  counts: Record<StoredFlag['kind'], number>;
  /** The newest, newest first. */
  flags: StoredFlag[];
}

const emptyQuality = (): DeviceQuality => ({
  failure: null,
  slots: { measured: 0, interpolated: 0, missing: 0 },
  counts: { gap: 0, interpolated: 0, glitch: 0, stepBack: 0, rollover: 0, reset: 0, implausible: 0 },
  flags: [],
});

/** The flags of a later piece, without gaps that began earlier. */
function addFlags(
  quality: DeviceQuality | undefined,
  flags: readonly StoredFlag[],
  range: MicrosRange,
  piece: MicrosRange,
  flagLimit: number,
): void {
  if (quality === undefined) return;
  const isFirst = piece.fromMicros === range.fromMicros;
  const fresh = flags.filter((flag) => isFirst || flag.timeMicros >= piece.fromMicros);
  for (const { kind } of fresh) quality.counts[kind] += 1;
  quality.flags = [...quality.flags, ...fresh].toSorted(compareFlags).slice(0, flagLimit);
}
