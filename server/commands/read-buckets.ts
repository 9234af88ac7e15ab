import { setImmediate as letOthersRun } from 'node:timers/promises';
import { listReadings } from '../db/energy-readings.ts';
import { findKeptFrom } from '../db/retention.ts';
import type { BucketSize } from '../domain/buckets.ts';
import { type EnergyBuckets, slotMicros } from '../domain/energy.ts';
import { energyColumns } from '../domain/energy-day.ts';
import type { MicrosRange } from '../domain/instants.ts';
import { createSlotBuckets, type SlotBuckets, slotScratch } from '../domain/slot-buckets.ts';
import { addReading, emptyStatistics, type Statistics, type StatisticsDepth } from '../domain/statistics.ts';
import { type MeasuredDevice, measureGrids } from './measure-grids.ts';
import type { EnergySnapshot } from './read-energy.ts';
import { cutSlots } from './total-energy.ts';

/** What a device measured in each bucket. */
export interface DeviceBuckets {
  energy: EnergyBuckets;
  statistics: Statistics;
}

/** How many days of all devices are read at once. */
const deviceDaysAtOnce = 2_000;
/** Devices are taken in parts of so many buckets of all of them: a hundred of a year by hours would be as much as a portal has. */
const bucketsAtOnce = 200_000;
/** Buckets of less than a quarter-hour are computed from the readings themselves. */
const fineBuckets: ReadonlySet<BucketSize> = new Set(['minute', '5min']);

export interface BucketsAsked {
  range: MicrosRange;
  size: BucketSize;
  /** Those of `bucketEdges`. */
  edges: readonly number[];
  /** With `power` only samples and their sum are there. */
  depth: StatisticsDepth;
}

/**
 * Energy and statistics of each device of a snapshot by bucket, one device after the other: only the part inside the range
 * counts (decisions.md 4).
 */
export async function* readBuckets(
  snapshot: EnergySnapshot,
  asked: BucketsAsked,
): AsyncGenerator<DeviceBuckets & { deviceNumber: number }> {
  if (fineBuckets.has(asked.size)) {
    const keptFrom = await findKeptFrom(snapshot.tx);
    for (const device of snapshot.measured) {
      yield { deviceNumber: device.deviceNumber, ...(await readFineBuckets(snapshot, device, { ...asked, keptFrom })) };
      await letOthersRun();
    }
    return;
  }
  const numbers = snapshot.devices.map((device) => device.number);
  const atOnce = Math.max(1, Math.floor(bucketsAtOnce / asked.edges.length));
  for (let at = 0; at < numbers.length; at += atOnce) {
    const found = await readCoarseBuckets(snapshot, numbers.slice(at, at + atOnce), asked);
    for (const [deviceNumber, { energy, statistics }] of found) yield { deviceNumber, energy, statistics };
  }
}

async function readCoarseBuckets(
  snapshot: EnergySnapshot,
  deviceNumbers: readonly number[],
  { range, edges, depth }: BucketsAsked,
): Promise<Map<number, SlotBuckets>> {
  const scratch = slotScratch();
  const buckets = new Map(
    deviceNumbers.map((number): [number, SlotBuckets] => [number, createSlotBuckets(range, edges, depth, scratch)]),
  );
  const daysAtOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, buckets.size)));
  const days = snapshot.clipDays(range);
  const statistics = { depth, days: 'all' } as const;
  for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
    const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
    for (const day of await snapshot.listDays({ fromDay, toDay, deviceNumbers, statistics })) {
      buckets.get(day.deviceNumber)?.addDay(day);
    }
    await letOthersRun();
  }
  const cut = deviceNumbers.flatMap((deviceNumber) =>
    cutSlots(range).map(({ fromMicros, toMicros }) => ({ deviceNumber, fromMicros, toMicros: toMicros - 1 })),
  );
  for (const [at, readings] of (await listReadings(snapshot.tx, cut)).entries()) {
    for (const reading of readings) buckets.get(cut[at]?.deviceNumber ?? 0)?.addReading(reading);
  }
  return buckets;
}

async function readFineBuckets(
  { tx }: EnergySnapshot,
  device: MeasuredDevice,
  { range, edges, keptFrom }: BucketsAsked & { keptFrom: number },
): Promise<DeviceBuckets> {
  const [startMicros = 0, second = slotMicros] = edges;
  const grid = { startMicros, widthMicros: second - startMicros, count: edges.length - 1 };
  const [measured] = await measureGrids(tx, [{ device, grid }]);
  if (measured === undefined) throw new Error('a grid was not measured');
  const statistics = emptyStatistics(grid.count);
  for (const reading of measured.readings) {
    const { timeMicros } = reading;
    if (timeMicros < Math.max(range.fromMicros, keptFrom) || timeMicros >= range.toMicros) continue;
    addReading(statistics, Math.floor((reading.timeMicros - startMicros) / grid.widthMicros), reading);
  }
  // Of the buckets that the range cuts its share; both where they are one.
  const shares = new Map<number, number>();
  for (const bucket of [0, grid.count - 1]) {
    const from = startMicros + bucket * grid.widthMicros;
    const overlap = Math.min(range.toMicros, from + grid.widthMicros) - Math.max(range.fromMicros, from);
    shares.set(bucket, overlap / grid.widthMicros);
  }
  for (const name of energyColumns) {
    for (const [bucket, share] of shares) measured.energy[name][bucket] = (measured.energy[name][bucket] ?? 0) * share;
  }
  // Of what is no longer kept the readings that are left would tell half of it.
  const gone = Math.min(grid.count, Math.ceil((keptFrom - startMicros) / grid.widthMicros));
  if (gone > 0) for (const name of energyColumns) measured.energy[name].fill(0, 0, gone);
  return { energy: measured.energy, statistics };
}
