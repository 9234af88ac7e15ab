import {
  type DashboardSummary,
  usualDaysMax,
  type UsualBucket,
  type UsualLoad,
} from '../../../../../shared/dashboard.ts';
import type { ComparedRanges } from '../../../lib/compared-ranges.ts';
import type { TimeRange } from '../../../lib/time-range.ts';
import { dayMs } from '../../../../../shared/time.ts';
import { chartData, type ChartData } from '../../../../../shared/charts/chart-data.ts';

/** With fewer weeks than this, nothing counts as usual: no band is drawn, and no sentence shown. */
export const minWeeks = 4;
/** A difference smaller than this counts as usual. */
const minShare = 0.005;

/** A day of 25 hours counts as one day. */
const days = ({ fromMs, toMs }: TimeRange) => (toMs - fromMs) / dayMs - 1 / 24;

export const hasUsual = (range: TimeRange): boolean => days(range) <= usualDaysMax;

/** A week shows every quarter-hour, a month every hour. */
export const usualBucketOf = (range: TimeRange): UsualBucket => (days(range) <= 7 ? '15min' : 'hour');

/** Whether the weeks suffice for a band in some part of the range. */
export const hasBand = ({ weekCounts, medianPowerKw }: UsualLoad): boolean =>
  medianPowerKw.some((value, index) => value !== null && (weekCounts[index] ?? 0) >= minWeeks);

/** Usual consumption as a line with a band. */
export function usualData(usual: UsualLoad, timeZone: string, range: TimeRange, name: string): ChartData {
  const known = (values: readonly (number | null)[]) =>
    values.map((value, index) => ((usual.weekCounts[index] ?? 0) < minWeeks ? null : value));
  const series = {
    id: 'usual',
    name,
    values: known(usual.medianPowerKw),
    lows: known(usual.lowPowerKw),
    highs: known(usual.highPowerKw),
  };
  return chartData(usual.times, usual.bucket, timeZone, range, [series]);
}

interface TakenEnergy {
  energyImportedKwh: number;
  devices: readonly { deviceId: string; energyImportedKwh: number }[];
}

export interface UsualDifference {
  /** The difference as a share of usual consumption; 0 if it counts as usual. */
  share: number;
  weekCount: number;
  /** Consumption within the band of the weeks, or near its median, counts as normal. */
  verdict: 'normal' | 'high' | 'low';
}

/** If all weeks are alike, the band is narrower than the range that people call normal. */
const normalShare = 0.05;

/**
 * If devices without usual consumption used more than this share of the energy, the other devices do not stand for the total.
 */
const maxShareLeftOut = 0.1;

/** The devices of a range that are too new for usual consumption. */
export interface TooNew {
  count: number;
  /** Whether these devices used so much that the others do not stand for the total. */
  isMuch: boolean;
}

export function tooNewIn(usual: UsualLoad, current: TakenEnergy): TooNew {
  const count = usual.devicesWithoutUsual.length;
  return { count, isMuch: energyWithoutUsual(usual, current) > maxShareLeftOut * current.energyImportedKwh };
}

function energyWithoutUsual({ devicesWithoutUsual }: UsualLoad, { devices }: TakenEnergy): number {
  const ids = new Set(devicesWithoutUsual);
  return devices.reduce((sum, one) => sum + (ids.has(one.deviceId) ? one.energyImportedKwh : 0), 0);
}

/** The difference from usual consumption, for a range or its elapsed part. Null if there are too few weeks. */
export function usualDifference(usual: UsualLoad, current: TakenEnergy, isWhole: boolean): UsualDifference | null {
  const energy = isWhole ? usual.energy : usual.energyUntil;
  if (energy === null || energy.weekCount < minWeeks || energy.medianKwh <= 0) return null;
  if (tooNewIn(usual, current).isMuch) return null;
  const { lowKwh, medianKwh, highKwh, weekCount } = energy;
  const energyKwh = current.energyImportedKwh - energyWithoutUsual(usual, current);
  const share = energyKwh / medianKwh - 1;
  const isNormal = Math.abs(share) < normalShare || (lowKwh <= energyKwh && energyKwh <= highKwh);
  const verdict = isNormal ? 'normal' : share > 0 ? 'high' : 'low';
  return { share: Math.abs(share) < minShare ? 0 : share, weekCount, verdict };
}

/** If less than this share of a range is over, its pace means nothing. */
const minPace = 0.05;

interface Paced {
  ranges: ComparedRanges;
  usual: UsualLoad | null;
  current: TakenEnergy | null;
}

/** The elapsed share of the time of a running range. */
const timeShare = ({ ranges: { current, whole } }: Paced) =>
  Math.min(1, (current.toMs - whole.fromMs) / (whole.toMs - whole.fromMs));

/**
 * The share of its energy that a running range has used: the share of a usual range at this time, or else the share of time.
 * Null at its start.
 */
export function paceOf(of: Paced): number | null {
  const { usual, current: taken } = of;
  const [part, all] = [usual?.energyUntil ?? null, usual?.energy ?? null];
  const tells = usual !== null && taken !== null && !tooNewIn(usual, taken).isMuch;
  const isKnown = tells && part !== null && all !== null && part.weekCount >= minWeeks && all.medianKwh > 0;
  const pace = isKnown ? part.medianKwh / all.medianKwh : timeShare(of);
  return pace < minPace ? null : Math.min(1, pace);
}

/**
 * If the days of sites differ by more than this, the sites are in another part of the world, or had a tariff for only a part of
 * the range.
 */
const farShare = 0.1;

export type Costs = Pick<DashboardSummary, 'costs' | 'tariffDays' | 'unpricedEnergyKwh'>;

/**
 * The final cost of a range in a currency, if pace and mean price stay the same. Null if it is unknown. `whole` has the fixed
 * charge and the days of the whole range. If there are several currencies, or part of the energy has another currency, the days
 * of this currency's sites count, because they may be further or less far than the range.
 */
export function costAtPace(currency: string, soFar: Costs, whole: Costs, paced: Paced): number | null {
  const [part, all] = [soFar, whole].map(({ costs }) => costs.find((cost) => cost.currency === currency));
  if (part === undefined || all === undefined) return null;
  const [daysSoFar, days] = [soFar, whole].map(
    ({ tariffDays }) => tariffDays.find((own) => own.currency === currency)?.days ?? 0,
  );
  const [allSoFar = 0, allDays = 0] = [soFar, whole].map(({ tariffDays }) =>
    tariffDays.reduce((sum, one) => sum + one.days, 0),
  );
  const own = days ? (daysSoFar ?? 0) / days : timeShare(paced);
  // The pace of all sites applies to those whose range has progressed equally far.
  const allOwn = allDays > 0 ? allSoFar / allDays : timeShare(paced);
  const isAll = whole.costs.length === 1 && whole.unpricedEnergyKwh === 0;
  const pace =
    isAll || [timeShare(paced), allOwn].every((share) => Math.abs(own - share) < farShare) ? paceOf(paced) : own;
  if (pace === null || pace < minPace) return null;
  const beforeVat = all.energyCost + all.fixedCharge;
  const vatShare = beforeVat === 0 ? 0 : all.vat / beforeVat;
  return (part.energyCost / pace + all.fixedCharge) * (1 + vatShare);
}
