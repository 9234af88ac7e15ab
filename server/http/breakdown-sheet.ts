import type { CostBreakdown, CostLine } from '../../shared/costs.ts';
import type { Cell, Part } from '../export/sheet.ts';
import { column, days, kwh, moneyOf, rateOf, text, vatRate } from './export-formats.ts';

const columns = [
  column('Site', text),
  column('Tariff', text),
  column('Line', text),
  column('Rate per kWh', text),
  column('Energy (kWh)', kwh),
  column('Interpolated (kWh)', kwh),
  column('Fixed charge for', days),
  column('VAT rate', vatRate),
  column('Cost', text),
  column('Currency', text),
];
/** The letter of the cost column. */
const costColumn = 'I';
const beforeCost: Cell[] = [null, null, null, null, null, null, null];

/**
 * The lines of a total, by currency, those without a price last. Below them, for each currency, follow their sum as a formula and
 * the total that the portal shows as a value; the two are equal.
 */
export function breakdownSheet({ lines, costs }: CostBreakdown): Part[] {
  const rows: Cell[][] = [];
  const sums: Cell[][] = [];
  for (const { currency, total } of costs) {
    const own = lines.filter((line) => line.currency === currency);
    // Row 1 is the header.
    const first = rows.length + 2;
    rows.push(...own.map(presentLine));
    const format = moneyOf(currency);
    const formula = `SUM(${costColumn}${first}:${costColumn}${rows.length + 1})`;
    sums.push(
      [
        { value: 'Sum of the lines', isBold: true },
        ...beforeCost,
        { value: total, format, formula, isBold: true },
        currency,
      ],
      [{ value: 'Total', isBold: true }, ...beforeCost, { value: total, format, isBold: true }, currency],
    );
  }
  rows.push(...lines.filter((line) => !costs.some(({ currency }) => currency === line.currency)).map(presentLine));
  return [
    { kind: 'sheet', sheet: { name: 'Cost breakdown', columns } },
    { kind: 'rows', rows, below: sums.length === 0 ? [] : [[], ...sums] },
  ];
}

function presentLine(line: CostLine): Cell[] {
  const { currency, ratePerKwh, cost, vatPercent } = line;
  return [
    line.siteName,
    line.tariffName,
    line.name,
    ratePerKwh === null || currency === null ? null : { value: ratePerKwh, format: rateOf(currency) },
    line.energyKwh,
    line.interpolatedKwh,
    line.days,
    vatPercent === null ? null : vatPercent / 100,
    cost === null || currency === null ? null : { value: cost, format: moneyOf(currency) },
    currency,
  ];
}
