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
 * The parts rounded so that they add up to a total that is rounded already: what rounding leaves over goes to the largest
 * part (energy-and-cost.md 7).
 */
export function roundParts(parts: readonly Big[], roundedTotal: Big, digits: number): Big[] {
  const rounded = parts.map((part) => roundMoney(part, digits));
  const sum = rounded.reduce((all, part) => all.plus(part), zero);
  let largest = 0;
  for (const [at, part] of parts.entries()) if (part.abs().gt(parts[largest]?.abs() ?? zero)) largest = at;
  return rounded.map((part, at) => (at === largest ? part.plus(roundedTotal).minus(sum) : part));
}
