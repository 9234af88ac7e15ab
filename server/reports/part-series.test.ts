import { expect, test } from 'vitest';
import { toolLimits } from '../../shared/dashboard-tool.ts';
import { withOthers } from './part-series.ts';
import { listParts, splitDevices } from './parts.rules.ts';

const series = (name: string, ...values: (number | null)[]) => ({
  name,
  unit: 'kW',
  labels: { customer: name },
  points: values.map((value, at): [number, number | null] => [at, value]),
});

test('Beyond the limit, the largest series stay in their order, and the others are summed up', () => {
  const all = [
    series('a', 1, null),
    series('b', -9, 9),
    series('c', null, null),
    series('d', 2, null),
    series('e', 5, 5),
  ];
  expect(withOthers(all, 3)).toEqual([
    all[1],
    all[4],
    {
      name: 'Others (3)',
      unit: 'kW',
      labels: { others: '3' },
      points: [
        [0, 3],
        [1, null],
      ],
    },
  ]);
});

test('Up to the limit, all series stay as they are', () => {
  const all = [series('a', 1), series('b', 2)];
  expect(withOthers(all, 2)).toEqual(all);
});

test('A query with more parts than an answer has is refused with their number', () => {
  const devices = Array.from({ length: toolLimits.parts + 1 }, (_, at) => {
    return { id: `${at}`, name: `${at}`, siteId: 'a', siteName: 'A' };
  });
  const sources = [{ labels: { customerId: null, customerName: null }, devices }];
  const partsOf = (split: 'device' | 'site') =>
    listParts(sources, splitDevices(sources, split), { split, limit: toolLimits.parts });
  expect(() => partsOf('device')).toThrow(/split by device, the query has 501 parts, more than 500/i);
  expect(partsOf('site')).toHaveLength(1);
});
