import { type FleetDay, listDaysOfGroups } from '../db/energy-days.ts';
import { countBatches, type CustomerCounts, type HourOfBatches, listCustomerCounts } from '../db/fleet-activity.ts';
import { listSeenCustomers, type SeenCustomer } from '../db/fleet-customers.ts';
import type { Database } from '../db/pool.ts';
import { daysIn } from '../domain/asked-range.ts';
import { emptyEnergy, slotMicros } from '../domain/energy.ts';
import { dayMicros, dayOf, partialDays, slotsPerDay } from '../domain/energy-day.ts';
import { addsUp } from '../domain/energy-totals.ts';
import { DomainError } from '../domain/errors.ts';
import type { MicrosRange } from '../domain/instants.ts';
import { dateAt } from '../domain/time-zones.ts';
import { Limiter } from '../domain/limiter.ts';
import { allDevices } from '../domain/scopes.ts';
import { emptyStatistics } from '../domain/statistics.ts';
import { readEnergy, tooManyQueries } from './read-energy.ts';
import { pause, startRepeating } from './repeat.ts';

/** What a customer has sent, most of it today. */
export interface CustomerActivity extends Pick<CustomerCounts, 'siteCount' | 'deviceCount' | 'newestMeasurementAt'> {
  measurementsToday: number;
  energyTodayKwh: number;
  /** Whether some of its readings are not included in the two yet. */
  isEnergyPending: boolean;
  /** In each of the last hours of UTC, the oldest first. */
  batchesByHour: number[];
  /** Failed batches in these hours. */
  failedBatches: number;
  rejectedRecords: number;
}

/** A local day. */
export interface Today extends MicrosRange {
  date: string;
  nextDate: string;
}

interface Known extends Omit<CustomerActivity, 'batchesByHour' | 'failedBatches' | 'rejectedRecords'> {
  /** Changes with each batch. */
  version: string;
  readAtMs: number;
  /** When its energy was last computed with what was not materialized, or 0. */
  computedAtMs: number;
  needsComputing: boolean;
  /** Batches by hour since 1970. */
  batches: Map<number, HourOfBatches>;
  countedToHour: number;
}

/** What a customer sent is read again after this long, if something new came. */
const freshMs = 5_000;
/** Customers of one statement: some thousand days of devices, some megabytes. */
const customersAtOnce = 50;
/** The time for computing what is not materialized yet; what is left is reported as pending. */
const computingMs = 1_000;
/** For more customers it is computed after the answer: right after a start, some of 500 would take that second. */
const maxComputedAtOnce = 10;
/** A customer with more is left to the energy worker. */
const maxDirtyRanges = 500;
const maxKnown = 20_000;
/** How often what is kept fresh is read while nobody asks. */
const unwatchedMs = 30_000;
const watchedMs = 5 * 60_000;
/** After each refresh it rests this many times as long as that took. */
const restFactor = 4;
/** A request reads again what was last refreshed longer ago than this. */
const keptMs = 3 * 60_000;
const hourMs = 3_600_000;

/**
 * What the customers of the fleet have sent, kept in memory for all requests: only customers that sent something since are read
 * again. Energy is that of the quarter-hours of the local day (energy-and-cost.md 3), whose edges are edges of slots.
 */
export function createFleetActivity({
  database,
  timeZone,
  now,
}: {
  database: Database;
  timeZone: string;
  now: () => number;
}) {
  const refreshing = new Limiter({ max: 1, maxWaiting: 100, refusal: tooManyQueries });
  // Replaced as a whole when the day changes: reads of the day before keep the object that they began with.
  let current = { date: '', known: new Map<string, Known>() };
  let [keptAtMs, askedAtMs] = [-Infinity, -Infinity];

  /** Positive also for an instant ahead of us, noted before the clock was set back. */
  const sinceMs = (noted: number) => Math.abs(now() - noted);

  const isStale = (customer: SeenCustomer) => {
    const own = current.known.get(customer.id);
    if (own === undefined) return true;
    return sinceMs(own.readAtMs) >= freshMs && (own.isEnergyPending || own.version !== versionOf(customer));
  };

  async function refresh(
    customers: readonly SeenCustomer[],
    { known, today, firstHour }: Pick<Reading, 'today' | 'firstHour'> & { known: Map<string, Known> },
  ): Promise<void> {
    for (let at = 0; at < customers.length; at += customersAtOnce) {
      const some = customers.slice(at, at + customersAtOnce);
      for (const [id, own] of await readStored(database, some, { today, known, nowMs: now(), firstHour })) {
        const latest = known.get(id);
        // Somebody may have computed it while this was being read.
        const isKnownBetter =
          own.isEnergyPending && latest?.isEnergyPending === false && latest.version === own.version;
        known.delete(id);
        known.set(id, isKnownBetter ? latest : own);
      }
    }
    for (const id of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(id);
    }
  }

  /** Computes the energy of as many customers as the time allows, unless they are more than `most`. */
  async function compute(
    customers: readonly SeenCustomer[],
    { known, today }: Pick<Reading, 'known' | 'today'>,
    maxPending: number,
  ): Promise<void> {
    const pending = customers.flatMap(({ id }) => {
      const own = known.get(id);
      return own?.needsComputing === true ? [{ id, own }] : [];
    });
    if (pending.length > maxPending) return;
    const deadline = AbortSignal.timeout(computingMs);
    // Those that have waited longest first.
    for (const { id, own } of pending.toSorted((a, b) => a.own.computedAtMs - b.own.computedAtMs)) {
      if (deadline.aborted) break;
      const computed = await computeEnergy(database.forCustomer(id), today, deadline);
      // Somebody may have read it again meanwhile.
      const latest = known.get(id);
      if (latest?.version === own.version) Object.assign(latest, computed, { computedAtMs: now() });
    }
  }

  async function readAgain(
    customers: readonly SeenCustomer[],
    hours: number,
    isMeant: (customer: SeenCustomer) => boolean,
    isAsked: boolean,
  ): Promise<Pick<Reading, 'known' | 'today' | 'firstHour'>> {
    const today = localDay(now(), timeZone);
    if (current.date !== today.date) current = { date: today.date, known: new Map() };
    const { known } = current;
    const firstHour = Math.floor(now() / hourMs) - hours + 1;
    const reading = { known, today, firstHour };
    const meant = customers.filter(isMeant);
    if (meant.length > 0) {
      await refreshing.run(async () => {
        // After waiting for others, most of it may be done.
        const left = meant.filter(isMeant);
        await refresh(left, reading);
        if (isAsked) await compute(left, reading, maxComputedAtOnce);
      });
      if (!isAsked) await compute(meant, reading, Infinity);
    }
    return reading;
  }

  return {
    /** The local date that is today, and the activity of each of the customers by id. */
    async read(customers: readonly SeenCustomer[], hours: number) {
      askedAtMs = now();
      const isKept = sinceMs(keptAtMs) < keptMs;
      const isMeant = isKept ? ({ id }: SeenCustomer) => !current.known.has(id) : isStale;
      const { known, today, firstHour } = await readAgain(customers, hours, isMeant, true);
      const activities = new Map<string, CustomerActivity>();
      for (const { id } of customers) {
        const own = known.get(id);
        if (own === undefined) continue;
        const batches = Array.from({ length: hours }, (_, at) => own.batches.get(firstHour + at));
        activities.set(id, {
          ...own,
          batchesByHour: batches.map((hour) => hour?.count ?? 0),
          failedBatches: batches.reduce((sum, hour) => sum + (hour?.failed ?? 0), 0),
          rejectedRecords: batches.reduce((sum, hour) => sum + (hour?.rejected ?? 0), 0),
        });
      }
      return { today, activities };
    },
    /** Reads again what has changed, until it is stopped, so that requests need not wait for it. */
    keepFresh: (hours: number, onProblem: (error: unknown) => void) =>
      startRepeating({
        onProblem,
        async work() {
          await readAgain(await listSeenCustomers(database, { customers: 'all' }), hours, isStale, false);
          keptAtMs = now();
        },
        rest(signal, tookMs) {
          const pauseMs = sinceMs(askedAtMs) < watchedMs ? freshMs : unwatchedMs;
          return pause(Math.max(pauseMs, tookMs * restFactor), signal);
        },
      }),
  };
}

const versionOf = ({ lastBatchAt, totalMeasurements }: SeenCustomer) => `${lastBatchAt} ${totalMeasurements}`;

function localDay(nowMs: number, timeZone: string): Today {
  const date = dateAt(nowMs * 1000, timeZone);
  const dates = { fromDate: date.toString(), toDate: date.add({ days: 1 }).toString() };
  return { date: dates.fromDate, nextDate: dates.toDate, ...daysIn(dates, timeZone) };
}

interface Reading {
  today: Today;
  known: ReadonlyMap<string, Known>;
  nowMs: number;
  firstHour: number;
}

/** What is stored of some customers, in one snapshot. */
async function readStored(
  database: Database,
  customers: readonly SeenCustomer[],
  { today, known, nowMs, firstHour }: Reading,
): Promise<Map<string, Known>> {
  const ids = customers.map(({ id }) => id);
  const days = { fromDay: dayOf(today.fromMicros), toDay: dayOf(today.toMicros - 1) + 1 };
  const statistics = { depth: 'power', days: partialDays(today) } as const;
  // A batch of the hour before may have been committed after it was counted.
  const since = ids.map((customerId) => {
    const counted = known.get(customerId)?.countedToHour ?? 0;
    return { customerId, hour: Math.max(firstHour, counted - 1) };
  });
  const found = await database.snapshot(async (tx) => ({
    counts: await listCustomerCounts(tx, ids, days, maxDirtyRanges),
    batches: await countBatches(tx, since),
    days: await listDaysOfGroups(
      tx,
      ids.map((customerId) => ({ customerId })),
      { ...days, statistics },
    ),
  }));
  const counts = new Map(found.counts.map((own) => [own.customerId, own]));
  const batches = Map.groupBy(found.batches, ({ customerId }) => customerId);
  return new Map(
    customers.flatMap((customer, at) => {
      const { id } = customer;
      const own = counts.get(id);
      if (own === undefined) return [];
      const before = known.get(id);
      const counted = (batches.get(id) ?? []).map((counted) => [counted.hour, counted] as const);
      const kept = [...(before?.batches ?? [])].filter(
        ([hour]) => hour >= firstHour && hour < (since[at]?.hour ?? firstHour),
      );
      const isEnergyPending = own.dirtyRanges > 0 || own.hasGaps;
      const stored = sumDays(found.days[at] ?? [], today);
      // Keep what was computed while the stored slots lag behind it.
      const isBehind = isEnergyPending && before !== undefined && before.measurementsToday > stored.measurementsToday;
      const { measurementsToday, energyTodayKwh } = isBehind ? before : stored;
      return [
        [
          id,
          {
            siteCount: own.siteCount,
            deviceCount: own.deviceCount,
            newestMeasurementAt: own.newestMeasurementAt,
            measurementsToday,
            energyTodayKwh,
            isEnergyPending,
            needsComputing: isEnergyPending && own.dirtyRanges <= maxDirtyRanges,
            version: versionOf(customer),
            readAtMs: nowMs,
            computedAtMs: before?.computedAtMs ?? 0,
            batches: new Map([...kept, ...counted]),
            countedToHour: Math.floor(nowMs / hourMs),
          },
        ] as const,
      ];
    }),
  );
}

/** The same with what is not materialized yet; nothing if that takes too long. */
async function computeEnergy(database: Database, today: Today, deadline: AbortSignal): Promise<Partial<Known>> {
  try {
    const question = { scope: allDevices, range: today, isTolerant: true, accountId: 'fleet dashboard' };
    return await readEnergy(database.until(deadline), question, async (snapshot) => {
      const statistics = { depth: 'power', days: partialDays(today) } as const;
      const days = await snapshot.listDays({ ...snapshot.clipDays(today), statistics });
      const numbers = new Set(snapshot.devices.filter(addsUp).map(({ number }) => number));
      const own = days.map((day) => ({ day, addsUp: numbers.has(day.deviceNumber) }));
      return { ...sumDays(own, today), isEnergyPending: false };
    });
  } catch (error) {
    if (deadline.aborted || (error instanceof DomainError && error.code === 'unavailable')) return {};
    throw error;
  }
}

/** The readings, and the imported energy that adds up, of the slots of a range that begins and ends with slots. */
function sumDays(
  days: readonly FleetDay[],
  { fromMicros, toMicros }: MicrosRange,
): Pick<CustomerActivity, 'measurementsToday' | 'energyTodayKwh'> {
  const energy = emptyEnergy(slotsPerDay);
  const statistics = emptyStatistics(slotsPerDay);
  let [measurementsToday, energyTodayKwh] = [0, 0];
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
