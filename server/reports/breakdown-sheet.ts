import type { CostBreakdown, CostLine } from '../../shared/costs.ts';
import { defaultPeriodName } from '../rates/tariffs.rules.ts';
import type { ExportText } from './texts/de.ts';
import type { Say } from './say.ts';
import type { Cell, Part } from '../workbook/sheet.ts';
import { daysIn, kwh, moneyOf, rateOf, table, type TableColumn, text, vatRate } from './export-formats.ts';

const columnsIn = (say: Say): readonly TableColumn<CostLine>[] => [
  [say('Site'), text, (line) => line.siteName],
  [say('Tariff'), text, (line) => line.tariffName],
  [say('Line'), text, (line) => lineName(say, line)],
  [say('Rate per kWh'), text, ({ ratePerKwh, currency }) => priced(ratePerKwh, currency, rateOf)],
  [say('Energy', 'kWh'), kwh, (line) => line.energyKwh],
  [say('Interpolated', 'kWh'), kwh, (line) => line.interpolatedKwh],
  [say('Fixed charge for'), daysIn(say), (line) => line.days],
  [say('VAT rate'), vatRate, ({ vatPercent }) => (vatPercent === null ? null : vatPercent / 100)],
  [say('Cost'), text, ({ cost, currency }) => priced(cost, currency, moneyOf)],
  [say('Currency'), text, (line) => line.currency],
];
/** The letter of the cost column. */
const costColumn = 'I';
const beforeCost: Cell[] = [null, null, null, null, null, null, null];

/**
 * The lines of a total, by currency, those without a price last. Below them, for each currency, follow their sum as a formula and
 * the total that the portal shows as a value; the two are equal.
 */
export function breakdownSheet(say: Say, { lines, costs }: CostBreakdown): Iterable<Part> {
  const rows: CostLine[] = [];
  const sums: Cell[][] = [];
  for (const { currency, total } of costs) {
    // Row 1 is the header.
    const first = rows.length + 2;
    rows.push(...lines.filter((line) => line.currency === currency));
    const value = { value: total, format: moneyOf(currency), isBold: true };
    const formula = `SUM(${costColumn}${first}:${costColumn}${rows.length + 1})`;
    sums.push(
      [{ value: say('Sum of the lines'), isBold: true }, ...beforeCost, { ...value, formula }, currency],
      [{ value: say('Total'), isBold: true }, ...beforeCost, value, currency],
    );
  }
  rows.push(...lines.filter((line) => !costs.some(({ currency }) => currency === line.currency)));
  return table(say('Cost breakdown'), columnsIn(say), rows, sums.length === 0 ? [] : [[], ...sums]);
}

const priced = (value: number | null, currency: string | null, formatOf: typeof moneyOf): Cell =>
  value === null || currency === null ? null : { value, format: formatOf(currency) };

const ownLines = {
  export: 'Export',
  fixedCharge: 'Fixed charge',
  vat: 'VAT',
  unpriced: 'Unpriced',
} as const satisfies Record<Exclude<CostLine['kind'], 'energy'>, ExportText>;

const lineName = (say: Say, { kind, name }: CostLine) =>
  kind === 'energy' ? periodName(say, name) : say(ownLines[kind]);

/** The name of a period as people gave it, or the portal's name for the time outside all periods. */
export const periodName = (say: Say, name: string) => (name === defaultPeriodName ? say(defaultPeriodName) : name);
