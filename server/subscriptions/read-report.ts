import type { Branding } from '../../shared/app.ts';
import type { LoadCurve } from '../../shared/dashboard.ts';
import { maxReportedCustomers, type ReportedPeriod, type ReportFigures } from '../../shared/report-subscriptions.ts';
import { countAlarms, readAlarms } from '../alarms/alarms.ts';
import { type BucketSize } from '../base/buckets.ts';
import { byNames } from '../base/names.ts';
import { formatInstant, parseInstant, unionOf } from '../base/instants.ts';
import { type CalendarDates, calendarRange, rangesOf, sharedZone, type SiteRanges, zonesOf } from '../base/ranges.ts';
import { allCustomers, allDevices, type DeviceScope } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { readSeenCustomers } from '../fleet/customers.ts';
import { judgeCustomer } from '../fleet/fleet-trouble.rules.ts';
import { compareCosts } from '../rates/cost-comparison.rules.ts';
import { stateCosts } from '../rates/cost-statement.rules.ts';
import { sumPriced } from '../rates/costs.rules.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { baseLoadDays } from '../reports/base-load.rules.ts';
import { presentSummary } from '../reports/energy-answers.ts';
import { membersBy } from '../reports/load-curve.rules.ts';
import { readCurve, totalCompared } from '../reports/read-curve.ts';
import { readBaseLoad } from '../reports/read-usual.ts';
import { readContents } from '../reports/summary-contents.ts';
import {
  type ClientContents,
  type FleetContents,
  figuresOfCustomers,
  figuresOfSummary,
  type OtherPeriod,
  packSummary,
  type ReportContents,
  type ReportedAlarm,
  type ReportedCustomer,
} from './contents.ts';
import { isSettled, previousOf, yearBefore } from './periods.rules.ts';

export interface ReportParts {
  database: Database;
  runMode: 'Client' | 'Admin';
  /** The time zone of days and times if the sites have several or none. */
  timeZone: string;
  branding: () => Promise<Branding>;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface AskedReport {
  period: ReportedPeriod;
  dates: CalendarDates;
  /** Sites of a Client, customers of an Admin; none: all. */
  subjectIds: readonly string[];
  /** The customers that recipients see; the report has these even if it has no room for all. */
  firstIds?: readonly string[];
}

const scopeOf = (siteIds: readonly string[]): DeviceScope =>
  siteIds.length === 0 ? allDevices : { devices: [], sites: siteIds };

/**
 * Reads all figures of a report, from one snapshot of each database. Null while the period lasts or some of its readings may
 * still be on their way.
 */
export const readReport = (parts: ReportParts, asked: AskedReport): Promise<ReportContents | null> =>
  parts.runMode === 'Client' ? readClientReport(parts, asked) : readFleetReport(parts, asked);

/** The figures that the report would have now. */
export async function readFigures(
  parts: ReportParts,
  { dates, subjectIds, period }: AskedReport,
): Promise<ReportFigures> {
  const { database, now, runMode } = parts;
  if (runMode === 'Admin') {
    const { chosen } = await chooseCustomers(parts, subjectIds);
    const customers: Pick<ReportedCustomer, 'energyImportedKwh' | 'energyExportedKwh' | 'costs'>[] = [];
    for (const { id } of chosen) customers.push((await readCustomer(parts, id, { dates, period })).figures);
    return figuresOfCustomers(customers);
  }
  const range = calendarRange(dates);
  return readEnergy(database, { scope: scopeOf(subjectIds), range, isTolerant: true }, async (snapshot) => {
    const ranges = rangesOf(range, zonesOf(snapshot.devices));
    return figuresOfSummary(await summaryOf(snapshot, ranges, now()));
  });
}

const summaryOf = async (snapshot: EnergyReader, ranges: SiteRanges, nowMs: number) =>
  presentSummary(ranges, snapshot, await totalEnergy(snapshot, ranges), nowMs * 1000);

async function readClientReport(parts: ReportParts, asked: AskedReport): Promise<ClientContents | null> {
  const { database, now, timeZone: zoneOfPortal } = parts;
  const { period, dates, subjectIds } = asked;
  const range = calendarRange(dates);
  const previous = calendarRange(previousOf(period, dates));
  const lastYear = period === 'month' ? [calendarRange(yearBefore(dates))] : [];
  const within = unionOf([range, previous, ...lastYear, baseLoadDays(range.toMicros), baseLoadDays(previous.toMicros)]);
  const question = { scope: scopeOf(subjectIds), range: within, longestMicros: range.toMicros - range.fromMicros };
  const nowMs = now();
  const found = await readEnergy(database, { ...question, isTolerant: true }, async (snapshot) => {
    const { devices } = snapshot;
    const zones = devices.length === 0 ? [zoneOfPortal] : zonesOf(devices);
    const ranges = rangesOf(range, zones);
    if (!isSettled(ranges.all.toMicros, nowMs)) return null;
    const timeZone = sharedZone(devices, zoneOfPortal);
    const summary = packSummary(await readContents(snapshot, range, { timeZone, nowMs }));
    const others: OtherPeriod[] = [];
    for (const other of [previous, ...lastYear]) {
      const { averagePowerKw, ...own } = await summaryOf(snapshot, rangesOf(other, zones), nowMs);
      others.push({
        dates: other.dates ?? dates,
        figures: figuresOfSummary({ ...own, averagePowerKw }),
        averagePowerKw,
      });
    }
    const before = rangesOf(previous, zones);
    const compared = compareCosts(await totalCompared(snapshot, ranges, before));
    const load = await readBaseLoad(snapshot, ranges, { nowMicros: nowMs * 1000, isByDevice: false });
    const loadBefore = await readBaseLoad(snapshot, before, { nowMicros: nowMs * 1000, isByDevice: false });
    const own = ranges.of(timeZone);
    return {
      timeZone,
      summary,
      others,
      reasons: compared.totals,
      baseLoad: {
        kw: load.kw,
        previousKw: loadBefore.kw,
        nightCount: load.nightCount,
        costs: [...load.costs].map(([currency, cost]) => ({ currency, perYear: cost.toNumber() })),
      },
      days: await curveOf(snapshot, ranges, 'day', timeZone),
      curve: await curveOf(snapshot, ranges, period === 'year' ? 'day' : 'hour', timeZone),
      range: { fromMs: own.fromMicros / 1000, toMs: own.toMicros / 1000 },
    };
  });
  if (found === null) return null;
  const ofAlarms = subjectIds.length === 0 ? null : [...subjectIds, ...found.summary.devices.map(({ id }) => id)];
  const names = new Map(found.summary.devices.map(({ siteId, siteName }) => [siteId, siteName]));
  return {
    kind: 'client',
    ...(await commonOf(parts, asked, nowMs, found.timeZone, ofAlarms)).common,
    siteNames: subjectIds.flatMap((id) => names.get(id) ?? []).toSorted(),
    ...found,
  };
}

async function curveOf(
  snapshot: EnergyReader,
  ranges: SiteRanges,
  size: Extract<BucketSize, 'hour' | 'day'>,
  timeZone: string,
): Promise<LoadCurve> {
  const members = membersBy('total', snapshot.devices);
  const { starts, series } = await readCurve(snapshot, { ranges, size, timeZone, members });
  return { bucket: size, times: starts.map(formatInstant), series: [...series] };
}

const maxAlarms = 30;

async function commonOf(
  { database, branding }: ReportParts,
  { period, dates }: AskedReport,
  nowMs: number,
  timeZone: string,
  subjectIds: readonly string[] | null,
) {
  const { fromMicros, toMicros } = rangesOf(calendarRange(dates), [timeZone]).all;
  const question = { fromMicros, toMicros, subjectIds, limit: maxAlarms };
  const alarms = (await readAlarms(database, allCustomers, question)).filter(
    ({ firingAt }) => (parseInstant(firingAt) ?? 0) >= fromMicros,
  );
  const chosen = subjectIds && new Set(subjectIds);
  const counts = new Map(
    (await countAlarms(database, fromMicros, toMicros)).flatMap(({ subjectId, count }) =>
      chosen === null || chosen.has(subjectId ?? '') ? [[subjectId, count] as const] : [],
    ),
  );
  const { applicationName, primaryColor, footerText } = await branding();
  const common = {
    period,
    dates,
    timeZone,
    readAt: formatInstant(nowMs * 1000),
    brand: { applicationName, primaryColor, footerText },
    alarms: alarms.map(({ kind, severity, ruleName, subject, firingAt, resolvedAt, value, unit }): ReportedAlarm => ({
      kind,
      severity,
      ruleName,
      subject,
      firingAt,
      resolvedAt,
      value,
      unit,
    })),
    alarmCount: counts.values().reduce((sum, count) => sum + count, 0),
  };
  return { common, counts };
}

/** The customers of a report: the chosen ones, at most as many as a report has room for. */
async function chooseCustomers(
  { database, now }: ReportParts,
  customerIds: readonly string[],
  firstIds: readonly string[] = [],
) {
  const first = new Set(firstIds);
  const scope = customerIds.length === 0 ? allCustomers : { customers: customerIds };
  const all = (await readSeenCustomers(database, scope))
    .toSorted(byNames('name', 'code'))
    .map((one) => ({ ...one, ...judgeCustomer(one, now()) }));
  const { yes = [], no = [] } = Object.groupBy(all, ({ id }) => (first.has(id) ? 'yes' : 'no'));
  const chosen = [...yes, ...no].slice(0, maxReportedCustomers).toSorted(byNames('name', 'code'));
  return { chosen, leftOut: all.length - chosen.length };
}

const readCustomer = (
  { database }: ReportParts,
  id: string,
  { dates, period }: Pick<AskedReport, 'dates' | 'period'>,
) => {
  const range = calendarRange(dates);
  return readEnergy(database.forCustomer(id), { scope: allDevices, range, isTolerant: true }, async (snapshot) => {
    const ranges = rangesOf(range, zonesOf(snapshot.devices));
    const sites = (await totalEnergy(snapshot, ranges)).totalSites();
    const { importedKwh, exportedKwh } = sumPriced(sites.map(({ priced }) => priced));
    const days = await curveOf(snapshot, ranges, 'day', sharedZone(snapshot.devices, 'UTC'));
    const energyKwh = days.series[0]?.energyImportedKwh ?? [];
    const groups = groupsOf(dates, period);
    const sums = groups.map((): number | null => null);
    const firstDay = Temporal.PlainDate.from(dates.fromDate);
    energyKwh.forEach((kwh, day) => {
      const at = groups.indexOf(firstDay.add({ days: day }).toString().slice(0, groups[0]?.length));
      if (kwh !== null && at >= 0) sums[at] = (sums[at] ?? 0) + kwh;
    });
    return {
      deviceCount: snapshot.devices.length,
      energyKwh: sums,
      figures: {
        energyImportedKwh: importedKwh,
        energyExportedKwh: exportedKwh,
        costs: stateCosts(sites).costs.map(({ currency, total }) => ({ currency, total })),
      },
    };
  });
};

/** The local dates of a period, or the months of a year. */
function groupsOf({ fromDate, toDate }: CalendarDates, period: ReportedPeriod): string[] {
  const groups: string[] = [];
  const step = period === 'year' ? { months: 1 } : { days: 1 };
  for (let at = Temporal.PlainDate.from(fromDate); at.toString() < toDate; at = at.add(step)) {
    groups.push(at.toString().slice(0, period === 'year' ? 7 : 10));
  }
  return groups;
}

async function readFleetReport(parts: ReportParts, asked: AskedReport): Promise<FleetContents> {
  const { now, timeZone } = parts;
  const nowMs = now();
  const { chosen, leftOut } = await chooseCustomers(parts, asked.subjectIds, asked.firstIds);
  const ofAlarms = asked.subjectIds.length === 0 ? null : asked.subjectIds;
  const { common, counts } = await commonOf(parts, asked, nowMs, timeZone, ofAlarms);
  const customers: ReportedCustomer[] = [];
  for (const { id, code, name, state } of chosen) {
    const { figures, ...own } = await readCustomer(parts, id, asked);
    customers.push({ id, code, name, state, alarmCount: counts.get(id) ?? 0, ...own, ...figures });
  }
  return {
    kind: 'fleet',
    ...common,
    customers,
    groups: groupsOf(asked.dates, asked.period),
    leftOut,
  };
}
