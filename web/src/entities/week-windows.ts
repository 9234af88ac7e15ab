/** The week as minutes from Monday 00:00, in local time. */
export const minutesPerDay = 1440;
export const minutesPerWeek = 7 * minutesPerDay;
export const everyDay = 127;

/** A time of day on some days of the week, as a tariff period has it (decisions.md 6). */
export interface WeekWindow {
  /** Bitmask, Monday 1 to Sunday 64: the days on which it starts. */
  daysOfWeek: number;
  /** Minutes since midnight, 0 to 1439. */
  startMinute: number;
  /** 1 to 1440; before `startMinute` it lies on the next day. Never equal to it. */
  endMinute: number;
}

/** One entry a minute of the week: 1 where it is covered. */
export type Coverage = Uint8Array;

/** An interval of one day, in minutes since its midnight; the end is exclusive. */
export interface DaySpan {
  startMinute: number;
  endMinute: number;
}

/** Cells of the week grid, both ends included. Days count from Monday 0, slots from midnight. */
export interface CellRange {
  firstDay: number;
  lastDay: number;
  firstSlot: number;
  lastSlot: number;
}

/** A cell of the grid is half an hour. */
export const slotMinutes = 30;
export const slotsPerDay = minutesPerDay / slotMinutes;

const windowMinutes = ({ startMinute, endMinute }: WeekWindow): number =>
  endMinute > startMinute ? endMinute - startMinute : endMinute + minutesPerDay - startMinute;

const isOn = (daysOfWeek: number, day: number): boolean => (daysOfWeek & (1 << day)) !== 0;

/** Every minute in any of the windows; time after Sunday midnight continues on Monday. */
export function coverageOf(windows: readonly WeekWindow[]): Coverage {
  const coverage = new Uint8Array(minutesPerWeek);
  for (const window of windows) {
    for (let day = 0; day < 7; day += 1) {
      if (!isOn(window.daysOfWeek, day)) continue;
      const start = day * minutesPerDay + window.startMinute;
      const end = start + windowMinutes(window);
      coverage.fill(1, start, Math.min(end, minutesPerWeek));
      if (end > minutesPerWeek) coverage.fill(1, 0, end - minutesPerWeek);
    }
  }
  return coverage;
}

/** The minutes of the cells. */
export function coverageOfCells({ firstDay, lastDay, firstSlot, lastSlot }: CellRange): Coverage {
  const coverage = new Uint8Array(minutesPerWeek);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const midnight = day * minutesPerDay;
    coverage.fill(1, midnight + firstSlot * slotMinutes, midnight + (lastSlot + 1) * slotMinutes);
  }
  return coverage;
}

/** Covered minutes without a break, also across the end of the week. Empty if all minutes are covered, or none. */
function runsOf(coverage: Coverage): { start: number; length: number }[] {
  const gap = coverage.indexOf(0);
  if (gap === -1) return [];
  const runs: { start: number; length: number }[] = [];
  let length = 0;
  for (let step = 1; step <= minutesPerWeek; step += 1) {
    const at = (gap + step) % minutesPerWeek;
    if (coverage[at] === 1) length += 1;
    else if (length > 0) {
      runs.push({ start: (at - length + minutesPerWeek) % minutesPerWeek, length });
      length = 0;
    }
  }
  return runs;
}

/** A window shorter than a day stays whole, past midnight if needed. A longer window is cut at midnights. */
function windowsOfRun({ start, length }: { start: number; length: number }): WeekWindow[] {
  const startMinute = start % minutesPerDay;
  const startDay = Math.floor(start / minutesPerDay);
  const window = (day: number, from: number, to: number): WeekWindow => ({
    daysOfWeek: 1 << (day % 7),
    startMinute: from,
    endMinute: to,
  });
  const end = startMinute + length;
  if (end <= minutesPerDay) return [window(startDay, startMinute, end)];
  if (length < minutesPerDay) return [window(startDay, startMinute, end - minutesPerDay)];
  const windows = [window(startDay, startMinute, minutesPerDay)];
  for (let midnight = minutesPerDay; midnight < end; midnight += minutesPerDay) {
    const day = startDay + midnight / minutesPerDay;
    windows.push(window(day, 0, Math.min(minutesPerDay, end - midnight)));
  }
  return windows;
}

/** The windows that cover exactly these minutes, without repetition. Days with the same times share a window. */
export function windowsOf(coverage: Coverage): WeekWindow[] {
  if (!coverage.includes(0)) return [{ daysOfWeek: everyDay, startMinute: 0, endMinute: minutesPerDay }];
  const merged = new Map<string, WeekWindow>();
  for (const window of runsOf(coverage).flatMap(windowsOfRun)) {
    const key = `${window.startMinute} ${window.endMinute}`;
    const known = merged.get(key);
    merged.set(key, { ...window, daysOfWeek: window.daysOfWeek | (known?.daysOfWeek ?? 0) });
  }
  const firstDay = (mask: number) => mask & -mask;
  return [...merged.values()].toSorted(
    (a, b) => firstDay(a.daysOfWeek) - firstDay(b.daysOfWeek) || a.startMinute - b.startMinute,
  );
}

/** The covered intervals of one day, Monday 0. */
export function daySpansOf(coverage: Coverage, day: number): DaySpan[] {
  const spans: DaySpan[] = [];
  const midnight = day * minutesPerDay;
  let startMinute = -1;
  for (let minute = 0; minute <= minutesPerDay; minute += 1) {
    const isCovered = minute < minutesPerDay && coverage[midnight + minute] === 1;
    if (isCovered && startMinute === -1) startMinute = minute;
    if (!isCovered && startMinute !== -1) {
      spans.push({ startMinute, endMinute: minute });
      startMinute = -1;
    }
  }
  return spans;
}

/** How many minutes of the week are covered. */
export const coveredMinutes = (coverage: Coverage): number => coverage.reduce((sum, minute) => sum + minute, 0);

/** Whether windows of one list cover a minute twice. */
export const overlapsItself = (windows: readonly WeekWindow[]): boolean => {
  const days = (mask: number) => [0, 1, 2, 3, 4, 5, 6].filter((day) => isOn(mask, day)).length;
  const total = windows.reduce((sum, window) => sum + days(window.daysOfWeek) * windowMinutes(window), 0);
  return total > coveredMinutes(coverageOf(windows));
};

/** "7", "7:10", "07.10", "0710" and "24:00" as minutes since midnight. Undefined if the text is no time of day. */
export function readTimeOfDay(text: string): number | undefined {
  const parts = /^(\d{1,2})(?:[:.h]?(\d{2}))?$/.exec(text.trim());
  if (parts === null) return undefined;
  const minutes = Number(parts[1]) * 60 + Number(parts[2] ?? 0);
  return Number(parts[2] ?? 0) < 60 && minutes <= minutesPerDay ? minutes : undefined;
}

/** "07:10", and "24:00" at the end of a day: the format of the API. */
export const writeTimeOfDay = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The times of a window as typed. They may be any text. */
export interface WeekTime {
  key: string;
  daysOfWeek: number;
  start: string;
  end: string;
}

let made = 0;
export const newTime = (): WeekTime => ({ key: `${(made += 1)}`, daysOfWeek: 31, start: '', end: '' });

/** The window for the typed times. Undefined while they are no times, or are equal. */
export function windowOf({ daysOfWeek, start, end }: Omit<WeekTime, 'key'>): WeekWindow | undefined {
  const startMinute = readTimeOfDay(start);
  const endMinute = readTimeOfDay(end) === 0 ? minutesPerDay : readTimeOfDay(end);
  if (startMinute === undefined || endMinute === undefined || daysOfWeek === 0) return undefined;
  return startMinute === endMinute || startMinute === minutesPerDay
    ? undefined
    : { daysOfWeek, startMinute, endMinute };
}

/** Why the typed times are not a window; null if they are one. */
export function timeProblem(time: WeekTime): 'daysMissing' | 'startInvalid' | 'endInvalid' | 'timesEqual' | null {
  if (windowOf(time) !== undefined) return null;
  const start = readTimeOfDay(time.start);
  if (start === undefined || start === minutesPerDay) return 'startInvalid';
  if (readTimeOfDay(time.end) === undefined) return 'endInvalid';
  return time.daysOfWeek === 0 ? 'daysMissing' : 'timesEqual';
}
