import { describe, expect, it } from 'vitest';
import {
  chartData,
  extremesOf,
  largestSeries,
  nearestIndex,
  othersId,
  sumOf,
  withDetail,
  withoutBuckets,
  type ChartData,
} from './chart-data.ts';

const hour = 3_600_000;
const data = (series: Record<string, (number | null)[]>, startsMs = [0, hour, 2 * hour]): ChartData => ({
  startsMs,
  endsMs: startsMs.map((start) => start + hour),
  series: Object.entries(series).map(([id, values]) => ({ id, name: id, values })),
});

describe('the buckets of a chart', () => {
  it('end with the range if it cuts them, because they count only the part inside', () => {
    const range = { fromMs: Date.parse('2026-03-01T10:20:00Z'), toMs: Date.parse('2026-03-01T12:30:00Z') };
    const times = ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z'];
    const { startsMs, endsMs } = chartData(times, 'hour', 'UTC', range, []);
    expect([startsMs[0], endsMs[0]]).toEqual([range.fromMs, Date.parse('2026-03-01T11:00:00Z')]);
    expect([startsMs[2], endsMs[2]]).toEqual([Date.parse('2026-03-01T12:00:00Z'), range.toMs]);
  });

  it('are days of the zone, with 23 hours in spring', () => {
    const range = { fromMs: Date.parse('2026-03-28T23:00:00Z'), toMs: Date.parse('2026-03-30T22:00:00Z') };
    const { endsMs } = chartData(['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'], 'day', 'Europe/Berlin', range, []);
    expect(endsMs).toEqual([Date.parse('2026-03-29T22:00:00Z'), range.toMs]);
  });

  it('are found by the nearest middle', () => {
    const three = data({});
    expect([-hour, 0.9 * hour, 1.1 * hour, 9 * hour].map((at) => nearestIndex(three, at))).toEqual([0, 0, 1, 2]);
    expect(nearestIndex(data({}, []), 5)).toBe(-1);
  });
});

describe('sums', () => {
  it('are null only if no series is known', () => {
    const { series } = data({ a: [1, null, null], b: [2, 3, null] });
    expect([0, 1, 2].map((index) => sumOf(series, index))).toEqual([3, 3, null]);
  });

  it('give the highest and lowest of a stack, or of single lines', () => {
    const two = data({ a: [1, 5, -2], b: [1, 1, null] });
    expect(extremesOf(two, true)).toEqual({ highest: 6, highestIndex: 1, lowest: -2, lowestIndex: 2 });
    expect(extremesOf(two, false)).toEqual({ highest: 5, highestIndex: 1, lowest: -2, lowestIndex: 2 });
    expect(extremesOf(data({ a: [null, null, null] }), true)).toBeNull();
  });
});

describe('the largest series', () => {
  it('keep their order, and the others are summed up in one', () => {
    const four = data({ a: [1, 1, 1], b: [9, 9, 9], c: [2, null, 2], d: [-8, -8, -8] });
    const { series } = largestSeries(four, 3, (count) => `${count} others`);
    expect(series.map(({ name }) => name)).toEqual(['b', 'd', '2 others']);
    expect(series.at(-1)).toEqual({ id: othersId, name: '2 others', values: [3, 1, 3] });
  });

  it('are found by adding up each series once, however many there are', () => {
    let additions = 0;
    const series = Array.from({ length: 300 }, (_, n) => ({
      id: `${n}`,
      name: `${n}`,
      values: new Proxy([(n * 7) % 300], {
        get: (values, name) => {
          if (name === 'length') additions += 1;
          return Reflect.get(values, name);
        },
      }),
    }));
    largestSeries({ ...data({}, []), series }, 8, String);
    expect(additions).toBe(300);
  });

  it('are all series if there is room', () => {
    const two = data({ a: [1], b: [2] });
    expect(largestSeries(two, 2, String)).toBe(two);
  });
});

describe('detail of a zoomed part', () => {
  it('replaces the buckets inside the window and keeps those outside', () => {
    const base = data({ a: [1, 2, 3], b: [4, 5, 6] });
    const detail: ChartData = {
      startsMs: [hour, 1.5 * hour],
      endsMs: [1.5 * hour, 2 * hour],
      series: [{ id: 'a', name: 'a', values: [20, 21] }],
    };
    const joined = withDetail(base, detail, { fromMs: hour, toMs: 2 * hour });
    expect(joined.startsMs).toEqual([0, hour, 1.5 * hour, 2 * hour]);
    expect(joined.endsMs).toEqual([hour, 1.5 * hour, 2 * hour, 3 * hour]);
    expect(joined.series.map(({ values }) => values)).toEqual([
      [1, 20, 21, 3],
      [4, null, null, 6],
    ]);
  });

  it('keeps the bands', () => {
    const band = (id: string, value: number) => ({
      id,
      name: id,
      values: [value],
      lows: [value - 1],
      highs: [value + 1],
    });
    const base: ChartData = { startsMs: [0], endsMs: [hour], series: [band('a', 5)] };
    const detail: ChartData = { startsMs: [0], endsMs: [hour / 2], series: [band('a', 7)] };
    expect(withDetail(base, detail, { fromMs: 0, toMs: hour }).series[0]).toEqual(band('a', 7));
  });
});

it('buckets can be left out of all series at once', () => {
  const left = withoutBuckets(data({ a: [1, 2, 3] }), (startMs) => startMs === hour);
  expect(left).toEqual(data({ a: [1, 3] }, [0, 2 * hour]));
});
