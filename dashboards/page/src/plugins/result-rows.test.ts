import { expect, it } from 'vitest';
import type { Answers } from './parts.ts';
import { calculate } from './parts.ts';
import { resultRows } from './result-rows.ts';

const answer = (
  measure: string,
  ...series: readonly [name: string, id: string, value: number | null, unit: string][]
) =>
  ({
    definition: { kind: 'TimeSeriesQuery', spec: { plugin: { kind: 'PortalQuery', spec: { measure } } } },
    data: {
      series: series.map(([name, deviceId, value, unit]) => ({
        name,
        labels: { deviceId, measure, unit },
        values: [[1, value]],
      })),
    },
  }) satisfies Answers[number];

it('the values of a table are in the row of their device, even if two have one name; a device without data has no row', () => {
  const energy = answer('energy', ['Pump', 'a', 5, 'kWh'], ['Pump', 'b', 7, 'kWh']);
  const cost = answer('cost', ['Pump', 'b', 2, 'EUR'], ['Fan', 'c', null, 'EUR'], ['Pump', 'b', 3, 'CHF']);
  const rows = resultRows([energy, cost]).map(({ name, cells }) => [
    name,
    ...cells.map((parts) => parts.map(({ value, unit }) => `${value} ${unit}`).join()),
  ]);
  expect(rows).toEqual([
    ['Pump', '5 kWh', ''],
    ['Pump', '7 kWh', '2 EUR,3 CHF'],
  ]);
});

it('a row is about a device, site or customer, and the total, the rest and periods about none', () => {
  const labelled = (labels: Record<string, string>) => {
    const [series] = answer('energy', ['Row', '', 1, 'kWh']).data.series;
    return {
      ...answer('energy'),
      data: { series: [{ ...series, name: 'Row', values: series?.values ?? [], labels }] },
    };
  };
  const subject = (labels: Record<string, string>) => resultRows([labelled(labels)])[0]?.subject ?? null;
  const ofCustomer = { customerId: 'c', customer: 'Acme' };
  expect(subject({ ...ofCustomer, siteId: 's', deviceId: 'd' })).toEqual({
    kind: 'device',
    key: 'c d',
    customerId: 'c',
  });
  expect(subject({ siteId: 's' })).toMatchObject({ kind: 'site', key: ' s' });
  expect(subject(ofCustomer)).toMatchObject({ kind: 'customer', key: ' c' });
  for (const labels of [{}, { others: '3' }, { siteId: 's', period: 'Night' }]) expect(subject(labels)).toBeNull();
});

it('a table of no answers and answers of no parts have no rows', () => {
  expect(resultRows([])).toEqual([]);
  expect(resultRows([answer('energy')])).toEqual([]);
});

it('a figure uses only the known values, and is unknown without any', () => {
  const part = { key: '', name: '', measure: 'power', unit: 'kW' };
  const all = (points: [number, number | null][]) =>
    (['last-number', 'mean', 'min', 'max', 'sum'] as const).map((how) => calculate(how, { ...part, points }));
  expect(
    all([
      [1, 2],
      [2, null],
      [3, 6],
      [4, 1],
      [5, null],
    ]),
  ).toEqual([1, 3, 1, 6, 9]);
  expect(all([[1, null]])).toEqual([null, null, null, null, null]);
  expect(all([])).toEqual([null, null, null, null, null]);
  const total = (one: object) => calculate('total', { ...part, points: [[1, 7]], ...one });
  expect([total({}), total({ total: 9 }), total({ total: null })]).toEqual([7, 9, null]);
});
