import type { Measure, Split } from '../../shared/dashboard-tool.ts';
import { bucketEdges } from '../base/buckets.ts';
import { refuse } from '../base/errors.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { type DemandSlots, emptyDemand, markInterpolated } from '../energy/power.rules.ts';
import type { DeviceBuckets } from '../energy/read-buckets.ts';
import { addStatistics, averagePowerAt, emptyStatistics, type Statistics } from '../energy/statistics.rules.ts';
import { addMarks, addTo } from '../rates/energy-pieces.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { type EnergySource, readEach, type SourceBuckets } from './energy-sources.ts';
import { knownEnergyAt } from './load-curve.rules.ts';
import type { PartOf } from './parts.rules.ts';

/** A query about devices in a range, split by parts. */
export interface PartsAsked {
  measure: Measure;
  split: Split;
  sources: readonly EnergySource[];
  /** The range for each of the devices. */
  ranges: SiteRanges;
  partOf: PartOf;
  /** Whether the sources are the kept sites of a large fleet, for which only sums of customers are available. */
  isOfFleet: boolean;
}

/** Edges of buckets by time zone, and the size in which they are read. */
export type PartBuckets = Omit<SourceBuckets, 'uses'>;

interface Adding<Sum> {
  empty: () => Sum;
  add: (sum: Sum, device: DeviceBuckets) => void;
  merge: (sum: Sum, other: Sum) => void;
}

/** Adds up the devices of each part, and then its sources in their order, so that the sums never depend on which was faster. */
async function addUp<Sum>(
  { sources, partOf, isOfFleet }: PartsAsked,
  buckets: SourceBuckets,
  { empty, add, merge }: Adding<Sum>,
): Promise<Map<string, Sum>> {
  const sums = new Map<string, Sum>();
  const addSource = async (source: EnergySource, target: Map<string, Sum>) => {
    const parts = partsByNumber(source, partOf);
    await source.readBuckets(buckets, (device) => {
      const key = parts.get(device.deviceNumber);
      if (key !== undefined) add(target.getOrInsertComputed(key, empty), device);
    });
    return target;
  };
  if (isOfFleet) {
    // There is nothing to wait for.
    for (const source of sources) await addSource(source, sums);
    return sums;
  }
  for await (const found of readEach(sources, (source) => addSource(source, new Map<string, Sum>()))) {
    for (const [key, own] of found) {
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, own);
      else merge(sum, own);
    }
  }
  return sums;
}

/**
 * The parts that devices count in. A sub-meter counts only in a part of its own, because its main meter includes its energy.
 */
const partsByNumber = (source: EnergySource, partOf: PartOf) =>
  new Map(
    source.devices.flatMap((device) => {
      const { key, labels } = partOf(source, device);
      return addsUp(device) || labels['deviceId'] !== undefined ? [[device.number, key] as const] : [];
    }),
  );

/** The load curve of each part; NaN where nothing is known. */
export function readCurves(
  asked: PartsAsked,
  buckets: PartBuckets,
  { count, measure }: { count: number; measure: 'power' | 'energy' },
): Promise<Map<string, Float64Array>> {
  const plus = (sums: Float64Array, at: number, value: number) => {
    const before = sums[at] ?? NaN;
    sums[at] = Number.isNaN(before) ? value : before + value;
  };
  return addUp(
    asked,
    { ...buckets, uses: measure },
    {
      empty: () => new Float64Array(count).fill(NaN),
      add(sums, device) {
        for (let at = 0; at < count; at += 1) {
          const value = measure === 'power' ? averagePowerAt(device.statistics, at) : knownEnergyAt(device, at);
          if (value !== null) plus(sums, at, value);
        }
      },
      merge(sums, others) {
        for (let at = 0; at < count; at += 1) {
          const value = others[at] ?? NaN;
          if (!Number.isNaN(value)) plus(sums, at, value);
        }
      },
    },
  );
}

/** The statistics of all readings of each part. */
export const readStatistics = (
  asked: PartsAsked,
  buckets: PartBuckets,
  count: number,
): Promise<Map<string, Statistics>> => {
  const add = (sum: Statistics, own: Statistics) => {
    for (let at = 0; at < count; at += 1) addStatistics(sum, at, own, { from: at, to: at + 1 }, 'all');
  };
  return addUp(
    asked,
    { ...buckets, uses: 'statistics' },
    { empty: () => emptyStatistics(count), add: (sum, { statistics }) => add(sum, statistics), merge: add },
  );
};

/** The limit of quarter-hours of all parts that one query holds in memory. */
const maxSlots = 1_500_000;

/** The quarter-hours of each part, whose highest is its peak demand. */
export async function readDemand(asked: PartsAsked, partCount: number): Promise<Map<string, DemandSlots>> {
  const { all } = asked.ranges;
  const edges = bucketEdges(all.fromMicros, all.toMicros, '15min', 'UTC');
  const [startMicros = 0, count] = [edges[0], edges.length - 1];
  if (count * partCount > maxSlots) {
    throw refuse('manyQuarterHours', { count, parts: partCount, max: maxSlots }, { field: 'to' });
  }
  return addUp(
    asked,
    { edgesOf: () => edges, size: '15min', uses: 'demand' },
    {
      empty: () => emptyDemand(startMicros, count),
      add(sum, { energy }) {
        addTo(sum.importedKwh, energy.importedKwh);
        markInterpolated(sum.isInterpolated, energy);
      },
      merge(sum, own) {
        addTo(sum.importedKwh, own.importedKwh);
        addMarks(sum.isInterpolated, own.isInterpolated);
      },
    },
  );
}
