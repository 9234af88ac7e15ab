import { type ChargedSite, stateCosts, type StatedCost } from './cost-statement.rules.ts';
import { unpricedKwhOf } from './costs.rules.ts';
import type { SiteTotals } from './energy-totals.rules.ts';
import type { CalendarDates } from '../base/ranges.ts';
import type { Tariff } from './tariffs.rules.ts';

/** The cost of one local month for all sites, and its import without a price, as in the summary of that month. */
export interface MonthCost {
  costs: readonly StatedCost[];
  unpricedKwh: number;
}

/** A month in which something changes; amounts include fixed charges and VAT, rounded to the minor unit of the currency. */
export interface ChangedMonth {
  /** `YYYY-MM` */
  month: string;
  before: MonthCost;
  after: MonthCost;
}

/** The most months that a preview calculates; the latest ones. */
export const maxPreviewMonths = 120;

/**
 * The whole months up to that of `today` in which one of the tariffs may be in force, before or after its change, at most the
 * latest 120; null if there are none.
 */
export function affectedMonths(tariffs: readonly Tariff[], today: string): CalendarDates | null {
  const monthOf = (date: string) => Temporal.PlainDate.from(date).with({ day: 1 });
  const thisMonth = monthOf(today);
  const starts = tariffs.map(({ effectiveFrom }) => monthOf(effectiveFrom));
  const ends = tariffs.map(({ effectiveTo }) =>
    effectiveTo === null ? thisMonth : monthOf(Temporal.PlainDate.from(effectiveTo).subtract({ days: 1 }).toString()),
  );
  const [firstStart] = starts.toSorted(Temporal.PlainDate.compare);
  const lastEnd = ends.toSorted(Temporal.PlainDate.compare).at(-1);
  if (firstStart === undefined || lastEnd === undefined) return null;
  const first = laterOf(firstStart, thisMonth.subtract({ months: maxPreviewMonths - 1 }));
  const last = Temporal.PlainDate.compare(lastEnd, thisMonth) < 0 ? lastEnd : thisMonth;
  if (Temporal.PlainDate.compare(first, last) > 0) return null;
  return { fromDate: first.toString(), toDate: last.add({ months: 1 }).toString() };
}

const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) < 0 ? b : a);

/** The months in which anything differs, ascending; both totals were cut by month. */
export function changedMonths(before: readonly SiteTotals[], after: readonly SiteTotals[]): ChangedMonth[] {
  const [old, next] = [monthCosts(before), monthCosts(after)];
  const none: MonthCost = { costs: [], unpricedKwh: 0 };
  return [...new Set([...old.keys(), ...next.keys()])]
    .toSorted()
    .map((month) => ({ month, before: old.get(month) ?? none, after: next.get(month) ?? none }))
    .filter((one) => !isSame(one.before, one.after));
}

/** A cost of zero equals no cost. */
function isSame(before: MonthCost, after: MonthCost): boolean {
  const shown = ({ costs, unpricedKwh }: MonthCost) =>
    JSON.stringify([unpricedKwh, costs.filter((cost) => cost.energyCost !== 0 || cost.fixedCharge !== 0)]);
  return shown(before) === shown(after);
}

/** Each month is rounded by itself, so that its amounts are those that the summary of the month has. */
function monthCosts(sites: readonly SiteTotals[]): Map<string, MonthCost> {
  const months = new Map<string, ChargedSite[]>();
  for (const { siteId, parts } of sites) {
    for (const { group, priced, days } of parts) {
      months.getOrInsertComputed(group ?? '', (): ChargedSite[] => []).push({ siteId, priced, days, devices: [] });
    }
  }
  return new Map(
    [...months].map(([month, own]) => [month, { costs: stateCosts(own).costs, unpricedKwh: unpricedKwhOf(own) }]),
  );
}
