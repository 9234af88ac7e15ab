import type { ExportFileOptions } from '../../../server/workbook/export-file.ts';
import { csvWriter, ndjsonWriter } from '../../../server/workbook/plain-writers.ts';
import type { Part, Sheet } from '../../../server/workbook/sheet.ts';
import { counted, writtenFile, writtenWorkbook } from './written-file.ts';

export const exportFormats = ['xlsx', 'csv', 'ndjson'] as const;
export type Format = ExportFileOptions['format'];

const sheet: Sheet = {
  name: 'Measurements',
  columns: [
    { header: 'Device', field: 'device', format: { kind: 'text' }, texts: ['Zähler 1', '=1+1', '😀', 'مرحبا'] },
    { header: 'Power', field: 'kw', format: { kind: 'number', decimals: 3, unit: 'kW' } },
    { header: 'Voltage', field: 'v', format: { kind: 'number', decimals: 1, unit: 'V' } },
  ],
};

/** Rows that no packing makes small; every call gives buffers of their own, because a file takes them away. */
export const rowsPart = (seed: number, count: number): Part => {
  const values = (step: number) => Float64Array.from({ length: count }, (_, at) => Math.sin(seed * count + at) * step);
  return { kind: 'columns', columns: [values(0).map((_, at) => (seed + at) % 4), values(1), values(230)] };
};

/** What a file of some format can hold, `end` not among it. */
export function exportParts(format: Format, seed: number, parts: number, rowsAtOnce = 5000): Part[] {
  const table: Part[] = [
    { kind: 'sheet', sheet, rowCount: 0 },
    ...Array.from({ length: parts }, (_, at) => rowsPart(seed + at, rowsAtOnce)),
  ];
  if (format !== 'xlsx') return counted(table);
  const chart = { name: 'Chart', title: 'Power', sheet: sheet.name, rowCount: 10, categories: 1, series: [2] };
  return counted([
    ...table,
    { kind: 'rows', rows: [], below: [['Total', { value: 1, formula: 'SUM(B2:B3)', isBold: true }]] },
    { kind: 'chart', chart },
    { kind: 'sheet', sheet: { name: 'About', columns: sheet.columns.slice(0, 2) }, rowCount: 0 },
    { kind: 'rows', rows: [['Seed', seed]] },
  ]);
}

/** The file of these parts, written by the writer of its format alone. */
export function directly(format: Format, parts: readonly Part[]): Promise<Buffer> {
  if (format === 'xlsx') return writtenWorkbook(parts);
  return writtenFile(format === 'csv' ? csvWriter : ndjsonWriter, parts);
}
