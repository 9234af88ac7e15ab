import type { Big } from 'big.js';
import type { StatedCost } from './cost-statement.rules.ts';
import { energyLines, fixedCharges, type PricedEnergy } from './costs.rules.ts';
import { type AskedRange, lengthOf } from '../base/ranges.ts';
import { refuse } from '../base/errors.ts';
import { money, minorDigits, roundEach, zero } from '../base/money.ts';
import type { TariffDays } from './price-timeline.rules.ts';
import type { Tariff } from './tariffs.rules.ts';
import { dayMicros } from '../base/instants.ts';

/** A line of a total (energy-and-cost.md 8). */
export interface BreakdownLine {
  kind: 'energy' | 'export' | 'fixedCharge' | 'vat' | 'unpriced';
  group: string | null;
  siteId: string;
  tariff: Tariff | null;
  name: string;
  ratePerKwh: number | null;
  energyKwh: number | null;
  /** The part of the energy that was spread over gaps. */
  interpolatedKwh: number | null;
  /** Local days, and shares of days, of a fixed charge. */
  days: number | null;
  vatPercent: number | null;
  /** Rounded so that the lines of a currency add up to its total; null if nothing is priced. */
  cost: number | null;
}

/** A part of what a site pays. */
export interface BreakdownPart {
  siteId: string;
  /** Local date or month; null if the whole range is one part. */
  group: string | null;
  priced: PricedEnergy;
  /** The days for which it pays the fixed charge. */
  days: TariffDays;
}

/** How a breakdown is cut: by local day or month, or the range as a whole. */
export type BreakdownGroup = 'day' | 'month' | 'period';

/** Limit of the local days or months of all sites together. */
export const maxParts = 10_000;

/** About how many parts a breakdown has. */
export function countParts(range: AskedRange, group: BreakdownGroup, siteCount: number): number {
  if (group === 'period') return siteCount;
  const days = Math.ceil(lengthOf(range) / dayMicros);
  return siteCount * (group === 'day' ? days : Math.ceil(days / 28));
}

/** Refuses a breakdown with too many lines; names the next coarser group. */
export function refuseTooManyParts(range: AskedRange, group: BreakdownGroup, siteCount: number): void {
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
