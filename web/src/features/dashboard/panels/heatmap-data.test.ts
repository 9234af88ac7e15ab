import { describe, expect, it } from 'vitest';
import { heatRange } from '../queries.ts';
import { heatData, heatRows, minutesPast } from './heatmap-data.ts';

const zone = 'Europe/Berlin';
const hourMs = 3_600_000;

/** Hours from an instant on, whose values are their positions. */
function hours(from: string, count: number) {
  const fromMs = Date.parse(from);
  const times = Array.from({ length: count }, (_, index) => new Date(fromMs + index * hourMs).toISOString());
  const series = [
    {
      id: 'total',
      name: 'Total',
      averagePowerKw: times.map((_, index) => index),
      energyImportedKwh: times.map(() => 0),
    },
  ];
  return { curve: { times, series }, range: { fromMs, toMs: fromMs + count * hourMs } };
}

describe('the load heatmap', () => {
  it('puts each hour at its local day and hour', () => {
    const { curve, range } = hours('2026-03-09T23:00:00Z', 25);
    const { rows, cells } = heatData(curve, range, zone);
    expect(rows).toEqual(['2026-03-10', '2026-03-11']);
    expect(cells[0]).toMatchObject({ row: 0, hour: 0, value: 0, count: 1 });
    expect(cells.at(-1)).toMatchObject({ row: 1, hour: 0, value: 24, count: 1 });
  });

  it('spring: the hour that does not exist has no cell', () => {
    const { curve, range } = hours('2026-03-28T23:00:00Z', 23);
    const { rows, cells } = heatData(curve, range, zone);
    expect(rows).toEqual(['2026-03-29']);
    expect(cells.map(({ hour }) => hour)).toEqual([0, 1, ...Array.from({ length: 21 }, (_, index) => index + 3)]);
  });

  it('autumn: the hour that occurs twice is the mean of both, and says so', () => {
    const { curve, range } = hours('2026-10-24T22:00:00Z', 25);
    const { cells } = heatData(curve, range, zone);
    expect(cells).toHaveLength(24);
    expect(cells.find(({ hour }) => hour === 2)).toMatchObject({ row: 0, hour: 2, value: 2.5, count: 2 });
    expect(cells.find(({ hour }) => hour === 3)?.value).toBe(4);
    // Opening it shows both of its hours.
    const twice = cells.find(({ count }) => count === 2);
    expect((twice?.toMs ?? 0) - (twice?.fromMs ?? 0)).toBe(2 * 3_600_000);
  });

  it('leaves out what is not known', () => {
    const { curve, range } = hours('2026-03-09T23:00:00Z', 24);
    const [series] = curve.series;
    const unknown = { ...series, id: '', name: '', energyImportedKwh: [], averagePowerKw: curve.times.map(() => null) };
    expect(heatData({ ...curve, series: [unknown] }, range, zone).cells).toEqual([]);
    expect(heatData({ ...curve, series: [] }, range, zone).cells).toEqual([]);
  });

  it('of more than about a year each row is a month, with the mean of each hour', () => {
    const { curve, range } = hours('2025-01-01T00:00:00Z', 24 * 730);
    const { rows, cells } = heatData(curve, range, 'UTC');
    expect(rows).toHaveLength(24);
    expect(rows[0]).toBe('2025-01');
    expect(cells).toHaveLength(24 * 24);
    // The mean of hour 0 on days 0 to 30 of January.
    expect(cells[0]).toMatchObject({ row: 0, hour: 0, value: 15 * 24, count: 31 });
  });

  it('has all rows of the range before there are data, so that its height is known', () => {
    const range = { fromMs: Date.parse('2026-02-28T23:00:00Z'), toMs: Date.parse('2026-03-31T22:00:00Z') };
    expect(heatRows(range, zone)).toHaveLength(31);
  });

  it('knows when the hours of the sites begin half past on the clocks of the page', () => {
    expect(minutesPast(['2026-03-01T00:00:00Z', '2026-03-01T00:30:00Z'], 'UTC')).toBe(30);
    expect(minutesPast(['2026-03-01T00:00:00Z', '2026-03-01T00:30:00Z'], 'Asia/Kolkata')).toBe(0);
    expect(minutesPast([], 'UTC')).toBe(0);
  });
});

describe('of a long range the heatmap shows', () => {
  const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
  const nowMs = Date.parse('2026-07-01T12:34:00Z');

  it('all of five years', () => {
    const five = range('2021-07-01T00:00:00Z', '2026-07-01T00:00:00Z');
    expect(heatRange(five, 'UTC', nowMs)).toEqual(five);
  });

  it('the last five years', () => {
    const ten = range('2015-07-01T00:00:00Z', '2025-07-01T00:00:00Z');
    expect(heatRange(ten, 'UTC', nowMs)).toEqual(range('2020-07-01T00:00:00Z', '2025-07-01T00:00:00Z'));
  });

  it('no years to come', () => {
    const century = range('2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z');
    expect(heatRange(century, 'UTC', nowMs)).toEqual(range('2021-07-01T13:00:00Z', '2026-07-01T13:00:00Z'));
  });
});
