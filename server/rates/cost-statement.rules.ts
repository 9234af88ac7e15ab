import type { CostGroup, CostLine, DashboardSummary } from '../../shared/dashboard.ts';
import type { Big } from 'big.js';
import {
  type Amounts,
  type PricedLine,
  costsOf,
  energyCosts,
  energyLines,
  fixedCharges,
  type PricedEnergy,
  sumAmounts,
} from './costs.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { money, roundEach, roundMoney, roundParts, roundTable, zero } from '../base/money.ts';
import type { Tariff, TariffDays } from './tariffs.rules.ts';
import { type AskedRange, lengthOf } from '../base/ranges.ts';
import { refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';

/** Amounts in units of the currency, rounded to its minor unit; the three parts add up to the total. */
export type StatedCost = DashboardSummary['costs'][number];

/** One line of the energy cost: import at one rate, or the credit for export. */
type StatedLine = DashboardSummary['periods'][number];

export interface ChargedSite {
  siteId: string;
  priced: PricedEnergy;
  /** The number of local days for which the site pays the fixed charge. */
  days: TariffDays;
  /** The devices. Sub-meters are rounded separately. */
  devices: readonly { number: number; priced: PricedEnergy; addsUp: boolean }[];
}

export interface CostStatement {
  /** One statement for each currency, because currencies are never added up. */
  costs: StatedCost[];
  sites: Map<string, StatedCost[]>;
  devices: Map<number, { currency: string; energyCost: number }[]>;
  lines: StatedLine[];
}

/**
 * What sites pay, by currency (energy-and-cost.md 7). All amounts are exact until each total is rounded once. Then sites,
 * devices and lines are rounded so that they add up to the total.
 */
export function stateCosts(sites: readonly ChargedSite[]): CostStatement {
  const bySite = sites.map((site) => ({ site, costs: costsOf(site.priced, site.days) }));
  const currencies = [...new Set(bySite.flatMap(({ costs }) => costs.map((cost) => cost.currency)))].toSorted();
  const statement: CostStatement = { costs: [], sites: new Map(), devices: new Map(), lines: [] };
  for (const { siteId, devices } of sites) {
    statement.sites.set(siteId, []);
    for (const { number } of devices) statement.devices.set(number, []);
  }
  for (const currency of currencies) {
    const digits = minorDigits(currency);
    const own = bySite.flatMap(({ site, costs }) => {
      const cost = costs.find((one) => one.currency === currency);
      return cost === undefined ? [] : [{ site, cost }];
    });
    const whole = roundedCost({ currency, ...sumAmounts(own.map(({ cost }) => cost)) });
    statement.costs.push(stated(currency, whole));

    const rows = roundParts(
      own.map(({ cost }) => cost.total),
      whole.total,
      digits,
    );
    const totals = { rows, columns: partsOf(whole) };
    const table = roundTable(
      own.map(({ cost }) => partsOf(cost)),
      totals,
      digits,
    );
    for (const [at, { site }] of own.entries()) {
      statement.sites.get(site.siteId)?.push(stated(currency, amountsOf(table[at], rows[at])));
    }
    const devices = own.flatMap(({ site }) => devicesOf(site, currency));
    const counted = devices.filter((device) => device.addsUp);
    const rounded = new Map(roundEach(counted, (device) => device.cost, whole.energyCost, digits));
    for (const device of devices) {
      const cost = rounded.get(device) ?? roundMoney(device.cost, digits);
      statement.devices.get(device.number)?.push({ currency, energyCost: cost.toNumber() });
    }
    const lines = mergedLines(own.flatMap(({ cost }) => cost.lines));
    for (const [{ line, energyKwh }, cost] of roundEach(lines, (one) => one.cost, whole.energyCost, digits)) {
      const { name, ratePerKwh } = line;
      statement.lines.push({ name, ratePerKwh: ratePerKwh.toNumber(), energyKwh, cost: cost.toNumber(), currency });
    }
  }
  return statement;
}

/** The total, rounded once, and its parts, rounded so that they add up to it. */
export function roundedCost(cost: Amounts & { currency: string }): Amounts {
  const digits = minorDigits(cost.currency);
  const total = roundMoney(cost.total, digits);
  return amountsOf(roundParts(partsOf(cost), total, digits), total);
}

const partsOf = ({ energyCost, fixedCharge, vat }: Amounts) => [energyCost, fixedCharge, vat];

const amountsOf = ([energyCost = zero, fixedCharge = zero, vat = zero]: Big[] = [], total = zero): Amounts => ({
  energyCost,
  fixedCharge,
  vat,
  total,
});

/** Amounts as numbers. */
export const stated = (currency: string, { energyCost, fixedCharge, vat, total }: Amounts): StatedCost => ({
  currency,
  energyCost: energyCost.toNumber(),
  fixedCharge: fixedCharge.toNumber(),
  vat: vat.toNumber(),
  total: total.toNumber(),
});

const devicesOf = ({ devices }: ChargedSite, currency: string) =>
  devices.flatMap(({ number, priced, addsUp }) => {
    const cost = energyCosts(priced).get(currency);
    return cost === undefined ? [] : [{ number, cost, addsUp }];
  });

/** Merges lines with the same name and rate, also those of several sites and tariffs. The export credit comes last. */
function mergedLines(lines: readonly PricedLine[]) {
  const keyOf = ({ name, ratePerKwh, isExport }: PricedLine) => JSON.stringify([isExport, name, ratePerKwh.toFixed()]);
  const merged = [...Map.groupBy(lines, keyOf).values()].flatMap((own) => {
    const energyKwh = own.reduce((sum, line) => sum + line.energyKwh, 0);
    const cost = own.reduce((sum, line) => sum.plus(line.cost), zero);
    return own.slice(0, 1).map((line) => ({ line, energyKwh, cost }));
  });
  return merged.toSorted(
    ({ line: a }, { line: b }) =>
      Number(a.isExport) - Number(b.isExport) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}

/** A line of a total (energy-and-cost.md 8). */
export interface BreakdownLine extends Omit<CostLine, 'siteName' | 'tariffId' | 'tariffName' | 'currency'> {
  tariff: Tariff | null;
}

/** A part of a site's cost. */
export interface BreakdownPart {
  siteId: string;
  /** Local date or month; null if the whole range is one part. */
  group: string | null;
  priced: PricedEnergy;
  /** The days for which the site pays the fixed charge. */
  days: TariffDays;
}

/** The maximum number of local days or months of all sites together. */
export const maxParts = 10_000;

/** The approximate number of parts of a breakdown. */
export function countParts(range: AskedRange, group: CostGroup, siteCount: number): number {
  if (group === 'period') return siteCount;
  const days = Math.ceil(lengthOf(range) / dayMicros);
  return siteCount * (group === 'day' ? days : Math.ceil(days / 28));
}

/** Rejects a breakdown with too many lines. The error names the next coarser group. */
export function refuseTooManyParts(range: AskedRange, group: CostGroup, siteCount: number): void {
  const parts = countParts(range, group, siteCount);
  if (group === 'period' || parts <= maxParts) return;
  const coarser = group === 'day' ? 'month' : 'period';
  throw refuse('tooManyCostLines', { count: parts, group, sites: siteCount, max: maxParts, coarser });
}

interface ExactLine extends Omit<BreakdownLine, 'cost'> {
  exact: Big | null;
}

const noLine = { ratePerKwh: null, energyKwh: null, interpolatedKwh: null, days: null, vatPercent: null };

/** The lines of all parts, rounded so that those of a currency add up to its stated total. */
export function breakDown(parts: readonly BreakdownPart[], costs: readonly StatedCost[]): BreakdownLine[] {
  const lines = parts.flatMap(exactLines);
  const amounts = new Map<ExactLine, number>();
  for (const { currency, energyCost, fixedCharge, vat } of costs) {
    const round = (total: number, ...kinds: BreakdownLine['kind'][]) => {
      const own = lines.filter((line) => line.tariff?.currency === currency && kinds.includes(line.kind));
      const rounded = roundEach(own, (line) => line.exact ?? zero, money(total), minorDigits(currency));
      for (const [line, amount] of rounded) amounts.set(line, amount.toNumber());
    };
    round(energyCost, 'energy', 'export');
    round(fixedCharge, 'fixedCharge');
    round(vat, 'vat');
  }
  return lines.map((line) => {
    const { exact: _exact, ...rest } = line;
    return { ...rest, cost: amounts.get(line) ?? null };
  });
}

function exactLines({ siteId, group, priced, days }: BreakdownPart): ExactLine[] {
  const own = energyLines(priced);
  const fixed = fixedCharges(days);
  const lines: ExactLine[] = [];
  for (const tariff of new Set([...own.map((line) => line.tariff), ...fixed.keys()])) {
    let before = fixed.get(tariff) ?? zero;
    const common = { ...noLine, group, siteId, tariff };
    for (const line of own) {
      if (line.tariff !== tariff) continue;
      const { name, energyKwh, interpolatedKwh, cost } = line;
      const ratePerKwh = line.ratePerKwh.toNumber();
      const kind = line.isExport ? 'export' : 'energy';
      lines.push({ ...common, kind, name, ratePerKwh, energyKwh, interpolatedKwh, exact: cost });
      before = before.plus(cost);
    }
    const charge = fixed.get(tariff);
    if (charge !== undefined && charge.gt(zero)) {
      const count = [...(days.get(tariff)?.values() ?? [])].reduce((sum, own) => sum + own, 0);
      lines.push({ ...common, kind: 'fixedCharge', name: 'Fixed charge', days: count, exact: charge });
    }
    if (tariff.vatPercent.gt(zero)) {
      const vatPercent = tariff.vatPercent.toNumber();
      lines.push({ ...common, kind: 'vat', name: 'VAT', vatPercent, exact: before.times(tariff.vatPercent).div(100) });
    }
  }
  if (priced.unpricedKwh !== 0) {
    const { unpricedKwh: energyKwh, unpricedInterpolatedKwh: interpolatedKwh } = priced;
    const common = { ...noLine, group, siteId, tariff: null, exact: null };
    lines.push({ ...common, kind: 'unpriced', name: 'Unpriced', energyKwh, interpolatedKwh });
  }
  return lines;
}
