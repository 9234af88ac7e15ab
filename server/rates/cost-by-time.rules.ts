import { breakDown, type BreakdownLine } from './cost-breakdown.rules.ts';
import { stateCosts } from './cost-statement.rules.ts';
import { partsOf, type SiteTotals } from './energy-totals.rules.ts';
import { minorDigits } from '../base/money.ts';

/** Energy and cost of all sites together in one local day or month. */
export interface TimeRow {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  key: string;
  energy: { importedKwh: number; exportedKwh: number; interpolatedKwh: number; unpricedKwh: number };
  /** By currency; rounded, so that those of all rows add up to the totals. */
  costs: Map<string, { energyCost: number; fixedCharge: number; vat: number; total: number }>;
}

/** The parts into which the totals of the sites were cut, added up over all sites, in chronological order. */
export function costsByTime(sites: readonly SiteTotals[], group: 'day' | 'month'): TimeRow[] {
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
