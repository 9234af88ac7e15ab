import { toLocal, type LocalDateTime } from '../../../../../shared/time.ts';

/** The order of day, month and year if the year is not first. */
export type DateOrder = 'dmy' | 'mdy';
export type TimeProblem = 'notATime' | 'skipped' | 'repeated';

const dayMs = 86_400_000;
const parts =
  /^(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2}))[T, ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?$/;
// Databases and Python write a space in place of the T. PostgreSQL writes an offset with hours only.
const withOffset = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}[\d:.]*) ?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/i;

/** A local time as written in a file; null for anything else. */
export function readLocal(text: string, order: DateOrder): LocalDateTime | null {
  const found = parts.exec(text.trim());
  if (found === null) return null;
  const [year, month, day, first = 0, second = 0, last = 0, hour = 0, minute = 0, seconds = 0] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const [d, m] = order === 'dmy' ? [first, second] : [second, first];
  const at = {
    year: year ?? (last < 100 ? 2000 + last : last),
    month: month ?? m,
    day: day ?? d,
    hour,
    minute,
    second: seconds,
  };
  const midnight = Date.UTC(at.year, at.month - 1, at.day);
  const date = new Date(midnight);
  const isDate = date.getUTCMonth() === at.month - 1 && date.getUTCDate() === at.day;
  // How load profiles write the end of a day.
  const isDayEnd = hour === 24 && minute === 0 && seconds === 0;
  if (!isDate || (hour > 23 && !isDayEnd) || minute > 59 || seconds > 59) return null;
  if (!isDayEnd) return at;
  const next = new Date(midnight + dayMs);
  return { ...at, year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate(), hour: 0 };
}

/**
 * Reads the times of a file, row by row. A time with an offset or Z is unambiguous. In the repeated autumn hour, a local time
 * occurs twice. It is resolved by its position if the rows of its device ascend; otherwise it is rejected. A time that the
 * clocks skip in spring is rejected, too. The end of an interval may be given as the local time at its end, or as the local
 * time at its start plus its length.
 */
export class HistoryTimes {
  /** The number of local times that occur twice and were resolved by their position. */
  repeated = 0;
  readonly #timeZone: string;
  readonly #order: DateOrder;
  /** The length of the intervals if the times are their ends; 0 for other times. */
  readonly #lengthMs: number;
  /** By how much the zone is ahead of UTC on a local day: one value, or two if the clocks change. */
  readonly #offsets = new Map<number, readonly number[]>();
  readonly #last = new Map<string, { atMs: number; isAscending: boolean }>();

  constructor(timeZone: string, order: DateOrder, lengthMs = 0) {
    this.#timeZone = timeZone;
    this.#order = order;
    this.#lengthMs = lengthMs;
  }

  /** Epoch milliseconds. */
  read(text: string, device: string): number | TimeProblem {
    const at = this.#instantOf(text, device);
    if (typeof at === 'number') {
      const last = this.#last.get(device);
      if (last === undefined) this.#last.set(device, { atMs: at, isAscending: false });
      else if (at !== last.atMs) {
        last.isAscending = at > last.atMs;
        last.atMs = at;
      }
    }
    return at;
  }

  #instantOf(text: string, device: string): number | TimeProblem {
    const trimmed = text.trim();
    const [found, date, clock, hours = '+00', minutes = '00'] = withOffset.exec(trimmed) ?? [];
    if (found !== undefined) {
      const at = Date.parse(`${date}T${clock}${hours}:${minutes}`);
      return Number.isNaN(at) ? 'notATime' : at;
    }
    const local = readLocal(trimmed, this.#order);
    if (local === null) return 'notATime';
    const asUtc = Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second);
    const starts = this.#lengthMs === 0 ? [] : this.#instantsAt(asUtc - this.#lengthMs);
    const instants = new Set([...this.#instantsAt(asUtc), ...starts.map((at) => at + this.#lengthMs)]);
    const [first, ...others] = [...instants].toSorted((a, b) => a - b);
    if (first === undefined) return 'skipped';
    if (others.length === 0) return first;
    const last = this.#last.get(device);
    const next = last?.isAscending === true ? [first, ...others].find((at) => at > last.atMs) : undefined;
    if (next === undefined) return 'repeated';
    this.repeated += 1;
    return next;
  }

  /**
   * The instants of a local time, which is given as if it were UTC. There are two in the repeated autumn hour, and none in the
   * hour that the clocks skip in spring.
   */
  #instantsAt(asUtc: number): number[] {
    const offsets = this.#offsetsAround(Math.floor(asUtc / dayMs));
    const instants = offsets.map((offset) => asUtc - offset);
    return offsets.length === 1 ? instants : instants.filter((at) => this.#clockAt(at) === asUtc);
  }

  #offsetsAround(day: number): readonly number[] {
    const known = this.#offsets.get(day);
    if (known !== undefined) return known;
    const around = [(day - 1) * dayMs, (day + 2) * dayMs].map((at) => this.#clockAt(at) - at);
    const offsets = [...new Set(around)];
    this.#offsets.set(day, offsets);
    return offsets;
  }

  /** The local time, as if it were UTC. */
  #clockAt(atMs: number): number {
    const { year, month, day, hour, minute, second } = toLocal(atMs, this.#timeZone);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
}
