import { describe, expect, it } from 'vitest';
import type { ChartData } from './chart-data.ts';
import { colorsById, drawnShapes, linesWithBands, nameNumber, stackedAreas, type DrawnLine } from './drawing.ts';

const data = (series: Record<string, (number | null)[]>, count = 3): ChartData => ({
  startsMs: Array.from({ length: count }, (_, index) => index * 100),
  endsMs: Array.from({ length: count }, (_, index) => index * 100 + 100),
  series: Object.entries(series).map(([id, values]) => ({ id, name: id, values })),
});
const colors = new Map([
  ['a', '#111111'],
  ['b', '#222222'],
]);
/** The height of each point above its base. */
const valuesOf = (line: DrawnLine | undefined) =>
  line?.points.map(({ value, base = 0 }) => (value === null ? null : value - base));
const tops = (line: DrawnLine | undefined) => line?.points.map(({ value }) => value);

describe('stacked areas', () => {
  it('stack import above and export below zero, each in the color of its series', () => {
    const areas = stackedAreas(data({ a: [1, 2, 3], b: [2, -4, -4] }), colors);
    expect(areas.map(({ id, color }) => [id, color])).toEqual([
      ['a import', '#111111'],
      ['b import', '#222222'],
      ['b export', '#222222'],
    ]);
    expect(valuesOf(areas[1])).toEqual([2, 0, null]);
    expect(tops(areas[1])).toEqual([3, 2, null]);
    expect(tops(areas[2])).toEqual([0, -4, -4]);
  });

  it('are drawn on the known series below them if one of those has a gap', () => {
    const areas = stackedAreas(data({ a: [1, null, 3], b: [2, 2, 2], c: [4, 4, 4] }), colors);
    expect(tops(areas[1])).toEqual([3, 2, 5]);
    expect(tops(areas[2])).toEqual([7, 6, 9]);
  });

  it('draw nothing along the border of another area if the value is zero', () => {
    const [, second] = stackedAreas(data({ a: [1, 2, 3, 4, 5], b: [0, 0, 0, 2, 0] }, 5), colors);
    expect(valuesOf(second)).toEqual([null, null, 0, 2, 0]);
  });

  it('draw a single series at zero, so that it is visible', () => {
    expect(tops(stackedAreas(data({ a: [0, 0, 0] }), colors)[0])).toEqual([0, 0, 0]);
  });

  it('leave gaps open, with a dot for a value without neighbours', () => {
    const [area] = stackedAreas(data({ a: [1, null, 3] }), colors);
    expect(tops(area)).toEqual([1, null, 3]);
    expect(area?.points.map(({ isAlone = false }) => isAlone)).toEqual([true, false, true]);
  });
});

describe('lines', () => {
  it('include the band from the lowest to the highest reading', () => {
    const [band, line] = linesWithBands(
      { ...data({}), series: [{ id: 'a', name: 'a', values: [2, 3, 4], lows: [1, -1, 0], highs: [4, 5, 4] }] },
      colors,
    );
    expect(band?.points.map(({ base, value }) => [base, value])).toEqual([
      [1, 4],
      [-1, 5],
      [0, 4],
    ]);
    expect(band).toMatchObject({ width: 0, fill: 0.2 });
    expect(tops(line)).toEqual([2, 3, 4]);
    expect(line?.fill).toBeUndefined();
  });

  it('are drawn behind the others and dashed if they must not cover them', () => {
    const { series, ...times } = data({ a: [1, 2, 3], b: [1, 2, 3] });
    const [a, b] = series.map((one, position) => (position === 1 ? { ...one, isBehind: true as const } : one));
    const drawn = linesWithBands({ ...times, series: [a, b].filter((one) => one !== undefined) }, colors);
    expect(drawn.map(({ id, dash }) => [id, dash])).toEqual([
      ['b', 'dashed'],
      ['a', undefined],
    ]);
  });

  it('have no band if the quantity has none', () => {
    expect(linesWithBands(data({ a: [1, 2, 3] }), colors).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('bars', () => {
  const two = { a: [1, -2, null], b: [3, -4, 5] };
  const ends = (kind: 'bars' | 'sideBySide') =>
    drawnShapes(data(two), kind, colors).map((shape) =>
      shape.kind === 'bars' ? shape.bars.map(({ fromMs, toMs, base, value }) => [fromMs, toMs, base, value]) : [],
    );

  it('are stacked by sign, each as wide as its bucket', () => {
    expect(ends('bars')).toEqual([
      [
        [0, 100, 0, 1],
        [100, 200, 0, -2],
      ],
      [
        [0, 100, 1, 4],
        [100, 200, -2, -6],
        [200, 300, 0, 5],
      ],
    ]);
  });

  it('are side by side in separate slots', () => {
    const shapes = drawnShapes(data(two), 'sideBySide', colors);
    expect(shapes).toMatchObject([
      { slot: 0, slots: 2 },
      { slot: 1, slots: 2 },
    ]);
    expect(ends('sideBySide')[1]).toEqual([
      [0, 100, 0, 3],
      [100, 200, 0, -4],
      [200, 300, 0, 5],
    ]);
  });
});

it('colors repeat after the last one, and the series of the others has its own', () => {
  const scheme = {
    series: ['#1', '#2'],
    others: '#0',
    text: '',
    dimmed: '',
    surface: '',
  };
  const { series } = data({ a: [], b: [], c: [], others: [] });
  expect([...colorsById(series, scheme)]).toEqual([
    ['a', '#1'],
    ['b', '#2'],
    ['c', '#1'],
    ['others', '#0'],
  ]);
});

describe('the color of a site, a device or a tariff period', () => {
  const scheme = { series: ['#0', '#1', '#2', '#3'], others: '#o', text: '#t', dimmed: '#d', surface: '#s' };
  const colorsOf = (numbers: Record<string, number | undefined>) =>
    Object.fromEntries(
      colorsById(
        Object.entries(numbers).map(([id, colorNumber]) => (colorNumber === undefined ? { id } : { id, colorNumber })),
        scheme,
      ),
    );

  it('follows from its number, whichever others are shown and in whatever order', () => {
    expect(colorsOf({ b: 1, a: 0, f: 6 })).toEqual({ a: '#0', b: '#1', f: '#2' });
    expect(colorsOf({ f: 6 })).toEqual({ f: '#2' });
    expect(colorsOf({ f: 6, b: 1 })).toEqual({ b: '#1', f: '#2' });
  });

  it('gives way to an older one of the same color in the same chart; what has no number takes what is left', () => {
    expect(colorsOf({ total: undefined, e: 4, a: 0, b: 1 })).toEqual({ a: '#0', b: '#1', e: '#2', total: '#3' });
  });

  it('is the same for the same name of a period, and another one for its neighbors', () => {
    expect(nameNumber(' night')).toBe(nameNumber('Night'));
    for (const length of [8, 9, 10]) {
      const places = ['Default', 'Day', 'Night'].map((name) => nameNumber(name) % length);
      expect(new Set(places).size, String(length)).toBe(3);
    }
  });
});
