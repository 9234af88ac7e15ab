import { readBuckets } from '../../server/energy/read-buckets.ts';
import { type EnergySnapshot, readEnergy } from '../../server/energy/read-energy.ts';
import type { ChosenDevice } from '../../server/energy/measurements.sql.ts';
import type { AskedRange, SiteRanges } from '../../server/base/ranges.ts';
import { bucketEdges } from '../../server/base/buckets.ts';
import { type DemandSlots, emptyDemand, markInterpolated } from '../../server/energy/demand.rules.ts';
import { addTo } from '../../server/rates/energy-pieces.rules.ts';
import { addsUp } from '../../server/rates/energy-totals.rules.ts';
import { refuse } from '../../server/base/errors.ts';
import { createLoadCurve } from '../../server/reports/load-curve.rules.ts';
import { addStatistics, emptyStatistics, type Statistics } from '../../server/energy/statistics.rules.ts';
import type { PartOf } from './parts.ts';
import { type ChosenSource, readEach } from './sources.ts';
import { sizeOf, type Step } from './steps.ts';

/** A question about devices in a range, split by parts. */
export interface Asked {
  sources: readonly ChosenSource[];
  range: AskedRange;
  /** The range for each of the devices. */
  ranges: SiteRanges;
  partOf: PartOf;
  accountId: string;
  /** When the question arrived, for sharing reads with others. */
  cameAt: number;
}

/** Edges of buckets by time zone, one more than there are buckets and equally many in each, and the size by which they are read. */
export interface Buckets {
  edgesOf: (timeZone: string) => readonly number[];
  count: number;
  step: Step;
}

/** Reads the energy of the devices of a source, as the portal does for its pages. */
export const readSource = <T>(
  { database, devices }: ChosenSource,
  { range, accountId }: Pick<Asked, 'range' | 'accountId'>,
  work: (snapshot: EnergySnapshot) => Promise<T>,
): Promise<T> => readEnergy(database, { scope: { devices: devices.map(({ id }) => id) }, range, accountId }, work);

/** The load curve of each part: `GET /api/dashboard/load-curve`. */
export async function readCurves(
  { sources, partOf, ...asked }: Asked,
  { edgesOf, count, step }: Buckets,
  quantity: 'averagePowerKw' | 'energyImportedKwh',
): Promise<Map<string, (number | null)[]>> {
  const curves = new Map<string, (number | null)[]>();
  const read = (source: ChosenSource) =>
    readSource(source, asked, async (snapshot) => {
      const members = membersOf(source, snapshot.devices, partOf).map(({ number, part: { key, name } }) => ({
        number,
        seriesId: key,
        seriesName: name,
      }));
      const curve = createLoadCurve(members, count);
      const question = { ranges: asked.ranges, size: sizeOf(step), edgesOf };
      for await (const device of readBuckets(snapshot, { ...question, depth: 'power' })) {
        curve.addDevice(device.deviceNumber, device);
      }
      return curve.series;
    });
  for await (const series of readEach(sources, read)) {
    for (const { id, [quantity]: values } of series) {
      const sums = curves.get(id);
      if (sums === undefined) curves.set(id, values);
      else for (const [at, value] of values.entries()) if (value !== null) sums[at] = (sums[at] ?? 0) + value;
    }
  }
  return curves;
}

/** The statistics of all readings of each part. */
export async function readStatistics(
  { sources, partOf, ...asked }: Asked,
  { edgesOf, count, step }: Buckets,
): Promise<Map<string, Statistics>> {
  const sums = new Map<string, Statistics>();
  const add = (key: string, statistics: Statistics, target: Map<string, Statistics>) => {
    const sum = target.getOrInsertComputed(key, () => emptyStatistics(count));
    for (let at = 0; at < count; at += 1) addStatistics(sum, at, statistics, { from: at, to: at + 1 }, 'all');
  };
  const read = (source: ChosenSource) =>
    readSource(source, asked, async (snapshot) => {
      const parts = partsOfNumbers(source, snapshot.devices, partOf);
      const found = new Map<string, Statistics>();
      const question = { ranges: asked.ranges, size: sizeOf(step), edgesOf };
      for await (const { deviceNumber, statistics } of readBuckets(snapshot, { ...question, depth: 'all' })) {
        const key = parts.get(deviceNumber);
        if (key !== undefined) add(key, statistics, found);
      }
      return found;
    });
  for await (const own of readEach(sources, read)) {
    for (const [key, statistics] of own) add(key, statistics, sums);
  }
  return sums;
}

/** Quarter-hours of all parts that one question holds in memory. */
const maxSlots = 1_500_000;

/** The quarter-hours of each part, whose highest is its peak demand. */
export async function readDemand(
  { sources, partOf, ...asked }: Asked,
  partCount: number,
): Promise<Map<string, DemandSlots>> {
  const { all } = asked.ranges;
  const edges = bucketEdges(all.fromMicros, all.toMicros, '15min', 'UTC');
  const [startMicros = 0, count] = [edges[0], edges.length - 1];
  if (count * partCount > maxSlots) {
    throw refuse('manyQuarterHours', { count, parts: partCount, max: maxSlots }, { field: 'to' });
  }
  const sums = new Map<string, DemandSlots>();
  const sumOf = (key: string, target: Map<string, DemandSlots>) =>
    target.getOrInsertComputed(key, () => emptyDemand(startMicros, count));
  const read = (source: ChosenSource) =>
    readSource(source, asked, async (snapshot) => {
      const parts = partsOfNumbers(source, snapshot.devices, partOf);
      const found = new Map<string, DemandSlots>();
      const question = { ranges: asked.ranges, size: '15min', edgesOf: () => edges } as const;
      for await (const { deviceNumber, energy } of readBuckets(snapshot, { ...question, depth: 'power' })) {
        const key = parts.get(deviceNumber);
        if (key === undefined) continue;
        const sum = sumOf(key, found);
        addTo(sum.importedKwh, energy.importedKwh);
        markInterpolated(sum.isInterpolated, energy);
      }
      return found;
    });
  for await (const own of readEach(sources, read)) {
    for (const [key, slots] of own) {
      const sum = sumOf(key, sums);
      addTo(sum.importedKwh, slots.importedKwh);
      for (const [at, mark] of slots.isInterpolated.entries()) if (mark === 1) sum.isInterpolated[at] = 1;
    }
  }
  return sums;
}

/**
 * The devices with the parts that they count in. A sub-meter counts only in a part of its own, because its main meter includes its
 * energy.
 */
const membersOf = (source: ChosenSource, devices: readonly ChosenDevice[], partOf: PartOf) =>
  devices.flatMap((device) => {
    const part = partOf(source, device);
    return addsUp(device) || part.labels['deviceId'] !== undefined ? [{ number: device.number, part }] : [];
  });

const partsOfNumbers = (source: ChosenSource, devices: readonly ChosenDevice[], partOf: PartOf) =>
  new Map(membersOf(source, devices, partOf).map(({ number, part }) => [number, part.key]));
