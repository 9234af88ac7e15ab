import { type AskedRange, cutAt, rangesOf, sharedZone, type SiteRanges, zonesOf } from '../base/ranges.ts';
import { bucketsBeyond, type BucketSize, siteEdges } from '../base/buckets.ts';
import { createLoadCurve, type CurveMember, type CurveSeries, membersBy, wholesFirst } from './load-curve.rules.ts';
import { readBuckets } from '../energy/read-buckets.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { stateCosts } from '../rates/cost-statement.rules.ts';
import { unpricedKwhOf } from '../rates/costs.rules.ts';
import { arrivedUntil } from '../energy/power.rules.ts';
import { daysByCurrency } from '../rates/tariffs.rules.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { listTariffs, type MunicipalityTariff } from '../rates/tariffs.sql.ts';
import { type ComparedTotals, shiftTariffs } from '../rates/cost-comparison.rules.ts';

interface CurveAsked {
  ranges: SiteRanges;
  size: BucketSize;
  /** The zone of the buckets if sites have none of their own. */
  timeZone: string;
  members: readonly CurveMember[];
}

/** Average power and energy by bucket; `starts` are in that zone, epoch microseconds. */
export async function readCurve(
  snapshot: EnergyReader,
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
  const ordered = snapshot.only(wholesFirst(snapshot.devices, members));
  for await (const device of readBuckets(ordered, { ranges, size, edgesOf, depth: 'power' })) {
    curve.addDevice(device.deviceNumber, device);
  }
  return { starts, series: curve.series };
}

interface SideAsked {
  size: BucketSize;
  /** The time zone of the buckets if the sites have several. */
  clock: string;
  nowMicros: number;
  /** The end of the priced part; without it, the whole range. */
  costUntilMicros?: number | undefined;
}

/** One side of a comparison: the import of all its devices by bucket, in the time zone of their sites, and its cost. */
export async function readSide(snapshot: EnergyReader, range: AskedRange, asked: SideAsked) {
  const { size, clock, nowMicros, costUntilMicros } = asked;
  const { devices } = snapshot;
  const zones = [...new Set(zonesOf(devices))];
  const ranges = rangesOf(range, zones);
  const timeZone = sharedZone(devices, clock);
  const members = membersBy('total', devices);
  const { starts, series } = await readCurve(snapshot, { ranges, size, timeZone, members });
  const costRanges = costUntilMicros === undefined ? ranges : rangesOf(cutAt(range, costUntilMicros), zones);
  const sites = (await totalEnergy(snapshot, costRanges)).totalSites();
  const arrivedMicros = arrivedUntil(devices, nowMicros);
  const beyond = (untilMicros: number) => bucketsBeyond(ranges, size, timeZone, zones, untilMicros, nowMicros);
  await snapshot.yieldOrAbort();
  return {
    ranges,
    starts,
    running: beyond(arrivedMicros),
    /** The devices whose range is still running. */
    open: beyond(nowMicros),
    arrivedMicros,
    timeZone,
    fromDate: ranges.dates?.fromDate,
    curve: series[0],
    devices,
    costs: stateCosts(sites).costs,
    tariffDays: daysByCurrency(sites),
    unpricedKwh: unpricedKwhOf(sites),
  };
}

/** The energy and cost of two ranges, and what the first would cost at the prices of the other; the snapshot must hold both. */
export async function totalCompared(
  snapshot: EnergyReader,
  current: SiteRanges,
  other: SiteRanges,
): Promise<ComparedTotals> {
  const zones = new Map(snapshot.devices.map((device) => [device.municipalityId, device.timeZone]));
  const shifted = new Map<string, MunicipalityTariff[]>();
  for (const [municipalityId, tariffs] of await listTariffs(snapshot.tx, [...zones.keys()])) {
    const zone = zones.get(municipalityId) ?? 'UTC';
    const own = shiftTariffs(tariffs, zone, { current: current.of(zone), other: other.of(zone) });
    if (own !== null) shifted.set(municipalityId, own);
  }
  const sites = (await totalEnergy(snapshot, current)).totalSites();
  const otherSites = (await totalEnergy(snapshot, other)).totalSites();
  if (shifted.size === 0) return { current: sites, other: otherSites, atOtherPrices: sites };
  const revise = (id: string, tariffs: readonly MunicipalityTariff[]) => shifted.get(id) ?? tariffs;
  const revised = await totalEnergy(snapshot, current, null, revise);
  return { current: sites, other: otherSites, atOtherPrices: revised.totalSites() };
}
