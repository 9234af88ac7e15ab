import type { LoadCurve } from '../../../../../shared/dashboard.ts';
import type { TimeRange } from '../../../lib/time-range.ts';
import { dayMs, toLocal } from '../../../../../shared/time.ts';
import { calendarGroups } from '../../../../../shared/charts/bars.ts';
import type { HeatCell, HeatData } from '../../../charts/heatmap.ts';

/** In ranges longer than this, each row is a month, with the mean of each hour. */
const maxDays = 400;

const hourMs = 3_600_000;

const two = (value: number): string => String(value).padStart(2, '0');

/** The local dates of the range, or its months where it has too many dates. */
export function heatRows({ fromMs, toMs }: TimeRange, timeZone: string): string[] {
  const length = (toMs - fromMs) / dayMs > maxDays ? 7 : 10;
  return calendarGroups(rowOf(fromMs, timeZone, length), rowOf(toMs - 1, timeZone, length));
}

function rowOf(atMs: number, timeZone: string, length: number): string {
  const { year, month, day } = toLocal(atMs, timeZone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`.slice(0, length);
}

/**
 * The average power of each hour of the day by local day. An hour that the clocks skip has no cell. A repeated hour is the mean
 * of both, and its `count` is 2.
 */
export function heatData(curve: Pick<LoadCurve, 'times' | 'series'>, range: TimeRange, timeZone: string): HeatData {
  const rows = heatRows(range, timeZone);
  const positions = new Map(rows.map((row, index) => [row, index]));
  const length = rows[0]?.length ?? 10;
  const values = curve.series[0]?.averagePowerKw ?? [];
  const cells = new Map<string, HeatCell & { value: number; count: number; toMs: number }>();
  curve.times.forEach((time, index) => {
    const value = values[index] ?? null;
    const startMs = Date.parse(time);
    // Extended for the days of sites further east.
    if (startMs + hourMs <= range.fromMs) return;
    // If the range cuts a bucket, the bucket may begin before the range.
    const atMs = Math.max(range.fromMs, startMs);
    const row = positions.get(rowOf(atMs, timeZone, length));
    if (value === null || row === undefined) return;
    const { hour } = toLocal(atMs, timeZone);
    const cell = cells.get(`${row} ${hour}`) ?? { row, hour, value: 0, count: 0, fromMs: startMs, toMs: startMs };
    cell.count += 1;
    cell.toMs = startMs + hourMs;
    cell.value += (value - cell.value) / cell.count;
    cells.set(`${row} ${hour}`, cell);
  });
  return { rows, cells: [...cells.values()] };
}

/** The minutes past the hour at which buckets begin in the zone: 30 if the zone of the sites is half an hour apart. */
export function minutesPast(times: readonly string[], timeZone: string): number {
  // The first bucket may be cut by the range.
  const second = times[1];
  return second === undefined ? 0 : toLocal(Date.parse(second), timeZone).minute;
}
