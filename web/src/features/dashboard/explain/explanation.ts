import {
  type CostLine,
  type CostLineKind,
  costBreakdown,
  type CostBreakdown,
  type CostGroup,
} from '../../../../../shared/dashboard.ts';
import type { Tariff } from '../../../../../shared/rates.ts';
import { dayMs } from '../../../../../shared/time.ts';
import { chargeOf, roundingIn, shownDays } from './explained-amounts.ts';
import { queryOptions, keepPreviousData } from '@tanstack/react-query';
import { wireSoFar, asOther, comparedWith } from '../../../lib/compared-ranges.ts';
import { viewKey, wireChoice } from '../../../lib/device-choice.ts';
import { fetchJson } from '../../../lib/http.ts';
import { resolveTimeRange, shiftRange, wirePart, type TimeRangeSearch, rangeKey } from '../../../lib/time-range.ts';
import type { DashboardSearch } from '../search.ts';
import { costComparison } from '../../../../../shared/comparison.ts';
import { arrivalOf } from '../queries.ts';

const refreshMs = 30_000;

/** `GET /api/dashboard/cost-comparison` with the other range, by default the previous one. */
export const changeQuery = (
  search: DashboardSearch,
  other: TimeRangeSearch | null,
  timeZone: string,
  isLive: boolean,
) =>
  queryOptions({
    queryKey: [
      'dashboard',
      'cost-comparison',
      ...viewKey(search, timeZone),
      ...(other === null ? [] : rangeKey(other, timeZone)),
    ],
    queryFn: async ({ client, signal }) => {
      const nowMs = Date.now();
      const range = resolveTimeRange(search, timeZone, nowMs);
      const whole = other === null ? shiftRange(range, -1, timeZone) : resolveTimeRange(other, timeZone, nowMs);
      const { untilMs, endMs } = await arrivalOf(client, search, timeZone, range, nowMs);
      // If no data has arrived yet, the note says that there is no data.
      const ranges = comparedWith(range, whole, timeZone, untilMs > range.fromMs ? untilMs : nowMs, endMs);
      const query = {
        ...wirePart(range, ranges.current, timeZone),
        ...asOther(wirePart(whole, ranges.previous, timeZone)),
        ...wireChoice(search),
      };
      return { ranges, compared: await fetchJson('/api/dashboard/cost-comparison', costComparison, { query, signal }) };
    },
    refetchInterval: isLive ? refreshMs : false,
    placeholderData: keepPreviousData,
  });

export interface ExplainedCost {
  periods: CostBreakdown;
  months: CostBreakdown;
}

/** `GET /api/dashboard/cost-breakdown` in total and by month, for the same range: their days must add up. */
export const explanationQuery = (search: DashboardSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'explanation', ...viewKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<ExplainedCost> => {
      const nowMs = Date.now();
      const range = wireSoFar(resolveTimeRange(search, timeZone, nowMs), timeZone, nowMs);
      const get = (group: CostGroup) =>
        fetchJson('/api/dashboard/cost-breakdown', costBreakdown, {
          query: { ...range, ...wireChoice(search), group },
          signal,
        });
      const [periods, months] = await Promise.all([get('period'), get('month')]);
      return { periods, months };
    },
    refetchInterval: isLive ? refreshMs : false,
  });

/** The details of a tariff that are not in its lines: its charge and its validity. */
export type TariffDetails = Pick<Tariff, 'fixedChargePerMonth' | 'effectiveFrom' | 'effectiveTo'>;

/** The lines of one tariff at one site; `tariffId` is null for energy without a tariff. */
export interface ExplainedTariff {
  tariffId: string | null;
  tariffName: string | null;
  currency: string | null;
  /** Null without a tariff, and if the tariff was deleted. */
  details: TariffDetails | null;
  lines: CostLine[];
  /** The base of VAT: all other lines together. */
  beforeVat: number;
  sum: number;
  /** The days of each month for which the fixed charge counts, as displayed, in chronological order. */
  fixedDays: { month: string; days: number }[];
}

export interface ExplainedSite {
  siteId: string;
  siteName: string;
  tariffs: ExplainedTariff[];
}

/** In the order of a bill. */
export const costLineKinds: readonly CostLineKind[] = ['energy', 'export', 'fixedCharge', 'vat', 'unpriced'];

/**
 * The lines of a breakdown by site and tariff, as on a bill. `monthLines` is the same breakdown by month: to recompute the
 * fixed charge by the day, one needs the number of days of each month. The tariffs of a site are in chronological order.
 */
export function explain(
  lines: readonly CostLine[],
  monthLines: readonly CostLine[],
  tariffs: ReadonlyMap<string, TariffDetails>,
  compareNames: (a: string, b: string) => number,
): ExplainedSite[] {
  const sites = new Map<string, ExplainedSite>();
  for (const line of lines) {
    const site = sites.get(line.siteId) ?? { siteId: line.siteId, siteName: line.siteName, tariffs: [] };
    sites.set(line.siteId, site);
    let tariff = site.tariffs.find(({ tariffId }) => tariffId === line.tariffId);
    if (tariff === undefined) {
      const { tariffId, tariffName, currency } = line;
      const details = tariffs.get(tariffId ?? '') ?? null;
      tariff = { tariffId, tariffName, currency, details, lines: [], beforeVat: 0, sum: 0, fixedDays: [] };
      site.tariffs.push(tariff);
    }
    tariff.lines.push(line);
    tariff.sum += line.cost ?? 0;
    if (line.kind !== 'vat') tariff.beforeVat += line.cost ?? 0;
  }
  for (const { kind, siteId, tariffId, group, days } of monthLines) {
    if (kind !== 'fixedCharge' || group === null || days === null) continue;
    const tariff = sites.get(siteId)?.tariffs.find((one) => one.tariffId === tariffId);
    tariff?.fixedDays.push({ month: group, days: shownDays(days) });
  }
  for (const site of sites.values()) {
    for (const tariff of site.tariffs) {
      tariff.lines = tariff.lines.toSorted(
        (a, b) =>
          costLineKinds.indexOf(a.kind) - costLineKinds.indexOf(b.kind) || (b.ratePerKwh ?? 0) - (a.ratePerKwh ?? 0),
      );
      tariff.fixedDays = tariff.fixedDays.toSorted((a, b) => (a.month < b.month ? -1 : 1));
    }
    // Energy without a tariff comes last.
    site.tariffs.sort(
      (a, b) => Number(a.tariffId === null) - Number(b.tariffId === null) || (startOf(a) < startOf(b) ? -1 : 1),
    );
  }
  return [...sites.values()].toSorted((a, b) => compareNames(a.siteName, b.siteName));
}

/** The last day of a tariff; null if it has no end. */
export const lastDayMs = ({ effectiveTo }: TariffDetails): number | null =>
  effectiveTo === null ? null : Date.parse(effectiveTo) - dayMs;

const startOf = ({ details }: ExplainedTariff): string => details?.effectiveFrom ?? '';

/** The days of a fixed charge as displayed: the sum of the days of its months. */
export const allFixedDays = ({ fixedDays }: Pick<ExplainedTariff, 'fixedDays'>): number =>
  shownDays(fixedDays.reduce((sum, { days }) => sum + days, 0));

/** By how much rounding changed the amount of a line, compared with its displayed quantity times its price; 0 if not at all. */
export function roundingOf(line: CostLine, tariff: ExplainedTariff): number {
  const { kind, cost, currency, ratePerKwh, energyKwh, vatPercent } = line;
  if (cost === null || currency === null) return 0;
  if (kind === 'vat')
    return vatPercent === null ? 0 : roundingIn(cost, (tariff.beforeVat * vatPercent) / 100, currency);
  if (kind === 'fixedCharge') {
    const perMonth = tariff.details?.fixedChargePerMonth;
    return perMonth === undefined ? 0 : roundingIn(cost, chargeOf(tariff.fixedDays, perMonth), currency);
  }
  if (ratePerKwh === null || energyKwh === null) return 0;
  return roundingIn(cost, energyKwh * (kind === 'export' ? -ratePerKwh : ratePerKwh), currency);
}
