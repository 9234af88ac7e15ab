import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printWithLibreOffice, readWithLibreOffice, withLibreOffice } from '../../test/support/xlsx/libre-office.ts';
import { readWithOpenpyxl, withOpenpyxl } from '../../test/support/xlsx/openpyxl.ts';
import { localTimeOfSerial } from '../../test/support/xlsx/serial-time.ts';
import { openWorkbook } from '../../test/support/xlsx/workbook.ts';
import { writtenWorkbook } from '../../test/support/xlsx/written-file.ts';
import type { Cell, CellFormat, Column, Part } from './sheet.ts';

const text: CellFormat = { kind: 'text' };
const column = (header: string, format: CellFormat): Column => ({ header, field: header, format });
const kwh: CellFormat = { kind: 'number', decimals: 3, moreDecimals: 3, unit: 'kWh' };
const yen: CellFormat = { kind: 'money', decimals: 0, currency: 'JPY' };
const time = 46_091 + 3 / 4;

const names = [
  "=cmd|' /C calc'!A0",
  '+1',
  '-1',
  '@x',
  '\t=1',
  'Zähler 😀 مرحبا',
  'x'.repeat(300),
  ' a  b ',
  '<&">',
  'two\nlines',
  '007',
  '_x0041_',
  '2026-03-10',
  'TRUE',
];
/** Tables that every reader reads unchanged: LibreOffice keeps fifteen digits, and openpyxl leaves escapes as they are. */
const [tables = []] = fc.sample(
  fc.array(
    fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.integer({ min: -1e9, max: 1e9 }).map((micro) => micro / 1e4),
    ),
    { minLength: 100, maxLength: 100 },
  ),
  { numRuns: 1, seed: 5 },
);

const rows: Cell[][] = [...names, ...tables.map(([name]) => name)].map((name, at) => [
  name,
  time + at,
  tables[at]?.[1] ?? -0.5,
  at % 3 === 0 ? Number.NaN : at * 1000,
]);
const parts: Part[] = [
  {
    kind: 'sheet',
    sheet: {
      name: "It's 'raw' 😀",
      columns: [
        column('Device', text),
        column('Time (Europe/Berlin)', { kind: 'dateTime' }),
        column('kWh', kwh),
        column('Cost', yen),
      ],
    },
    rowCount: 0,
  },
  { kind: 'rows', rows },
  {
    kind: 'rows',
    rows: [],
    below: [
      [
        { value: 'Total', isBold: true },
        null,
        // Stale on purpose: every program recomputes it on opening.
        { value: 1, formula: `SUM(C2:C${rows.length + 1})`, isBold: true },
      ],
    ],
  },
  {
    kind: 'chart',
    chart: { name: 'Chart', title: 'Energy', sheet: "It's 'raw' 😀", rowCount: 10, categories: 1, series: [2, 3] },
  },
  { kind: 'sheet', sheet: { name: 'About', columns: [column('Fact', text), column('Value', text)] }, rowCount: 0 },
  {
    kind: 'rows',
    rows: [
      ['Rows', { value: 5, format: { kind: 'number', decimals: 0 } }],
      ['Day', { value: 46_091, format: { kind: 'date' } }],
    ],
  },
];
const file = await writtenWorkbook(parts);
const [own, , about] = openWorkbook(file).sheets;
const sum = rows.reduce((total, [, , value]) => total + Number(value), 0);
const longEnough = 120_000;

test('both readers check files that the strict reader accepts', () => {
  expect(own?.rows).toHaveLength(rows.length + 2);
  expect(own?.rows.slice(1, -1).map((row) => row[0]?.value)).toEqual(rows.map(([name]) => name));
});

test(
  'LibreOffice shows every cell: text as text, times as times, numbers with their unit, sums recomputed',
  {
    timeout: longEnough,
    ...withLibreOffice,
  },
  async () => {
    const [sheet, last] = (await readWithLibreOffice(file)).filter(({ name }) => name !== 'Chart');
    expect([sheet?.name, last?.name]).toEqual([own?.name, about?.name]);
    expect(sheet?.rows[0]?.map((cell) => cell?.value)).toEqual(['Device', 'Time (Europe/Berlin)', 'kWh', 'Cost']);
    for (const [at, [name, serial, energy, cost]] of rows.entries()) {
      const [first, second, third, fourth] = sheet?.rows[at + 1] ?? [];
      expect(first).toMatchObject({ type: 'string', value: name, formula: null });
      expect(second).toMatchObject({ type: 'date', value: localTimeOfSerial(Number(serial)) });
      expect(third?.type).toBe('float');
      expect(third?.value).toBeCloseTo(Number(energy), 6);
      expect(fourth?.value).toBe(Number.isNaN(cost) ? undefined : cost);
    }
    const shown = sheet?.rows[2]?.map((cell) => cell?.text);
    expect(shown?.slice(1)).toEqual([
      '2026-03-11 18:00:00',
      expect.stringMatching(/^-?[\d,]+\.\d{3,6} kWh$/u),
      '1,000 JPY',
    ]);
    const total = sheet?.rows[rows.length + 1]?.[2];
    expect(total?.formula).toBe(`of:=SUM([.C2:.C${rows.length + 1}])`);
    expect(total?.value).toBeCloseTo(sum, 3);
    expect(last?.rows.slice(1).map((row) => row.map((cell) => cell?.text))).toEqual([
      ['Rows', '5'],
      ['Day', '2026-03-10'],
    ]);
  },
);

test(
  'LibreOffice prints a sheet of many columns landscape and one page wide, on as many pages as its rows need, a chart landscape',
  { timeout: longEnough, ...withLibreOffice },
  async () => {
    const columns = Array.from({ length: 30 }, (_, at) => column(`Column ${at}`, text));
    const wide = await writtenWorkbook([
      { kind: 'sheet', sheet: { name: 'Wide', columns }, rowCount: 0 },
      {
        kind: 'rows',
        rows: Array.from({ length: 200 }, (_, row) => columns.map((_, at) => (at === 0 ? row : `cell ${row} ${at}`))),
      },
      { kind: 'chart', chart: { name: 'Chart', title: 'T', sheet: 'Wide', rowCount: 200, categories: 0, series: [0] } },
    ]);
    const pages = await printWithLibreOffice(wide);
    // Two pages for the table, as its 200 rows need and not its 30 columns, and one for the chart.
    expect(pages).toHaveLength(3);
    for (const { width, height } of pages) expect(width).toBeGreaterThan(height * 1.3);
  },
);

test(
  'openpyxl reads every cell, the frozen, filtered and bold cells and the widths, without a warning',
  {
    timeout: longEnough,
    ...withOpenpyxl,
  },
  async () => {
    const [sheet, last] = await readWithOpenpyxl(file);
    expect([sheet?.name, last?.name]).toEqual([own?.name, about?.name]);
    expect(sheet).toMatchObject({
      freezePanes: 'A2',
      autoFilter: `A1:D${rows.length + 1}`,
      dimensions: `A1:D${rows.length + 2}`,
      printTitles: '$1:$1',
      orientation: 'landscape',
      fit: [true, 1, 0],
    });
    expect(Object.values(sheet?.columnWidths ?? {})).toEqual(own?.columnWidths);
    expect(sheet?.rows.slice(1, -1).map((row) => row.map(({ value }) => value))).toEqual(
      rows.map(([name, serial, energy, cost]) => [
        name,
        localTimeOfSerial(Number(serial)),
        energy,
        Number.isNaN(cost) ? null : cost,
      ]),
    );
    expect(new Set(sheet?.rows.slice(1, -1).map((row) => row.map(({ dataType }) => dataType).join('')))).toEqual(
      new Set(['sdnn']),
    );
    const looks = sheet?.rows.map((row) => row.map(({ numberFormat, isBold }) => [numberFormat, isBold]));
    // Empty cells are null here and do not exist there.
    expect(looks).toEqual(
      own?.rows.map((row) =>
        Array.from({ length: 4 }, (_, at) => [row[at]?.numberFormat ?? 'General', row[at]?.isBold ?? false]),
      ),
    );
    expect(sheet?.rows.at(-1)?.[2]).toMatchObject({ dataType: 'f', value: `=SUM(C2:C${rows.length + 1})` });
  },
);
