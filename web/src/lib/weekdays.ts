import { dayMs } from '../../../shared/time.ts';
import { useFormat } from './use-format.ts';

const aMonday = Date.UTC(2024, 0, 1);

export const weekdays = [0, 1, 2, 3, 4, 5, 6] as const;

export interface WeekdayNames {
  /** From Monday on. */
  long: readonly string[];
  short: readonly string[];
}

const namesOf = (locale: string, weekday: 'long' | 'short'): string[] => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  return weekdays.map((day) => format.format(aMonday + day * dayMs));
};

const known = new Map<string, WeekdayNames>();

/** The names of the days of the week in the reader's language. */
export function useWeekdayNames(): WeekdayNames {
  const { locale } = useFormat();
  let names = known.get(locale);
  if (names === undefined) {
    names = { long: namesOf(locale, 'long'), short: namesOf(locale, 'short') };
    known.set(locale, names);
  }
  return names;
}

/** "Mon–Fri, Sun": the days of a bitmask; three or more in a row become a span. */
export function daysText(daysOfWeek: number, names: readonly string[]): string {
  const parts: string[] = [];
  let first = -1;
  for (let day = 0; day <= 7; day += 1) {
    const isOn = day < 7 && (daysOfWeek & (1 << day)) !== 0;
    if (isOn && first === -1) first = day;
    if (isOn || first === -1) continue;
    const run = names.slice(first, day);
    parts.push(...(run.length > 2 ? [`${run[0] ?? ''}–${run.at(-1) ?? ''}`] : run));
    first = -1;
  }
  return parts.join(', ');
}
