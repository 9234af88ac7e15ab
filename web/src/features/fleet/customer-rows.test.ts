import { describe, expect, it } from 'vitest';
import { proposeCode, readCustomerRows } from './customer-rows.ts';

const none: ReadonlySet<string> = new Set();

describe('the code proposed for a name', () => {
  it.each([
    ['Acme Works', 'acme-works'],
    ['  Müller & Söhne GmbH ', 'muller-sohne-gmbh'],
    ['Straße 7', 'strasse-7'],
    ['Caddy', 'caddy-2'],
    ['x', ''],
    ['株式会社', ''],
    ['', ''],
    ['a'.repeat(60), 'a'.repeat(39)],
    [`${'a'.repeat(38)} b`, 'a'.repeat(38)],
  ])('%j is %j', (name, code) => {
    expect(proposeCode(name, none)).toBe(code);
  });

  it('is none that is taken', () => {
    expect(proposeCode('Acme', new Set(['acme', 'acme-2']))).toBe('acme-3');
    expect(proposeCode('b'.repeat(60), new Set(['b'.repeat(39)]))).toBe(`${'b'.repeat(37)}-2`);
  });
});

describe('a pasted table of customers', () => {
  const read = (text: string, taken = none) =>
    readCustomerRows(text, ['name', 'code'], taken).map(({ line, values, problem }) => [line, values, problem]);

  it('has name, code, group and notes; headings are left out, codes that are missing are proposed', () => {
    const text = 'Name\tCode\tGroup\tNotes\nAcme, Inc.\t\tNorth\tGate 3\n\nBeta\tacme-inc\n';
    expect(read(text)).toEqual([
      [2, { code: 'acme-inc-2', name: 'Acme, Inc.', group: 'North', notes: 'Gate 3' }, null],
      [4, { code: 'acme-inc', name: 'Beta', group: null, notes: null }, null],
    ]);
  });

  it('is also a list of names', () => {
    expect(read('Acme\nBeta').map(([, values]) => values)).toMatchObject([{ code: 'acme' }, { code: 'beta' }]);
    expect(read('')).toEqual([]);
  });

  it('says of each row what is wrong', () => {
    const text = `A\tNo Code\n\tx1\nB\ttaken\nC\ttwice\nD\ttwice\n株\nE\te1\t${'x'.repeat(61)}\nF\tf1\t\t${'x'.repeat(1001)}`;
    const problems = read(text, new Set(['taken'])).map(([, , problem]) => problem);
    expect(problems).toEqual(['code', 'name', 'taken', null, 'taken', 'code', 'group', 'notes']);
  });
});
