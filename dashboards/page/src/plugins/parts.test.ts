import { expect, it } from 'vitest';
import { namedParts, partsOf } from './parts.ts';

const part = (name: string, value: number | null) => {
  return { key: name, name, measure: 'power', unit: 'kW', points: [[1, value] as const] };
};

it('a legend names the eight largest in their order, and counts the others', () => {
  const small = Array.from({ length: 300 }, (_, at) => part(`small ${at}`, 1));
  const large = Array.from({ length: 7 }, (_, at) => part(`large ${at}`, -100 - at));
  const { named, rest, restCount } = namedParts([...small, ...large, { ...part('Others (40)', 5000), others: 40 }]);
  expect(named.map(({ name }) => name)).toEqual(['small 0', ...large.map(({ name }) => name)]);
  expect([rest.length, restCount]).toEqual([300, 339]);
});

it('up to eight are all named', () => {
  const few = Array.from({ length: 8 }, (_, at) => part(`${at}`, at));
  expect(namedParts(few)).toEqual({ named: few, rest: [], restCount: 0 });
  expect(namedParts([])).toEqual({ named: [], rest: [], restCount: 0 });
});

it('a customer has the color of its id, and a site or device that of its number, whatever else is shown', () => {
  const colorsOf = (...labels: Record<string, string>[]) =>
    partsOf({
      definition: { kind: 'TimeSeriesQuery', spec: { plugin: { kind: 'PortalQuery', spec: {} } } },
      data: { series: labels.map((own, at) => ({ name: String(at), values: [], labels: own })) },
    }).map(({ colorNumber }) => colorNumber);
  const [one, other] = [{ customerId: 'a' }, { customerId: 'b' }];
  const [first, second] = colorsOf(one, other);
  expect(first).not.toBe(second);
  expect(colorsOf(other)).toEqual([second]);
  expect(colorsOf({ ...one, siteId: 's', color: '3' }, {})).toEqual([2, undefined]);
  // Charges are gray, as on the portal's pages.
  expect(colorsOf({ line: 'vat' }, { line: 'fixedCharge' })).toEqual([undefined, undefined]);
  expect(colorsOf({ line: 'energy', period: 'Night' })[0]).toBeTypeOf('number');
});
