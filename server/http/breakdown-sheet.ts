import type { CostBreakdown, CostLine } from '../../shared/costs.ts';
import type { Cell, Part } from '../export/sheet.ts';
import { days, kwh, moneyOf, rateOf, table, type TableColumn, text, vatRate } from './export-formats.ts';

const columns: readonly TableColumn<CostLine>[] = [
  ['Site', text, (line) => line.siteName],
  ['Tariff', text, (line) => line.tariffName],
  ['Line', text, (line) => line.name],
  ['Rate per kWh', text, ({ ratePerKwh, currency }) => priced(ratePerKwh, currency, rateOf)],
  ['Energy (kWh)', kwh, (line) => line.energyKwh],
  ['Interpolated (kWh)', kwh, (line) => line.interpolatedKwh],
  ['Fixed charge for', days, (line) => line.days],
  ['VAT rate', vatRate, ({ vatPercent }) => (vatPercent === null ? null : vatPercent / 100)],
  ['Cost', text, ({ cost, currency }) => priced(cost, currency, moneyOf)],
  ['Currency', text, (line) => line.currency],
];
/** The letter of the cost column. */
const costColumn = 'I';
const beforeCost: Cell[] = [null, null, null, null, null, null, null];

/**
 * The lines of a total, by currency, those without a price last. Below them, for each currency, follow their sum as a formula and
 * the total that the portal shows as a value; the two are equal.
 */
export function breakdownSheet({ lines, costs }: CostBreakdown): Part[] {
  const rows: CostLine[] = [];
  const sums: Cell[][] = [];
  for (const { currency, total } of costs) {
    // Row 1 is the header.
    const first = rows.length + 2;
    rows.push(...lines.filter((line) => line.currency === currency));
    const value = { value: total, format: moneyOf(currency), isBold: true };
    const formula = `SUM(${costColumn}${first}:${costColumn}${rows.length + 1})`;
    sums.push(
      [{ value: 'Sum of the lines', isBold: true }, ...beforeCost, { ...value, formula }, currency],
      [{ value: 'Total', isBold: true }, ...beforeCost, value, currency],
    );
  }
  rows.push(...lines.filter((line) => !costs.some(({ currency }) => currency === line.currency)));
  return table('Cost breakdown', columns, rows, sums.length === 0 ? [] : [[], ...sums]);
}

const priced = (value: number | null, currency: string | null, formatOf: typeof moneyOf): Cell =>
  value === null || currency === null ? null : { value, format: formatOf(currency) };
