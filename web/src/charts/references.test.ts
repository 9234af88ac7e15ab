import { expect, it } from 'vitest';
import type { ChartData } from '../../../shared/charts/chart-data.ts';
import { referenceAt, referenceLines, shownReferences } from './references.ts';

const data = (values: (number | null)[]): ChartData => ({
  startsMs: values.map((_, index) => index * 100),
  endsMs: values.map((_, index) => index * 100 + 100),
  series: [{ id: 'total', name: 'total', values, lows: values, highs: values.map((value) => value && value + 1) }],
});
const text = '#123456';
const colors = { series: [], others: '', text, dimmed: '', surface: '' };

it('only references that are on and have values are drawn', () => {
  const references = [
    { id: 'a', name: 'A', isShown: true, data: data([1, 2]) },
    { id: 'b', name: 'B', isShown: false, data: data([1, 2]) },
    { id: 'c', name: 'C', isShown: true, data: null },
    { id: 'd', name: 'D', isShown: true, data: data([null, null]) },
  ];
  expect(shownReferences(references).map(({ id }) => id)).toEqual(['a']);
});

it('two with the same series have separate lines, distinguished by their dashes', () => {
  const shown = ['b', 'a'].map((id) => ({ id, name: id, data: data([1, 2]) }));
  const lines = referenceLines(shown, ['a', 'b'], colors);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  expect(lines.filter(({ fill }) => fill === undefined).map(({ dash }) => dash)).toEqual(['dashed', undefined]);
});

it('a reference has a value at each instant of its buckets, whatever those of the chart are, and none outside', () => {
  const reference = { id: 'a', name: 'A', data: data([1, null, 3]) };
  expect(referenceAt(reference, 10)).toEqual({ value: 1, low: 1, high: 2 });
  expect(referenceAt(reference, 150).value).toBeNull();
  expect(referenceAt(reference, 299).value).toBe(3);
  for (const atMs of [-1, 300]) expect(referenceAt(reference, atMs).value).toBeNull();
});
