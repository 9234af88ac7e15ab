import { minorDigits } from '../../../../../shared/primitives.ts';

/** Multiplies the displayed numbers as a reader would do it, to show where rounding changed an amount. */

/** An amount in minor units, rounded half away from zero. A half that a float misses slightly still counts as a half. */
function inUnits(amount: number, currency: string): number {
  const size = Math.abs(amount) * 10 ** minorDigits(currency);
  return Math.sign(amount) * Math.floor(size * (1 + 1e-12) + 0.5 + 1e-9);
}

/** The difference between a displayed amount and the rounded product of the displayed numbers. */
export function roundingIn(cost: number, product: number, currency: string): number {
  return (inUnits(cost, currency) - inUnits(product, currency)) / 10 ** minorDigits(currency);
}

const leastEnergyDigits = 3;
const maxEnergyDigits = 9;

/** The number of decimal places of an energy (kWh) with which its price gives the same rounded amount as the exact energy. */
export function energyDigits(kwh: number, ratePerKwh: number, currency: string): number {
  let digits = leastEnergyDigits;
  const exact = inUnits(kwh * ratePerKwh, currency);
  while (digits < maxEnergyDigits && inUnits(Number(kwh.toFixed(digits)) * ratePerKwh, currency) !== exact) digits += 1;
  return digits;
}

export const dayDigits = 6;

/** Days as displayed: six decimals, a tenth of a second. */
export const shownDays = (days: number): number => Number(days.toFixed(dayDigits));

/** Days of a month `YYYY-MM`. */
export const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/** The cost of days of months at a monthly charge. */
export const chargeOf = (months: readonly { month: string; days: number }[], perMonth: number): number =>
  months.reduce((sum, { month, days }) => sum + (days * perMonth) / daysInMonth(month), 0);
