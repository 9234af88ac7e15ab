import { Big } from 'big.js';

/** Enough digits for any amount divided by the days of a month; rounding happens once, at the end. */
const Money = Big();
Money.DP = 30;

export const money = (value: Big | number | string): Big => new Money(value);
export const zero: Big = money(0);

/** Energy is priced to a billionth of a kWh. A sum of floats holds at most 14 reliable digits. */
const energyDecimals = 9;
const energyDigits = 14;

/**
 * The cost of energy at a rate. Only here kWh become money. First the kWh are freed from the noise of float sums: 105.24 -
 * 100.3 is 4.94, which costs 1.235 at 0.25, and 1.24 rounded (energy-and-cost.md 7).
 */
export const priceEnergy = (kwh: number, ratePerKwh: Big): Big =>
  roundMoney(money(kwh.toPrecision(energyDigits)), energyDecimals).times(ratePerKwh);

/** Rounded half away from zero. */
export const roundMoney = (amount: Big, digits: number): Big => amount.round(digits, Big.roundHalfUp);

/**
 * Rounds the parts so that they add up to an already rounded total. The remainder is distributed in minor units, the largest
 * parts first, so the last cent goes to the largest (energy-and-cost.md 7) and no part is off by two.
 */
export function roundParts(parts: readonly Big[], roundedTotal: Big, digits: number): Big[] {
  const rounded = parts.map((part) => roundMoney(part, digits));
  let left = rounded.reduce((rest, part) => rest.minus(part), roundedTotal);
  if (left.eq(zero) || parts.length === 0) return rounded;
  const unit = money(`1e-${digits}`).times(left.gt(zero) ? 1 : -1);
  const sizes = parts.map((part) => part.abs());
  const sizeOf = (at: number) => sizes[at] ?? zero;
  const largestFirst = [...parts.keys()].toSorted((a, b) => sizeOf(b).cmp(sizeOf(a)));
  for (let turn = 0; !left.eq(zero); turn += 1) {
    const at = largestFirst[turn % parts.length] ?? 0;
    rounded[at] = (rounded[at] ?? zero).plus(unit);
    left = left.minus(unit);
  }
  return rounded;
}

/**
 * Rounds the rows of a table like `roundParts`, but so that the columns add up as well. Minor units move from columns with a
 * surplus to columns with a deficit, in those rows whose cells then stay closest to their exact values. Cells that are 0 stay 0
 * if possible.
 */
export function roundTable(
  rows: readonly (readonly Big[])[],
  totals: { rows: readonly Big[]; columns: readonly Big[] },
  digits: number,
): Big[][] {
  const table = rows.map((exact, at) => ({ exact, rounded: roundParts(exact, totals.rows[at] ?? zero, digits) }));
  const unit = money(`1e-${digits}`);
  const left = totals.columns.map((total, column) =>
    table.reduce((rest, { rounded }) => rest.minus(rounded[column] ?? zero), total),
  );
  for (;;) {
    const [to, from] = [left.findIndex((own) => own.gt(zero)), left.findIndex((own) => own.lt(zero))];
    if (to < 0 || from < 0 || table.length === 0) return table.map(({ rounded }) => rounded);
    const bestFirst = table
      .map(({ exact, rounded }) => {
        const cells = [to, from].map((column) => [exact[column] ?? zero, rounded[column] ?? zero] as const);
        const [lacks = zero, has = zero] = cells.map(([own, of]) => own.minus(of));
        return { rounded, gain: lacks.minus(has), isPaid: cells.every(([own]) => !own.eq(zero)) };
      })
      .toSorted((a, b) => Number(b.isPaid) - Number(a.isPaid) || b.gain.cmp(a.gain));
    for (const { rounded } of bestFirst) {
      if (!left[to]?.gt(zero) || !left[from]?.lt(zero)) break;
      for (const [column, step] of [
        [to, unit],
        [from, zero.minus(unit)],
      ] as const) {
        rounded[column] = (rounded[column] ?? zero).plus(step);
        left[column] = (left[column] ?? zero).minus(step);
      }
    }
  }
}

/** Items with their amounts, rounded like `roundParts`. */
export function roundEach<Item>(
  items: readonly Item[],
  amountOf: (item: Item) => Big,
  roundedTotal: Big,
  digits: number,
): [Item, Big][] {
  const rounded = roundParts(items.map(amountOf), roundedTotal, digits);
  return items.map((item, at) => [item, rounded[at] ?? zero]);
}
