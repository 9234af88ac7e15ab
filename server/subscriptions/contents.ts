import { z } from 'zod';
import type { Alarm } from '../../shared/alarms.ts';
import type { CustomerState } from '../../shared/states.rules.ts';
import type { CostComparison } from '../../shared/comparison.ts';
import type { DashboardSummary, LoadCurve } from '../../shared/dashboard.ts';
import type { ReportedPeriod, ReportChanges, ReportFigures } from '../../shared/report-subscriptions.ts';
import type { Branding } from '../../shared/app.ts';
import type { StoredReport } from './kept-reports.sql.ts';
import type { CalendarDates } from '../base/ranges.ts';
import type { FleetScope } from '../base/scopes.ts';
import { addMoney } from '../reports/parts.rules.ts';
import type { SheetContents, SheetDevice } from '../reports/answer-summary.ts';
import type { SummaryContents } from '../reports/summary-contents.ts';

/** An alarm in the period of the report. */
export type ReportedAlarm = Pick<
  Alarm,
  'kind' | 'severity' | 'ruleName' | 'subject' | 'firingAt' | 'resolvedAt' | 'value' | 'unit'
>;

interface Common {
  period: ReportedPeriod;
  dates: CalendarDates;
  /** The time zone in which times are shown. */
  timeZone: string;
  readAt: string;
  brand: Pick<Branding, 'applicationName' | 'primaryColor' | 'footerText'>;
  /** The newest alarms of the period, and the number of all. */
  alarms: ReportedAlarm[];
  alarmCount: number;
}

/** The figures of a period to compare with. */
export interface OtherPeriod {
  dates: CalendarDates;
  figures: ReportFigures;
  averagePowerKw: number | null;
}

/** A report of a Client as it is kept. Maps are lists of their entries, because it is stored as JSON. */
export interface ClientContents extends Common {
  kind: 'client';
  /** Names of the chosen sites; none: all. */
  siteNames: string[];
  summary: SummaryOfReport;
  /** The previous period and, for a month, the same month of the previous year. */
  others: OtherPeriod[];
  /** Why the cost differs from that of the previous period. */
  reasons: CostComparison['totals'];
  baseLoad: {
    kw: number | null;
    previousKw: number | null;
    nightCount: number;
    costs: { currency: string; perYear: number }[];
  };
  /** The energy of each local day. */
  days: LoadCurve;
  /** Power over time. */
  curve: LoadCurve;
  /** The range of the curve, epoch milliseconds. */
  range: { fromMs: number; toMs: number };
}

type Entries<Of> = Of extends Map<infer Key, infer Value> ? [Key, Value][] : never;
type TimeRow = NonNullable<SummaryContents['byTime']>['rows'][number];

interface SummaryOfReport extends Omit<SummaryContents, 'byTime' | 'siteEnergy' | 'devices'> {
  byTime: { group: 'day' | 'month'; rows: (Omit<TimeRow, 'costs'> & { costs: Entries<TimeRow['costs']> })[] } | null;
  siteEnergy: Entries<SummaryContents['siteEnergy']>;
  devices: SheetDevice[];
}

export const packSummary = ({ byTime, siteEnergy, devices, ...contents }: SummaryContents): SummaryOfReport => ({
  ...contents,
  byTime: byTime && { ...byTime, rows: byTime.rows.map((row) => ({ ...row, costs: [...row.costs] })) },
  siteEnergy: [...siteEnergy],
  devices: devices.map(({ id, name, siteId, siteName, timeZone, countedIn, state }) => ({
    id,
    name,
    siteId,
    siteName,
    timeZone,
    countedIn,
    state,
  })),
});

export const unpackSummary = ({ byTime, siteEnergy, ...contents }: SummaryOfReport): SheetContents => ({
  ...contents,
  byTime: byTime && { ...byTime, rows: byTime.rows.map((row) => ({ ...row, costs: new Map(row.costs) })) },
  siteEnergy: new Map(siteEnergy),
});

export interface ReportedCustomer {
  id: string;
  code: string;
  name: string;
  state: CustomerState;
  deviceCount: number;
  alarmCount: number;
  energyImportedKwh: number;
  energyExportedKwh: number;
  costs: { currency: string; total: number }[];
  /** Imported energy by group. */
  energyKwh: (number | null)[];
}

/** A report of the fleet as it is kept. */
export interface FleetContents extends Common {
  kind: 'fleet';
  customers: ReportedCustomer[];
  /** The local dates of the period, or the months of a year, by the local days of each customer. */
  groups: string[];
  /** How many customers were left out because of the limit. */
  leftOut: number;
}

export type ReportContents = ClientContents | FleetContents;

export type FullReport = StoredReport & { contents: ReportContents };

const storedContents = z.custom<ReportContents>(
  (value) => typeof value === 'object' && value !== null && 'kind' in value,
);

/** A report with the contents that this portal stored. */
export const openReport = <Stored extends { contents: unknown }>(stored: Stored) => ({
  ...stored,
  contents: storedContents.parse(stored.contents),
});

export const figuresOfSummary = (summary: DashboardSummary): ReportFigures => ({
  energyImportedKwh: summary.energyImportedKwh,
  energyExportedKwh: summary.energyExportedKwh,
  peakPowerKw: summary.peakPowerKw,
  costs: summary.costs.map(({ currency, total }) => ({ currency, total })),
});

export function figuresOfCustomers(
  customers: readonly Pick<ReportedCustomer, 'energyImportedKwh' | 'energyExportedKwh' | 'costs'>[],
): ReportFigures {
  const totals = new Map<string, number>();
  for (const { currency, total } of customers.flatMap(({ costs }) => costs)) {
    totals.set(currency, addMoney(totals.get(currency) ?? 0, total, currency));
  }
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    energyImportedKwh: sum(customers.map((one) => one.energyImportedKwh)),
    energyExportedKwh: sum(customers.map((one) => one.energyExportedKwh)),
    peakPowerKw: null,
    costs: [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, total]) => ({ currency, total })),
  };
}

export const figuresOf = (contents: ReportContents): ReportFigures =>
  contents.kind === 'client' ? figuresOfSummary(contents.summary.summary) : figuresOfCustomers(contents.customers);

/** The part of a report that a reader may see; null if nothing is left of it. */
export function visibleTo(contents: ReportContents, { customers }: FleetScope): ReportContents | null {
  if (contents.kind === 'client' || customers === 'all') return contents;
  const seen = new Set(customers);
  const own = contents.customers.filter(({ id }) => seen.has(id));
  const alarms = contents.alarms.filter(({ subject }) => subject.kind === 'customer' && seen.has(subject.id ?? ''));
  const alarmCount = own.reduce((sum, one) => sum + one.alarmCount, 0);
  return own.length === 0 ? null : { ...contents, customers: own, alarms, alarmCount, leftOut: 0 };
}

/** To the watt-hour, the watt and the minor unit: sums in another order differ in their last digits. */
const isSame = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 0.0005;

/** The figures that differ between the kept report and now. */
export function changesOf(kept: ReportFigures, now: ReportFigures): ReportChanges['changes'] {
  const named = (['energyImportedKwh', 'energyExportedKwh', 'peakPowerKw'] as const).map((figure) => ({
    figure,
    currency: null,
    kept: kept[figure],
    now: now[figure],
  }));
  const totalIn = ({ costs }: ReportFigures, currency: string) =>
    costs.find((cost) => cost.currency === currency)?.total ?? null;
  const currencies = [...new Set([...kept.costs, ...now.costs].map(({ currency }) => currency))].toSorted();
  const costs = currencies.map((currency) => ({
    figure: 'cost' as const,
    currency,
    kept: totalIn(kept, currency),
    now: totalIn(now, currency),
  }));
  return [...named, ...costs].filter((one) => !isSame(one.kept, one.now));
}
