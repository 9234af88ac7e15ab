import { describe, expect, it } from 'vitest';
import type { ChartData } from './chart-data.ts';
import { colorsById, linesWithBands, stackedAreas } from './drawing.ts';

const data = (series: Record<string, (number | null)[]>, count = 3): ChartData => ({
  startsMs: Array.from({ length: count }, (_, index) => index * 100),
  endsMs: Array.from({ length: count }, (_, index) => index * 100 + 100),
  series: Object.entries(series).map(([id, values]) => ({ id, name: id, values })),
});
const colors = new Map([
  ['a', '#111111'],
  ['b', '#222222'],
]);
const valuesOf = (line: { data?: unknown } | undefined) =>
  (Array.isArray(line?.data) ? line.data : []).map((item: unknown) => {
    const point: unknown = typeof item === 'object' && item !== null && 'value' in item ? item.value : item;
    return Array.isArray(point) ? point[1] : point;
  });

describe('stacked areas', () => {
  it('stack import above and export below zero, each in the color of its series', () => {
    const areas = stackedAreas(data({ a: [1, 2, 3], b: [2, -4, -4] }), colors);
    expect(areas.map(({ id, stack, color }) => [id, stack, color])).toEqual([
      ['a import', 'import', '#111111'],
      ['b import', 'import', '#222222'],
      ['b export', 'export', '#222222'],
    ]);
    expect(valuesOf(areas[1])).toEqual([2, 0, null]);
    expect(valuesOf(areas[2])).toEqual([0, -4, -4]);
  });

  it('draw nothing along the border of another area where nothing flows', () => {
    const [, second] = stackedAreas(data({ a: [1, 2, 3, 4, 5], b: [0, 0, 0, 2, 0] }, 5), colors);
    expect(valuesOf(second)).toEqual([null, null, 0, 2, 0]);
  });

  it('draw a single series at zero, so that it is seen to be zero', () => {
    expect(valuesOf(stackedAreas(data({ a: [0, 0, 0] }), colors)[0])).toEqual([0, 0, 0]);
  });

  it('leave gaps open', () => {
    expect(valuesOf(stackedAreas(data({ a: [1, null, 3] }), colors)[0])).toEqual([1, null, 3]);
  });
});

describe('lines', () => {
  it('carry the band from the lowest to the highest reading, as the lows and the distance to the highs', () => {
    const lines = linesWithBands(
      { ...data({}), series: [{ id: 'a', name: 'a', values: [2, 3, 4], lows: [1, -1, 0], highs: [4, 5, 4] }] },
      colors,
    );
    expect(lines.map(({ id }) => id)).toEqual(['a low', 'a high', 'a']);
    expect(valuesOf(lines[0])).toEqual([1, -1, 0]);
    expect(valuesOf(lines[1])).toEqual([3, 6, 4]);
    expect(valuesOf(lines[2])).toEqual([2, 3, 4]);
    // Any other strategy would not stack a distance on a negative low.
    expect(lines[1]?.stackStrategy).toBe('all');
  });

  it('have no band where the quantity has none', () => {
    expect(linesWithBands(data({ a: [1, 2, 3] }), colors).map(({ id }) => id)).toEqual(['a']);
  });
});

it('colors repeat after the last one, and the series of the others has its own', () => {
  const scheme = {
    series: ['#1', '#2'],
    others: '#0',
    text: '',
    dimmed: '',
    line: '',
    lineStrong: '',
    surface: '',
    sunken: '',
  };
  const { series } = data({ a: [], b: [], c: [], others: [] });
  expect([...colorsById(series, scheme)]).toEqual([
    ['a', '#1'],
    ['b', '#2'],
    ['c', '#1'],
    ['others', '#0'],
  ]);
});
