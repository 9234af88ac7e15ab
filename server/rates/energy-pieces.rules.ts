import {
  addExported,
  addImported,
  emptyPricedEnergy,
  type OpenEnergy,
  openSum,
  openSumLength,
  type PricedEnergy,
  pricedSums,
  priceNext,
  priceSlots,
  type SlotEnergy,
} from './costs.rules.ts';
import { emptyDemand, markInterpolated, type PeakDemand, peakDemand } from '../energy/power.rules.ts';
import {
  emptyEnergy,
  type EnergyBuckets,
  cutSlots,
  energyColumns,
  type PowerSums,
  slotsPerDay,
  type StoredDay,
} from '../energy/energy.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import type { LocalDay, PricedInterval, Tariff, TariffPeriod } from './tariffs.rules.ts';

/**
 * A week in UTC, or the part of it inside a range. Totals are made of such pieces. Each piece is summed separately, starting at
 * zero; `addPiece` then adds its sums to the totals. So kept and newly computed pieces give the same totals to the bit.
 */
export interface Piece {
  /** Days since 1970-01-01, half-open. */
  fromDay: number;
  toDay: number;
  sites: readonly SitePiece[];
}

/** A piece for one site. */
export interface SitePiece {
  /** The range of the site. */
  range: MicrosRange;
  devices: readonly number[];
  /** The sub-meters, whose energy is included in that of other devices. */
  apart: readonly number[];
  timeline: readonly PricedInterval[];
  /** The lines of the tariffs in the order of the timeline, and the tariffs themselves. */
  lines: readonly { tariff: Tariff; period: TariffPeriod | null }[];
  tariffs: readonly Tariff[];
  /** The groups that the piece touches. */
  groups: readonly PricedGroup[];
}

/** A part of a site's range, with the energy priced in it. */
export interface PricedGroup {
  /** `YYYY-MM-DD` or `YYYY-MM` in the site's time zone. */
  key: string;
  days: LocalDay[];
  priced: PricedEnergy;
}

export interface DeviceTotals extends PowerSums {
  priced: PricedEnergy;
  peak: PeakDemand | null;
}

/** The lines and the tariffs of a timeline, each once. */
export function linesOf(timeline: readonly PricedInterval[]): Pick<SitePiece, 'lines' | 'tariffs'> {
  const lines = new Map<TariffPeriod | Tariff, SitePiece['lines'][number]>();
  for (const { tariff, period } of timeline) if (tariff !== null) lines.set(period ?? tariff, { tariff, period });
  return { lines: [...lines.values()], tariffs: [...new Set([...lines.values()].map(({ tariff }) => tariff))] };
}

/** Increase this number whenever the meaning of stored sums changes. */
const sumsVersion = 1;

/**
 * Everything apart from the slots on which the sums of a piece depend: the devices, their order, and the instants at which
 * prices and groups change. The prices themselves are left out, because they are applied to the sums.
 */
export function describePiece({ fromDay, toDay, sites }: Piece): string {
  const described = new Map<readonly PricedInterval[], unknown>();
  const describe = ({ timeline, lines, tariffs }: SitePiece) =>
    timeline.map(({ toMicros, tariff, period }) => [
      toMicros,
      lines.findIndex((line) => line.tariff === tariff && line.period === period),
      tariff === null ? -1 : tariffs.indexOf(tariff),
    ]);
  return JSON.stringify([
    sumsVersion,
    fromDay,
    toDay,
    sites.map((site) => {
      const prices = described.get(site.timeline) ?? describe(site);
      described.set(site.timeline, prices);
      return [
        site.devices,
        site.timeline[0]?.fromMicros,
        prices,
        site.groups.map(({ days }) => [days[0]?.fromMicros, days.at(-1)?.toMicros]),
        ...(site.apart.length === 0 ? [] : [site.apart]),
      ];
    }),
  ]);
}

/** Whether no range of a site cuts a slot of the piece. Then the piece depends only on its stored days. */
export const isOfWholeSlots = ({ fromDay, toDay, sites }: Piece): boolean =>
  sites.every(({ range }) =>
    cutSlots(range).every(
      ({ slotStartMicros }) => slotStartMicros < fromDay * dayMicros || slotStartMicros >= toDay * dayMicros,
    ),
  );

/** The sums of a day of a device. */
export type SummedDay = Omit<StoredDay, 'deviceNumber' | 'readStatistics'>;

/** Sums a piece. Takes the days of its devices one after the other, in the order of the sites and of their devices. */
export interface PieceSum {
  addDevice: (number: number, days: readonly SummedDay[]) => void;
  /** Returns the sums for `addPiece`. */
  close: () => Float64Array;
}

/** The first days of a piece with their sums, and the sums of intervals that may go on after these days. */
export interface PieceHead {
  piece: Piece;
  sums: Float64Array;
}

type OpenTotals = DeviceTotals & OpenEnergy;

/**
 * See `PieceSum`. `whole` is the range of all sites. If a head is given, only later days are taken. With `isHead`, the result
 * is the sum of a head.
 */
export function openPieceSum(
  { fromDay, toDay, sites }: Piece,
  whole: MicrosRange,
  { after, isHead = false }: { after?: PieceHead | undefined; isHead?: boolean } = {},
): PieceSum {
  const firstDay = after?.piece.toDay ?? fromDay;
  const count = (toDay - firstDay) * slotsPerDay;
  const startMicros = firstDay * dayMicros;
  const all = emptyDemand(startMicros, count);
  // One set of arrays, which all devices use one after the other.
  const scratch = emptyEnergy(count);
  const isInterpolated = new Uint8Array(count);
  const apart = new Set(sites.flatMap((site) => site.apart));
  const siteOf = new Map(sites.flatMap((site) => site.devices.map((number) => [number, site] as const)));
  const devices = new Map<number, OpenTotals>();
  const ofSites = new Map<SitePiece, EnergyBuckets>();
  const begun = new Set(after?.piece.sites.flatMap((site) => site.devices));
  for (const number of begun) devices.set(number, emptyOpen());
  const before = after === undefined ? null : addPiece(after.sums, after.piece, devices, true);

  const addDevice = (number: number, days: readonly SummedDay[]) => {
    const site = siteOf.get(number);
    const goesOn = begun.delete(number);
    if (site === undefined || (days.length === 0 && !goesOn)) return;
    const { range, timeline } = site;
    const own = devices.getOrInsertComputed(number, emptyOpen);
    for (const name of energyColumns) scratch[name].fill(0);
    for (const day of days) {
      day.fillEnergy(scratch, (day.day - firstDay) * slotsPerDay);
      addSums(own, day);
    }
    priceNext(own, { ...scratch, startMicros, range }, timeline, isHead);
    isInterpolated.fill(0);
    const hasInterpolated = days.some((day) => day.hasInterpolated);
    if (hasInterpolated) markInterpolated(isInterpolated, scratch);
    own.peak = greater(own.peak, peakDemand({ startMicros, importedKwh: scratch.importedKwh, isInterpolated }, range));
    if (apart.has(number)) return;
    if (hasInterpolated) addMarks(all.isInterpolated, isInterpolated);
    addTo(all.importedKwh, scratch.importedKwh);
    if (site.groups.length === 0) return;
    const ofSite = ofSites.getOrInsertComputed(site, () => emptyEnergy(count));
    for (const name of energyColumns) addTo(ofSite[name], scratch[name]);
  };

  return {
    addDevice,
    close() {
      // Devices without later days still end the interval that the head has left open.
      for (const number of begun) addDevice(number, []);
      const sums: number[] = [];
      pushPeak(sums, greater(before, peakDemand(all, whole)));
      for (const site of sites) {
        for (const number of site.devices) {
          const { samples, powerSum, factorActiveSum, factorReactiveSum, peak, priced, open } =
            devices.get(number) ?? nothing;
          sums.push(samples, powerSum, factorActiveSum, factorReactiveSum);
          pushPeak(sums, peak);
          pushPriced(sums, priced, site);
          if (isHead) sums.push(...open);
        }
        const energy = ofSites.get(site);
        for (const group of site.groups) {
          const priced =
            energy === undefined
              ? nothing.priced
              : priceGroup(group, { ...energy, startMicros, range: site.range }, site);
          pushPriced(sums, priced, site);
        }
      }
      return Float64Array.from(sums);
    },
  };
}

/** Adds the sums of a piece to the totals of its devices and groups. Returns the peak of all devices together. */
export function addPiece(
  sums: Float64Array,
  { sites }: Piece,
  totals: ReadonlyMap<number, DeviceTotals & Partial<OpenEnergy>>,
  isHead = false,
): PeakDemand | null {
  let at = 0;
  const next = () => sums[at++] ?? 0;
  const nextPeak = (): PeakDemand | null => {
    const [kw, slotStartMicros] = [next(), next()];
    return kw === 0 ? null : { kw, slotStartMicros };
  };
  const all = nextPeak();
  for (const site of sites) {
    for (const number of site.devices) {
      const own = totals.get(number) ?? emptyOpen();
      addSums(own, {
        samples: next(),
        powerSum: next(),
        factorActiveSum: next(),
        factorReactiveSum: next(),
      });
      own.peak = greater(own.peak, nextPeak());
      addPriced(own.priced, site, next);
      if (!isHead) continue;
      own.open?.set(sums.subarray(at, at + openSumLength));
      at += openSumLength;
    }
    for (const { priced } of site.groups) addPriced(priced, site, next);
  }
  return all;
}

export const emptyTotals = (): DeviceTotals => ({
  priced: emptyPricedEnergy(),
  peak: null,
  samples: 0,
  powerSum: 0,
  factorActiveSum: 0,
  factorReactiveSum: 0,
});
const emptyOpen = (): OpenTotals => ({ ...emptyTotals(), open: openSum() });
const nothing = emptyOpen();

/** Of equal peaks the earliest counts, and pieces come in the order of time. */
export const greater = (a: PeakDemand | null, b: PeakDemand | null): PeakDemand | null =>
  a === null || (b !== null && b.kw > a.kw) ? b : a;

function addSums(own: PowerSums, sums: PowerSums): void {
  own.samples += sums.samples;
  own.powerSum += sums.powerSum;
  own.factorActiveSum += sums.factorActiveSum;
  own.factorReactiveSum += sums.factorReactiveSum;
}

/** Adds the values of one grid to those of another. */
export function addTo(target: Float64Array, values: Float64Array): void {
  for (let at = 0; at < target.length; at += 1) target[at] = (target[at] ?? 0) + (values[at] ?? 0);
}

export function addMarks(target: Uint8Array, marks: Uint8Array): void {
  for (let at = 0; at < target.length; at += 1) if (marks[at] === 1) target[at] = 1;
}

/** Stores 0 kW if there is no peak. */
const pushPeak = (sums: number[], peak: PeakDemand | null) => sums.push(peak?.kw ?? 0, peak?.slotStartMicros ?? 0);

function pushPriced(sums: number[], priced: PricedEnergy, { lines, tariffs }: SitePiece): void {
  for (const name of pricedSums) sums.push(priced[name]);
  for (const { tariff, period } of lines) {
    const line = priced.lines.get(period ?? tariff);
    sums.push(line?.importedKwh ?? 0, line?.interpolatedKwh ?? 0);
  }
  for (const tariff of tariffs) {
    const exported = priced.exported.get(tariff);
    sums.push(exported?.kwh ?? 0, exported?.interpolatedKwh ?? 0);
  }
}

/** The inverse: adds stored sums to the prices so far. */
function addPriced(priced: PricedEnergy, { lines, tariffs }: SitePiece, next: () => number): void {
  for (const name of pricedSums) priced[name] += next();
  for (const { tariff, period } of lines) {
    const [importedKwh, interpolatedKwh] = [next(), next()];
    if (importedKwh !== 0) addImported(priced, { tariff, period, importedKwh, interpolatedKwh });
  }
  for (const tariff of tariffs) {
    const [kwh, interpolatedKwh] = [next(), next()];
    if (kwh !== 0) addExported(priced, tariff, kwh, interpolatedKwh);
  }
}

/** The intervals of the timeline within the days of a group. */
function priceGroup({ days }: PricedGroup, slots: SlotEnergy, { timeline }: SitePiece): PricedEnergy {
  const [start, end] = [days[0]?.fromMicros ?? 0, days.at(-1)?.toMicros ?? 0];
  const priced = emptyPricedEnergy();
  for (const interval of timeline) {
    const [fromMicros, toMicros] = [Math.max(interval.fromMicros, start), Math.min(interval.toMicros, end)];
    if (fromMicros < toMicros) priceSlots(priced, slots, [{ ...interval, fromMicros, toMicros }]);
  }
  return priced;
}
