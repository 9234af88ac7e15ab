import { describe, expect, test } from 'vitest';
import { madeAtMs, readBack, valuesOf, writtenWorkbook } from '../../test/support/xlsx/written-file.ts';
import { checkZip } from '../../test/support/xlsx/zip.ts';
import type { CellFormat, Column, Columns, Part } from './sheet.ts';
import { WorkbookWriter } from './workbook-writer.ts';

const text: CellFormat = { kind: 'text' };
const kw: CellFormat = { kind: 'number', decimals: 3, moreDecimals: 3, unit: 'kW' };
const column = (header: string, format: CellFormat, texts?: readonly string[]): Column => ({
  header,
  field: header,
  format,
  ...(texts && { texts }),
});
const sheet = (name: string, ...columns: Column[]) =>
  ({ kind: 'sheet', sheet: { name, columns }, rowCount: 0 }) as const satisfies Part;
const rows = (...list: (string | number | null)[][]): Part => ({ kind: 'rows', rows: list });
const columns = (...values: number[][]): Part => ({
  kind: 'columns',
  columns: values.map((list) => new Float64Array(list)),
});
const devices = [column('Device', text), column('Power', kw)];
const numbered = (count: number): Columns => [Float64Array.from({ length: count }, (_, at) => at)];

async function only(...parts: Part[]) {
  const { sheets } = await readBack(parts);
  expect(sheets).toHaveLength(1);
  const [first] = sheets;
  if (first === undefined) throw new Error('The workbook has no sheet.');
  return first;
}

describe('every sheet: a frozen bold header with a filter', () => {
  test('the header is row 1, bold, frozen and filtered with its rows; the rows are not bold', async () => {
    const found = await only(sheet('Devices', ...devices), rows(['Meter 1', 1.5], ['Meter 2', -2]));
    expect(found).toMatchObject({ name: 'Devices', frozenRows: 1, frozenColumns: 0, autoFilter: 'A1:B3' });
    expect(valuesOf(found)).toEqual([
      ['Device', 'Power'],
      ['Meter 1', 1.5],
      ['Meter 2', -2],
    ]);
    expect(found.rows.map((row) => row.map((cell) => cell?.isBold))).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  test('a sheet without rows has its header, frozen and filtered', async () => {
    const found = await only(sheet('Devices', ...devices));
    expect(found).toMatchObject({ frozenRows: 1, autoFilter: 'A1:B1' });
    expect(valuesOf(found)).toEqual([['Device', 'Power']]);
    expect((await only(sheet('Devices', ...devices), columns([], []), rows())).autoFilter).toBe('A1:B1');
  });

  test('rows below the table are outside of its filter, and bold if they say so', async () => {
    const found = await only(sheet('Sums', ...devices), rows(['Meter 1', 1], ['Meter 2', 2]), {
      kind: 'rows',
      rows: [],
      below: [
        [],
        [
          { value: 'Total', isBold: true },
          { value: 3, formula: 'SUM(B2:B3)', isBold: true },
        ],
        ['Note'],
      ],
    });
    expect(found.autoFilter).toBe('A1:B3');
    expect(valuesOf(found).slice(3)).toEqual([
      [null, null],
      ['Total', 3],
      ['Note', null],
    ]);
    expect(found.rows[4]?.map((cell) => cell?.isBold)).toEqual([true, true]);
    expect(found.rows[4]?.[1]).toMatchObject({ formula: 'SUM(B2:B3)', numberFormat: '#,##0.000### "kW"' });
  });

  test('a sheet of many columns is filtered to its last', async () => {
    const many = Array.from({ length: 703 }, (_, at) => column(`Column ${at}`, text));
    expect((await only(sheet('Wide', ...many), rows(['first']))).autoFilter).toBe('A1:AAA2');
  });

  test('only the first sheet is selected', async () => {
    const { sheets } = await readBack([sheet('One', ...devices), sheet('Two', ...devices)]);
    expect(sheets.map(({ isSelected }) => isSelected)).toEqual([true, false]);
  });
});

describe('a sheet is printed landscape, one page wide, with its header on each page', () => {
  test('every sheet, also without rows', async () => {
    const { sheets, definedNames } = await readBack([
      sheet("It's one", ...devices),
      rows(['Meter 1', 1]),
      sheet('Two', ...devices),
    ]);
    for (const found of sheets) expect(found).toMatchObject({ isLandscape: true, isOnePageWide: true });
    const titles = definedNames.filter(({ name }) => name === '_xlnm.Print_Titles');
    expect(titles.map(({ sheet: of, refersTo }) => [of, refersTo])).toEqual([
      ["It's one", "'It''s one'!$1:$1"],
      ['Two', "'Two'!$1:$1"],
    ]);
  });

  test('its dimension covers the header, all rows, and those below the table', async () => {
    const below: Part = { kind: 'rows', rows: [['Meter 3', 3]], below: [[], ['Total', 6]] };
    const found = await only(sheet('Devices', ...devices), rows(['Meter 1', 1], ['Meter 2', 2]), below);
    expect(found.dimension).toBe('A1:B6');
    expect((await only(sheet('Devices', ...devices))).dimension).toBe('A1:B1');
    const wide = Array.from({ length: 28 }, (_, at) => column(`Column ${at}`, text));
    expect((await only(sheet('Wide', ...wide), rows(['first']))).dimension).toBe('A1:AB2');
  });

  test.each([
    ['fewer', 3, 'has 1 rows fewer than announced'],
    ['more', 1, 'has 1 rows more than announced'],
  ])(
    '%s rows than announced break the file, because a wrong dimension is worse than none',
    async (_, rowCount, said) => {
      const writer = new WorkbookWriter(async () => undefined, { title: '', creator: '', madeAtMs });
      await writer.open();
      await writer.write({ ...sheet('Devices', ...devices), rowCount });
      await writer.write(rows(['Meter 1', 1], ['Meter 2', 2]));
      await expect(writer.write({ kind: 'end' })).rejects.toThrow(said);
    },
  );
});

describe('columns are fitted to their content', () => {
  const widths = async (...parts: Part[]) => (await only(...parts)).columnWidths;

  test('a header fits together with the button of its filter', async () => {
    const [narrow, wide] = await widths(sheet('S', column('V', text), column('Reactive power (kvar)', kw)));
    expect(narrow).toBe(8);
    expect(wide).toBe('Reactive power (kvar)'.length + 4);
  });

  test('the longest text fits, wide characters counted twice', async () => {
    const [short, long, wide] = await widths(
      sheet('S', column('A', text), column('B', text), column('C', text)),
      rows(['x', 'Transformer station 12', '漢'.repeat(10)], ['y', 'z', 'z']),
    );
    expect([short, long, wide]).toEqual([8, 24, 22]);
  });

  test('no column is wider than 60, whatever its header and texts', async () => {
    const long = 'x'.repeat(300);
    expect(await widths(sheet('S', column(long, text), column('B', text)), rows(['y', long]))).toEqual([60, 60]);
    expect(await widths(sheet('S', column('A', text, [long])), columns([0]))).toEqual([60]);
  });

  test('the texts of columns fit before it is known which of them occur', async () => {
    const names = ['Meter 1', 'A meter with a long name'];
    expect(await widths(sheet('S', column('Device', text, names)), columns([0, 0]))).toEqual([26]);
  });

  test('bold rows below the table fit too, however large their sums are', async () => {
    const euro: CellFormat = { kind: 'money', decimals: 2, currency: 'EUR' };
    const [width] = await widths(sheet('S', column('Cost', euro)), {
      kind: 'rows',
      rows: [[990]],
      below: [[{ value: 11_880, isBold: true }]],
    });
    expect(width).toBeGreaterThan('11,880.00 EUR'.length * 1.1);
  });

  test.each<[string, CellFormat, number, string]>([
    ['power', kw, -1234.567, '-1,234.567000 kW'],
    ['money', { kind: 'money', decimals: 2, currency: 'EUR' }, 12_345_678.9, '12,345,678.90 EUR'],
    ['a date', { kind: 'date' }, 46_091, '2026-03-10'],
    ['a time', { kind: 'dateTime' }, 46_091.5, '2026-03-10 12:00:00.000'],
    ['a share', { kind: 'share', moreDecimals: 3 }, 0.19, '19.0000%'],
  ])('%s fits as it is displayed', async (_, format, value, shown) => {
    const ofRows = await widths(sheet('S', column('V', format)), rows([value]));
    const ofColumns = await widths(sheet('S', column('V', format)), columns([value]));
    for (const [width] of [ofRows, ofColumns]) {
      expect(width).toBeGreaterThanOrEqual(shown.length + 1);
      expect(width).toBeLessThanOrEqual(shown.length + 6);
    }
  });

  test('anything but a finite number makes no column wider', async () => {
    const none = [Number.NaN, Infinity, -Infinity];
    const head = sheet('S', column('A', kw), column('B', kw), column('C', kw));
    const empty = await widths(head, rows([null, null, null]));
    expect(await widths(head, rows(none))).toEqual(empty);
    expect(await widths(head, columns(...none.map((value) => [value, 0])))).toEqual(
      await widths(head, columns([0], [0], [0])),
    );
  });
});

describe('Excel rule: a sheet has 1,048,576 rows', () => {
  const headed = (...values: number[]) => [['N'], ...values.map((value) => [value])];

  test('further rows continue on sheets with the same columns, each with its header, filter and widths', async () => {
    const parts: Part[] = [sheet('Many', column('N', kw)), columns([1, 2, 3, 4, 5]), columns([6, 7])];
    const { sheets } = await readBack(parts, 4);
    expect(sheets.map(({ name }) => name)).toEqual(['Many', 'Many (2)', 'Many (3)']);
    expect(sheets.map(valuesOf)).toEqual([headed(1, 2, 3), headed(4, 5, 6), headed(7)]);
    expect(sheets.map(({ autoFilter }) => autoFilter)).toEqual(['A1:A4', 'A1:A4', 'A1:A2']);
    expect(sheets.map(({ dimension }) => dimension)).toEqual(['A1:A4', 'A1:A4', 'A1:A2']);
    expect(sheets.every(({ frozenRows, columnWidths }) => frozenRows === 1 && (columnWidths[0] ?? 0) > 8)).toBe(true);
  });

  test('a sheet that is exactly full has no other after it', async () => {
    const { sheets } = await readBack([sheet('Full', column('N', kw)), columns([1, 2, 3])], 4);
    expect(sheets.map(valuesOf)).toEqual([headed(1, 2, 3)]);
  });

  test('rows that arrive one by one continue too, with those below the table', async () => {
    const parts: Part[] = [
      sheet('Many', column('N', kw)),
      rows([1], [2], [3]),
      { kind: 'rows', rows: [], below: [[4], [5]] },
    ];
    const { sheets } = await readBack(parts, 5);
    expect(sheets.map(valuesOf)).toEqual([headed(1, 2, 3, 4), headed(5)]);
    expect(sheets.map(({ autoFilter }) => autoFilter)).toEqual(['A1:A4', 'A1:A1']);
  });

  test('a sheet of Excel is filled to its last row', { timeout: 60_000 }, async () => {
    const file = await writtenWorkbook([
      sheet('Many', column('N', { kind: 'number', decimals: 0 })),
      { kind: 'columns', columns: numbered(1_048_576) },
    ]);
    const parts = checkZip(file);
    const ends = [1, 2].map((number) => parts.get(`xl/worksheets/sheet${number}.xml`)?.toString('latin1').slice(-230));
    expect(ends[0]).toContain(
      '<c r="A1048576" s="2"><v>1048574</v></c></row></sheetData><autoFilter ref="A1:A1048576"/>',
    );
    expect(ends[1]).toContain('<c r="A2" s="2"><v>1048575</v></c></row></sheetData><autoFilter ref="A1:A2"/>');
  });
});

describe('several sheets', () => {
  test('two with the same name stay distinct, a forbidden name is changed into one that Excel accepts', async () => {
    const names = ['Totals', 'totals', 'A/B', 'History', '', 'x'.repeat(300), `${'x'.repeat(300)}y`, '😀'.repeat(20)];
    const { sheets } = await readBack(names.map((name) => sheet(name, ...devices)));
    expect(sheets.map(({ name }) => name)).toEqual([
      'Totals',
      'totals (2)',
      'A B',
      'Sheet History',
      'Sheet',
      'x'.repeat(31),
      `${'x'.repeat(27)} (2)`,
      '😀'.repeat(15),
    ]);
  });

  const days: Part[] = [
    sheet("It's 'days'", column('Day', { kind: 'date' }), column('In & out', kw), column('Out', kw)),
    columns([46_091, 46_092, 46_093], [1, 2, 3], [4, Number.NaN, 6]),
  ];
  const chart = {
    name: 'Chart',
    title: 'Energy < by "day" &',
    sheet: "It's 'days'",
    rowCount: 3,
    categories: 0,
    series: [1, 2],
  };

  test('a chart is a sheet of its own that draws the columns of another', async () => {
    const { sheets } = await readBack([...days, { kind: 'chart', chart }, sheet('About', ...devices)]);
    expect(sheets.map(({ name, charts }) => [name, charts.length])).toEqual([
      ["It's 'days", 0],
      ['Chart', 1],
      ['About', 0],
    ]);
    const source = "'It''s ''days'!";
    expect(sheets[1]?.charts[0]?.kinds).toEqual(['barChart']);
    expect(sheets[1]?.charts[0]?.ranges).toEqual(
      ['$B$1:$B$1', '$A$2:$A$4', '$B$2:$B$4', '$C$1:$C$1', '$A$2:$A$4', '$C$2:$C$4'].map((range) => source + range),
    );
  });

  test('two charts have separate parts, even for sheets that had to be renamed', async () => {
    const again = { ...chart, sheet: 'A/B' };
    const [, ...values] = days;
    const columnsOf = days[0]?.kind === 'sheet' ? days[0].sheet.columns : [];
    const { sheets } = await readBack([
      ...days,
      { kind: 'chart', chart },
      sheet('A/B', ...columnsOf),
      ...values,
      { kind: 'chart', chart: again },
    ]);
    expect(sheets.map(({ name }) => name)).toEqual(["It's 'days", 'Chart', 'A B', 'Chart (2)']);
    expect(sheets[3]?.charts[0]).toMatchObject({ part: 'xl/charts/chart2.xml' });
    expect(sheets[3]?.charts[0]?.ranges[1]).toBe("'A B'!$A$2:$A$4");
  });

  test('a chart of a missing sheet is rejected', async () => {
    await expect(writtenWorkbook([{ kind: 'chart', chart }])).rejects.toThrow("No sheet It's 'days' was written");
  });

  test.each<Part>([columns([1]), rows(['x'])])('rows without a sheet are rejected', async (part) => {
    await expect(writtenWorkbook([part])).rejects.toThrow('No sheet of the workbook is open.');
  });
});

test('the file contains its title, its author and its time', async () => {
  const { properties } = await readBack([sheet('S', ...devices)]);
  expect(Object.fromEntries(properties)).toMatchObject({
    title: 'Raw readings',
    creator: 'Ada <ada@example.com>',
    created: new Date(madeAtMs).toISOString(),
  });
});

test('rows are sent while they are written: only what is not packed yet is kept', async () => {
  let left = 0;
  const writer = new WorkbookWriter(
    async (bytes) => {
      left += bytes.length;
    },
    { title: '', creator: '', madeAtMs },
  );
  await writer.open();
  expect(left).toBeGreaterThan(0);
  await writer.write(sheet('Many', column('N', kw)));
  for (let part = 0; part < 10; part += 1) {
    const before = left;
    await writer.write({ kind: 'columns', columns: numbered(10_000) });
    // 10,000 rows are more than two blocks.
    expect(left - before).toBeGreaterThan(10_000);
  }
});
