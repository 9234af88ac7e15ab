import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeOfSerial } from '../../test/support/xlsx/serial-time.ts';
import { readBack, valuesOf, writtenWorkbook } from '../../test/support/xlsx/written-file.ts';
import { checkZip } from '../../test/support/xlsx/zip.ts';
import { type Cell, type CellFormat, type Column, type Part, serialOf } from './sheet.ts';

const text: CellFormat = { kind: 'text' };
const column = (header: string, format: CellFormat, texts?: readonly string[]): Column => ({
  header,
  field: header,
  format,
  ...(texts && { texts }),
});
const sheet = (...columns: Column[]): Part => ({ kind: 'sheet', sheet: { name: 'S', columns }, rowCount: 0 });

/** The cells below the header of a sheet with one column that was written row by row. */
async function cells(format: CellFormat, ...values: Cell[]) {
  const { sheets } = await readBack([sheet(column('V', format)), { kind: 'rows', rows: values.map((cell) => [cell]) }]);
  return sheets[0]?.rows.slice(1).map(([cell]) => cell) ?? [];
}
/** The same for a column of numbers. */
async function cellsOfColumn(format: CellFormat, values: number[], texts?: readonly string[]) {
  const parts: Part[] = [sheet(column('V', format, texts)), { kind: 'columns', columns: [new Float64Array(values)] }];
  return (await readBack(parts)).sheets[0]?.rows.slice(1).map(([cell]) => cell) ?? [];
}

const hostile = ["=cmd|' /C calc'!A0", '=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'];
const strange = [
  '😀 👩‍👩‍👧‍👦',
  'مرحبا بالعالم',
  'é 漢字 한국어',
  'x'.repeat(300),
  ' spaces at both ends  ',
  'two\nlines\tand a tab',
  'a\r\nb\r',
  '',
  '<b>&amp;"\'',
  '_x0041_',
  '_x0041\u000B_x005F_',
  '\u0000\u0007\u001B\u007F\u0085\u2028',
  '12',
  'TRUE',
  '2026-03-10',
  '#N/A',
  'y'.repeat(32_767),
];

describe('text stays text', () => {
  test.each(['rows', 'columns'])('whatever it contains, unchanged, in %s', async (way) => {
    const all = [...hostile, ...strange];
    const found = way === 'rows' ? await cells(text, ...all) : await cellsOfColumn(text, [...all.keys()], all);
    expect(found.map((cell) => cell?.value)).toEqual(all);
    expect(found.every((cell) => cell?.isText === true && cell.formula === null)).toBe(true);
  });

  test('replaces what a file cannot contain: half characters, invalid characters, texts longer than a cell', async () => {
    const found = await cells(text, 'a\uD83Db', '\uDE00', '\uFFFE\uFFFF', 'z'.repeat(40_000));
    expect(found.map((cell) => cell?.value)).toEqual(['a\uFFFDb', '\uFFFD', '\uFFFD\uFFFD', `${'z'.repeat(32_766)}…`]);
  });

  test('what looks like a formula is marked, so that it is none after an edit either; nothing else is', async () => {
    const marked = async (parts: Part[]) => {
      const files = checkZip(await writtenWorkbook(parts));
      const styles =
        files
          .get('xl/styles.xml')
          ?.toString()
          .split('<cellXfs')[1]
          ?.match(/<xf [^>]*>/gu) ?? [];
      const cells =
        files
          .get('xl/worksheets/sheet1.xml')
          ?.toString()
          .match(/<c r="A[^>]*>/gu) ?? [];
      return cells
        .slice(1)
        .map((cell) => styles[Number(/ s="(\d+)"/u.exec(cell)?.[1] ?? 0)]?.includes(' quotePrefix="1"'));
    };
    const all = [...hostile, ...strange];
    const expected = all.map((value) => hostile.includes(value));
    const [plain, ofNumbers] = [column('V', text), column('V', text, all)];
    expect(await marked([sheet(plain), { kind: 'rows', rows: all.map((value) => [value]) }])).toEqual(expected);
    expect(await marked([sheet(ofNumbers), { kind: 'columns', columns: [new Float64Array(all.keys())] }])).toEqual(
      expected,
    );
    const bold: Cell[][] = all.map((value) => [{ value, isBold: true }]);
    expect(await marked([sheet(plain), { kind: 'rows', rows: bold }])).toEqual(expected);
  });

  test('a header is text too', async () => {
    const { sheets } = await readBack([sheet(...[...hostile, ...strange].map((header) => column(header, text)))]);
    expect(sheets[0]?.rows[0]?.map((cell) => cell?.value)).toEqual([...hostile, ...strange]);
    expect(sheets[0]?.rows[0]?.every((cell) => cell?.isText === true && cell.isBold)).toBe(true);
  });
});

describe('numbers have the format of their quantity', () => {
  const number = (decimals: number, moreDecimals: number, unit?: string): CellFormat => ({
    kind: 'number',
    decimals,
    moreDecimals,
    ...(unit !== undefined && { unit }),
  });
  const money = (decimals: number, currency: string, moreDecimals = 0): CellFormat => ({
    kind: 'money',
    decimals,
    moreDecimals,
    currency,
  });

  test.each<[string, CellFormat, string]>([
    ['kW', number(3, 3, 'kW'), '#,##0.000### "kW"'],
    ['kWh', { kind: 'number', decimals: 3, unit: 'kWh' }, '#,##0.000 "kWh"'],
    ['V', number(1, 2, 'V'), '#,##0.0## "V"'],
    ['Hz', number(3, 1, 'Hz'), '#,##0.000# "Hz"'],
    ['kvar', number(3, 3, 'kvar'), '#,##0.000### "kvar"'],
    ['kVA', number(3, 3, 'kVA'), '#,##0.000### "kVA"'],
    ['power factor', number(3, 3), '#,##0.000###'],
    ['a count', number(0, 0), '#,##0'],
    ['EUR', money(2, 'EUR'), '#,##0.00 [$EUR]'],
    ['JPY', money(0, 'JPY'), '#,##0 [$JPY]'],
    ['KWD', money(3, 'KWD'), '#,##0.000 [$KWD]'],
    ['a rate', money(2, 'EUR', 4), '#,##0.00#### [$EUR]'],
    ['a share', { kind: 'share', moreDecimals: 0 }, '0.0%'],
    ['a rate of VAT', { kind: 'share', moreDecimals: 3 }, '0.0###%'],
    ['a date', { kind: 'date' }, 'yyyy-mm-dd'],
    ['a month', { kind: 'month' }, 'yyyy-mm'],
    ['a time', { kind: 'dateTime' }, 'yyyy-mm-dd hh:mm:ss'],
  ])('%s', async (_, format, numberFormat) => {
    const expected = [-1234.5, 0, 46_091].map((value) => ({ value, numberFormat, isText: false, isBold: false }));
    expect(await cells(format, -1234.5, 0, 46_091)).toMatchObject(expected);
    expect(await cellsOfColumn(format, [-1234.5, 0, 46_091])).toMatchObject(expected);
    const own: Cell = { value: 1, format, isBold: true };
    expect(await cells(text, own)).toMatchObject([{ value: 1, numberFormat, isBold: true }]);
  });

  test('a cell has the format of its column; one beyond the columns, which the dimension would lack, is rejected', async () => {
    const volts = sheet(column('V', number(1, 2, 'V')));
    const { sheets } = await readBack([volts, { kind: 'rows', rows: [[230]] }]);
    expect(sheets[0]?.rows[1]?.map((cell) => cell?.numberFormat)).toEqual(['#,##0.0## "V"']);
    await expect(readBack([volts, { kind: 'rows', rows: [[230, 5]] }])).rejects.toThrow('has 2 cells for 1 columns');
  });

  test('anything but a number, and an unknown value, is an empty cell', async () => {
    const none = [Number.NaN, Infinity, -Infinity];
    expect(await cells(number(1, 0), ...none, null, { value: Number.NaN, formula: 'A1' }, { value: null }, 1)).toEqual([
      ...Array.from({ length: 6 }),
      expect.objectContaining({ value: 1 }),
    ]);
    expect(await cellsOfColumn(number(1, 0), [...none, 1])).toEqual([
      ...Array.from({ length: 3 }),
      expect.objectContaining({ value: 1 }),
    ]);
    expect((await cellsOfColumn(text, [...none, -1, 0.5, 1, 0], ['a'])).map((cell) => cell?.value)).toEqual([
      ...Array.from({ length: 6 }),
      'a',
    ]);
  });

  test('every double reads back unchanged', async () => {
    const limits = [0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 1 / 3];
    expect((await cellsOfColumn(number(3, 3), limits)).map((cell) => cell?.value)).toEqual(limits);
  });

  test('a formula has its value beside it', async () => {
    const sum: Cell = { value: 12.5, formula: 'SUM(A2:A3)&"<"', isBold: true };
    expect((await cells(number(2, 0, 'kWh'), 10, 2.5, sum)).at(-1)).toEqual({
      value: 12.5,
      formula: 'SUM(A2:A3)&"<"',
      numberFormat: '#,##0.00 "kWh"',
      isBold: true,
      isText: false,
    });
  });
});

describe('dates are real dates', () => {
  const micros = (local: string) =>
    Number(Temporal.PlainDateTime.from(local).toZonedDateTime('UTC').epochNanoseconds / 1000n);

  test.each([
    ['1900-03-01T00:00:00', 61],
    ['1970-01-01T00:00:00', 25_569],
    ['2000-02-29T12:00:00', 36_585.5],
    ['2024-02-29T00:00:00', 45_351],
    ['2024-03-01T00:00:00', 45_352],
    ['2100-03-01T00:00:00', 73_110],
    ['9999-12-31T00:00:00', 2_958_465],
  ])('%s is the day %d', async (local, serial) => {
    expect(serialOf(micros(local))).toBe(serial);
    expect(localTimeOfSerial(Number((await cells({ kind: 'dateTime' }, serial))[0]?.value))).toBe(local);
  });

  test('to the millisecond on every day from March 1900 on', async () => {
    const to = micros('9999-12-31T23:59:59.999') / 1000;
    const time = fc.integer({ min: micros('1900-03-01T00:00:00') / 1000, max: to });
    await fc.assert(
      fc.asyncProperty(fc.array(time, { minLength: 50, maxLength: 50 }), async (millis) => {
        const found = await cellsOfColumn(
          { kind: 'dateTime' },
          millis.map((ms) => serialOf(ms * 1000)),
        );
        const expected = millis.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toString().slice(0, -1));
        expect(found.map((cell) => localTimeOfSerial(Number(cell?.value)))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('milliseconds are shown if a time has any', async () => {
    const times = ['2026-03-10T22:59:59.9996', '2026-03-10T22:59:59.125', '2026-03-10T22:59:59'].map((at) =>
      serialOf(micros(at)),
    );
    const found = await cellsOfColumn({ kind: 'dateTime' }, times);
    expect(found.map((cell) => cell?.numberFormat)).toEqual([
      'yyyy-mm-dd hh:mm:ss',
      'yyyy-mm-dd hh:mm:ss.000',
      'yyyy-mm-dd hh:mm:ss',
    ]);
  });

  test('the year 9999 is the last', () => {
    expect(serialOf(micros('9999-12-31T23:59:59'))).toBeLessThan(2_958_466);
    expect(serialOf(micros('9999-12-31T23:59:59') + 1_000_000)).toBeNaN();
  });

  test('a day that no spreadsheet supports is an empty cell', async () => {
    const before = ['1900-02-28T23:59:59.999', '1899-12-31T00:00:00', '0001-01-01T00:00:00'].map((day) =>
      serialOf(micros(day)),
    );
    expect(before).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(serialOf(Number.NaN)).toBeNaN();
    expect(await cellsOfColumn({ kind: 'date' }, [...before, 61])).toMatchObject([
      undefined,
      undefined,
      undefined,
      { value: 61 },
    ]);
  });
});

test('any table reads back cell by cell, however many sheets it takes', async () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)), maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('_', 'x', '0', '4', '1', '\u0001', '=', '\uD800'), maxLength: 20 }),
  );
  const anyNumber = fc.oneof(fc.double(), fc.integer());
  const held = (value: Cell) => {
    if (typeof value === 'string') return value.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/gu, '\uFFFD');
    // Zero has no sign in a cell.
    return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
  };
  const row = fc.tuple(anyText, anyNumber, fc.oneof(fc.constant(null), anyText, anyNumber));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.integer({ min: 2, max: 30 }), async (table, rowsPerSheet) => {
      const half = Math.floor(table.length / 2);
      const texts = table.map(([value]) => value);
      const head = sheet(column('A', text, texts), column('B', { kind: 'number', decimals: 1 }), column('C', text));
      const { sheets } = await readBack(
        [
          head,
          {
            kind: 'columns',
            columns: [
              new Float64Array(texts.keys()).subarray(0, half),
              new Float64Array(table.slice(0, half).map(([, value]) => value)),
            ],
          },
          { kind: 'rows', rows: table.slice(half) },
        ],
        rowsPerSheet,
      );
      const found = sheets.flatMap((one) => valuesOf(one).slice(1));
      expect(found).toEqual(table.map(([a, b, c], at) => [held(a), held(b), at < half ? null : held(c)]));
      expect(sheets).toHaveLength(Math.max(1, Math.ceil(table.length / (rowsPerSheet - 1))));
    }),
    { numRuns: 50 },
  );
});
