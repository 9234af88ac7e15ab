import { createHash } from 'node:crypto';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { type AskedRange, rangesOf, type SiteRanges, zonesOf } from '../base/ranges.ts';
import type { PowerPart, PeakDemand } from '../energy/power.rules.ts';
import { breakDown, type BreakdownLine, type CostStatement, stateCosts } from '../rates/cost-statement.rules.ts';
import { powerParts } from './energy-answers.ts';
import type { DeviceTotals } from '../rates/energy-pieces.rules.ts';
import { partsOf, type SiteTotals } from '../rates/energy-totals.rules.ts';
import type { Sharing } from './parts.rules.ts';
import { type BucketsAsked, type DeviceBuckets, readBuckets } from '../energy/read-buckets.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { totalEnergy } from '../rates/total-energy.ts';

/** A device of a query, or a whole site if only the sum of its devices is kept. */
export type SourceDevice = Pick<
  ChosenDevice,
  'number' | 'id' | 'name' | 'siteId' | 'siteName' | 'timeZone' | 'countedIn'
>;

/** The cost of a source over the range of a query. */
export interface SourceCosts extends Pick<CostStatement, 'costs' | 'lines'> {
  /** The lines of its breakdown. */
  breakdown: BreakdownLine[];
}

/** The summary of a source. */
export interface SourceTotals extends SourceCosts, CostStatement {
  siteTotals: readonly SiteTotals[];
  /** The totals of each device, by its number. */
  deviceTotals: ReadonlyMap<number, DeviceTotals>;
  peak: PeakDemand | null;
  power: PowerPart[];
}

export type TotalsSharing = Sharing<SourceTotals>;

/** The values for which the buckets of devices are read; if only sums are kept, other columns are left out. */
export type BucketUse = 'power' | 'energy' | 'demand' | 'statistics';

export type SourceBuckets = Omit<BucketsAsked, 'ranges' | 'depth'> & { uses: BucketUse };

/** The devices of this Client, or of one customer of the fleet, in a query, and how their energy is read. */
export interface EnergySource {
  /** Both null in a Client. */
  labels: { customerId: string | null; customerName: string | null };
  /** At least one. */
  devices: readonly SourceDevice[];
  only: (devices: readonly SourceDevice[]) => EnergySource;
  /** The load curve: adds what each device measured by bucket; its arrays may be reused for the next device. */
  readBuckets: (asked: SourceBuckets, add: (device: DeviceBuckets & { deviceNumber: number }) => void) => Promise<void>;
  /** The imported energy of the devices that add up. */
  readImported: () => Promise<number>;
  readCosts: () => Promise<SourceCosts>;
  /** Rejected if only sums are kept. */
  readTotals: () => Promise<SourceTotals>;
  /**
   * The cost breakdown; or energy and export of each device as if it were a site of its own, which add up to its cost in the
   * totals.
   */
  readLines: (group: 'day' | 'month', byDevice: boolean) => Promise<BreakdownLine[]>;
}

export interface SourceQuestion {
  range: AskedRange;
  /** The range for each of the devices of all sources. */
  ranges: SiteRanges;
  accountId: string;
  nowMs: number;
  /** When the query arrived, for sharing reads with others. */
  cameAt: number;
  sharing: TotalsSharing;
}

/** A source whose devices are read one by one, as the portal does for its pages. */
export function openSource(
  database: Database,
  { labels, devices }: Pick<EnergySource, 'labels' | 'devices'>,
  question: SourceQuestion,
): EnergySource {
  const { range, ranges, accountId, nowMs, cameAt, sharing } = question;
  const ids = devices.map(({ id }) => id);
  const read = <T>(work: (snapshot: EnergyReader) => Promise<T>) =>
    readEnergy(database, { scope: { devices: ids }, range, accountId }, work);
  const readTotals = () => {
    const key = createHash('sha256').update(JSON.stringify([accountId, labels.customerId, range, ids]));
    return sharing.read(key.digest('base64'), { cameAt, weight: ids.length }, () =>
      read((snapshot) => totalSnapshot(snapshot, range, nowMs * 1000)),
    );
  };
  return {
    labels,
    devices,
    only: (some) => openSource(database, { labels, devices: some }, question),
    readBuckets: ({ uses, ...asked }, add) =>
      read(async (snapshot) => {
        const depth = uses === 'statistics' ? 'all' : 'power';
        for await (const device of readBuckets(snapshot, { ...asked, ranges, depth })) add(device);
      }),
    readImported: async () => (await readTotals()).siteTotals.reduce((sum, { priced }) => sum + priced.importedKwh, 0),
    readCosts: readTotals,
    readTotals,
    readLines: (group, byDevice) => read((snapshot) => (byDevice ? linesOfDevices : linesOf)(snapshot, ranges, group)),
  };
}

async function totalSnapshot(snapshot: EnergyReader, range: AskedRange, nowMicros: number): Promise<SourceTotals> {
  const ranges = rangesOf(range, zonesOf(snapshot.devices));
  const totals = await totalEnergy(snapshot, ranges);
  const sites = totals.totalSites();
  const statement = stateCosts(sites);
  const flags = await snapshot.listFlags(ranges.all);
  return {
    ...statement,
    breakdown: breakDown(partsOf(sites, 'period'), statement.costs),
    siteTotals: sites,
    deviceTotals: totals.devices,
    peak: totals.findPeak(),
    power: powerParts(ranges, snapshot, totals, { flags, nowMicros }),
  };
}

async function linesOf(snapshot: EnergyReader, ranges: SiteRanges, group: 'day' | 'month') {
  const sites = (await totalEnergy(snapshot, ranges, group)).totalSites();
  return breakDown(partsOf(sites, group), stateCosts(sites).costs);
}

async function linesOfDevices(snapshot: EnergyReader, ranges: SiteRanges, group: 'day' | 'month') {
  const { devices } = stateCosts((await totalEnergy(snapshot, ranges)).totalSites());
  const alone = snapshot.devices.map((device) => ({ ...device, siteId: device.id, countedIn: null }));
  const numbers = new Map(snapshot.devices.map(({ id, number }) => [id, number]));
  return (await totalEnergy(snapshot.only(alone), ranges, group)).totalSites().flatMap((site) => {
    const own = devices.get(numbers.get(site.siteId) ?? NaN) ?? [];
    const costs = own.map((cost) => ({ ...cost, fixedCharge: 0, vat: 0, total: cost.energyCost }));
    const lines = breakDown(partsOf([site], group), costs);
    return lines.filter(({ kind }) => kind === 'energy' || kind === 'export' || kind === 'unpriced');
  });
}

/** Sources that a query reads in parallel; a fleet has many, each with a dozen short statements. */
const sourcesAtOnce = 3;

/** Reads each source, and yields the results in their order. */
export async function* readEach<Source, T>(
  sources: readonly Source[],
  read: (source: Source) => Promise<T>,
): AsyncGenerator<T> {
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    yield* await Promise.all(sources.slice(at, at + sourcesAtOnce).map(read));
  }
}
