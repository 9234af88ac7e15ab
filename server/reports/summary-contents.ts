import type { CostBreakdown, DashboardSummary } from '../../shared/dashboard.ts';
import type { DataQuality } from '../../shared/data-quality.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readQuality } from './read-quality.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { type AskedRange, rangesOf, sharedZone, zonesOf } from '../base/ranges.ts';
import { breakDown, type BreakdownLine, countParts, maxParts, stateCosts } from '../rates/cost-statement.rules.ts';
import { flagShare } from './data-quality.rules.ts';
import { presentQuality } from './data-quality.routes.ts';
import { presentBreakdown, presentSummary } from './energy-answers.ts';
import { partsOf, type SiteTotals } from '../rates/energy-totals.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { type DeviceState, deviceState, type Watched } from '../../shared/states.rules.ts';
import { formatInstant } from '../base/instants.ts';
import { wholeSpan } from '../energy/energy.rules.ts';

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
  /** By site, the values that the summary has only as a total. */
  siteEnergy: Map<string, { interpolatedKwh: number; unpricedKwh: number }>;
  devices: readonly (ChosenDevice & { state: DeviceState })[];
}

export interface ContentsAsked {
  timeZone: string;
  nowMs: number;
  /** How devices are judged; by default as those of this Client. */
  stateOf?: (device: Watched, nowMs: number) => DeviceState;
}

/** Reads the contents of a summary export. */
export async function readContents(
  snapshot: EnergyReader,
  range: AskedRange,
  { timeZone, nowMs, stateOf = deviceState }: ContentsAsked,
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
    devices: devices.map((device) => ({ ...device, state: stateOf({ ...device, ...newestOf(device) }, nowMs) })),
  };
}

function newestOf({ spans }: EnergyReader['devices'][number]) {
  const last = wholeSpan(spans)?.lastMicros;
  return { lastMeasuredAt: last === undefined ? null : formatInstant(last) };
}

/** Energy and cost of all sites together in one local day or month. */
interface TimeRow {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  key: string;
  energy: { importedKwh: number; exportedKwh: number; interpolatedKwh: number; unpricedKwh: number };
  /** By currency; rounded, so that those of all rows add up to the totals. */
  costs: Map<string, { energyCost: number; fixedCharge: number; vat: number; total: number }>;
}

/** The parts into which the totals of the sites were cut, added up over all sites, in chronological order. */
function costsByTime(sites: readonly SiteTotals[], group: 'day' | 'month'): TimeRow[] {
  const rows = new Map<string, TimeRow>();
  for (const { parts } of sites) {
    for (const { group: key, priced } of parts) {
      const { energy } = rowOf(rows, key ?? '');
      energy.importedKwh += priced.importedKwh;
      energy.exportedKwh += priced.exportedKwh;
      energy.interpolatedKwh += priced.interpolatedKwh;
      energy.unpricedKwh += priced.unpricedKwh;
    }
  }
  const lines = breakDown(partsOf(sites, group), stateCosts(sites).costs);
  for (const line of lines) addCost(rowOf(rows, line.group ?? '').costs, line);
  // A date in the year 10000 begins with a sign and has two more digits.
  const order = ({ key }: TimeRow) => key.replace('+', '').padStart('010000-01-01'.length, '0');
  return [...rows.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

const rowOf = (rows: Map<string, TimeRow>, key: string): TimeRow =>
  rows.getOrInsertComputed(key, () => {
    const energy = { importedKwh: 0, exportedKwh: 0, interpolatedKwh: 0, unpricedKwh: 0 };
    return { key, energy, costs: new Map() };
  });

const partOf = { energy: 'energyCost', export: 'energyCost', fixedCharge: 'fixedCharge', vat: 'vat' } as const;

function addCost(costs: TimeRow['costs'], { kind, tariff, cost }: BreakdownLine): void {
  if (tariff === null || cost === null || kind === 'unpriced') return;
  const { currency } = tariff;
  const sums = costs.getOrInsertComputed(currency, () => ({ energyCost: 0, fixedCharge: 0, vat: 0, total: 0 }));
  const digits = minorDigits(currency);
  for (const part of [partOf[kind], 'total'] as const) sums[part] = addCents(sums[part], cost, digits);
}

/** The sum of two rounded amounts, rounded again to remove floating-point noise. */
const addCents = (a: number, b: number, digits: number) => Math.round((a + b) * 10 ** digits) / 10 ** digits;
