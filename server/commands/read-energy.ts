import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import {
  countExactSamples,
  countSamples,
  type DaysFilter,
  findDaySpan,
  listEnergyDays,
  storedDay,
} from '../db/energy-days.ts';
import { listFlags, type StoredFlag } from '../db/energy-flags.ts';
import { listDirtyRanges, listReadingSpans, type DirtyRange } from '../db/dirty-ranges.ts';
import { type ChosenDevice, listChosenDevices } from '../db/measurements.ts';
import type { Database, Transaction } from '../db/pool.ts';
import { lockKeptMeasurements } from '../db/retention.ts';
import { noSpans, slotMicros } from '../domain/energy.ts';
import { dayMicros, dayOf, type StoredDay } from '../domain/energy-day.ts';
import { mergeIntervals } from '../domain/energy-window.ts';
import type { MicrosRange } from '../domain/instants.ts';
import { materializeSome, patchedDays } from './materialize-energy.ts';
import type { MeasuredDevice } from './measure-grids.ts';
import { openTouched, recompute, type RecomputedSlots } from './recompute-energy.ts';

/** What one snapshot of the database says of the energy of some devices, every committed reading included. */
export interface EnergySnapshot {
  tx: Transaction;
  devices: readonly ChosenDevice[];
  /** Of all devices, or of some of them; in no order. A day without readings and energy is left out. */
  listDays(filter: Partial<DaysFilter> & Omit<DaysFilter, 'deviceNumbers'>): Promise<StoredDay[]>;
  /** How many readings all devices together have on each day that has some; days half-open. */
  countSamples(days: { fromDay: number; toDay: number }): Promise<Map<number, number>>;
  /** The days of a range between which anything is there, half-open. */
  clipDays(range: MicrosRange): { fromDay: number; toDay: number };
  /** Those that stand in the range, or whose gap reaches into it; it must lie in the range that was asked for. */
  listFlags(range: MicrosRange): Promise<StoredFlag[]>;
  /** The devices with their register spans, to compute from their readings. */
  measured: readonly MeasuredDevice[];
}

export interface EnergyQuestion {
  /** Null: all. */
  deviceIds: readonly string[] | null;
  range: MicrosRange;
  /** Whether the work lasts as long as somebody's download, and has its turn already. */
  isExport?: boolean;
}

/** More than this is materialized first: computing it for one read only would be waste. */
const maxDaysToOverlay = 200;
/** What such a day costs where it cannot reach the range: its registers are looked at, but nothing is computed. */
const shareOutside = 0.02;
const materializeAttempts = 5;
const pauseMs = 200;

// Five connections stay for everything else, above all for ingests, whatever people ask and export at once; who waits for a turn
// or for the one that materializes holds no connection.
const reads = pLimit(5);
const materializing = pLimit(1);

/**
 * Reads the energy of devices (null: of all) in one snapshot. What is dirty in it and not materialized yet is materialized first
 * where it is much; the little that comes in at any moment is computed in memory and laid over the slots, so that a read is
 * exact for its snapshot (energy-and-cost.md 5) and never waits for ingests, however fast they come. It waits for nobody who
 * holds the slots of a device for long either: then everything is computed in memory.
 */
export async function readEnergy<T>(
  database: Database,
  { deviceIds, range, isExport = false }: EnergyQuestion,
  work: (snapshot: EnergySnapshot) => Promise<T>,
): Promise<T> {
  const attempt = (isLast: boolean) =>
    database.snapshot(async (tx): Promise<{ value: T } | { dirty: number[] }> => {
      await lockKeptMeasurements(tx);
      const devices = await listChosenDevices(tx, deviceIds);
      const numbers = devices.map((device) => device.number);
      const dirtyRanges = await listDirtyRanges(tx, numbers);
      if (!isLast && daysIn(dirtyRanges, range) > maxDaysToOverlay) {
        return { dirty: [...new Set(dirtyRanges.map((dirtyRange) => dirtyRange.deviceNumber))] };
      }
      return { value: await work(await openSnapshot(tx, devices, dirtyRanges, range)) };
    });
  for (let attempts = 1; ; attempts += 1) {
    const read = await (isExport
      ? attempt(attempts > materializeAttempts)
      : reads(() => attempt(attempts > materializeAttempts)));
    if ('value' in read) return read.value;
    const materialized = await materializing(() => materializeFree(database, read.dirty));
    if (materialized === 0) await sleep(pauseMs);
  }
}

/** Materializes what nobody else holds at the moment; returns how many dirty ranges that were. */
async function materializeFree(database: Database, deviceNumbers: readonly number[]): Promise<number> {
  let total = 0;
  for (let materialized = -1; materialized !== 0; total += materialized) {
    materialized = await materializeSome(database, { deviceNumbers, skip: true });
  }
  return total;
}

/** About how many days of readings must be looked at. */
function daysIn(dirtyRanges: readonly DirtyRange[], range: MicrosRange): number {
  let days = 0;
  for (const own of Map.groupBy(dirtyRanges, (dirtyRange) => dirtyRange.deviceNumber).values()) {
    for (const { fromMicros, toMicros } of mergeIntervals(own, 0)) {
      const inside = Math.max(0, Math.min(toMicros, range.toMicros) - Math.max(fromMicros, range.fromMicros));
      days += (inside + (toMicros - fromMicros - inside) * shareOutside) / dayMicros + shareOutside;
    }
  }
  return days;
}

async function openSnapshot(
  tx: Transaction,
  devices: readonly ChosenDevice[],
  dirtyRanges: readonly DirtyRange[],
  range: MicrosRange,
): Promise<EnergySnapshot> {
  const numbers = devices.map((device) => device.number);
  const materialized = await listReadingSpans(tx, numbers);
  const rules = new Map(devices.map((device) => [device.number, device]));
  const touched = dirtyRanges.length === 0 ? [] : await openTouched(tx, dirtyRanges, rules, materialized);
  const recomputed: RecomputedSlots[] = [];
  for await (const some of recompute(tx, touched, range)) recomputed.push(...some);
  const patches = recomputed.map(({ patch }) => patch);
  const overlay = new Map((await patchedDays(tx, patches)).map((day) => [keyOf(day), storedDay(day)]));
  const span = unionOfDays(
    await findDaySpan(tx, numbers),
    [...overlay.values()].map(({ day }) => day),
  );
  const spans = new Map([...materialized, ...touched.map((device) => [device.deviceNumber, device.spans] as const)]);

  return {
    tx,
    devices,
    measured: devices.map((device) => ({
      deviceNumber: device.number,
      rules: device,
      spans: spans.get(device.number) ?? noSpans,
    })),
    async listDays(filter) {
      const { deviceNumbers = numbers, fromDay, toDay } = filter;
      const stored = await listEnergyDays(tx, { ...filter, deviceNumbers });
      if (overlay.size === 0) return stored;
      const asked = new Set(deviceNumbers);
      const patched = [...overlay.values()].filter(
        ({ deviceNumber, day }) => asked.has(deviceNumber) && day >= fromDay && day < toDay,
      );
      return [...stored.filter((day) => !overlay.has(keyOf(day))), ...patched];
    },
    async countSamples(days) {
      const counts = new Map<number, number>();
      const add = (day: number, samples: number) => counts.set(day, (counts.get(day) ?? 0) + samples);
      for (const { day, samples } of await countSamples(tx, { ...days, deviceNumbers: numbers })) add(day, samples);
      const patched = [...overlay.values()].filter(({ day }) => day >= days.fromDay && day < days.toDay);
      if (patched.length === 0) return counts;
      for (const { day, samples } of await countExactSamples(tx, patched)) add(day, -samples);
      for (const { day, samples } of patched) add(day, samples);
      return counts;
    },
    clipDays: (asked) => {
      const [fromDay, toDay] = [dayOf(asked.fromMicros), dayOf(asked.toMicros - 1) + 1];
      return { fromDay: Math.max(fromDay, span.fromDay), toDay: Math.min(toDay, span.toDay) };
    },
    async listFlags(asked) {
      const stored = await listFlags(tx, numbers, asked);
      const isReplaced = (flag: StoredFlag) => patches.some((patch) => stands(flag, patch));
      const isAsked = ({ timeMicros, untilMicros }: StoredFlag) =>
        timeMicros < asked.toMicros && (timeMicros >= asked.fromMicros || (untilMicros ?? 0) > asked.fromMicros);
      return [
        ...stored.filter((flag) => !isReplaced(flag)),
        ...recomputed.flatMap(({ flags }) => flags).filter(isAsked),
      ];
    },
  };
}

function unionOfDays(stored: { fromDay: number; toDay: number } | null, days: readonly number[]) {
  let { fromDay, toDay } = stored ?? { fromDay: Infinity, toDay: -Infinity };
  for (const day of days) {
    fromDay = Math.min(fromDay, day);
    toDay = Math.max(toDay, day + 1);
  }
  return { fromDay, toDay };
}

const keyOf = ({ deviceNumber, day }: { deviceNumber: number; day: number }) => `${deviceNumber} ${day}`;

const stands = ({ deviceNumber, timeMicros }: StoredFlag, patch: RecomputedSlots['patch']) =>
  deviceNumber === patch.deviceNumber &&
  timeMicros >= patch.startMicros &&
  timeMicros < patch.startMicros + patch.importedKwh.length * slotMicros;
