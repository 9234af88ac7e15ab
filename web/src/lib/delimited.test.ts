import { describe, expect, it } from 'vitest';
import {
  delimitedLine,
  DelimitedReader,
  findHeadings,
  guessDelimiter,
  NoTableError,
  readDelimited,
} from './delimited.ts';

const fields = (text: string) => readDelimited(text).map((record) => record.fields);

describe('reading', () => {
  it.each([
    ['a,b\n1,2', ','],
    ['a;b\n1,2;3', ';'],
    ['a\tb', '\t'],
    ['"a,b,c";d', ';'],
    ['Load profile, meter 7, March\nDate;kW\n01.03.2026 00:15;1,5\n01.03.2026 00:30;2', ';'],
    ['Date;kW\n01.03.2026 00:15:00,000;1,5', ';'],
    ['site|device, with notes, of both\nWorks|Pump', '|'],
    ['', '\t'],
  ])('%j: the delimiter is %j', (text, delimiter) => {
    expect(guessDelimiter(text)).toBe(delimiter);
  });

  it('quotes keep delimiters, line breaks and doubled quotes; empty lines are left out', () => {
    expect(fields('a,b\r\n"x,""y""\nz", 2 \r\n\r\n ,\r\n"",3')).toEqual([
      ['a', 'b'],
      ['x,"y"\nz', ' 2 '],
      ['', '3'],
    ]);
  });

  it('a record knows its row in the spreadsheet: empty lines count, line breaks inside a field do not', () => {
    expect(readDelimited('a,b\r\n"x\ny",1\r\n\r\nc,d').map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it('a quote inside a field is a quote', () => {
    expect(fields('a;b"c"\n 5" ;d')).toEqual([
      ['a', 'b"c"'],
      [' 5" ', 'd'],
    ]);
  });

  it('pieces may end anywhere', () => {
    const text = 'a,"b ""1""\r\n2"\r\nc,d';
    for (let at = 0; at < text.length; at += 1) {
      const reader = new DelimitedReader(',');
      const records = [...reader.read(text.slice(0, at)), ...reader.read(text.slice(at)), ...reader.end()];
      expect(records.map((record) => record.fields)).toEqual([
        ['a', 'b "1"\r\n2'],
        ['c', 'd'],
      ]);
    }
  });

  it('hostile: a quote that is never closed, an endless field and thousands of fields are rejected', () => {
    for (const text of ['a,"b', `a,"${'x'.repeat(20_000)}"`, ','.repeat(1_000)]) {
      expect(() => readDelimited(text, ',')).toThrow(NoTableError);
    }
  });
});

describe('the headings of a table', () => {
  const rows = ['01.03.2026;00:15;1,5;M', '01.03.2026;00:30;2;M'];
  it.each([
    ['the first line', ['Date;Time;kW;Status', ...rows], 0],
    ['below titles', ['Load profile, March', 'Meter;4711', '', 'Date;Time;kW;Status', ...rows], 2],
    [
      'below titles that a spreadsheet has filled up',
      ['Load profile;;;', 'Meter;4711;;', 'Date;Time;kW;Status', ...rows],
      2,
    ],
    ['the first line where a column has no name: no row is taken for them', ['Date;Time;kW;', ...rows], 0],
    ['the first line where there are no rows', ['Date;Time;kW;Status'], 0],
    ['above a sum', ['Date;Time;kW;Status', ...rows, 'Sum;3,5'], 0],
  ])('%s', (_, lines, at) => {
    expect(findHeadings(readDelimited(lines.join('\n'), ';'))).toBe(at);
  });

  it('do not exist in an empty text', () => {
    expect(findHeadings([])).toBe(0);
  });
});

it('written text reads back, and formulas are escaped for spreadsheets', () => {
  expect(delimitedLine(['a;b', 'c"d', '=1+1', '-5,5', '@x'], ';')).toBe(`"a;b";"c""d";'=1+1;-5,5;'@x\r\n`);
});
