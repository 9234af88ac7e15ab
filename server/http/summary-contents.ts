import type { CostBreakdown, CostLine } from '../../shared/costs.ts';
import type { DashboardSummary } from '../../shared/dashboard.ts';
import type { DataQuality } from '../../shared/data-quality.ts';
import type { EnergySnapshot } from '../commands/read-energy.ts';
import { totalEnergy } from '../commands/total-energy.ts';
import type { ChosenDevice } from '../db/measurements.ts';
import { type AskedRange, rangesOf } from '../domain/asked-range.ts';
import type { EnergyTotals } from '../domain/energy-totals.ts';
import { minorDigits } from '../domain/money.ts';
import { presentQuality } from './data-quality.ts';
import { countParts, maxParts, presentBreakdown, presentSummary } from './energy-answers.ts';
import { sharedZone, zonesOf } from './ranges.ts';

/** Flags of all devices together that are listed; each device has its share, but at least ten. */
const maxFlags = 10_000;
const flagsOfDevice = { least: 10, most: 1000 } as const;

/** Energy and cost of all sites together in one local day or month. */
export interface TimeRow {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  key: string;
  energy: { importedKwh: number; exportedKwh: number; interpolatedKwh: number; unpricedKwh: number };
  /** By currency; rounded, so that those of all rows add up to the totals. */
  costs: Map<string, { energyCost: number; fixedCharge: number; vat: number; total: number }>;
}

export interface SummaryByTime {
  group: 'day' | 'month';
  rows: TimeRow[];
}

/** What a summary export has, all from one snapshot. */
export interface SummaryContents {
  summary: DashboardSummary;
  /** By local day, or month where days are too many; null where months are too. */
  byTime: SummaryByTime | null;
  /** The range as a whole. */
  breakdown: CostBreakdown;
  quality: DataQuality;
  /** By site, what the summary has of all sites only. */
  siteEnergy: Map<string, { interpolatedKwh: number; unpricedKwh: number }>;
  devices: readonly ChosenDevice[];
}

/** Everything that a summary export has. */
export async function readContents(
  snapshot: EnergySnapshot,
  range: AskedRange,
  { timeZone, nowMs, signal }: { timeZone: string; nowMs: number; signal: AbortSignal },
): Promise<SummaryContents> {
  const { devices } = snapshot;
  const siteCount = new Set(devices.map((device) => device.siteId)).size;
  const group = (['day', 'month'] as const).find((one) => countParts(range, one, siteCount) <= maxParts) ?? null;
  const ranges = rangesOf(range, zonesOf(devices));
  const totals = await totalEnergy(snapshot, ranges, group);
  const { least, most } = flagsOfDevice;
  const flagLimit = Math.min(most, Math.max(least, Math.floor(maxFlags / Math.max(1, devices.length))));
  const asked = { ranges, timeZone: sharedZone(devices, timeZone), flagLimit };
  return {
    summary: await presentSummary(ranges, snapshot, totals, nowMs * 1000),
    byTime: group === null ? null : { group, rows: byTime(totals, presentBreakdown(ranges, group, snapshot, totals)) },
    breakdown: presentBreakdown(ranges, 'period', snapshot, totals),
    siteEnergy: new Map(totals.totalSites().map(({ site, priced }) => [site.siteId, priced])),
    quality: await presentQuality(snapshot, asked, nowMs * 1000, signal),
    devices,
  };
}

function byTime(totals: EnergyTotals, { lines }: CostBreakdown): TimeRow[] {
  const rows = new Map<string, TimeRow>();
  for (const { groups } of totals.totalSites()) {
    for (const { key, priced } of groups) {
      const { energy } = rowOf(rows, key);
      energy.importedKwh += priced.importedKwh;
      energy.exportedKwh += priced.exportedKwh;
      energy.interpolatedKwh += priced.interpolatedKwh;
      energy.unpricedKwh += priced.unpricedKwh;
    }
  }
  for (const line of lines) addCost(rowOf(rows, line.group ?? '').costs, line);
  // A date of the year 10000 begins with a sign and has two digits more.
  const order = ({ key }: TimeRow) => key.replace('+', '').padStart('010000-01-01'.length, '0');
  return [...rows.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

function rowOf(rows: Map<string, TimeRow>, key: string): TimeRow {
  const known = rows.get(key);
  if (known !== undefined) return known;
  const energy = { importedKwh: 0, exportedKwh: 0, interpolatedKwh: 0, unpricedKwh: 0 };
  const row: TimeRow = { key, energy, costs: new Map() };
  rows.set(key, row);
  return row;
}

const partOf = { energy: 'energyCost', export: 'energyCost', fixedCharge: 'fixedCharge', vat: 'vat' } as const;

function addCost(costs: TimeRow['costs'], { kind, currency, cost }: CostLine): void {
  if (currency === null || cost === null || kind === 'unpriced') return;
  const sums = costs.get(currency) ?? { energyCost: 0, fixedCharge: 0, vat: 0, total: 0 };
  const digits = minorDigits(currency);
  for (const part of [partOf[kind], 'total'] as const) sums[part] = addCents(sums[part], cost, digits);
  costs.set(currency, sums);
}

/** The sum of two rounded amounts, without what floating point leaves behind the last digit. */
const addCents = (a: number, b: number, digits: number) => Math.round((a + b) * 10 ** digits) / 10 ** digits;
