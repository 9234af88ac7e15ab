import type { FleetCustomer } from '../../shared/fleet.ts';
import { type FleetDay, listDaysOfGroups } from '../energy/energy-days.sql.ts';
import {
  countBatches,
  countUnplacedReadings,
  type CustomerCounts,
  type HourOfBatches,
  listCustomerCounts,
} from './fleet-activity.sql.ts';
import type { SeenCustomer } from './fleet-customers.sql.ts';
import { type ReadCustomer, SeenCustomers } from './seen-customers.ts';
import { type Database, ofCustomer, type Transaction } from '../database/pool.ts';
import { lockKeptMeasurementsOfFleet } from '../energy/measurements.sql.ts';
import { type Reach, readWithinReach } from '../database/engines/reach.ts';
import { refuse } from '../base/errors.ts';
import { daysIn } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { emptyEnergy, slotMicros, dayOf, partialDays, slotsPerDay } from '../energy/energy.rules.ts';
import { dateAt, dayMicros, type MicrosRange } from '../base/instants.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import { computeDays, freshMs, type Kept, KeptCustomers } from './kept-customers.ts';
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
 * The number of changed customers that are computed while a user waits. With more, as many are computed as fit into the shorter
 * time. The remaining customers are pending.
 */
const fewCustomers = 10;
const fewMs = 1_000;
const manyMs = 100;
/** The time for customers that are read ahead. It is short, because users may have to wait for it. */
const aheadMs = 250;
/** The maximum number of a customer's device-days that are computed in memory. More would take seconds. */
const maxDaysToCompute = 100;
/** A customer with more dirty ranges than this is left to the energy worker. */
const maxDirtyRanges = 1_000;
/** Readings of devices without a site that are counted one by one. */
const maxUnplaced = 100_000;
const maxCustomers = 20_000;
/** How often changed customers are read when no request asks for them. */
const unwatchedMs = 30_000;
const watchedMs = 5 * 60_000;
/** After a refresh it rests this many times as long as the refresh took. */
const restFactor = 4;
const hourMs = 3_600_000;

/**
 * The figures of all customers of the fleet. Each answer comes from one snapshot. For customers without a new batch, the
 * figures in memory are used. The others are read and computed in the snapshot, within a time limit; customers that remain are
 * pending, and those out of reach show what was read last. Energy is that of the quarter-hours of the local day
 * (energy-and-cost.md 3). The edges of the day are edges of slots.
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

  /** Positive even if `noted` is in the future because the clock was set back since. */
  const sinceMs = (noted: number) => Math.abs(now() - noted);

  const beginDay = (today: Today, { away }: Reach) => {
    if (date === today.date) return;
    ({ date } = today);
    for (const [id, own] of kept) {
      if (away.has(id)) kept.set(id, { ...own, measurementsToday: 0, energyTodayKwh: 0 });
      else kept.delete(id);
    }
  };

  /** The customers of a scope in one snapshot. Kept figures are used if they are still valid; otherwise new ones are read. */
  const readSnapshot = (scope: FleetScope, hours: number, budgetMs?: number) =>
    readWithinReach(database, async (tx, reach) => {
      await lockKeptMeasurementsOfFleet(tx);
      const customers = await seen.read(tx, scope, reach);
      const nowMs = now();
      const today = localDay(nowMs, timeZone);
      beginDay(today, reach);
      const firstHour = Math.floor(nowMs / hourMs) - hours + 1;
      const changed = customers.flatMap(({ customer }) =>
        customer.isAway === true || kept.holds(customer, sinceMs) ? [] : customer,
      );
      // If there are many, those that have sent nothing since are left to `keepFresh`.
      const isLeft = ({ id, version }: SeenCustomer) =>
        budgetMs === undefined && changed.length > customersAtOnce && kept.get(id)?.version === version;
      const due = changed.filter((customer) => !isLeft(customer));
      const ends = performance.now() + (budgetMs ?? (due.length <= fewCustomers ? fewMs : manyMs));
      const isOver = () => performance.now() > ends;
      // Customers without figures come first, then those that have waited longest.
      const waitingSince = ({ id }: SeenCustomer) => kept.get(id)?.readAtMs ?? 0;
      const waiting = due.toSorted((a, b) => waitingSince(a) - waitingSince(b));
      const read = new Map<string, Known>();
      for (let at = 0; at < waiting.length; at += customersAtOnce) {
        const some = waiting.slice(at, at + customersAtOnce);
        if (isOver() && some.every(({ id }) => kept.get(id) !== undefined)) break;
        for (const [id, own] of await readStored(tx, some, { today, kept, nowMs, firstHour })) read.set(id, own);
      }
      const toCompute = [...read].filter(([, own]) => own.needsComputing);
      for (const [at, [id, own]] of toCompute.toSorted(([, a], [, b]) => a.computedAtMs - b.computedAtMs).entries()) {
        if (at > 0 && isOver()) break;
        const computed = await computeEnergy(ofCustomer(tx, id), today, own, onProblem);
        read.set(id, { ...own, ...computed, computedAtMs: nowMs });
      }
      const told = customers.flatMap(({ customer, figures, searched }): ToldCustomer | [] => {
        const { id, version, isAway = false } = customer;
        const own = read.get(id) ?? kept.get(id);
        if (own === undefined && isAway) throw refuse('databaseAway');
        if (own === undefined) return [];
        return {
          ...judgeFigures(figures, nowMs),
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
      return { today, firstHour, told };
    });

  return {
    /** The local day that is today, and the customers of a scope by name, in one snapshot. `describe` tells all of one. */
    async read(scope: FleetScope, hours: number) {
      askedAtMs = now();
      const { today, firstHour, told } = await kept.run(() => readSnapshot(scope, hours));
      return { today, customers: told, describe: (one: ToldCustomer) => describe(one, firstHour, hours) };
    },
    /** Reads changes ahead until it is stopped, so that little is left for users to wait for. */
    keepFresh: (hours: number) =>
      startRepeating({
        onProblem,
        async work(signal) {
          const all = await kept.run(() =>
            readWithinReach(database, (tx, reach) => seen.read(tx, allCustomers, reach)),
          );
          const changed = all.flatMap(({ customer }) =>
            customer.isAway === true || kept.holds(customer, sinceMs) ? [] : customer.id,
          );
          for (let at = 0; at < changed.length && !signal.aborted; at += customersAtOnce) {
            const some = { customers: changed.slice(at, at + customersAtOnce) };
            await kept.run(() => readSnapshot(some, hours, aheadMs));
          }
        },
        rest(signal, tookMs) {
          const pauseMs = sinceMs(askedAtMs) < watchedMs ? freshMs : unwatchedMs;
          return pause(Math.max(pauseMs, tookMs * restFactor), signal);
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

function localDay(nowMs: number, timeZone: string): Today {
  const date = dateAt(nowMs * 1000, timeZone);
  const dates = { fromDate: date.toString(), toDate: date.add({ days: 1 }).toString() };
  return { date: dates.fromDate, nextDate: dates.toDate, ...daysIn(dates, timeZone) };
}

interface Reading {
  today: Today;
  kept: KeptCustomers<Known>;
  nowMs: number;
  firstHour: number;
}

/** The stored figures of some customers. */
async function readStored(
  tx: Transaction,
  customers: readonly SeenCustomer[],
  { today, kept, nowMs, firstHour }: Reading,
): Promise<[string, Known][]> {
  const ids = customers.map(({ id }) => id);
  const days = { fromDay: dayOf(today.fromMicros), toDay: dayOf(today.toMicros - 1) + 1 };
  const statistics = { depth: 'power', days: partialDays(today) } as const;
  // The previous hour is counted again: one of its batches may have been committed after the last count.
  const since = ids.map((customerId) => {
    const counted = kept.get(customerId)?.countedToHour ?? 0;
    return { customerId, hour: Math.max(firstHour, counted - 1) };
  });
  const groups = ids.map((customerId) => ({ customerId }));
  const counts = byCustomer(await listCustomerCounts(tx, ids, days, maxDirtyRanges));
  const batches = Map.groupBy(await countBatches(tx, since), ({ customerId }) => customerId);
  const daysOf = await listDaysOfGroups(tx, groups, { ...days, statistics });
  const unplaced = byCustomer(await countUnplacedReadings(tx, ids, today, maxUnplaced));
  return customers.flatMap(({ id, version }, at) => {
    const own = counts.get(id);
    if (own === undefined) return [];
    const { dirtyRanges, hasGaps } = own;
    const before = kept.get(id);
    const counted = (batches.get(id) ?? []).map((counted) => [counted.hour, counted] as const);
    const countedBefore = [...(before?.batches ?? [])].filter(
      ([hour]) => hour >= firstHour && hour < (since[at]?.hour ?? firstHour),
    );
    const { removed, waiting } = unplaced.get(id) ?? { removed: 0, waiting: 0 };
    const isUncomputed = dirtyRanges > 0 || hasGaps;
    // If the site of a device has not arrived, the readings of the device are counted, but their energy is not known yet.
    const isWaiting = waiting > 0 || removed >= maxUnplaced;
    const isPending = isUncomputed || isWaiting;
    const unplacedToday = removed + waiting;
    const stored = sumDays(daysOf[at] ?? [], today, unplacedToday);
    // The computed figures are kept while they include more readings than the stored slots.
    const isBehind = isPending && before !== undefined && before.measurementsToday > stored.measurementsToday;
    const { measurementsToday, energyTodayKwh } = isBehind ? before : stored;
    const known: Known = {
      ...own,
      measurementsToday,
      energyTodayKwh,
      isPending,
      needsComputing: isUncomputed && dirtyRanges <= maxDirtyRanges,
      isWaiting,
      unplacedToday,
      version,
      readAtMs: nowMs,
      computedAtMs: before?.computedAtMs ?? 0,
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
