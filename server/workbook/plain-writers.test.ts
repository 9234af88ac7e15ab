import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writtenFile } from '../../test/support/xlsx/written-file.ts';
import { csvWriter, ndjsonWriter } from './plain-writers.ts';
import type { Column, Part } from './sheet.ts';

const micros = (instant: string) => Number(Temporal.Instant.from(instant).epochNanoseconds / 1000n);
const column = (field: string, texts?: readonly string[]): Column => ({
  header: `Shown as ${field}`,
  field,
  format: texts === undefined ? { kind: 'number', decimals: 1, unit: 'kW' } : { kind: 'text' },
  ...(texts && { texts }),
});
const time: Column = { header: 'Time', field: 'time', format: { kind: 'instant' } };

interface Table {
  columns: Column[];
  values: (readonly number[])[];
}
const partsOf = ({ columns, values }: Table): Part[] => [
  { kind: 'sheet', sheet: { name: 'Measurements', columns }, rowCount: 0 },
  { kind: 'columns', columns: values.map((list) => new Float64Array(list)) },
];
const csv = async (table: Table) => (await writtenFile(csvWriter, partsOf(table))).toString();
const ndjson = async (table: Table) => (await writtenFile(ndjsonWriter, partsOf(table))).toString();
const textTable = (texts: readonly string[]): Table => ({
  columns: [column('name', texts), column('kw')],
  values: [[...texts.keys()], texts.map(() => 1)],
});

/** The fields of a file by the grammar of RFC 4180; throws if the file breaks it. */
function parseCsv(file: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/uy;
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < file.length) {
    const at = field.lastIndex;
    const [whole, quoted, plain, end] = field.exec(file) ?? [];
    if (whole === undefined) throw new Error(`No field of RFC 4180: ${JSON.stringify(file.slice(at, at + 40))}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error('The last line does not end.');
  return rows;
}

const times = [
  '2026-03-29T01:30:00Z',
  '2026-03-29T10:20:30.5Z',
  '2026-03-29T01:30:00.123Z',
  '2026-03-29T01:30:00.123456Z',
  '2026-03-29T01:30:00.0001Z',
  '1969-12-31T23:59:59.999999Z',
];

describe('CSV by RFC 4180', () => {
  test('has field names first, lines that end with CR LF, numbers with a point, UTF-8 without a byte order mark', async () => {
    const table = {
      columns: [time, column('deviceName', ['Zähler 😀']), column('activePowerKw')],
      values: [[0], [0], [-1234.5]],
    };
    expect(await csv(table)).toBe('time,deviceName,activePowerKw\r\n1970-01-01T00:00:00Z,Zähler 😀,-1234.5\r\n');
  });

  test.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['', ''],
    [' spaces ', ' spaces '],
    ["it's; a\ttab", "it's; a\ttab"],
  ])('a text is quoted only if necessary: %j', async (text, field) => {
    expect(await csv(textTable([text]))).toBe(`name,kw\r\n${field},1\r\n`);
  });

  test.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\t=1', "'\t'=1"],
    ['\r=1', `"'\r'=1"`],
    // If a program separates at semicolons or tabs, a cell begins there.
    ['x;=1+1', "x;'=1+1"],
    ['x\t@y', "x\t'@y"],
    ['a\n=2+3;b', `"a\n'=2+3;b"`],
    ['1-1', '1-1'],
  ])('a text that looks like a formula gets an apostrophe in front: %j', async (text, field) => {
    expect(await csv(textTable([text]))).toBe(`name,kw\r\n${field},1\r\n`);
  });

  test('unknown values are empty; a negative number is not a formula', async () => {
    const table = {
      columns: [time, column('name', ['a']), column('kw')],
      values: [
        [Number.NaN, 0, 0, 0, 0],
        [0, Number.NaN, 7, -1, 0],
        [1, Infinity, -Infinity, -0.5, Number.NaN],
      ],
    };
    expect(parseCsv(await csv(table)).slice(1)).toEqual([
      ['', 'a', '1'],
      ['1970-01-01T00:00:00Z', '', ''],
      ['1970-01-01T00:00:00Z', '', ''],
      ['1970-01-01T00:00:00Z', '', '-0.5'],
      ['1970-01-01T00:00:00Z', 'a', ''],
    ]);
  });

  test.each(times)('%s has the digits that it needs, as the API writes it', async (instant) => {
    expect(parseCsv(await csv({ columns: [time], values: [[micros(instant)]] }))[1]).toEqual([instant]);
  });

  test('a file without rows has its header', async () => {
    expect(await csv({ columns: [time, column('kw')], values: [[], []] })).toBe('time,kw\r\n');
  });
});

describe('NDJSON', () => {
  test('no character within a line ends it for any reader', async () => {
    const text = 'one\u0085two\u2028three\u2029four\r\nfive';
    const lines = (await ndjson(textTable([text]))).split(/[\r\n\u0085\u2028\u2029]/);
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: text });
  });

  test('one object per line with every field in its order, null for unknown values', async () => {
    const table = {
      columns: [time, column('deviceName', ['Zähler "1"', '=1+1']), column('activePowerKw')],
      values: [
        [0, Number.NaN],
        [0, 1],
        [-1234.5, Number.NaN],
      ],
    };
    expect(await ndjson(table)).toBe(
      [
        '{"time":"1970-01-01T00:00:00Z","deviceName":"Zähler \\"1\\"","activePowerKw":-1234.5}\n',
        '{"time":null,"deviceName":"=1+1","activePowerKw":null}\n',
      ].join(''),
    );
  });

  test('anything but a number is null too, and so is a missing text', async () => {
    const table = {
      columns: [column('name', ['a']), column('kw')],
      values: [
        [7, -1, 0.5],
        [Infinity, -Infinity, 1e21],
      ],
    };
    const lines = (await ndjson(table)).trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { name: null, kw: null },
      { name: null, kw: null },
      { name: null, kw: 1e21 },
    ]);
  });

  test.each(times)('%s has the digits that it needs, as the API writes it', async (instant) => {
    expect(await ndjson({ columns: [time], values: [[micros(instant)]] })).toBe(`{"time":"${instant}"}\n`);
  });

  test('a file without rows is empty', async () => {
    expect(await ndjson({ columns: [time], values: [[]] })).toBe('');
  });
});

describe('both', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', ' ', 'a', '\uD800') }),
  );
  const table = fc.array(fc.tuple(anyText, fc.oneof(fc.double(), fc.constant(Number.NaN))), { maxLength: 20 });
  const tableOf = (rows: readonly (readonly [string, number])[]): Table => ({
    columns: [
      column(
        'name',
        rows.map(([text]) => text),
      ),
      column('kw'),
    ],
    values: [[...rows.keys()], rows.map(([, value]) => value)],
  });

  test('any table reads back field by field', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        // A half character becomes U+FFFD in UTF-8, but keeps its escape in JSON.
        const guarded = (text: string) => text.replace(/(?<=^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g, "'").toWellFormed();
        const [, ...fields] = parseCsv(await csv(tableOf(rows)));
        expect(fields).toEqual(rows.map(([text, kw]) => [guarded(text), Number.isFinite(kw) ? String(kw) : '']));
        const lines = (await ndjson(tableOf(rows))).split('\n').slice(0, -1);
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
          rows.map(([name, kw]) => ({ name, kw: Number.isFinite(kw) ? kw + 0 : null })),
        );
      }),
    );
  });

  test.each([csvWriter, ndjsonWriter])('rows are written a thousand at a time, in order', async (create) => {
    const pieces: string[] = [];
    const writer = create(async (bytes) => void pieces.push(Buffer.from(bytes).toString()));
    await writer.open();
    const values = Array.from({ length: 2500 }, (_, at) => at);
    for (const part of partsOf({ columns: [column('n')], values: [values] })) await writer.write(part);
    const lines = pieces.map((piece) => piece.split('\n').length - 1).filter((count) => count > 1);
    expect(lines).toEqual([1000, 1000, 500]);
    expect(pieces.join('').match(/\d+/gu)?.map(Number)).toEqual(values);
  });

  test.each<Part>([
    { kind: 'rows', rows: [['x']] },
    { kind: 'chart', chart: { name: 'c', title: 't', sheet: 's', rowCount: 1, categories: 0, series: [1] } },
  ])('a plain format cannot hold a $kind', async (part) => {
    await expect(writtenFile(csvWriter, [part])).rejects.toThrow(`A plain format cannot hold a ${part.kind}.`);
    await expect(writtenFile(ndjsonWriter, [part])).rejects.toThrow(`A plain format cannot hold a ${part.kind}.`);
  });
});
