import type { SiteRanges } from '../base/ranges.ts';
import type { BucketSize } from '../base/buckets.ts';
import { type EnergyBuckets, emptyEnergy, endOfGrid, type Grid, slotMicros, energyColumns } from './energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import {
  createSlotBuckets,
  type SlotBuckets,
  slotScratch,
  fineGrids,
  gridsOfFewReadings,
} from './slot-buckets.rules.ts';
import { addReadings, emptyStatistics, type Statistics, type StatisticsDepth } from './statistics.rules.ts';
import { type MeasuredDevice, measureGrids } from './measure-grids.ts';
import { type EnergyReader, type ClipDay, openClip } from './energy-reader.ts';

/** What a device measured in each bucket. */
export interface DeviceBuckets {
  energy: EnergyBuckets;
  statistics: Statistics;
}

/** The number of device-days that are read at once. */
const deviceDaysAtOnce = 2_000;
/** Limit of buckets in memory: a year of hours of a hundred devices would take all memory of a portal. */
const bucketsAtOnce = 200_000;
/** Buckets shorter than a quarter-hour are computed from the readings themselves. */
const fineBuckets: ReadonlySet<BucketSize> = new Set(['minute', '5min']);

export interface BucketsAsked {
  ranges: SiteRanges;
  size: BucketSize;
  /** The edges of the buckets, from `siteEdges`. Their number is the same in every time zone. */
  edgesOf: (timeZone: string) => readonly number[];
  /** With `power`, only the number of samples and the sum of power are read. */
  depth: StatisticsDepth;
}

/**
 * Energy and statistics of each device of a snapshot by bucket, one device after the other: only the part inside the range
 * counts (decisions.md 4).
 */
export async function* readBuckets(
  reader: EnergyReader,
  asked: BucketsAsked,
): AsyncGenerator<DeviceBuckets & { deviceNumber: number }> {
  if (fineBuckets.has(asked.size)) {
    const keptFrom = await reader.findKeptFrom();
    for (const device of reader.devices) {
      const { number: deviceNumber, timeZone } = device;
      const own = { range: asked.ranges.of(timeZone), edges: asked.edgesOf(timeZone), keptFrom };
      yield { deviceNumber, ...(await readFineBuckets(reader.only([device]), device, own)) };
    }
    return;
  }
  const { devices } = reader;
  const clip = await openClip(reader, asked.ranges);
  const atOnce = Math.max(1, Math.floor(bucketsAtOnce / asked.edgesOf(devices[0]?.timeZone ?? 'UTC').length));
  for (let at = 0; at < devices.length; at += atOnce) {
    const found = await readCoarseBuckets(reader.only(devices.slice(at, at + atOnce)), clip, asked);
    for (const [deviceNumber, { energy, statistics }] of found) yield { deviceNumber, energy, statistics };
  }
}

async function readCoarseBuckets(
  reader: EnergyReader,
  clip: ClipDay,
  { ranges, edgesOf, depth }: BucketsAsked,
): Promise<Map<number, SlotBuckets>> {
  const scratch = slotScratch();
  const buckets = new Map(
    reader.devices.map(({ number, timeZone }): [number, SlotBuckets] => [
      number,
      createSlotBuckets(edgesOf(timeZone), depth, scratch),
    ]),
  );
  const daysAtOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, buckets.size)));
  const days = reader.clipDays(ranges.all);
  const statistics = { depth, days: 'all' } as const;
  for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
    const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
    for (const day of await reader.listDays({ fromDay, toDay, statistics })) {
      buckets.get(day.deviceNumber)?.addDay(clip(day));
    }
    await reader.yieldOrAbort();
  }
  return buckets;
}

async function readFineBuckets(
  reader: EnergyReader,
  device: MeasuredDevice,
  { range, edges, keptFrom }: { range: MicrosRange; edges: readonly number[]; keptFrom: number },
): Promise<DeviceBuckets> {
  const [start = 0, second = slotMicros] = edges;
  const [count, width] = [edges.length - 1, second - start];
  const [energy, statistics] = [emptyEnergy(count), emptyStatistics(count)];
  for (const grid of await withFewReadings(reader, fineGrids(range, start, width))) {
    const [measured] = await measureGrids(reader.tx, [{ device, grid }]);
    const { energy: part = emptyEnergy(0), readings = [] } = measured ?? {};
    const bucket = Math.floor((grid.startMicros - start) / width);
    for (const name of energyColumns) energy[name].set(part[name], bucket);
    const kept = readings.filter(({ timeMicros }) => timeMicros >= keptFrom);
    addReadings(statistics, kept, (timeMicros) => Math.floor((timeMicros - start) / width));
    await reader.yieldOrAbort();
  }
  // The few readings that are left from before the retention limit would give only a part of the energy.
  const gone = Math.min(count, Math.ceil((keptFrom - start) / width));
  if (gone > 0) for (const name of energyColumns) energy[name].fill(0, 0, gone);
  return { energy, statistics };
}

/** Splits the grids so that each part holds about this many readings; a month of seconds has millions. */
async function withFewReadings(reader: EnergyReader, grids: readonly Grid[]): Promise<Grid[]> {
  const [first, last] = [grids.at(0), grids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days = reader.clipDays({ fromMicros: first.startMicros, toMicros: endOfGrid(last) });
  const counts = await reader.countSamples(days);
  return grids.flatMap((grid) => gridsOfFewReadings(grid, counts));
}
