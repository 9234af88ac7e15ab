import type { DashboardSummary } from '../../../shared/dashboard.ts';
import type { TimeRange } from '../lib/time-range.ts';

export interface PricedSide extends Pick<DashboardSummary, 'tariffDays' | 'unpricedEnergyKwh'> {
  range: TimeRange;
}

/** A day of 25 hours counts as one day. So the days of two sides may differ by this share although no tariff began or ended. */
const minDays = 0.95;

/**
 * The side of a comparison whose energy is partly unpriced, because a tariff in this currency applied for less of its time than
 * on the other side. Its cost covers another part of the energy, so a percentage would mean nothing. Null if both sides have
 * the same part.
 */
export function partlyPriced(
  current: PricedSide,
  previous: PricedSide,
  currency: string,
): 'current' | 'previous' | null {
  const daysOf = ({ range, tariffDays }: PricedSide) =>
    (tariffDays.find((own) => own.currency === currency)?.days ?? 0) / (range.toMs - range.fromMs);
  const [now, then] = [daysOf(current), daysOf(previous)];
  const lacking = now < then ? 'current' : 'previous';
  if (Math.min(now, then) >= minDays * Math.max(now, then)) return null;
  return { current, previous }[lacking].unpricedEnergyKwh > 0 ? lacking : null;
}
