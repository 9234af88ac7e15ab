import { type Comparison, type ComparisonBucket, comparison } from '../../../../shared/comparison.ts';
import { partlyPriced } from '../../entities/partly-priced.ts';
import { type TimeRange, wirePart } from '../../lib/time-range.ts';
import { dayMs, toInstant } from '../../../../shared/time.ts';
import type { ChartData } from '../../../../shared/charts/chart-data.ts';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { asOther, comparedWith, endOf } from '../../lib/compared-ranges.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { wireChoice } from '../../lib/device-choice.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { fetchJson } from '../../lib/http.ts';
import { sidesOf, type CompareSearch, type Sides } from './search.ts';

const refreshMs = 60_000;

/**
 * Which data is requested: the curve, the curve by day, or the cost. For a running range, only the elapsed part and the same
 * part of the other range are compared.
 */
type AskedPart = 'curve' | 'days' | 'cost';

/** The part of each side whose cost is compared: the first side up to an instant, the other side up to the same local time. */
function costParts(
  { range, otherRange }: Pick<Sides, 'range' | 'otherRange'>,
  timeZone: string,
  nowMs: number,
  untilMs: number,
  answer: Pick<Comparison, 'to'> | undefined,
) {
  const endMs = answer === undefined ? range.toMs : endOf(range, answer);
  return comparedWith(range, otherRange, timeZone, untilMs > range.fromMs ? untilMs : nowMs, endMs);
}

/** The current meaning of both sides as a query of the API. The cost counts up to an instant. */
export function compareWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  part: AskedPart = 'curve',
  untilMs = nowMs,
  answer?: Pick<Comparison, 'to'>,
): Record<string, string> {
  const sides = sidesOf(search, timeZone, nowMs);
  const { choice, otherChoice, range, otherRange } = sides;
  const { current, previous } =
    part === 'cost' ? costParts(sides, timeZone, nowMs, untilMs, answer) : { current: range, previous: otherRange };
  return {
    ...wirePart(range, current, timeZone),
    ...wireChoice(choice),
    ...asOther(wirePart(otherRange, previous, timeZone)),
    ...asOther(wireChoice(otherChoice)),
    bucket: part === 'curve' ? compareBucket(range, otherRange) : 'day',
    timeZone,
    ...(search.align === undefined ? {} : { align: search.align }),
  };
}

/** The query of the workbook: the rows of the chart, and the cost of the part that the page shows. */
export function workbookWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  answer: Pick<Comparison, 'to' | 'arrivedUntil'> | undefined,
): Record<string, string> {
  const wire = compareWire(search, timeZone, nowMs);
  if (answer === undefined) return wire;
  const untilMs = Math.min(nowMs, Date.parse(answer.arrivedUntil));
  const parts = costParts(sidesOf(search, timeZone, nowMs), timeZone, nowMs, untilMs, answer);
  if (parts.isWhole) return wire;
  const [costUntil, otherCostUntil] = [toInstant(parts.current.toMs), toInstant(parts.previous.toMs)];
  return { ...wire, costUntil, otherCostUntil };
}

/**
 * `GET /api/dashboard/comparison` for the meaning of the URL at the time of the request. By day, each site has days of its own.
 */
export const compareQuery = ({ zoom: _zoom, ...search }: CompareSearch, timeZone: string, part: AskedPart = 'curve') =>
  queryOptions({
    queryKey: ['compare', JSON.stringify(search), timeZone, part],
    queryFn: async ({ client, signal }): Promise<Comparison> => {
      const nowMs = Date.now();
      // Without this, readings on their way would look like lower consumption.
      const curve =
        part === 'cost' ? await client.fetchQuery({ ...compareQuery(search, timeZone), staleTime: refreshMs }) : null;
      const untilMs = curve === null ? nowMs : Math.min(nowMs, Date.parse(curve.arrivedUntil));
      const query = compareWire(search, timeZone, nowMs, part, untilMs, curve ?? undefined);
      return fetchJson('/api/dashboard/comparison', comparison, { query, signal });
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });

/** The page's first requests, which do not depend on another answer; `web/first/requests.ts` has the same for today. */
export const firstQueries = (search: CompareSearch, timeZone: string) => ({
  curve: compareQuery(search, timeZone),
  days: compareQuery(search, timeZone, 'days'),
});

/** Requests what the page shows first while its code still arrives. */
export async function beginCompare(client: QueryClient, search: CompareSearch): Promise<void> {
  const [user, devices] = await Promise.all([
    client.ensureQueryData(currentUserQuery),
    client.ensureQueryData(devicesQuery),
  ]);
  const timeZone = search.tz ?? user?.displayTimeZone;
  if (timeZone === undefined || devices.length === 0) return;
  const { curve, days } = firstQueries(search, timeZone);
  await Promise.all([client.prefetchQuery(curve), client.prefetchQuery(days)]);
}

const lengths = { '15min': 15, hour: 60, day: 1440 } as const satisfies Record<ComparisonBucket, number>;

/** Quarter-hours for a few days, hours for up to a season, days for longer ranges. */
export function compareBucket(...ranges: readonly TimeRange[]): ComparisonBucket {
  const days = Math.max(...ranges.map(({ fromMs, toMs }) => toMs - fromMs)) / dayMs;
  return days <= 3.1 ? '15min' : days <= 70 ? 'hour' : 'day';
}

/**
 * Both sides on an axis of days and times of day without a time zone, as if each day had 24 hours. The axis is in UTC and
 * begins with the first day. A repeated autumn hour has the same place as the first one.
 */
export function comparedData(answer: Comparison, firstDayMs: number, names: readonly [string, string]): ChartData {
  const { days, minutes, bucket } = answer;
  const lengthMs = lengths[bucket] * 60_000;
  const hourMs = Math.max(lengthMs, 3_600_000);
  const naturalMs = days.map((day, row) => firstDayMs + day * dayMs + (minutes[row] ?? 0) * 60_000);
  const hourOf = (atMs: number) => Math.floor(atMs / hourMs) * hourMs;
  const byHour = Map.groupBy(naturalMs.keys(), (row) => hourOf(naturalMs[row] ?? 0));
  const startsMs = [...naturalMs];
  const endsMs = naturalMs.map((start) => start + lengthMs);
  for (const [hour, rows] of byHour) {
    if (new Set(rows.map((row) => naturalMs[row])).size === rows.length) continue;
    for (const [place, row] of rows.entries()) {
      startsMs[row] = hour + (place / rows.length) * hourMs;
      endsMs[row] = hour + ((place + 1) / rows.length) * hourMs;
    }
  }
  return {
    startsMs,
    endsMs,
    series: [
      { id: 'own', name: names[0], values: answer.averagePowerKw },
      { id: 'other', name: names[1], values: answer.otherAveragePowerKw, isBehind: true },
    ],
  };
}

type Cost = Pick<Comparison['costs'][number], 'currency' | 'total'>;

/** A row of cost for each currency of the two sides. It names the currency if there are several. */
export function comparedCosts(costs: readonly Cost[], otherCosts: readonly Cost[]) {
  const currencies = new Set([...costs, ...otherCosts].map(({ currency }) => currency));
  const totalOf = (side: readonly Cost[], wanted: string) =>
    side.find(({ currency }) => currency === wanted)?.total ?? null;
  return [...currencies].toSorted().map((currency) => ({
    currency,
    total: totalOf(costs, currency),
    otherTotal: totalOf(otherCosts, currency),
    mark: currencies.size > 1 ? ` (${currency})` : '',
  }));
}

/** Percentages are shown if the sides differ by no more than these shares. */
const maxUnpriced = 0.05;
const maxUnmeasured = 0.1;

/**
 * Whether the costs of both sides in a currency cover different parts of their energy, because some energy has no price: a
 * tariff ended or began within a range, or, with other devices, a site has no tariff.
 */
export function isPartlyPriced(costs: Comparison, hasSameDevices: boolean, currency: string): boolean {
  const { other, totals, unpricedEnergyKwh, otherUnpricedEnergyKwh } = costs;
  const rangeOf = ({ from, to }: Pick<Comparison, 'from' | 'to'>) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  });
  if (hasSameDevices) {
    const own = { range: rangeOf(costs), tariffDays: costs.tariffDays, unpricedEnergyKwh };
    const others = {
      range: rangeOf(other),
      tariffDays: costs.otherTariffDays,
      unpricedEnergyKwh: otherUnpricedEnergyKwh,
    };
    return partlyPriced(own, others, currency) !== null;
  }
  const share = shareOf(unpricedEnergyKwh, totals.energyImportedKwh);
  return Math.abs(share - shareOf(otherUnpricedEnergyKwh, totals.otherEnergyImportedKwh)) > maxUnpriced;
}

const shareOf = (part: number, all: number) => (all === 0 ? 0 : part / all);

/** True if more than 10 % of one side's energy falls where the other side has no data. */
export function isPartlyMeasured(answer: Comparison): boolean {
  const { times, otherTimes, running, totals } = answer;
  const arrivedMs = Date.parse(answer.arrivedUntil);
  // Future buckets are not missing.
  const hasCome = (time: string | null | undefined) => typeof time === 'string' && Date.parse(time) < arrivedMs;
  let [own, others] = [0, 0];
  for (const [row, energy] of answer.energyImportedKwh.entries()) {
    const otherEnergy = answer.otherEnergyImportedKwh[row] ?? null;
    const isInBoth = hasCome(times[row]) && hasCome(otherTimes[row]);
    if (!isInBoth || running[row] === true) continue;
    if (otherEnergy === null) own += energy ?? 0;
    if (energy === null) others += otherEnergy ?? 0;
  }
  return (
    shareOf(own, totals.energyImportedKwh) > maxUnmeasured ||
    shareOf(others, totals.otherEnergyImportedKwh) > maxUnmeasured
  );
}

/** A row of the table. */
export interface ComparedEnergy {
  /** Null if nothing is known for that side. */
  energyKwh: number | null;
  otherEnergyKwh: number | null;
  waitsFor?: Waits | null;
}

/** Why a comparison is not possible yet: a side is not over, or its last readings have not arrived. */
type Waits = 'end' | 'readings';

const waitsAt = ({ running, late }: Comparison, row: number): Waits | null =>
  running[row] === true ? (late[row] === true ? 'readings' : 'end') : null;
/** The reason for two rows together. */
const bothWait = (one: Waits | null, other: Waits | null) => (one === 'end' ? one : (other ?? one));

/** The largest energy in some rows, and their largest difference, kWh. These determine the units. */
export interface Largest {
  kwh: number;
  changeKwh: number;
}

export function largestOf(rows: readonly ComparedEnergy[]): Largest {
  const largest = { kwh: 0, changeKwh: 0 };
  for (const { energyKwh, otherEnergyKwh, waitsFor } of rows) {
    largest.kwh = Math.max(largest.kwh, energyKwh ?? 0, otherEnergyKwh ?? 0);
    if ((waitsFor ?? null) !== null || energyKwh === null || otherEnergyKwh === null) continue;
    largest.changeKwh = Math.max(largest.changeKwh, Math.abs(energyKwh - otherEnergyKwh));
  }
  return largest;
}

/** Part of the table: a day, or a time of one day. */
export interface ComparedPart extends ComparedEnergy {
  /** The start on each side; null if this time does not exist there. */
  time: string | null;
  otherTime: string | null;
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a + b);

/** The energy of both sides together. */
export interface ComparedSum extends ComparedEnergy {
  id: 'common' | 'soFar' | 'all';
}

/** The energy of both sides in the rows that both have, which is compared, and the total of each side. */
export function comparedSums(answer: Comparison): ComparedSum[] {
  const { totals, common } = answer;
  const waitsFor = answer.running.keys().reduce<Waits | null>((all, row) => bothWait(all, waitsAt(answer, row)), null);
  const known = (values: readonly (number | null)[], kwh: number) =>
    values.every((value) => value === null) ? null : kwh;
  const ofBoth = (kwh: number) => (common.rowCount === 0 ? null : kwh);
  return [
    {
      id: waitsFor === null ? 'common' : 'soFar',
      energyKwh: ofBoth(common.energyImportedKwh),
      otherEnergyKwh: ofBoth(common.otherEnergyImportedKwh),
    },
    {
      id: 'all',
      energyKwh: known(answer.energyImportedKwh, totals.energyImportedKwh),
      otherEnergyKwh: known(answer.otherEnergyImportedKwh, totals.otherEnergyImportedKwh),
      waitsFor,
    },
  ];
}

/** The days of both sides, or the hours if there are at most two days. A repeated hour is listed twice. */
export function comparedParts(answer: Comparison): ComparedPart[] {
  const { days, minutes, bucket } = answer;
  const isByDay = new Set(days).size > 2 || bucket === 'day';
  const parts = new Map<string, ComparedPart>();
  const seen = new Set<string>();
  for (const [row, day] of days.entries()) {
    const minute = minutes[row] ?? 0;
    const clock = `${day} ${minute}`;
    const key = isByDay ? `${day}` : `${day} ${Math.floor(minute / 60)} ${seen.has(clock)}`;
    seen.add(clock);
    const own = { energyKwh: answer.energyImportedKwh[row] ?? null, time: answer.times[row] ?? null };
    const other = answer.otherEnergyImportedKwh[row] ?? null;
    const otherTime = answer.otherTimes[row] ?? null;
    const before = parts.get(key);
    parts.set(key, {
      time: before?.time ?? own.time,
      otherTime: before?.otherTime ?? otherTime,
      energyKwh: sum(before?.energyKwh ?? null, own.energyKwh),
      otherEnergyKwh: sum(before?.otherEnergyKwh ?? null, other),
      waitsFor: bothWait(before?.waitsFor ?? null, waitsAt(answer, row)),
    });
  }
  return [...parts.values()];
}
