import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWithLibreOffice, withLibreOffice } from './libre-office.ts';
import { python, readWithOpenpyxl, withOpenpyxl } from './openpyxl.ts';
import { runProgram } from './run-program.ts';
import { localTimeOfSerial } from './serial-time.ts';
import { packParts, tinyParts } from './tiny-workbook.ts';
import { openWorkbook } from './workbook.ts';

const file = packParts(tinyParts);
const [raw] = openWorkbook(file).sheets;
const longEnough = 120_000;

test(
  'LibreOffice reads the same from a file as our own reader, and computes the sums itself',
  {
    timeout: longEnough,
    ...withLibreOffice,
  },
  async () => {
    const sheets = await readWithLibreOffice(file);
    expect(sheets.map(({ name }) => name)).toEqual(["It's raw", 'About']);
    const rows = sheets[0]?.rows.map((row) => row.map((cell) => cell?.value));
    const [header, first, second, sum] = rows ?? [];
    expect(header).toEqual(raw?.rows[0]?.map((cell) => cell?.value));
    // It keeps hundredths of a second.
    expect(first).toEqual(['2024-03-31T02:30:00.12', '=1+1 & 😀 مرحبا', -12.5, true]);
    expect(second).toEqual([localTimeOfSerial(45657), ' a  b ', 1500]);
    expect(sum).toEqual([undefined, undefined, 1487.5]);
    expect(sheets[0]?.rows[1]?.map((cell) => cell?.text)).toEqual([
      '2024-03-31 02:30:00',
      '=1+1 & 😀 مرحبا',
      '-12.50 kW',
      'TRUE',
    ]);
    expect(sheets[1]?.rows).toEqual([[], [null, expect.objectContaining({ value: 'Made by hand' })]]);

    const stale = (tinyParts['xl/worksheets/sheet1.xml'] ?? '').replace('<v>1487.5</v>', '<v>1</v>');
    const anew = await readWithLibreOffice(packParts({ ...tinyParts, 'xl/worksheets/sheet1.xml': stale }));
    expect(anew[0]?.rows[3]?.[2]).toMatchObject({ value: 1487.5, formula: 'of:=SUM([.C2:.C3])' });
    await expect(readWithLibreOffice(file.subarray(0, 500))).rejects.toThrow('LibreOffice cannot open the file.');
  },
);

test(
  'openpyxl reads the same from a file as our own reader, and warns of nothing',
  {
    timeout: longEnough,
    ...withOpenpyxl,
  },
  async () => {
    const sheets = await readWithOpenpyxl(file);
    expect(sheets.map(({ name }) => name)).toEqual(["It's raw", 'About']);
    const [sheet] = sheets;
    expect(sheet).toMatchObject({ freezePanes: 'A2', autoFilter: 'A1:D3' });
    expect(sheet?.columnWidths).toMatchObject({ A: 21.5, B: 12 });
    expect(sheet?.rows.map((row) => row.map(({ value }) => value))).toEqual([
      ['Time (Europe/Berlin)', 'Device', 'Power', 'Alarm'],
      ['2024-03-31T02:30:00.123', '=1+1 & 😀 مرحبا', -12.5, true],
      ['2024-12-31T00:00:00', ' a  b ', 1500, null],
      [null, null, '=SUM(C2:C3)', null],
    ]);
    expect(sheet?.rows[1]?.map(({ dataType }) => dataType)).toEqual(['d', 's', 'n', 'b']);
    const looks = (row: number) =>
      sheet?.rows[row]?.slice(0, 3).map(({ numberFormat, isBold }) => ({ numberFormat, isBold }));
    const expected = (row: number) =>
      raw?.rows[row]?.slice(0, 3).map((cell) => ({ numberFormat: cell?.numberFormat, isBold: cell?.isBold }));
    expect(looks(0)).toEqual(expected(0));
    expect(looks(1)).toEqual(expected(1));
    await expect(readWithOpenpyxl(file.subarray(0, 500))).rejects.toThrow(/ended with 1/u);
  },
);

/** Writes a workbook to argv[1]: a frozen bold header with a filter, a time, a formula, a chart, a sheet that is hidden. */
const writeWithOpenpyxl = `
import datetime, sys
import openpyxl
from openpyxl.chart import LineChart, Reference
from openpyxl.styles import Font
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Daten 'b' ä"
sheet.append(["Zeit", "kWh", "Text"])
sheet["A1"].font = Font(bold=True)
sheet.append([datetime.datetime(2024, 10, 27, 2, 30), 1.25, " x "])
sheet.append([datetime.datetime(2024, 10, 27, 3, 0, 59), True, None])
sheet["B2"].number_format = '#,##0.00 "kWh"'
sheet["B5"] = "=SUM(B2:B3)"
sheet.freeze_panes = "B2"
sheet.auto_filter.ref = "A1:C3"
sheet.column_dimensions["B"].width = 17.5
sheet.merge_cells("E1:F2")
chart = LineChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
sheet.add_chart(chart, "H2")
book.create_sheet("hidden").sheet_state = "hidden"
book.save(sys.argv[1])
`;

test(
  'a file that openpyxl has written is accepted and read correctly',
  {
    timeout: longEnough,
    ...withOpenpyxl,
  },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-openpyxl-'));
    try {
      const path = join(folder, 'book.xlsx');
      await runProgram(python ?? '', ['-c', writeWithOpenpyxl, path], longEnough);
      const [sheet, hidden] = openWorkbook(await readFile(path)).sheets;
      expect(sheet).toMatchObject({ name: "Daten 'b' ä", frozenRows: 1, frozenColumns: 1, autoFilter: 'A1:C3' });
      expect(sheet?.columnWidths.slice(0, 3)).toEqual([null, 17.5, null]);
      expect(sheet?.charts.map(({ kinds }) => kinds)).toEqual([['lineChart']]);
      expect(sheet?.rows[0]?.slice(0, 2)).toMatchObject([
        { value: 'Zeit', isBold: true },
        { value: 'kWh', isBold: false },
      ]);
      const times = sheet?.rows.slice(1, 3).map(([cell]) => localTimeOfSerial(Number(cell?.value)));
      expect(times).toEqual(['2024-10-27T02:30:00', '2024-10-27T03:00:59']);
      expect(sheet?.rows[1]?.[1]).toMatchObject({ value: 1.25, numberFormat: '#,##0.00 "kWh"' });
      expect(sheet?.rows[1]?.[2]).toMatchObject({ value: ' x ', isText: true });
      expect(sheet?.rows[4]?.[1]).toMatchObject({ value: null, formula: 'SUM(B2:B3)' });
      expect(hidden).toMatchObject({ name: 'hidden', isHidden: true, rows: [] });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
