import { type Measure, type Split, toolLimits } from '../../shared/dashboard-tool.ts';
import { type DomainError, refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { yieldToOthers } from '../database/turns.ts';
import {
  emptyEnergy,
  type EnergyBuckets,
  slotMicros,
  dayOf,
  energyColumns,
  slotsPerDay,
  type StoredDay,
} from '../energy/energy.rules.ts';
import { emptyStatistics, sumBetween } from '../energy/statistics.rules.ts';
import { breakDown, stateCosts } from '../rates/cost-statement.rules.ts';
import { addTo, type SummedDay } from '../rates/energy-pieces.rules.ts';
import { createEnergyTotals, partsOf, priceSite } from '../rates/energy-totals.rules.ts';
import type { MunicipalityTariff } from '../rates/tariffs.sql.ts';
import type { BucketUse, EnergySource, SourceCosts } from '../reports/energy-sources.ts';
import { type PartOf, splitDevices, unnamedPart } from '../reports/parts.rules.ts';
import type { MeteredSite } from './fleet-activity.sql.ts';

/** The quarter-hours of a site on a UTC day: the sum of its devices, without sub-meters. */
interface SiteDay extends SummedDay {
  energy: EnergyBuckets;
  /** The sum of their average powers, milliwatts; NaN if none of them measured. */
  power: Float64Array;
}

export interface KeptSite extends MeteredSite {
  /** The days, counted from 1970. Days without readings and energy are left out. */
  days: Map<number, SiteDay>;
}

/** A customer with its sites. A change of the customer creates a new object. */
export interface KeptCustomer {
  id: string;
  name: string;
  sites: readonly KeptSite[];
  tariffs: readonly MunicipalityTariff[];
  /** The results for the ranges that were asked for last. */
  costs: Map<string, SourceCosts>;
}

const noEnergy = new Float64Array(slotsPerDay);
const noSums = { samples: 0, powerSum: 0, factorActiveSum: 0, factorReactiveSum: 0 };
const scratch = { energy: emptyEnergy(slotsPerDay), statistics: emptyStatistics(slotsPerDay) };

function emptyDay(day: number): SiteDay {
  const [importedKwh, exportedKwh] = [new Float64Array(slotsPerDay), new Float64Array(slotsPerDay)];
  const energy = {
    importedKwh,
    exportedKwh,
    interpolatedImportedKwh: noEnergy,
    interpolatedExportedKwh: noEnergy,
  };
  return {
    day,
    ...noSums,
    energy,
    power: new Float64Array(slotsPerDay).fill(NaN),
    hasInterpolated: false,
    fillEnergy(target, at) {
      for (const name of energyColumns) target[name].set(energy[name], at);
    },
  };
}

/** Adds a day of a device to that of its site. */
export function addDay(site: KeptSite | undefined, day: StoredDay): void {
  if (site === undefined) return;
  const sum = site.days.getOrInsertComputed(day.day, emptyDay);
  if (day.hasInterpolated && !sum.hasInterpolated) {
    sum.energy.interpolatedImportedKwh = new Float64Array(slotsPerDay);
    sum.energy.interpolatedExportedKwh = new Float64Array(slotsPerDay);
    sum.hasInterpolated = true;
  }
  const { energy, statistics } = scratch;
  for (const name of energyColumns) energy[name].fill(0);
  day.fillEnergy(energy, 0);
  day.readStatistics(statistics);
  for (const name of energyColumns) if (sum.energy[name] !== noEnergy) addTo(sum.energy[name], energy[name]);
  for (let slot = 0; slot < slotsPerDay; slot += 1) {
    const samples = statistics.samples[slot] ?? 0;
    if (samples === 0) continue;
    const [own, before] = [(statistics.powerSum[slot] ?? 0) / samples, sum.power[slot] ?? NaN];
    sum.power[slot] = Number.isNaN(before) ? own : before + own;
  }
}

const chooseSome = (field: 'measure' | 'split' | 'devices', what: string): DomainError =>
  refuse('chooseCustomers', { what, max: toolLimits.customers }, { field });

export const refuseDevices = (): never => {
  throw chooseSome('devices', 'single devices');
};

/** Rejects queries that need the single devices or sites of this many customers. */
export function refuseDetail(measure: Measure, split: Split, measures: readonly Measure[]): void {
  if (!measures.includes(measure)) throw chooseSome('measure', measure);
  if (split === 'site' || split === 'device') throw chooseSome('split', `values by ${split}`);
}

/**
 * Splits by customer. The customers with the most energy get parts of their own, whatever is measured; all others form one
 * part.
 */
export async function splitLargest(sources: readonly EnergySource[]): Promise<PartOf> {
  const sizes = new Map<string | null, number>();
  for (const { labels, readImported } of sources) sizes.set(labels.customerId, await readImported());
  const bySize = [...sizes].toSorted(([, a], [, b]) => b - a);
  const isAll = sources.length <= toolLimits.series;
  const named = new Set(bySize.slice(0, isAll ? undefined : toolLimits.series - 1).map(([id]) => id));
  const rest = unnamedPart(sources.length - named.size);
  const ofCustomer = splitDevices(sources, 'customer');
  return (source, device) => (named.has(source.labels.customerId) ? ofCustomer(source, device) : rest);
}

/** The sites of customers as the devices of a query for whole quarter-hours. */
export function openKept(customers: readonly KeptCustomer[], ranges: SiteRanges): EnergySource[] {
  const bucketsOf = new Map<readonly number[], Map<number, Int32Array>>();
  let buckets = emptyBuckets(0);
  return customers.map((customer): EnergySource => {
    const { id: customerId, name: customerName, sites } = customer;
    return {
      labels: { customerId, customerName },
      devices: sites.map(({ id, timeZone }, number) => {
        return { number, id, name: id, siteId: id, siteName: id, timeZone, countedIn: null };
      }),
      only: refuseDevices,
      async readBuckets({ edgesOf, uses }, add) {
        for (const [deviceNumber, site] of sites.entries()) {
          const edges = edgesOf(site.timeZone);
          const ofDays = bucketsOf.getOrInsertComputed(edges, () => new Map());
          if (buckets.statistics.samples.length !== edges.length - 1) buckets = emptyBuckets(edges.length - 1);
          else clearBuckets(buckets);
          for (const { day, start, first, end } of daysOf(site, ranges)) {
            const bucketAt = ofDays.getOrInsertComputed(start, () => bucketsOfDay(start, edges));
            addSlots(buckets, day, { bucketAt, first, end, uses });
          }
          add({ deviceNumber, ...buckets });
        }
      },
      async readImported() {
        let sum = 0;
        for (const site of sites) {
          for (const { day, first, end } of daysOf(site, ranges)) sum += sumBetween(day.energy.importedKwh, first, end);
        }
        return sum;
      },
      readCosts: () => readCosts(customer, ranges, null),
      readLines: async (group) => (await readCosts(customer, ranges, group)).breakdown,
      readTotals: async () => refuseDevices(),
    };
  });
}

/** The days of a site in its range, each with its quarter-hours from `first` up to `end`. */
function* daysOf({ days, timeZone }: KeptSite, ranges: SiteRanges) {
  const { fromMicros, toMicros } = ranges.of(timeZone);
  for (const [number, day] of days) {
    const start = number * dayMicros;
    const first = Math.max(0, Math.ceil((fromMicros - start) / slotMicros));
    const end = Math.min(slotsPerDay, Math.ceil((toMicros - start) / slotMicros));
    if (first < end) yield { day, start, first, end };
  }
}

type SiteBuckets = ReturnType<typeof emptyBuckets>;

const none = new Float64Array(0);
const emptyBuckets = (count: number) => ({
  energy: { ...emptyEnergy(0), importedKwh: new Float64Array(count) },
  statistics: { ...emptyStatistics(0), samples: new Float64Array(count), powerSum: new Float64Array(count) },
});

function clearBuckets({ energy, statistics }: SiteBuckets): void {
  for (const values of [energy.importedKwh, statistics.samples, statistics.powerSum]) values.fill(0);
  energy.interpolatedImportedKwh = none;
  energy.interpolatedExportedKwh = none;
}

interface SlotsOfDay {
  bucketAt: Int32Array;
  first: number;
  end: number;
  uses: BucketUse;
}

/** Each quarter-hour of a site counts as one sample of its power. */
function addSlots({ energy, statistics }: SiteBuckets, day: SiteDay, slots: SlotsOfDay): void {
  const { bucketAt, first, end, uses } = slots;
  if (uses !== 'power') addColumn(energy.importedKwh, day.energy.importedKwh, slots);
  if (uses === 'demand') {
    if (!day.hasInterpolated) return;
    for (const name of ['interpolatedImportedKwh', 'interpolatedExportedKwh'] as const) {
      if (energy[name].length === 0) energy[name] = new Float64Array(energy.importedKwh.length);
      addColumn(energy[name], day.energy[name], slots);
    }
    return;
  }
  const { powerSum, samples } = statistics;
  const { power } = day;
  for (let slot = first; slot < end; slot += 1) {
    const [at, own] = [bucketAt[slot] ?? -1, power[slot] ?? NaN];
    if (at < 0 || Number.isNaN(own)) continue;
    powerSum[at] = (powerSum[at] ?? 0) + own;
    samples[at] = (samples[at] ?? 0) + 1;
  }
}

function addColumn(sums: Float64Array, own: Float64Array, { bucketAt, first, end }: SlotsOfDay): void {
  const offset = (bucketAt[first] ?? -1) - first;
  if (offset + first >= 0 && bucketAt[end - 1] === offset + end - 1) {
    for (let slot = first; slot < end; slot += 1) sums[offset + slot] = (sums[offset + slot] ?? 0) + (own[slot] ?? 0);
    return;
  }
  for (let slot = first; slot < end; slot += 1) {
    const at = bucketAt[slot] ?? -1;
    if (at >= 0) sums[at] = (sums[at] ?? 0) + (own[slot] ?? 0);
  }
}

/** The bucket of each quarter-hour of a day; -1 if it is in none. */
function bucketsOfDay(start: number, edges: readonly number[]): Int32Array {
  let at = 0;
  return Int32Array.from({ length: slotsPerDay }, (_, slot) => {
    const micros = start + slot * slotMicros;
    while (at < edges.length && (edges[at] ?? 0) <= micros) at += 1;
    return at === edges.length ? -1 : at - 1;
  });
}

const keptRanges = 4;
/** This many customers are priced before other requests may run. */
const pricedAtOnce = 20;
let pricedSince = 0;

async function readCosts(
  customer: KeptCustomer,
  ranges: SiteRanges,
  group: 'day' | 'month' | null,
): Promise<SourceCosts> {
  const { costs } = customer;
  const key = JSON.stringify([ranges.all, ranges.dates, group]);
  const found = costs.get(key);
  if (found !== undefined) return found;
  if ((pricedSince += 1) % pricedAtOnce === 0) await yieldToOthers();
  const own = price(customer, ranges, group);
  costs.set(key, own);
  for (const oldest of costs.keys()) {
    if (costs.size <= keptRanges) break;
    costs.delete(oldest);
  }
  return own;
}

function price({ sites, tariffs }: KeptCustomer, ranges: SiteRanges, group: 'day' | 'month' | null): SourceCosts {
  const pricedSites = sites.map((site) => {
    const own = tariffs.filter(({ municipalityId }) => municipalityId === site.municipalityId);
    return { siteId: site.id, ...priceSite(site, own, ranges, group) };
  });
  const devices = sites.map(({ id: siteId, isActive }, number) => ({ number, siteId, isActive, countedIn: null }));
  const totals = createEnergyTotals(pricedSites, devices);
  const days = { fromDay: dayOf(ranges.all.fromMicros), toDay: dayOf(ranges.all.toMicros - 1) + 1 };
  for (const piece of totals.listPieces(days)) {
    const sum = totals.openSum(piece);
    for (const [number, site] of sites.entries()) {
      const own = [...site.days.values()].filter(({ day }) => day >= piece.fromDay && day < piece.toDay);
      sum.addDevice(number, own);
    }
    totals.add(piece, sum.close());
  }
  const charged = totals.totalSites();
  const { costs, lines } = stateCosts(charged);
  return { costs, lines, breakdown: breakDown(partsOf(charged, group ?? 'period'), costs) };
}
