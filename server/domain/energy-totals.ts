import type { BreakdownGroup, BreakdownPart } from './cost-breakdown.ts';
import type { ChargedSite } from './cost-statement.ts';
import {
  emptyPricedEnergy,
  paysFixedCharge,
  type PricedEnergy,
  priceSlots,
  type SlotEnergy,
  sumPriced,
} from './costs.ts';
import { markInterpolated, type PeakDemand, peakDemand } from './demand.ts';
import { emptyEnergy } from './energy.ts';
import { dayMicros, energyColumns, type PowerSums, slotsPerDay, type StoredDay } from './energy-day.ts';
import {
  countTariffDays,
  type LocalDay,
  localDays,
  noTariffDays,
  type PricedInterval,
  priceTimeline,
  type TariffDays,
} from './price-timeline.ts';
import { type MicrosRange, unionOf } from './instants.ts';
import type { Tariff } from './tariffs.ts';

/** What the price of a site's energy depends on. */
export interface PricedSite {
  siteId: string;
  /** Sites of one municipality share its prices. */
  municipalityId: string;
  timeZone: string;
  /** What was asked for, by its clock. */
  range: MicrosRange;
  tariffs: readonly Tariff[];
  /** Of the whole range. */
  days: TariffDays;
}

export interface TotalledDevice {
  number: number;
  siteId: string;
  isActive: boolean;
}

/** How the energy of a site is cut beside its total: by local date or month, or not at all. */
export type TotalsGroup = 'day' | 'month' | null;

/** A part of a site's range, with what was priced in it. */
interface PricedGroup {
  /** `YYYY-MM-DD` or `YYYY-MM` in the site's time zone. */
  key: string;
  days: LocalDay[];
  priced: PricedEnergy;
}

export interface DeviceTotals extends PowerSums {
  priced: PricedEnergy;
  peak: PeakDemand | null;
}

export interface SiteTotals extends ChargedSite {
  /** What it has by local date or month; empty without a group. */
  parts: Omit<BreakdownPart, 'siteId'>[];
}

export interface EnergyTotals {
  /** Takes the days from `fromDay` up to `toDay` of all devices, clipped to the range; to be called once for each piece of it. */
  addDays: (fromDay: number, toDay: number, stored: readonly StoredDay[]) => void;
  devices: ReadonlyMap<number, DeviceTotals>;
  /** Of the sum of all devices. */
  findPeak: () => PeakDemand | null;
  totalSites: () => SiteTotals[];
}

/** What a breakdown by a group is made of; the totals were cut by the same, `period` is the range as a whole. */
export const partsOf = (sites: readonly SiteTotals[], group: BreakdownGroup): BreakdownPart[] =>
  sites.flatMap(({ siteId, priced, days, parts }) =>
    group === 'period' ? [{ siteId, group: null, priced, days }] : parts.map((part) => ({ siteId, ...part })),
  );

/** Adds up energy, cost, demand and power of devices over a range (energy-and-cost.md 3 to 7), piece by piece. */
export function createEnergyTotals(
  sites: readonly PricedSite[],
  devices: readonly TotalledDevice[],
  group: TotalsGroup = null,
): EnergyTotals {
  const totals = new Map(devices.map((device): [number, DeviceTotals] => [device.number, emptyTotals()]));
  const devicesOf = Map.groupBy(devices, (device) => device.siteId);
  const groupsOf = new Map(
    sites.map(({ siteId, range, timeZone, tariffs }) => [
      siteId,
      group === null ? [] : groupDays(localDays(range, timeZone, tariffs), group),
    ]),
  );
  // Each device counts in its own site's range only: a quarter-hour at the ends may be the sum of some of them.
  const whole = unionOf(sites.map((site) => site.range));
  let peak: PeakDemand | null = null;

  const addDays = (fromDay: number, toDay: number, stored: readonly StoredDay[]) => {
    const count = (toDay - fromDay) * slotsPerDay;
    const startMicros = fromDay * dayMicros;
    const timelines = new Map<string, PricedInterval[]>();
    const byDevice = Map.groupBy(stored, (day) => day.deviceNumber);
    const all = { startMicros, importedKwh: new Float64Array(count), isInterpolated: new Uint8Array(count) };
    // One set of arrays for all devices, one after the other.
    const scratch = emptyEnergy(count);
    const isInterpolated = new Uint8Array(count);
    for (const site of sites) {
      const { range } = site;
      const energy: SlotEnergy = { ...scratch, startMicros, range };
      let timeline = timelines.get(site.municipalityId);
      if (timeline === undefined) {
        const piece = {
          fromMicros: Math.max(range.fromMicros, startMicros),
          toMicros: Math.min(range.toMicros, toDay * dayMicros),
        };
        timelines.set(site.municipalityId, (timeline = priceTimeline(piece, site.timeZone, site.tariffs)));
      }
      const ofSite: SlotEnergy | null = group === null ? null : { ...emptyEnergy(count), startMicros, range };
      for (const { number } of devicesOf.get(site.siteId) ?? []) {
        const days = byDevice.get(number);
        const own = totals.get(number);
        if (days === undefined || own === undefined) continue;
        for (const name of energyColumns) energy[name].fill(0);
        for (const day of days) {
          day.fillEnergy(energy, (day.day - fromDay) * slotsPerDay);
          addSums(own, day);
        }
        priceSlots(own.priced, energy, timeline);
        isInterpolated.fill(0);
        if (days.some((day) => day.hasInterpolated)) {
          markInterpolated(isInterpolated, energy);
          markToo(all.isInterpolated, isInterpolated);
        }
        own.peak = greater(
          own.peak,
          peakDemand({ startMicros, importedKwh: energy.importedKwh, isInterpolated }, range),
        );
        addTo(all.importedKwh, energy.importedKwh);
        if (ofSite !== null) for (const name of energyColumns) addTo(ofSite[name], energy[name]);
      }
      if (ofSite !== null) priceGroups(groupsOf.get(site.siteId) ?? [], ofSite, timeline);
    }
    peak = greater(peak, peakDemand(all, whole));
  };

  return {
    addDays,
    devices: totals,
    findPeak: () => peak,
    totalSites: () =>
      sites.map(({ siteId, days }) => {
        const own = devicesOf.get(siteId) ?? [];
        const priced = sumPriced(own.flatMap(({ number }) => totals.get(number)?.priced ?? []));
        const isCharged = paysFixedCharge(own);
        return {
          siteId,
          priced,
          days: isCharged ? days : noTariffDays,
          devices: own.flatMap(({ number }) => {
            const found = totals.get(number);
            return found === undefined ? [] : [{ number, priced: found.priced }];
          }),
          parts: (groupsOf.get(siteId) ?? []).map((part) => ({
            group: part.key,
            priced: part.priced,
            days: isCharged ? countTariffDays(part.days) : noTariffDays,
          })),
        };
      }),
  };
}

const emptyTotals = (): DeviceTotals => ({
  priced: emptyPricedEnergy(),
  peak: null,
  samples: 0,
  powerSum: 0,
  factorActiveSum: 0,
  factorReactiveSum: 0,
});

function addSums(own: DeviceTotals, sums: PowerSums): void {
  own.samples += sums.samples;
  own.powerSum += sums.powerSum;
  own.factorActiveSum += sums.factorActiveSum;
  own.factorReactiveSum += sums.factorReactiveSum;
}

function addTo(target: Float64Array, values: Float64Array): void {
  for (let at = 0; at < target.length; at += 1) target[at] = (target[at] ?? 0) + (values[at] ?? 0);
}

function markToo(target: Uint8Array, marks: Uint8Array): void {
  for (let at = 0; at < target.length; at += 1) if (marks[at] === 1) target[at] = 1;
}

/** Of equal peaks the earliest counts, and pieces come in order of time. */
const greater = (a: PeakDemand | null, b: PeakDemand | null) => (a === null || (b !== null && b.kw > a.kw) ? b : a);

function groupDays(days: readonly LocalDay[], group: 'day' | 'month'): PricedGroup[] {
  const groups: PricedGroup[] = [];
  for (const day of days) {
    // A date of the year 10000 is one character longer.
    const key = group === 'day' ? day.date : day.date.slice(0, -'-01'.length);
    const last = groups.at(-1);
    if (last?.key === key) last.days.push(day);
    else groups.push({ key, days: [day], priced: emptyPricedEnergy() });
  }
  return groups;
}

/** Prices each interval in the groups whose days it touches; both ascend and have no holes. */
function priceGroups(groups: readonly PricedGroup[], slots: SlotEnergy, timeline: readonly PricedInterval[]): void {
  let at = 0;
  for (const interval of timeline) {
    let { fromMicros } = interval;
    while (fromMicros < interval.toMicros && at < groups.length) {
      const group = groups[at];
      const end = group?.days.at(-1)?.toMicros ?? 0;
      const toMicros = Math.min(interval.toMicros, end);
      if (group !== undefined && fromMicros < toMicros) {
        priceSlots(group.priced, slots, [{ ...interval, fromMicros, toMicros }]);
        fromMicros = toMicros;
      }
      if (end <= fromMicros) at += 1;
    }
  }
}
