import type { Tariff } from '../../../../shared/rates.ts';
import { addDays, monthStart, utcMs } from './local-dates.ts';

type Dated = Pick<Tariff, 'id' | 'isActive' | 'effectiveFrom' | 'effectiveTo'>;

/** Half-open, in local dates. Null means that there is no end. */
export interface DateSpan {
  from: string;
  to: string | null;
}

/** Warnings cover this many days of the past. Older unpriced energy has been billed already. */
const warnedDays = 365;

const covers = ({ effectiveFrom, effectiveTo }: Dated, date: string): boolean =>
  effectiveFrom <= date && (effectiveTo === null || date < effectiveTo);

/** The active tariff in force on the date: the one with the latest start (decisions.md 6). */
export function tariffInForce<One extends Dated>(tariffs: readonly One[], date: string): One | null {
  let found: One | null = null;
  for (const tariff of tariffs) {
    if (!tariff.isActive || !covers(tariff, date)) continue;
    if (found === null || tariff.effectiveFrom > found.effectiveFrom) found = tariff;
  }
  return found;
}

/** The tariffs in force from a date on, each with its dates; null for dates without a tariff. The last entry has no end. */
export function forceSpans<One extends Dated>(
  tariffs: readonly One[],
  from: string,
): (DateSpan & { tariff: One | null })[] {
  const edges = tariffs
    .flatMap(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo])
    .filter((date): date is string => date !== null && date > from);
  const starts = [from, ...new Set(edges.toSorted())];
  const spans: (DateSpan & { tariff: One | null })[] = [];
  for (const [index, start] of starts.entries()) {
    const tariff = tariffInForce(tariffs, start);
    const to = starts[index + 1] ?? null;
    const last = spans.at(-1);
    if (last !== undefined && last.tariff === tariff) last.to = to;
    else spans.push({ from: start, to, tariff });
  }
  return spans;
}

/** The dates without a tariff in force, from a year ago on. */
export function findGaps(tariffs: readonly Dated[], today: string): DateSpan[] {
  return forceSpans(tariffs, addDays(today, -warnedDays))
    .filter(({ tariff }) => tariff === null)
    .map(({ from, to }) => ({ from, to }));
}

/**
 * Dates, from a year ago on, for which two active tariffs are valid: `later` applies, and without it `earlier` would. If a
 * third tariff overrules both, these dates are not reported again.
 */
export function findDateOverlaps<One extends Dated>(
  tariffs: readonly One[],
  today: string,
): (DateSpan & { earlier: One; later: One })[] {
  const since = addDays(today, -warnedDays);
  const first = earliest(tariffs.map(({ effectiveFrom }) => effectiveFrom)) ?? today;
  return forceSpans(tariffs, first).flatMap(({ tariff: later, from, to: end }) => {
    if (later === null) return [];
    const without = tariffs.filter((tariff) => tariff !== later);
    return forceSpans(without, from).flatMap(({ tariff: earlier, from: start, to: next }) => {
      const to = earliest([end, next].filter((date) => date !== null)) ?? null;
      const isShared = to === null || (start < to && since < to);
      return earlier !== null && isShared ? [{ earlier, later, from: start, to }] : [];
    });
  });
}

/** `overruled`: the tariff is active and valid today, but another one that starts later applies. */
export type TariffState = 'inForce' | 'planned' | 'ended' | 'overruled' | 'off';

export function stateOf(tariff: Dated, tariffs: readonly Dated[], today: string): TariffState {
  if (!tariff.isActive) return 'off';
  if (tariff.effectiveFrom > today) return 'planned';
  if (!covers(tariff, today)) return 'ended';
  return tariffInForce(tariffs, today)?.id === tariff.id ? 'inForce' : 'overruled';
}

/** The first and last date that the time line shows. */
export interface TimeAxis {
  from: string;
  to: string;
}

const earliest = (dates: readonly string[]): string | undefined => dates.toSorted()[0];
const latest = (dates: readonly string[]): string | undefined => dates.toSorted().at(-1);

/** From the first start to a year after the last known start or end, limited to some years around today. */
export function axisOf(tariffs: readonly Dated[], today: string): TimeAxis {
  const starts = tariffs.map(({ effectiveFrom }) => effectiveFrom);
  const edges = [...starts, ...tariffs.flatMap(({ effectiveTo }) => effectiveTo ?? [])];
  const first = earliest([addDays(today, -warnedDays), ...starts]) ?? today;
  const last = latest([addDays(today, 180), ...edges.map((edge) => addDays(edge, 120))]) ?? today;
  const from = latest([first, monthStart(today, -60)]) ?? today;
  const to = earliest([last, monthStart(today, 60)]) ?? today;
  return { from: monthStart(from), to: monthStart(to, 1) };
}

/** The position of the date on the axis, from 0 to 1. Null means the end of time. */
export function shareOf({ from, to }: TimeAxis, date: string | null): number {
  if (date === null) return 1;
  const share = (utcMs(date) - utcMs(from)) / (utcMs(to) - utcMs(from));
  return Math.min(1, Math.max(0, share));
}

const tickSteps = [1, 2, 3, 6, 12, 24, 60];

/** First days of months with equal distances of whole months, at most `maxTicks` of them. */
export function ticksOf({ from, to }: TimeAxis, maxTicks: number): string[] {
  const monthIndex = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const months = monthIndex(to) - monthIndex(from);
  const step = tickSteps.find((size) => months / size <= maxTicks) ?? 120;
  const ticks: string[] = [];
  for (let month = 0; month < months; month += 1) {
    if ((monthIndex(from) + month) % step === 0) ticks.push(monthStart(from, month));
  }
  return ticks;
}
