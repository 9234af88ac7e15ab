import type { CostBreakdown } from '../../shared/costs.ts';
import type { DashboardSummary } from '../../shared/dashboard.ts';
import type { DataQuality } from '../../shared/data-quality.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';
import { readQuality } from './read-quality.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { type AskedRange, rangesOf, sharedZone, zonesOf } from '../base/ranges.ts';
import { countParts, maxParts } from '../rates/cost-breakdown.rules.ts';
import { costsByTime, type TimeRow } from '../rates/cost-by-time.rules.ts';
import { flagShare } from './data-quality.rules.ts';
import { presentQuality } from './data-quality.routes.ts';
import { presentBreakdown, presentSummary } from './energy-answers.ts';

export interface SummaryByTime {
  group: 'day' | 'month';
  rows: TimeRow[];
}

/** The contents of a summary export, from one snapshot. */
export interface SummaryContents {
  summary: DashboardSummary;
  /** By local day, or by month if there are too many days; null if there are too many months. */
  byTime: SummaryByTime | null;
  /** The range as a whole. */
  breakdown: CostBreakdown;
  quality: DataQuality;
  /** By site, the values that the summary has only for all sites. */
  siteEnergy: Map<string, { interpolatedKwh: number; unpricedKwh: number }>;
  devices: readonly ChosenDevice[];
}

/** Reads the contents of a summary export. */
export async function readContents(
  snapshot: EnergySnapshot,
  range: AskedRange,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): Promise<SummaryContents> {
  const { devices } = snapshot;
  const siteCount = new Set(devices.map((device) => device.siteId)).size;
  const group = (['day', 'month'] as const).find((one) => countParts(range, one, siteCount) <= maxParts) ?? null;
  const ranges = rangesOf(range, zonesOf(devices));
  const totals = await totalEnergy(snapshot, ranges, group);
  const sites = totals.totalSites();
  const asked = { ranges, timeZone: sharedZone(devices, timeZone), flagLimit: flagShare(devices.length) };
  const quality = await readQuality(snapshot, asked, nowMs * 1000);
  return {
    summary: await presentSummary(ranges, snapshot, totals, nowMs * 1000),
    byTime: group === null ? null : { group, rows: costsByTime(sites, group) },
    breakdown: presentBreakdown(ranges, 'period', snapshot, totals),
    siteEnergy: new Map(sites.map(({ siteId, priced }) => [siteId, priced])),
    quality: presentQuality(snapshot, asked, quality, totals),
    devices,
  };
}
