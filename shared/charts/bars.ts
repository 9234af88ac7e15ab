import type { LoadCurve } from '../dashboard.ts';
import type { Format } from '../format.ts';
import { dayMs } from '../time.ts';

/** One named part of the bars, with a value per bar; null if the bar lacks this part. */
export interface BarSeries {
  id: string;
  name: string;
  values: readonly (number | null)[];
  /** A color of its own. */
  tone?: 'others' | 'dimmed';
  colorNumber?: number;
}

/** The data of a chart of stacked bars, of its table and of its description. */
export interface BarData {
  /** Names the bars, in their order. */
  groups: readonly string[];
  series: readonly BarSeries[];
}

/** The sum of a bar; null if it has no part. */
export function barSum({ series }: BarData, index: number): number | null {
  const known = series.flatMap(({ values }) => values[index] ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The bars with the highest and the lowest sum; null if all are empty. */
export function barExtremes(data: BarData): { highest: number; lowest: number } | null {
  let found: { highest: number; lowest: number } | null = null;
  data.groups.forEach((_, index) => {
    const sum = barSum(data, index);
    if (sum === null) return;
    found ??= { highest: index, lowest: index };
    if (sum > (barSum(data, found.highest) ?? sum)) found = { ...found, highest: index };
    if (sum < (barSum(data, found.lowest) ?? sum)) found = { ...found, lowest: index };
  });
  return found;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Every local date (`YYYY-MM-DD`) or month (`YYYY-MM`) from the first to the last, both included. Missing bars leave a gap. */
export function calendarGroups(first: string, last: string): string[] {
  const groups: string[] = [];
  if (first.length === 7) {
    for (let at = monthNumber(first); at <= monthNumber(last); at += 1) {
      groups.push(dayOf(Date.UTC(Math.floor(at / 12), at % 12, 1)).slice(0, 7));
    }
    return groups;
  }
  for (let at = Date.parse(`${first}T00:00Z`); at <= Date.parse(`${last}T00:00Z`); at += dayMs) groups.push(dayOf(at));
  return groups;
}

const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

/** The UTC instant at which a date or month begins, to be formatted in UTC. */
export const groupInstant = (group: string): number => Date.parse(group.length === 7 ? `${group}-01` : group);

/** A date or month as shown on an axis. Months of several years have the year. */
export function groupLabel(group: string, groups: readonly string[], format: Format): string {
  const at = groupInstant(group);
  if (group.length === 10) return format.dayMonth(at, 'UTC');
  return groups.at(0)?.slice(0, 4) === groups.at(-1)?.slice(0, 4)
    ? format.monthShort(at, 'UTC')
    : format.monthYear(at, 'UTC');
}

/** The imported energy by local day, or by month, kWh. The days of the curve begin with `firstDate`. */
export function energyBars({ times, series }: LoadCurve, firstDate: string, isByMonth: boolean, name: string): BarData {
  const first = Date.parse(`${firstDate}T00:00Z`);
  const dates = times.map((_, index) => new Date(first + index * dayMs).toISOString().slice(0, isByMonth ? 7 : 10));
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return { groups: [], series: [] };
  const groups = calendarGroups(from, to);
  const values: (number | null)[] = groups.map(() => null);
  const positions = new Map(groups.map((group, index) => [group, index]));
  dates.forEach((date, index) => {
    const at = positions.get(date) ?? -1;
    const kwh = series[0]?.energyImportedKwh[index] ?? null;
    values[at] = kwh === null ? (values[at] ?? null) : (values[at] ?? 0) + kwh;
  });
  return { groups, series: [{ id: 'energy', name, values }] };
}
