import { describe, expect, it } from 'vitest';
import { speakPlainly } from '../server/http/errors.ts';
import { externalId, externalIdCell, name, withoutDirections } from './primitives.ts';

speakPlainly();

const called = (value: string) => name(100).safeParse(value).success;

describe('A name', () => {
  it.each([
    'Werk 1',
    'מפעל חיפה',
    'مصنع القاهرة',
    'Halle \u{1F3ED}',
    '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
    'בית\u200F (2)',
    '工場',
    'می\u200Cخواهم',
  ])('may be %j', (value) => expect(called(value)).toBe(true));

  it.each([
    'a\u202Eb',
    'a\u2066b',
    'a\u2069',
    'a\u0007b',
    'two\nlines',
    'two\u2028lines',
    'tab\there',
    'a\u0085b',
    'a\u007Fb',
  ])('may not be %j, which changes the direction or the line of its surroundings', (value) => {
    const { error } = name(100).safeParse(value);
    expect(error?.issues[0]?.message).toBe('mustBeLine');
  });

  it.each(['', ' ', '\u200B', ' \u2060\uFEFF ', '\u3164', '\u2800', '\u00AD'])(
    'may not be %j, which is invisible',
    (value) => {
      const { error } = name(100).safeParse(value);
      expect(error?.issues.map(({ message }) => message)).toEqual(['mustNotBeEmpty']);
    },
  );

  it('is shown without characters that change the direction of its surroundings, and with all others', () => {
    expect(withoutDirections('\u202Elive\u2066 \u{1F3ED} בית\u200F')).toBe('live \u{1F3ED} בית\u200F');
  });
});

describe('An external id', () => {
  const problems = (value: string, of = externalId) => of.safeParse(value).error?.issues.map(({ message }) => message);

  it.each(['meter 1', 'Zähler/7', '工場', 'م-1', '4.711E+12', '\u{1F3ED}'])('may be %j', (value) => {
    expect(problems(value)).toBeUndefined();
  });

  it.each(['me\u200Bter', 'a\u00ADb', 'a\u202Eb', 'tab\there', 'me\u200Dter'])(
    'may not be %j: it looks like another one',
    (value) => {
      expect(problems(value)).toEqual(['mustBeVisible']);
    },
  );

  it('loses a byte order mark at the ends together with the blanks', () => {
    expect(externalId.parse('\uFEFFmeter ')).toBe('meter');
  });

  it.each(['\u200B', ' \u2060 ', '\u3164'])('may not be %j, which is invisible', (value) => {
    expect(problems(value)).toEqual(['mustNotBeEmpty']);
  });

  it.each(['4.711E+12', '4,711E+12', '5e+11', '-1.5E+07'])(
    'in a table may not be %j, which has lost digits',
    (value) => {
      expect(problems(value, externalIdCell)?.[0]).toBe('shortenedNumber');
    },
  );

  it.each(['4711000000123', '12E34', '1E5', 'E+12', '4.711E+12-a', '12.5E+3'])('in a table may be %j', (value) => {
    expect(problems(value, externalIdCell)).toBeUndefined();
  });
});
