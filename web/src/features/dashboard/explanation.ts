import type { CostLine, CostLineKind } from '../../../../shared/costs.ts';

/** The lines of one tariff at one site; `tariffId` is null for energy without a tariff. */
export interface ExplainedTariff {
  tariffId: string | null;
  tariffName: string | null;
  currency: string | null;
  lines: CostLine[];
  /** What VAT is a share of: all other lines together. */
  beforeVat: number;
  sum: number;
  /** How many days of each month the fixed charge counts, in the order of the months. */
  fixedDays: { month: string; days: number }[];
}

export interface ExplainedSite {
  siteId: string;
  siteName: string;
  tariffs: ExplainedTariff[];
}

const order: readonly CostLineKind[] = ['energy', 'export', 'fixedCharge', 'vat', 'unpriced'];

/**
 * The lines of a breakdown by site and tariff, as a bill lists them. `monthLines` is the same breakdown by month: a monthly
 * charge by the day cannot be recomputed without the days of each month.
 */
export function explain(lines: readonly CostLine[], monthLines: readonly CostLine[]): ExplainedSite[] {
  const sites = new Map<string, ExplainedSite>();
  for (const line of lines) {
    const site = sites.get(line.siteId) ?? { siteId: line.siteId, siteName: line.siteName, tariffs: [] };
    sites.set(line.siteId, site);
    let tariff = site.tariffs.find(({ tariffId }) => tariffId === line.tariffId);
    if (tariff === undefined) {
      const { tariffId, tariffName, currency } = line;
      tariff = { tariffId, tariffName, currency, lines: [], beforeVat: 0, sum: 0, fixedDays: [] };
      site.tariffs.push(tariff);
    }
    tariff.lines.push(line);
    tariff.sum += line.cost ?? 0;
    if (line.kind !== 'vat') tariff.beforeVat += line.cost ?? 0;
  }
  for (const { kind, siteId, tariffId, group, days } of monthLines) {
    if (kind !== 'fixedCharge' || group === null || days === null) continue;
    const tariff = sites.get(siteId)?.tariffs.find((one) => one.tariffId === tariffId);
    tariff?.fixedDays.push({ month: group, days });
  }
  for (const { tariffs } of sites.values()) {
    for (const tariff of tariffs) {
      tariff.lines = tariff.lines.toSorted(
        (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (b.ratePerKwh ?? 0) - (a.ratePerKwh ?? 0),
      );
      tariff.fixedDays = tariff.fixedDays.toSorted((a, b) => (a.month < b.month ? -1 : 1));
    }
    // What has no tariff stands last.
    tariffs.sort((a, b) => Number(a.tariffId === null) - Number(b.tariffId === null));
  }
  return [...sites.values()].toSorted((a, b) => a.siteName.localeCompare(b.siteName));
}

/** Days of a month `YYYY-MM`. */
export const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();
