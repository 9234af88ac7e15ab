import { sharedZone } from '../base/ranges.ts';
import { formatInstant, formatOffset, offsetAt, parseInstant } from '../base/instants.ts';
import { minorDigits } from '../../shared/primitives.ts';
import {
  type Cell,
  type CellFormat,
  type Column,
  type FormattedCell,
  type Part,
  type Rows,
  serialOf,
} from '../workbook/sheet.ts';
import type { Say } from './say.ts';

/** The number formats of export columns. */
export const number = (unit: string | undefined, decimals: number, moreDecimals = 0): CellFormat => ({
  kind: 'number',
  decimals,
  moreDecimals,
  ...(unit !== undefined && { unit }),
});

export const text: CellFormat = { kind: 'text' };
export const dateTime: CellFormat = { kind: 'dateTime' };
const exactTime: CellFormat = { kind: 'dateTime', isExact: true };
export const date: CellFormat = { kind: 'date' };
export const month: CellFormat = { kind: 'month' };
export const instant: CellFormat = { kind: 'instant' };
export const zoned: CellFormat = { kind: 'zoned' };
export const share: CellFormat = { kind: 'share', moreDecimals: 0 };
export const vatRate: CellFormat = { kind: 'share', moreDecimals: 3 };
export const count = number(undefined, 0);
/** Computed values, to the watt and the watt-hour. */
export const kw = number('kW', 3);
export const kwh = number('kWh', 3);
export const factor = number(undefined, 3);
export const daysIn = (say: Say) => number(say('days'), 2, 4);

export const moneyOf = (currency: string): CellFormat => ({ kind: 'money', currency, decimals: minorDigits(currency) });

/** Rates have more decimals than amounts. */
export const rateOf = (currency: string): CellFormat => ({
  kind: 'money',
  currency,
  decimals: Math.max(2, minorDigits(currency)),
  moreDecimals: 4,
});

/** The column of the offsets of local times, whose cells are positions in `offsets`. */
export const offsetColumn = (say: Say, offsets: readonly number[]): Column => ({
  header: say('UTC offset'),
  field: 'utcOffset',
  format: text,
  texts: offsets.map(formatOffset),
});

/** A column of a sheet, and its cell of a row. */
export type TableColumn<Row> = readonly [header: string, format: CellFormat, cellOf: (row: Row) => Cell];

/** Rows of a table in one part of the file; between two parts other requests are served. */
const rowsAtOnce = 1_000;

/** A sheet with a row for each of `rows`; rows `below` are not part of its table. */
export function* table<Row>(
  name: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  below: Rows = [],
): Generator<Part, void> {
  const described = columns.map(([header, format]) => ({ header, field: header, format }));
  yield { kind: 'sheet', sheet: { name, columns: described }, rowCount: rows.length + below.length };
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    yield { kind: 'rows', rows: some.map((row) => columns.map(([, , cellOf]) => cellOf(row))) };
  }
  if (below.length > 0) yield { kind: 'rows', rows: [], below };
}

/** A sheet of single figures. */
export const figuresTable = (say: Say, rows: readonly (readonly Cell[])[]): Iterable<Part> =>
  table(
    say('Totals'),
    [
      [say('Metric'), text, ([figure = null]) => figure],
      [say('Value'), kwh, ([, value = null]) => value],
    ],
    rows,
  );

/** An instant in the local time of a zone; a text if spreadsheets have no such date. */
export function atClock(micros: number, timeZone: string): FormattedCell {
  const serial = serialOf(micros + offsetAt(micros, timeZone));
  if (Number.isNaN(serial)) return { value: formatInstant(micros) };
  return { value: serial, format: micros % 1_000_000 === 0 ? dateTime : exactTime };
}

/** The name of the zone in a header: one zone, or that of each row's site. */
export function clockOf(say: Say, devices: readonly { timeZone: string }[], otherwise: string): string {
  const zones = new Set(devices.map((device) => device.timeZone));
  return zones.size > 1 ? say('site time') : sharedZone(devices, otherwise);
}

/** An ISO instant in the local time of a zone. */
export function instantCell(instant: string | null, timeZone: string): Cell {
  const micros = instant === null ? null : parseInstant(instant);
  return micros === null ? null : atClock(micros, timeZone);
}
