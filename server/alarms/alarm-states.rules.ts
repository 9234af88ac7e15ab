import type { AlarmWindow } from '../../shared/alarms.ts';
import { minuteOfDay } from '../rates/tariffs.rules.ts';

/** The state of a rule's condition from one instant to another, which may be the same. Epoch milliseconds. */
export interface Judged {
  fromMs: number;
  toMs: number;
  /** `unclear` neither begins nor ends an alarm: the value is within the hysteresis, or unknown. */
  verdict: 'bad' | 'unclear' | 'good';
  /** The figure at an instant in this time. */
  valueAt: (atMs: number) => number | null;
}

/** An alarm of a rule and subject: pending until it fires, then open until it is resolved. */
export interface Episode {
  sinceMs: number;
  firingAtMs: number | null;
  resolvedAtMs: number | null;
  /** The figure when it fired. */
  value: number | null;
  resolvedValue: number | null;
}

export interface Patience {
  /** How long the condition must last. */
  holdMs: number;
  /** When an alarm may begin; null means always. */
  schedule: readonly AlarmWindow[] | null;
  timeZone: string;
}

/**
 * Computes the alarms of a rule and subject over a time: first the alarm that is already open, then those that follow. The open
 * alarm continues if the result has the same `sinceMs`; otherwise it is dropped. A pending alarm whose condition ends leaves no
 * trace. All instants follow from the figures, not from the time of judging. So it does not matter how often a time is judged,
 * or by how many portals.
 */
export function advance(
  open: Episode | null,
  judged: readonly Judged[],
  { holdMs, schedule, timeZone }: Patience,
  resolvedAtMs = Number.NEGATIVE_INFINITY,
): Episode[] {
  const done: Episode[] = [];
  let current = open;
  for (const { fromMs, toMs, verdict, valueAt } of judged) {
    // Times that were already judged may be judged again.
    const sinceMs =
      current === null ? (done.at(-1)?.resolvedAtMs ?? resolvedAtMs) : (current.firingAtMs ?? current.sinceMs);
    if (toMs < sinceMs || (toMs === sinceMs && (current === null || fromMs < toMs))) continue;
    const piece = { fromMs: Math.max(fromMs, sinceMs), toMs };
    if (verdict === 'bad') {
      for (const part of schedule === null
        ? [{ ...piece, isWithin: true }]
        : splitBySchedule(piece, schedule, timeZone)) {
        if (current !== null && current.firingAtMs !== null) break;
        if (!part.isWithin) {
          current = null;
          continue;
        }
        current ??= { sinceMs: part.fromMs, firingAtMs: null, resolvedAtMs: null, value: null, resolvedValue: null };
        const firingAtMs = current.sinceMs + holdMs;
        if (part.toMs >= firingAtMs) current = { ...current, firingAtMs, value: valueAt(firingAtMs) };
      }
    } else if (current !== null && current.firingAtMs === null) {
      current = null;
    } else if (current !== null && verdict === 'good') {
      done.push({ ...current, resolvedAtMs: piece.fromMs, resolvedValue: valueAt(piece.fromMs) });
      current = null;
    }
  }
  return current === null ? done : [...done, current];
}

interface Part {
  fromMs: number;
  toMs: number;
  isWithin: boolean;
}

/** Splits a time into the parts inside the windows of a schedule and the parts between them, ascending. */
export function splitBySchedule(
  { fromMs, toMs }: Pick<Part, 'fromMs' | 'toMs'>,
  schedule: readonly AlarmWindow[],
  timeZone: string,
): Part[] {
  const parts: Part[] = [];
  let atMs = fromMs;
  for (const window of windowsBetween(fromMs, toMs, schedule, timeZone)) {
    if (window.toMs <= atMs || window.fromMs > toMs) continue;
    if (window.fromMs > atMs) parts.push({ fromMs: atMs, toMs: window.fromMs, isWithin: false });
    const [begin, end] = [Math.max(atMs, window.fromMs), Math.min(toMs, window.toMs)];
    const last = parts.at(-1);
    if (last?.isWithin === true && last.toMs === begin) last.toMs = end;
    else parts.push({ fromMs: begin, toMs: end, isWithin: true });
    atMs = end;
    if (end === toMs) return parts;
  }
  return [...parts, { fromMs: atMs, toMs, isWithin: false }];
}

interface Windows {
  timeZone: string;
  /** The time that these windows cover. */
  fromMs: number;
  toMs: number;
  windows: { fromMs: number; toMs: number }[];
}

/** The windows around the time that was split last. They are kept, because a preview splits one minute after the other. */
const lastWindows = new WeakMap<readonly AlarmWindow[], Windows>();

/**
 * All windows that touch a time, and a few more, ascending by their start. A window past midnight belongs to the day on which
 * it starts.
 */
function windowsBetween(fromMs: number, toMs: number, schedule: readonly AlarmWindow[], timeZone: string) {
  const known = lastWindows.get(schedule);
  if (known?.timeZone === timeZone && known.fromMs <= fromMs && toMs < known.toMs) return known.windows;
  const dateOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  const windows: Windows['windows'] = [];
  const [first, end] = [dateOf(fromMs), dateOf(toMs).add({ days: 2 })];
  for (let day = first.subtract({ days: 1 }); Temporal.PlainDate.compare(day, end) < 0; day = day.add({ days: 1 })) {
    const instantOf = (minute: number) =>
      day
        .add({ days: Math.floor(minute / 1440) })
        .toZonedDateTime({ timeZone, plainTime: { hour: Math.floor((minute % 1440) / 60), minute: minute % 60 } })
        .epochMilliseconds;
    for (const { daysOfWeek, startTime, endTime } of schedule) {
      if ((daysOfWeek & (1 << (day.dayOfWeek - 1))) === 0) continue;
      const [start, last] = [minuteOfDay(startTime), minuteOfDay(endTime)];
      windows.push({ fromMs: instantOf(start), toMs: instantOf(last > start ? last : last + 1440) });
    }
  }
  windows.sort((a, b) => a.fromMs - b.fromMs);
  lastWindows.set(schedule, { timeZone, fromMs: startOf(first), toMs: startOf(end), windows });
  return windows;
}
