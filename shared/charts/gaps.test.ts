import { describe, expect, it } from 'vitest';
import type { ChartData } from './chart-data.ts';
import { bridged, linePoints } from './gaps.ts';

const minute = 60_000;
/** Buckets of 5 minutes, starting at 0. */
const buckets = (count: number): ChartData => ({
  startsMs: Array.from({ length: count }, (_, index) => index * 5 * minute),
  endsMs: Array.from({ length: count }, (_, index) => (index + 1) * 5 * minute),
  series: [],
});

describe('gaps of a line', () => {
  it('break it if a meter that always reports does not', () => {
    const points = linePoints(buckets(5), [1, 2, null, 4, 5]);
    expect(points.map(({ value }) => value)).toEqual([1, 2, null, 4, 5]);
  });

  it('do not appear between the readings of a meter that is slower than the buckets', () => {
    const values = [1, null, null, 2, null, null, 3, null, null, 4];
    expect(linePoints(buckets(10), values).map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  });

  it('break the line of a slow meter too, once it misses a reading', () => {
    const values = [1, null, null, 2, null, null, null, null, null, 4, null, null, 5, null, null, 6];
    expect(linePoints(buckets(16), values).map(({ value }) => value)).toEqual([1, 2, null, 4, 5, 6]);
  });

  it('leave a reading without neighbours as a dot', () => {
    const points = linePoints(buckets(15), [1, 2, 3, 4, 5, null, null, 8, null, null, 11, 12, 13, 14, 15]);
    expect(points.filter(({ isAlone }) => isAlone).map(({ value }) => value)).toEqual([8]);
  });

  it('put an average into the middle of its bucket', () => {
    expect(linePoints(buckets(1), [7])).toEqual([{ atMs: 2.5 * minute, value: 7, index: 0, isAlone: true }]);
  });

  it('are judged by the surrounding buckets if a zoomed part has finer ones', () => {
    const hours = { startsMs: [0, 60, 120, 121, 122, 123, 180], endsMs: [60, 120, 121, 122, 123, 124, 240] };
    const data: ChartData = {
      startsMs: hours.startsMs.map((at) => at * minute),
      endsMs: hours.endsMs.map((at) => at * minute),
      series: [],
    };
    expect(linePoints(data, [1, 2, 3, 4, null, 6, 7]).map(({ value }) => value)).toEqual([1, 2, 3, 4, null, 6, 7]);
  });
});

describe('bridging for a stack', () => {
  it('fills the time between the readings of a slow meter with a straight line, but not a gap', () => {
    const values = [1, null, null, 4, null, null, 1, null, null, null, null, null, null, 2];
    expect(bridged(buckets(14), values)).toEqual([1, 2, 3, 4, 3, 2, 1, null, null, null, null, null, null, 2]);
  });

  it('adds nothing before the first and after the last reading', () => {
    expect(bridged(buckets(5), [null, 1, 2, 3, null])).toEqual([null, 1, 2, 3, null]);
  });
});
