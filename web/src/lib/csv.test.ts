import { expect, it } from 'vitest';
import { csvText, fileStem } from './csv.ts';

it('a table becomes lines of values with all digits, without floating-point noise; unknown values are empty', () => {
  const table = {
    header: ['Start', 'kW'],
    rows: [
      ['2026-10-25T02:00:00+02:00', 0.1 + 0.2],
      ['b', null],
    ],
  };
  expect(csvText(table)).toBe('Start,kW\r\n2026-10-25T02:00:00+02:00,0.3\r\nb,\r\n');
  expect(csvText({ header: ['a'], rows: [[NaN], [-1.5]] })).toBe('a\r\n\r\n-1.5\r\n');
});

it('only digits from floating-point noise are cut', () => {
  const rows = [[18.833000000002812], [-2.8421709430404007e-12], [0.1234567891], [12_345_678.123456]];
  expect(csvText({ header: ['a'], rows })).toBe('a\r\n18.833\r\n0\r\n0.1234567891\r\n12345678.123456\r\n');
});

it('commas, quotes and line breaks stay inside their cell', () => {
  expect(csvText({ header: ['Hall 1, "north"'], rows: [['a\nb']] })).toBe('"Hall 1, ""north"""\r\n"a\nb"\r\n');
});

it.each([
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['+49', "'+49"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['a;=1', "a;'=1"],
  ['a\t=1', "a\t'=1"],
  ['Press = 1', 'Press = 1'],
])('a device named %s runs nothing in a spreadsheet', (name, text) => {
  expect(csvText({ header: [name], rows: [] })).toBe(`${text}\r\n`);
});

it('the name of a file has only letters and digits, of any language', () => {
  expect(fileStem('Load curve, 1–7 Nov 2026')).toBe('load-curve-1-7-nov-2026');
  expect(fileStem('../Énergie\u0000 par appareil')).toBe('énergie-par-appareil');
});
