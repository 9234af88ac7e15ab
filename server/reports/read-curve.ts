import type { SiteRanges } from '../base/ranges.ts';
import { type BucketSize, siteEdges } from '../base/buckets.ts';
import { type CurveMember, type CurveSeries, createLoadCurve, wholesFirst } from './load-curve.rules.ts';
import { readBuckets } from '../energy/read-buckets.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';

interface CurveAsked {
  ranges: SiteRanges;
  size: BucketSize;
  /** The zone of the buckets, where sites have none of their own. */
  timeZone: string;
  members: readonly CurveMember[];
}

/** Average power and energy by bucket; `starts` are in that zone, epoch microseconds. */
export async function readCurve(
  snapshot: EnergySnapshot,
  { ranges, size, timeZone, members }: CurveAsked,
): Promise<{ starts: number[]; series: readonly CurveSeries[] }> {
  const edgesOf = siteEdges(ranges, size, timeZone);
  // The days of a century take some milliseconds for each zone.
  for (const zone of new Set([timeZone, ...snapshot.devices.map((device) => device.timeZone)])) {
    edgesOf(zone);
    await snapshot.yieldOrAbort();
  }
  const starts = edgesOf(timeZone).slice(0, -1);
  const curve = createLoadCurve(members, starts.length);
  const ordered = { ...snapshot, devices: wholesFirst(snapshot.devices, members) };
  for await (const device of readBuckets(ordered, { ranges, size, edgesOf, depth: 'power' })) {
    curve.addDevice(device.deviceNumber, device);
  }
  return { starts, series: curve.series };
}
