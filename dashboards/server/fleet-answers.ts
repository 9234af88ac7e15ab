import {
  type HeatmapAnswer,
  type HeatmapQuestion,
  type Measure,
  type SeriesAnswer,
  type SeriesQuestion,
  type Split,
  toolLimits,
  type TotalsAnswer,
  type TotalsQuestion,
} from '../../shared/dashboard-tool.ts';
import type { NamedCustomer } from '../../server/fleet/fleet-customers.sql.ts';
import type { Database } from '../../server/database/pool.ts';
import { yieldToOthers } from '../../server/database/yield-to-others.ts';
import { type AskedRange, rangesOf, sharedZone, type SiteRanges } from '../../server/base/ranges.ts';
import { breakDown, type BreakdownLine, maxParts } from '../../server/rates/cost-breakdown.rules.ts';
import { type StatedCost, stateCosts } from '../../server/rates/cost-statement.rules.ts';
import { type DemandSlots, emptyDemand, markInterpolated, peakDemand } from '../../server/energy/demand.rules.ts';
import { type EnergyBuckets, slotMicros } from '../../server/energy/energy.rules.ts';
import { dayOf, energyColumns, slotsPerDay, type StoredDay } from '../../server/energy/energy-day.rules.ts';
import { createEnergyTotals, groupDays, partsOf } from '../../server/rates/energy-totals.rules.ts';
import { refuse } from '../../server/base/errors.ts';
import { formatInstant, type MicrosRange, dayMicros } from '../../server/base/instants.ts';
import { tariffDaysOf } from '../../server/rates/price-timeline.rules.ts';
import { sumBetween } from '../../server/energy/statistics.rules.ts';
import type { FleetCustomer, FleetSite, FleetSlots, SiteDay } from './fleet-slots.ts';
import { heatmapOf } from './heatmap.ts';
import { inCurrency, inPeriod, type Part } from './parts.ts';
import { amountOf, groupOf, type PartLine, type Series, seriesOfLines, units } from './series.ts';
import { chooseStep, edgesOf } from './steps.ts';
import { type Amount, sumAmounts } from './totals.ts';

/** A question about too many customers to read one by one. */
export interface FleetAsked {
  customers: readonly FleetCustomer[];
  /** Both ends lie on quarter-hours. */
  ranges: SiteRanges;
  fallbackZone: string;
  /** Customers with readings that may be missing. */
  pendingCustomers: number;
}

interface FleetQuestion {
  range: AskedRange;
  sites: readonly string[];
  devices: readonly string[];
  accountId: string;
  askedAtMs: number;
  fallbackZone: string;
}

/** Reads the data for a question. Throws `invalid` if it is too much, or the question names devices. */
export async function openFleet(
  slots: FleetSlots,
  { database, customers }: { database: Database; customers: readonly NamedCustomer[] },
  { range, sites, devices, accountId, askedAtMs, fallbackZone }: FleetQuestion,
): Promise<FleetAsked> {
  if (devices.length > 0) throw chooseSome('devices', 'single devices');
  const whole = range.dates === null ? ofWholeSlots(range) : range;
  const days = { fromDay: dayOf(whole.fromMicros), toDay: dayOf(whole.toMicros - 1) + 1 };
  const found = await slots.read(database, customers, days, { accountId, askedAtMs });
  const chosen = new Set(sites);
  const asked = found.customers.flatMap((customer) => {
    if (chosen.size === 0) return customer.sites.length > 0 ? [customer] : [];
    const own = customer.sites.filter(({ id }) => chosen.has(id));
    return own.length > 0 ? [{ ...customer, sites: own }] : [];
  });
  const zones = asked.flatMap((customer) => customer.sites.map(({ timeZone }) => timeZone));
  return { customers: asked, ranges: rangesOf(whole, zones), fallbackZone, pendingCustomers: found.pendingCount };
}

/** Extends a range to whole quarter-hours. */
const ofWholeSlots = (range: AskedRange): AskedRange => ({
  ...range,
  fromMicros: Math.floor(range.fromMicros / slotMicros) * slotMicros,
  toMicros: Math.ceil(range.toMicros / slotMicros) * slotMicros,
});

const chooseSome = (field: 'measure' | 'split' | 'devices', what: string) =>
  refuse('chooseCustomers', { what, max: toolLimits.customers }, { field });

function refuseDetail(measure: Measure, split: Split, measures: readonly Measure[]): void {
  if (!measures.includes(measure)) throw chooseSome('measure', measure);
  if (split === 'site' || split === 'device') throw chooseSome('split', `values by ${split}`);
}

/** One value for each part; split by customer, those with the most energy are named. */
export async function answerFleetTotals({ measure, split }: TotalsQuestion, asked: FleetAsked): Promise<TotalsAnswer> {
  refuseDetail(measure, split, ['energy', 'cost', 'demand']);
  const { partOf, parts } = chooseParts(asked, split);
  const { pendingCustomers } = asked;
  if (measure === 'demand') {
    const slots = demandOf(asked, partOf);
    const totals = parts.map(({ key, name, labels }) => {
      const own = slots.get(key);
      const peak = own === undefined ? null : peakDemand(own, asked.ranges.all);
      const at = peak === null ? null : formatInstant(peak.slotStartMicros);
      return { name, labels, unit: units.demand, value: peak?.kw ?? null, at };
    });
    return { totals, pendingCustomers };
  }
  const amounts: Amount[] = [];
  for (const customer of asked.customers) {
    const part = partOf(customer);
    if (measure === 'energy' && split !== 'period') {
      amounts.push({ part, unit: units.energy, value: energyOf(customer, asked.ranges) });
      continue;
    }
    const { costs, lines } = await priced(customer, asked.ranges, null);
    if (split !== 'period') {
      for (const { currency, total } of costs) {
        amounts.push({ part: inCurrency(part, currency), unit: currency, value: total });
      }
      continue;
    }
    for (const line of lines) {
      const amount = amountOf(line, measure);
      if (amount === null) continue;
      const own = inPeriod(part, line.kind, line.name);
      amounts.push({ ...amount, part: measure === 'cost' ? inCurrency(own, amount.unit) : own });
    }
  }
  return { totals: inOrder(sumAmounts(amounts)), pendingCustomers };
}

/** A series for each part. */
export async function answerFleetSeries(question: SeriesQuestion, asked: FleetAsked): Promise<SeriesAnswer> {
  const { measure, split } = question;
  refuseDetail(measure, split, ['power', 'energy', 'cost', 'demand']);
  const { ranges, pendingCustomers } = asked;
  const sites = asked.customers.flatMap((customer) => customer.sites);
  const timeZone = sharedZone(sites, asked.fallbackZone);
  const isOfTariff = measure === 'cost' || split === 'period';
  const step = chooseStep(question.step, ranges.all, (one, points) => {
    if (isOfTariff) return one === 'month' || (one === 'day' && points * sites.length <= maxParts);
    return one !== 'minute' && one !== '5min';
  });
  const edgesIn = edgesOf(ranges, step, timeZone);
  const { partOf, parts } = chooseParts(asked, split);
  const answer = (series: Series[]) => ({ bucket: step, timeZone, series, pendingCustomers });
  if (isOfTariff) {
    const group = groupOf({ step });
    const lines: PartLine[] = [];
    for (const customer of asked.customers) {
      const part = partOf(customer);
      for (const line of (await priced(customer, ranges, group)).lines) lines.push({ part, line });
    }
    return answer(inOrder(seriesOfLines(lines, { question, step, timeZone, edgesOf: edgesIn })));
  }
  const starts = edgesIn(timeZone).slice(0, -1);
  const valuesOf = readValues(measure, asked, { partOf, edgesIn, count: starts.length, timeZone });
  return answer(
    parts.map(({ key, name, labels }) => {
      const values = valuesOf.get(key) ?? [];
      const points = starts.map((micros, at): Series['points'][number] => [micros / 1000, values[at] ?? null]);
      return { name, labels, unit: measure === 'energy' ? units.energy : units.power, points };
    }),
  );
}

/** The hours of each local day of all customers together. */
export function answerFleetHeatmap({ measure }: HeatmapQuestion, asked: FleetAsked): HeatmapAnswer {
  const timeZone = sharedZone(
    asked.customers.flatMap((customer) => customer.sites),
    asked.fallbackZone,
  );
  const edges = edgesOf(asked.ranges, 'hour', timeZone)(timeZone);
  const { partOf } = chooseParts(asked, 'none');
  const buckets = { partOf, edgesIn: () => edges, count: edges.length - 1, timeZone };
  const [values = []] = readValues(measure, asked, buckets).values();
  return { ...heatmapOf(values, { measure, edges, timeZone }), pendingCustomers: asked.pendingCustomers };
}

type PartOf = (customer: FleetCustomer) => Part;

const others = 'others';

/** The unnamed rest comes last. */
const inOrder = <One extends { labels: Record<string, string> }>(all: readonly One[]): One[] => [
  ...all.filter(({ labels }) => labels[others] === undefined),
  ...all.filter(({ labels }) => labels[others] !== undefined),
];

/** Everything is one part, or the customers with the most energy (whatever is measured) are one part each and the others another. */
function chooseParts({ customers, ranges }: FleetAsked, split: Split): { partOf: PartOf; parts: Part[] } {
  if (split !== 'customer') {
    const all: Part = { key: 'all', name: 'Total', labels: {} };
    return { partOf: () => all, parts: customers.length === 0 ? [] : [all] };
  }
  const bySize = customers
    .map((customer) => ({ customer, kwh: energyOf(customer, ranges) }))
    .toSorted((a, b) => b.kwh - a.kwh);
  const isAll = customers.length <= toolLimits.series;
  const named = new Set(bySize.slice(0, isAll ? undefined : toolLimits.series - 1).map(({ customer }) => customer.id));
  const count = customers.length - named.size;
  const name = `Others (${count})`;
  const rest: Part = { key: others, name, labels: { customer: name, [others]: String(count) } };
  const parts = new Map(
    customers
      .filter(({ id }) => named.has(id))
      .map((one) => [one.id, { key: one.id, name: one.name, labels: { customerId: one.id, customer: one.name } }]),
  );
  return {
    partOf: ({ id }) => parts.get(id) ?? rest,
    parts: [...parts.values(), ...(count === 0 ? [] : [rest])],
  };
}

/** The days of a site in its range, each with its quarter-hours from `first` up to `end`. */
function* daysOf({ days, timeZone }: FleetSite, ranges: SiteRanges) {
  const { fromMicros, toMicros } = ranges.of(timeZone);
  for (const [number, day] of days) {
    const start = number * dayMicros;
    const first = Math.max(0, Math.ceil((fromMicros - start) / slotMicros));
    const end = Math.min(slotsPerDay, Math.ceil((toMicros - start) / slotMicros));
    if (first < end) yield { day, start, first, end };
  }
}

function energyOf({ sites }: FleetCustomer, ranges: SiteRanges): number {
  let sum = 0;
  for (const site of sites) {
    for (const { day, first, end } of daysOf(site, ranges)) sum += sumBetween(day.importedKwh, first, end);
  }
  return sum;
}

/** The quarter-hours of each part together. */
function demandOf({ customers, ranges }: FleetAsked, partOf: PartOf): Map<string, DemandSlots> {
  const { fromDay, toDay } = { fromDay: dayOf(ranges.all.fromMicros), toDay: dayOf(ranges.all.toMicros - 1) + 1 };
  const startMicros = fromDay * dayMicros;
  const count = (toDay - fromDay) * slotsPerDay;
  const sums = new Map<string, DemandSlots>();
  const marks = new Uint8Array(slotsPerDay);
  for (const customer of customers) {
    const sum = sums.getOrInsertComputed(partOf(customer).key, () => emptyDemand(startMicros, count));
    for (const site of customer.sites) {
      for (const { day, start, first, end } of daysOf(site, ranges)) {
        const offset = (start - startMicros) / slotMicros;
        marks.fill(0);
        if (day.hasInterpolated) markInterpolated(marks, day);
        for (let slot = first; slot < end; slot += 1) {
          const at = offset + slot;
          sum.importedKwh[at] = (sum.importedKwh[at] ?? 0) + (day.importedKwh[slot] ?? 0);
          if (marks[slot] === 1) sum.isInterpolated[at] = 1;
        }
      }
    }
  }
  return sums;
}

interface FleetBuckets {
  partOf: PartOf;
  edgesIn: (timeZone: string) => readonly number[];
  count: number;
  timeZone: string;
}

function readValues(
  measure: Measure,
  asked: FleetAsked,
  { partOf, edgesIn, count, timeZone }: FleetBuckets,
): Map<string, (number | null)[]> {
  const values = new Map<string, (number | null)[]>();
  if (measure === 'demand') {
    const edges = edgesIn(timeZone);
    const bucket = (at: number): MicrosRange => ({ fromMicros: edges[at] ?? 0, toMicros: edges[at + 1] ?? 0 });
    for (const [key, slots] of demandOf(asked, partOf)) {
      values.set(
        key,
        Array.from({ length: count }, (_, at) => peakDemand(slots, bucket(at))?.kw ?? null),
      );
    }
    return values;
  }
  const bucketsOf = new Map<string, Map<number, Int32Array>>();
  const own = { sum: new Float64Array(count), known: new Int32Array(count) };
  for (const customer of asked.customers) {
    const target = values.getOrInsertComputed(partOf(customer).key, () =>
      Array.from<number | null>({ length: count }).fill(null),
    );
    for (const site of customer.sites) {
      const buckets = bucketsOf.getOrInsertComputed(site.timeZone, () => new Map());
      own.sum.fill(0);
      own.known.fill(0);
      for (const { day, start, first, end } of daysOf(site, asked.ranges)) {
        const bucketAt = buckets.getOrInsertComputed(start, () => bucketsOfDay(start, edgesIn(site.timeZone)));
        addSlots(own, measure === 'power' ? powerAt(day) : energyAt(day), { bucketAt, first, end });
      }
      for (let at = 0; at < count; at += 1) {
        const known = own.known[at] ?? 0;
        if (known === 0) continue;
        const sum = own.sum[at] ?? 0;
        target[at] = (target[at] ?? 0) + (measure === 'power' ? sum / known : sum);
      }
    }
  }
  return values;
}

type ValueAt = (slot: number) => number;
const powerAt =
  (day: SiteDay): ValueAt =>
  (slot) =>
    day.powerKw[slot] ?? NaN;
/** A quarter-hour without readings and energy counts as unknown. */
const energyAt =
  (day: SiteDay): ValueAt =>
  (slot) => {
    const kwh = day.importedKwh[slot] ?? 0;
    return kwh === 0 && Number.isNaN(day.powerKw[slot]) ? NaN : kwh;
  };

function addSlots(
  { sum, known }: { sum: Float64Array; known: Int32Array },
  valueAt: ValueAt,
  { bucketAt, first, end }: { bucketAt: Int32Array; first: number; end: number },
): void {
  for (let slot = first; slot < end; slot += 1) {
    const [value, at] = [valueAt(slot), bucketAt[slot] ?? -1];
    if (Number.isNaN(value) || at < 0) continue;
    sum[at] = (sum[at] ?? 0) + value;
    known[at] = (known[at] ?? 0) + 1;
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

interface Priced {
  costs: StatedCost[];
  lines: BreakdownLine[];
}

/** What was computed for the last few ranges of a customer, until anything of it changes. */
const pricedOf = new WeakMap<FleetCustomer, Map<string, Priced>>();
const keptRanges = 4;
/** As many customers are priced before others may run. */
const pricedAtOnce = 20;
let pricedSince = 0;

/** What a customer pays: the totals and the breakdown of its own portal. */
async function priced(customer: FleetCustomer, ranges: SiteRanges, group: 'day' | 'month' | null): Promise<Priced> {
  const known = pricedOf.getOrInsertComputed(customer, () => new Map());
  const key = JSON.stringify([ranges.all, ranges.dates, group]);
  const found = known.get(key);
  if (found !== undefined) return found;
  if ((pricedSince += 1) % pricedAtOnce === 0) await yieldToOthers();
  const own = price(customer, ranges, group);
  known.set(key, own);
  for (const oldest of known.keys()) {
    if (known.size <= keptRanges) break;
    known.delete(oldest);
  }
  return own;
}

function price({ sites, tariffs }: FleetCustomer, ranges: SiteRanges, group: 'day' | 'month' | null): Priced {
  const pricedSites = sites.map(({ id: siteId, municipalityId, timeZone }) => {
    const own = tariffs.filter((tariff) => tariff.municipalityId === municipalityId);
    const range = ranges.of(timeZone);
    const [days, groups] = [tariffDaysOf(range, timeZone, own), groupDays(range, timeZone, own, group)];
    return { siteId, municipalityId, timeZone, range, tariffs: own, days, groups };
  });
  // Treats a site as one device with the energy of all devices that add up.
  const devices = sites.map(({ id: siteId, isActive }, number) => ({ number, siteId, isActive, countedIn: null }));
  const totals = createEnergyTotals(pricedSites, devices);
  const days = { fromDay: dayOf(ranges.all.fromMicros), toDay: dayOf(ranges.all.toMicros - 1) + 1 };
  for (const piece of totals.listPieces(days)) {
    const sum = totals.openSum(piece);
    for (const [number, site] of sites.entries()) {
      const own = [...site.days].filter(([day]) => day >= piece.fromDay && day < piece.toDay);
      sum.addDevice(
        number,
        own.map(([day, energy]) => storedDay(number, day, energy)),
      );
    }
    totals.add(piece, sum.close());
  }
  const charged = totals.totalSites();
  const { costs } = stateCosts(charged);
  return { costs, lines: breakDown(partsOf(charged, group ?? 'period'), costs) };
}

const storedDay = (deviceNumber: number, day: number, energy: SiteDay): StoredDay => ({
  deviceNumber,
  day,
  samples: 0,
  powerSum: 0,
  factorActiveSum: 0,
  factorReactiveSum: 0,
  hasInterpolated: energy.hasInterpolated,
  fillEnergy(target: EnergyBuckets, at: number) {
    for (const name of energyColumns) target[name].set(energy[name], at);
  },
  readStatistics: () => undefined,
});
