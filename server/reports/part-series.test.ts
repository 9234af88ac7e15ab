import { expect, test } from 'vitest';
import { withOthers } from './part-series.ts';

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
