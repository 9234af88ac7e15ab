import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, columnName, displayWidth, looksLikeFormula, plainText, sheetName } from './workbook-text.ts';

/** How a reader decodes a text in the file: entities, then `_xHHHH_` from left to right (ECMA-376 part 1, 22.9.2.19). */
const readCell = (written: string) =>
  readPlain(written).replaceAll(/_x([0-9A-Fa-f]{4})_/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
const readPlain = (written: string) =>
  written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
/** The characters of XML 1.0 (production 2), except `\r`, which parsers change. */
const xmlText = /^(?:[\t\n\u0020-\uD7FF\uE000-\uFFFD]|[\u{10000}-\u{10FFFF}])*$/u;
const nonCharacters = /[\uFFFE\uFFFF]/gu;
/** Any UTF-16 code units, including halves of characters and what looks like an escape. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('_', '_x', '_x0041', '_x0041_', '_x005F_', 'x000b', '\uD83D', '\uDE00', '&amp;', '<', '\uFFFE'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

describe('Excel rule: a text of a cell', () => {
  test.each([
    ['a < b & "c" > d', 'a &lt; b &amp; &quot;c&quot; &gt; d'],
    ['&lt;', '&amp;lt;'],
    ['line\nbreak\tand tab', 'line\nbreak\tand tab'],
    ['\u0000\u0008\u000B\u000C\r\u001F', '_x0000__x0008__x000B__x000C__x000D__x001F_'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x004a_ and _X0041_ and _x41_', '_x005F_x004a_ and _X0041_ and _x41_'],
    ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'],
    ['_x0041\u000B', '_x005F_x0041_x000B_'],
    ['a\uD83Db\uDE00c', 'a\uFFFDb\uFFFDc'],
    ['\uFFFE\uFFFF', '\uFFFD\uFFFD'],
    ['😀 مرحبا ﷺ', '😀 مرحبا ﷺ'],
    ["=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"],
    ['', ''],
  ])('%j is written as %j', (text, written) => {
    expect(cellText(text)).toBe(written);
  });

  test('any text reads back unchanged, except half characters and the two that are invalid', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const written = cellText(text);
        expect(written).toMatch(xmlText);
        expect(written).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot);)/u);
        expect(readCell(written)).toBe(text.toWellFormed().replaceAll(nonCharacters, '\uFFFD'));
      }),
      { numRuns: 2000 },
    );
  });

  test('32,767 UTF-16 units fit; longer text is cut to that, with an ellipsis at the end', () => {
    const longest = 'x'.repeat(32_767);
    expect(cellText(longest)).toBe(longest);
    expect(cellText(`${longest}y`)).toBe(`${'x'.repeat(32_766)}…`);
    expect(cellText('😀'.repeat(20_000))).toBe(`${'😀'.repeat(16_383)}…`);
  });

  test('a character of two units at the limit is left out completely', () => {
    expect(cellText(`${'x'.repeat(32_765)}😀yy`)).toBe(`${'x'.repeat(32_765)}…`);
    expect(cellText(`${'x'.repeat(32_765)}😀`)).toBe(`${'x'.repeat(32_765)}😀`);
  });

  test('an escaped character counts as one', () => {
    const longest = '&\u000B'.repeat(16_383);
    expect(readCell(cellText(longest))).toBe(longest);
    expect(readCell(cellText(`${longest}\u000B\u000B`))).toBe(`${longest}…`);
  });
});

test('a text elsewhere in XML loses only what XML cannot hold', () => {
  expect(plainText('a\u0000b\u000Bc\nd\te\uD800f\uFFFF _x0041_')).toBe('abc\nd\te\uFFFDf\uFFFD _x0041_');
  expect(plainText('<"&">')).toBe('&lt;&quot;&amp;&quot;&gt;');
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(plainText(text).replaceAll('\r', '')).toMatch(xmlText);
    }),
  );
});

test.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '＝1', "=cmd|' /C calc'!A0"])(
  '%j looks like a formula',
  (text) => {
    expect(looksLikeFormula(text)).toBe(true);
  },
);

test.each(['', '1-1', ' =1', 'a=b', "'=1", '😀', '(1)'])('%j does not look like a formula', (text) => {
  expect(looksLikeFormula(text)).toBe(false);
});

describe('Excel rule: a sheet name', () => {
  const named = (wanted: string) => sheetName(wanted, new Set());

  test.each([
    ['Measurements', 'Measurements'],
    ["It's raw", "It's raw"],
    ['a[b]c:d*e?f/g\\h', 'a b c d e f g h'],
    ['tab\there', 'tab here'],
    ['\u0000next\u007Fline\u0085', 'next line'],
    ["'quoted'", 'quoted'],
    ["' 'both' '", 'both'],
    ["''", 'Sheet'],
    ['', 'Sheet'],
    [' /:* ', 'Sheet'],
    ['History', 'Sheet History'],
    ['hISTORY', 'Sheet hISTORY'],
    [' History/', 'Sheet History'],
    ['History 2', 'History 2'],
    ['a\uD83D', 'a\uFFFD'],
    ['😀 مرحبا', '😀 مرحبا'],
    ['x'.repeat(31), 'x'.repeat(31)],
    ['x'.repeat(32), 'x'.repeat(31)],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    [`${'x'.repeat(29)}😀`, `${'x'.repeat(29)}😀`],
    [`${'x'.repeat(29)} '${'y'.repeat(9)}`, 'x'.repeat(29)],
  ])('%j becomes %j', (wanted, name) => {
    expect(named(wanted)).toBe(name);
  });

  test('two names that differ only in case are the same to Excel: the later gets a number', () => {
    const taken = new Set<string>();
    const names = ['Site', 'SITE', 'site', 'Site (2)', 'ΑΣ', 'ασ'].map((wanted) => sheetName(wanted, taken));
    expect(names).toEqual(['Site', 'SITE (2)', 'site (3)', 'Site (2) (2)', 'ΑΣ', 'ασ (2)']);
  });

  test('300 characters that are the same up to the 31st stay distinct, within 31 units', () => {
    const taken = new Set<string>();
    const names = Array.from({ length: 120 }, (_, at) => sheetName(`${'n'.repeat(300)}${at}`, taken));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(120);
    expect(names.slice(0, 2)).toEqual(['n'.repeat(31), `${'n'.repeat(27)} (2)`]);
    expect(names.at(-1)).toBe(`${'n'.repeat(25)} (120)`);
  });

  test('for any input the result is a name that Excel accepts and that no other sheet has', () => {
    const wanted = fc.oneof(
      hostileText,
      fc.string({ unit: fc.constantFrom("'", ' ', 'a', 'A', '/', '😀', '\u0085', '\t'), maxLength: 40 }),
      fc.constantFrom('history', 'History', '', "'"),
    );
    fc.assert(
      fc.property(fc.array(wanted, { minLength: 1, maxLength: 6 }), (list) => {
        const taken = new Set<string>();
        const names = list.map((text) => sheetName(text, taken));
        for (const name of names) {
          expect(name.length).toBeGreaterThanOrEqual(1);
          expect(name.length).toBeLessThanOrEqual(31);
          expect(name).not.toMatch(/[[\]:*?/\\\p{Cc}\uFFFE\uFFFF]|^'|'$|^history$/iu);
          expect(name.isWellFormed()).toBe(true);
        }
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(list.length);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('the column %i is called %s', (index, name) => {
  expect(columnName(index)).toBe(name);
});

test.each([
  ['', 0],
  ['Active power (kW)', 17],
  ['é ñ ß', 5],
  ['مرحبا', 5],
  ['漢字', 4],
  ['한글', 4],
  ['ｆｕｌｌ', 8],
  ['😀', 2],
  ['short\nthe longest line\nend', 16],
])('%j is as wide as %j usual characters', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});
