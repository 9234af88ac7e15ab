import { Big } from 'big.js';

/** Enough for any amount divided by the days of a month; what is rounded is rounded once, at the end. */
const Money = Big();
Money.DP = 30;

export const money = (value: Big | number | string): Big => new Money(value);
export const zero: Big = money(0);

/** The decimals of a currency's minor unit: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Rounded half away from zero. */
export const roundMoney = (amount: Big, digits: number): Big => amount.round(digits, Big.roundHalfUp);

/**
 * The parts rounded so that they add up to a total that is rounded already. What rounding leaves over goes, a minor unit
 * each, to the largest parts, so that the last cent goes to the largest (energy-and-cost.md 7) and none is off by two.
 */
export function roundParts(parts: readonly Big[], roundedTotal: Big, digits: number): Big[] {
  const rounded = parts.map((part) => roundMoney(part, digits));
  let left = rounded.reduce((rest, part) => rest.minus(part), roundedTotal);
  if (left.eq(zero) || parts.length === 0) return rounded;
  const unit = money(`1e-${digits}`).times(left.gt(zero) ? 1 : -1);
  const largestFirst = [...parts.keys()].toSorted((a, b) => sizeOf(parts[b]).cmp(sizeOf(parts[a])));
  for (let turn = 0; !left.eq(zero); turn += 1) {
    const at = largestFirst[turn % parts.length] ?? 0;
    rounded[at] = (rounded[at] ?? zero).plus(unit);
    left = left.minus(unit);
  }
  return rounded;
}

const sizeOf = (part: Big | undefined) => (part ?? zero).abs();
