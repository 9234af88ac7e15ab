import type { TariffTerms, SimulationResult } from '../../../../shared/rates.ts';
import type { DeviceWithSite, Site } from '../../../../shared/sites.ts';
import { dayMs, toInstant } from '../../../../shared/time.ts';
import { addDays, isDate, monthStart, startOfDate, utcMs } from './local-dates.ts';
import type { SimulationRequest } from './queries.ts';
import type { CostBreakdown } from '../../../../shared/dashboard.ts';

/**
 * The cost of a load next to its actual cost. They are comparable only if the whole actual cost is in the currency of the
 * tariff. `share` is the difference as a share of the actual cost; null if that is zero.
 */
type CostComparison =
  | { kind: 'compared'; actual: number; difference: number; share: number | null }
  | { kind: 'otherCurrency' }
  | { kind: 'nothingPriced' };

/** Amounts have at most three decimals of a minor unit. Everything below is floating-point noise. */
const withoutNoise = (amount: number): number => Number(amount.toFixed(6)) + 0;

export function compareCosts(
  { total, currency }: Pick<SimulationResult, 'total' | 'currency'>,
  { costs }: Pick<CostBreakdown, 'costs'>,
): CostComparison {
  const [only] = costs;
  if (only === undefined) return { kind: 'nothingPriced' };
  if (costs.length > 1 || only.currency !== currency) return { kind: 'otherCurrency' };
  const difference = withoutNoise(total - only.total);
  const share = only.total === 0 ? null : difference / Math.abs(only.total);
  return { kind: 'compared', actual: only.total, difference, share };
}

export type LoadKind = SimulationRequest['load']['kind'];

/** Local dates, both included. */
export interface DayRange {
  firstDay: string;
  lastDay: string;
}

/** The portal's limit for simulations: ten years. */
const maxDays = 3660;

/** Why the days are not a valid range; null if they are. */
export function dayRangeProblem({ firstDay, lastDay }: DayRange): 'dateMissing' | 'lastDayInvalid' | 'tooLong' | null {
  if (!isDate(firstDay) || !isDate(lastDay)) return 'dateMissing';
  const days = (utcMs(lastDay) - utcMs(firstDay)) / dayMs + 1;
  if (days < 1) return 'lastDayInvalid';
  // One day less than the portal accepts, because the clocks may have been set back in the range.
  return days >= maxDays ? 'tooLong' : null;
}

export const pastRanges = ['lastMonth', 'lastTwelveMonths', 'thisYear'] as const;

/** Ranges of whole days for which real readings are likely to exist. */
export function pastRange(name: (typeof pastRanges)[number], today: string): DayRange {
  const endOfLastMonth = addDays(monthStart(today), -1);
  switch (name) {
    case 'lastMonth':
      return { firstDay: monthStart(today, -1), lastDay: endOfLastMonth };
    case 'lastTwelveMonths':
      return { firstDay: monthStart(today, -12), lastDay: endOfLastMonth };
    case 'thisYear':
      return { firstDay: `${today.slice(0, 4)}-01-01`, lastDay: today };
  }
}

/** The current month. A constant load has energy in all of it. */
export const thisMonth = (today: string): DayRange => ({
  firstDay: monthStart(today),
  lastDay: addDays(monthStart(today, 1), -1),
});

/** The devices at the sites of the municipality, as a choice of devices. If it has none, all devices. */
export function devicesOf(municipalityId: string, sites: readonly Site[], devices: readonly DeviceWithSite[]): string {
  const siteIds = new Set(sites.filter((site) => site.municipalityId === municipalityId).map(({ id }) => id));
  const ids = devices.filter(({ siteId }) => siteIds.has(siteId)).map(({ id }) => id);
  return ids.length === 0 || ids.length === devices.length ? 'all' : ids.join();
}

/** The request to the portal. The days must have been checked before. */
export const simulationRequest = (
  tariff: TariffTerms,
  timeZone: string,
  { firstDay, lastDay }: DayRange,
  load: SimulationRequest['load'],
): SimulationRequest => ({
  tariff,
  timeZone,
  from: toInstant(startOfDate(firstDay, timeZone)),
  to: toInstant(startOfDate(addDays(lastDay, 1), timeZone)),
  load,
});

type Line = SimulationResult['periods'][number];

/** One line for each name and rate. The portal has one for each period, and a band may have several periods. */
export function mergedLines(lines: readonly Line[]): Line[] {
  const merged = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.ratePerKwh} ${line.name}`;
    const known = merged.get(key);
    merged.set(key, {
      ...line,
      energyKwh: (known?.energyKwh ?? 0) + line.energyKwh,
      cost: (known?.cost ?? 0) + line.cost,
    });
  }
  return [...merged.values()];
}
