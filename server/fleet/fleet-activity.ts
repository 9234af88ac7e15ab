import type { FleetCustomer } from '../../shared/fleet.ts';
import { type FleetDay, listDaysOfGroups } from '../energy/energy-days.sql.ts';
import {
  countBatches,
  countUnplacedReadings,
  type CustomerCounts,
  type HourOfBatches,
  listCustomerCounts,
} from './fleet-activity.sql.ts';
import { listNamedCustomers, type NamedCustomer } from './fleet-customers.sql.ts';
import { type ReadCustomer, SeenCustomers } from './seen-customers.ts';
import { type Database, ofCustomer, type Transaction } from '../database/pool.ts';
import { lockKeptMeasurementsOfFleet } from '../energy/measurements.sql.ts';
import { readWithinReach } from '../database/engines/reach.ts';
import { refuse } from '../base/errors.ts';
import { daysIn } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { emptyEnergy, slotMicros, dayOf, partialDays, slotsPerDay } from '../energy/energy.rules.ts';
import { dateAt, dayMicros, type MicrosRange } from '../base/instants.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import { computeDays, type Kept, KeptCustomers } from './kept-customers.ts';
import { explainVerdict, judgeFigures, type Verdict } from './fleet-trouble.rules.ts';
import { pause, startRepeating } from '../database/turns.ts';

/** A customer of an answer, judged, with the figures that are summed up and sorted by. */
export interface ToldCustomer extends Verdict, Pick<ReadCustomer, 'customer' | 'searched'> {
  own: Known;
  totalMeasurements: number;
  measurementsToday: number;
  energyTodayKwh: number;
  deviceCount: number;
  /** Whether some received rows are missing in today's figures: only the count of all readings includes them. */
  isEnergyPending: boolean;
  /** When a batch was last stored. */
  seenMs: number | null;
}

/** A local day. */
export interface Today extends MicrosRange {
  date: string;
  nextDate: string;
}

type Versioned = Pick<NamedCustomer, 'id' | 'version'>;

/** Never changed, because an answer may still use it. */
interface Known extends Kept, Pick<CustomerCounts, 'siteCount' | 'deviceCount' | 'newestMeasurementAt'> {
  measurementsToday: number;
  energyTodayKwh: number;
  /** When the energy was last computed with dirty ranges; 0 if never. */
  computedAtMs: number;
  needsComputing: boolean;
  /** Whether a device that sent readings today has no site yet. */
  isWaiting: boolean;
  /** Today's readings of removed devices, and of devices without a site. */
  unplacedToday: number;
  /** The number of batches by hour, counted from 1970. */
  batches: ReadonlyMap<number, HourOfBatches>;
  countedToHour: number;
}

/** Customers per statement: some thousand device-days, a few megabytes. */
const customersAtOnce = 50;
/**
 * After a start no customer has been read. If reading takes longer than this, the customers that remain are read without the
 * figures of today, and are pending.
 */
const wholeMs = 2_000;
const partsAtOnce = 1_000;
/**
 * The number of customers whose energy is computed while a user waits. With more, as many are computed as fit into the shorter
 * time. The remaining customers are pending.
 */
const fewCustomers = 10;
const fewMs = 1_000;
const manyMs = 100;
/** The time for computing the energy of customers that are read ahead. */
const aheadMs = 250;
/** The maximum number of a customer's device-days that are computed in memory. More would take seconds. */
const maxDaysToCompute = 100;
/** A customer with more dirty ranges than this is left to the energy worker. */
const maxDirtyRanges = 1_000;
/** Readings of devices without a site that are counted one by one. */
const maxUnplaced = 100_000;
const maxCustomers = 20_000;
/** The shortest rest of `keepFresh` if somebody has asked within the last minutes, and otherwise. */
const watchedRestMs = 1_000;
const unwatchedRestMs = 30_000;
const watchedMs = 5 * 60_000;
/** The rest is at least this many times as long as the work before it. */
const restFactor = 4;
const hourMs = 3_600_000;
/** The version of figures that lack all of today. */
const neverRead = -1;

/**
 * The figures of all customers of the fleet. Each answer comes from one snapshot. For customers without a new batch, the
 * figures in memory are used. The others are read in the snapshot, and their energy is computed within a time limit. If too many
 * have changed, they are left to `keepFresh`. Customers that are left are pending, and those out of reach show what was read
 * last. Energy is that of the quarter-hours of the local day (energy-and-cost.md 3). The edges of the day are edges of slots.
 */
export function createFleetActivity({
  database,
  timeZone,
  now,
  onProblem,
}: {
  database: Database;
  timeZone: string;
  now: () => number;
  /** Called with the reason why a customer could not be computed; it stays pending. */
  onProblem: (error: unknown) => void;
}) {
  const kept = new KeptCustomers<Known>({ reading: limiterOf('fleetActivity'), maxCustomers });
  const seen = new SeenCustomers();
  /** The day of the figures that are kept. */
  let date = '';
  let askedAtMs = -Infinity;
  /** Ends the rest of `keepFresh`. */
  let resting = new AbortController();

  /** Positive even if `noted` is in the future because the clock was set back since. */
  const sinceMs = (noted: number) => Math.abs(now() - noted);

  /** Sets the figures of today to zero when a day begins, until they are read. */
  const beginDay = (today: Today) => {
    if (date === today.date) return;
    ({ date } = today);
    for (const [id, own] of kept) kept.set(id, { ...own, measurementsToday: 0, energyTodayKwh: 0, version: neverRead });
  };

  /** Reads some customers, and computes their energy within the time, but always that of one. */
  const readSome = async (
    tx: Transaction,
    customers: readonly Versioned[],
    reading: Reading & { computingMs: number },
  ) => {
    const began = performance.now();
    const read = new Map<string, Known>();
    for (let at = 0, atOnce = customersAtOnce; at < customers.length; at += atOnce) {
      const isWhole = at === 0 || performance.now() - began < wholeMs;
      if (!isWhole) atOnce = partsAtOnce;
      const some = customers.slice(at, at + atOnce);
      for (const [id, own] of await readStored(tx, some, { ...reading, isWhole })) read.set(id, own);
    }
    const toCompute = [...read].filter(([, own]) => own.needsComputing);
    for (const [at, [id, own]] of toCompute.toSorted(([, a], [, b]) => a.computedAtMs - b.computedAtMs).entries()) {
      if (at > 0 && performance.now() - began > reading.computingMs) break;
      const computed = await computeEnergy(ofCustomer(tx, id), reading.today, own, onProblem);
      read.set(id, { ...own, ...computed, computedAtMs: reading.nowMs });
    }
    return read;
  };

  const changedOf = (customers: readonly ReadCustomer[]) =>
    customers.flatMap(({ customer }) => (customer.isAway === true || kept.holds(customer, sinceMs) ? [] : customer));

  /** The customers of a scope in one snapshot. Kept figures are used if they are still valid; otherwise new ones are read. */
  const readSnapshot = (scope: FleetScope, hours: number) =>
    readWithinReach(database, async (tx, reach) => {
      await lockKeptMeasurementsOfFleet(tx);
      const customers = await seen.read(tx, scope, reach);
      const moment = momentOf(now(), timeZone, hours);
      beginDay(moment.today);
      const changed = changedOf(customers);
      const isMany = changed.length > customersAtOnce;
      const due = isMany ? changed.filter(({ id }) => !kept.has(id)) : changed;
      const computingMs = due.length <= fewCustomers ? fewMs : manyMs;
      const read = await readSome(tx, due, { ...moment, before: kept, computingMs });
      const told = customers.flatMap(({ customer, figures, searched }): ToldCustomer | [] => {
        const { id, version, isAway = false } = customer;
        const own = read.get(id) ?? kept.get(id);
        if (own === undefined && isAway) throw refuse('databaseAway');
        if (own === undefined) return [];
        return {
          ...judgeFigures(figures, moment.nowMs),
          customer,
          searched,
          own,
          totalMeasurements: customer.totalMeasurements,
          measurementsToday: own.measurementsToday,
          energyTodayKwh: own.energyTodayKwh,
          deviceCount: own.deviceCount,
          isEnergyPending: own.isPending || own.version !== version || isAway,
          seenMs: figures.seenMs,
        };
      });
      for (const [id, own] of read) kept.keep(id, own);
      return { ...moment, told };
    });

  /**
   * Reads changed customers without a turn, so that nobody waits for it, and keeps them in a turn, so that no answer mixes two
   * snapshots.
   */
  const readAhead = async (ids: readonly string[], hours: number) => {
    const found = await readWithinReach(database, async (tx, reach) => {
      await lockKeptMeasurementsOfFleet(tx);
      const customers = await listNamedCustomers(tx, { customers: ids }, reach);
      const moment = momentOf(now(), timeZone, hours);
      const before = new Map(kept);
      const within = moment.today.date === date ? customers.filter(({ isAway }) => isAway !== true) : [];
      return { before, read: await readSome(tx, within, { ...moment, before, computingMs: aheadMs }) };
    });
    await kept.run(async () => {
      for (const [id, own] of found.read) if (kept.get(id) === found.before.get(id)) kept.keep(id, own);
    });
  };

  return {
    /** The local day that is today, and the customers of a scope by name, in one snapshot. `describe` tells all of one. */
    async read(scope: FleetScope, hours: number) {
      if (sinceMs(askedAtMs) >= watchedMs) resting.abort();
      askedAtMs = now();
      const { today, firstHour, told } = await kept.run(() => readSnapshot(scope, hours));
      return { today, customers: told, describe: (one: ToldCustomer) => describe(one, firstHour, hours) };
    },
    /** Reads changes ahead until it is stopped, so that little is left for users to wait for. */
    keepFresh: (hours: number) =>
      startRepeating({
        onProblem,
        async work(signal) {
          resting = new AbortController();
          const changed = await kept.run(() =>
            readWithinReach(database, async (tx, reach) => {
              const customers = await seen.read(tx, allCustomers, reach);
              beginDay(localDay(now(), timeZone));
              return changedOf(customers).map(({ id }) => id);
            }),
          );
          for (let at = 0; at < changed.length && !signal.aborted; at += customersAtOnce) {
            const some = changed.slice(at, at + customersAtOnce);
            // A request must read customers that were never read. In a turn, both do not read the same ones.
            if (some.every((id) => kept.has(id))) await readAhead(some, hours);
            else await kept.run(() => readSnapshot({ customers: some }, hours));
          }
        },
        rest(signal, tookMs) {
          const isWatched = sinceMs(askedAtMs) < watchedMs;
          const leastMs = isWatched ? watchedRestMs : unwatchedRestMs;
          return pause(Math.max(leastMs, tookMs * restFactor), signal, resting.signal);
        },
      }),
  };
}

/** The batches are those of some hours, counted from 1970. */
function describe(told: ToldCustomer, firstHour: number, hours: number): FleetCustomer {
  const { customer, own } = told;
  const batchesByHour: number[] = [];
  let [failedBatches, rejectedRecords] = [0, 0];
  for (let hour = firstHour; hour < firstHour + hours; hour += 1) {
    const { count = 0, failed = 0, rejected = 0 } = own.batches.get(hour) ?? {};
    batchesByHour.push(count);
    failedBatches += failed;
    rejectedRecords += rejected;
  }
  const { patienceSeconds: _, ...trouble } = explainVerdict(customer, told);
  return {
    id: customer.id,
    code: customer.code,
    name: customer.name,
    group: customer.group,
    isActive: customer.isActive,
    firstSeenAt: customer.firstSeenAt,
    lastSeenAt: customer.lastSeenAt,
    pushIntervalSeconds: customer.pushIntervalSeconds,
    ...trouble,
    lastBatchAt: customer.lastBatchAt,
    siteCount: own.siteCount,
    deviceCount: own.deviceCount,
    measurementsToday: own.measurementsToday,
    energyTodayKwh: own.energyTodayKwh,
    isEnergyPending: told.isEnergyPending,
    newestMeasurementAt: own.newestMeasurementAt,
    batchesByHour,
    failedBatches,
    rejectedRecords,
  };
}

const momentOf = (nowMs: number, timeZone: string, hours: number) => ({
  nowMs,
  today: localDay(nowMs, timeZone),
  firstHour: Math.floor(nowMs / hourMs) - hours + 1,
});

function localDay(nowMs: number, timeZone: string): Today {
  const date = dateAt(nowMs * 1000, timeZone);
  const dates = { fromDate: date.toString(), toDate: date.add({ days: 1 }).toString() };
  return { date: dates.fromDate, nextDate: dates.toDate, ...daysIn(dates, timeZone) };
}

interface Reading {
  nowMs: number;
  today: Today;
  firstHour: number;
  /** What was known of the customers before. */
  before: ReadonlyMap<string, Known>;
}

/** The stored figures of some customers. If not whole, those of today are zeros and pending. */
async function readStored(
  tx: Transaction,
  customers: readonly Versioned[],
  { today, before, nowMs, firstHour, isWhole }: Reading & { isWhole: boolean },
): Promise<[string, Known][]> {
  const ids = customers.map(({ id }) => id);
  const days = { fromDay: dayOf(today.fromMicros), toDay: dayOf(today.toMicros - 1) + 1 };
  const statistics = { depth: 'power', days: partialDays(today) } as const;
  // The previous hour is counted again: one of its batches may have been committed after the last count.
  const since = ids.map((customerId) => {
    const counted = before.get(customerId)?.countedToHour ?? 0;
    return { customerId, hour: Math.max(firstHour, counted - 1) };
  });
  const groups = ids.map((customerId) => ({ customerId }));
  const counts = byCustomer(await listCustomerCounts(tx, ids, days, maxDirtyRanges));
  const batches = Map.groupBy(await countBatches(tx, since), ({ customerId }) => customerId);
  const daysOf = isWhole ? await listDaysOfGroups(tx, groups, { ...days, statistics }) : [];
  const unplaced = byCustomer(isWhole ? await countUnplacedReadings(tx, ids, today, maxUnplaced) : []);
  return customers.flatMap(({ id, version }, at) => {
    const own = counts.get(id);
    if (own === undefined) return [];
    const { dirtyRanges, hasGaps } = own;
    const last = before.get(id);
    const counted = (batches.get(id) ?? []).map((counted) => [counted.hour, counted] as const);
    const countedBefore = [...(last?.batches ?? [])].filter(
      ([hour]) => hour >= firstHour && hour < (since[at]?.hour ?? firstHour),
    );
    const { removed, waiting } = unplaced.get(id) ?? { removed: 0, waiting: 0 };
    const isUncomputed = dirtyRanges > 0 || hasGaps;
    // If the site of a device has not arrived, the readings of the device are counted, but their energy is not known yet.
    const isWaiting = waiting > 0 || removed >= maxUnplaced;
    const isPending = isUncomputed || isWaiting || !isWhole;
    const unplacedToday = removed + waiting;
    const stored = sumDays(daysOf[at] ?? [], today, unplacedToday);
    // The computed figures are kept while they include more readings than the stored slots.
    const isBehind = isPending && last !== undefined && last.measurementsToday > stored.measurementsToday;
    const { measurementsToday, energyTodayKwh } = isBehind ? last : stored;
    const known: Known = {
      ...own,
      measurementsToday,
      energyTodayKwh,
      isPending,
      needsComputing: isWhole && isUncomputed && dirtyRanges <= maxDirtyRanges,
      isWaiting,
      unplacedToday,
      version: isWhole ? version : neverRead,
      readAtMs: nowMs,
      computedAtMs: last?.computedAtMs ?? 0,
      batches: new Map([...countedBefore, ...counted]),
      countedToHour: Math.floor(nowMs / hourMs),
    };
    return [[id, known]];
  });
}

/** Computes the same with dirty ranges. Returns nothing if there are too many, or if the computation fails. */
async function computeEnergy(
  tx: Transaction,
  today: Today,
  { unplacedToday, isWaiting }: Known,
  onProblem: (error: unknown) => void,
): Promise<Partial<Known>> {
  const about = { range: today, statistics: partialDays(today), maxDays: maxDaysToCompute };
  const computed = await computeDays(tx, about, onProblem);
  if (computed === null) return {};
  return { ...sumDays(computed.days, today, unplacedToday), isPending: isWaiting || computed.isPartial };
}

const byCustomer = <Row extends { customerId: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.customerId, row]));

/** Adds up the readings, including those without a place, and the imported energy, for a range of whole slots. */
function sumDays(days: readonly FleetDay[], { fromMicros, toMicros }: MicrosRange, unplaced: number) {
  const energy = emptyEnergy(slotsPerDay);
  const statistics = emptyStatistics(slotsPerDay);
  let [measurementsToday, energyTodayKwh] = [unplaced, 0];
  for (const { day, addsUp: isSummed } of days) {
    energy.importedKwh.fill(0);
    if (isSummed) day.fillEnergy(energy, 0);
    const first = Math.max(0, (fromMicros - day.day * dayMicros) / slotMicros);
    const end = Math.min(slotsPerDay, (toMicros - day.day * dayMicros) / slotMicros);
    const isWhole = end - first === slotsPerDay;
    if (isWhole) measurementsToday += day.samples;
    else day.readStatistics(statistics);
    for (let slot = first; slot < end; slot += 1) {
      energyTodayKwh += energy.importedKwh[slot] ?? 0;
      if (!isWhole) measurementsToday += statistics.samples[slot] ?? 0;
    }
  }
  return { measurementsToday, energyTodayKwh };
}
