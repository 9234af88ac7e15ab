import { type FleetDay, listDaysOfGroups } from '../energy/energy-days.sql.ts';
import { listFailures } from '../energy/energy-failures.sql.ts';
import {
  countBatches,
  countUnplacedReadings,
  type CustomerCounts,
  type HourOfBatches,
  listCustomerCounts,
} from './fleet-activity.sql.ts';
import { listSeenCustomers, type SeenCustomer } from './fleet-customers.sql.ts';
import { type Database, ofCustomer, type Transaction } from '../database/pool.ts';
import { lockKeptMeasurementsOfFleet } from '../energy/retention.sql.ts';
import { daysIn } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { emptyEnergy, slotMicros } from '../energy/energy.rules.ts';
import { dayOf, partialDays, slotsPerDay } from '../energy/energy-day.rules.ts';
import { addsUp } from '../rates/energy-totals.rules.ts';
import { DomainError } from '../base/errors.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import { dateAt } from '../base/time-zones.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import { readEnergyWithin } from '../energy/read-energy.ts';
import { pause, startRepeating } from '../database/repeat.ts';

/** What a customer has sent, most of it today. */
export interface CustomerActivity extends Pick<CustomerCounts, 'siteCount' | 'deviceCount' | 'newestMeasurementAt'> {
  measurementsToday: number;
  energyTodayKwh: number;
  /** Whether some of what came is not included yet, but in the count of all measurements. */
  isEnergyPending: boolean;
  /** In each of the last hours of UTC, the oldest first. */
  batchesByHour: number[];
  /** Failed batches in these hours. */
  failedBatches: number;
  rejectedRecords: number;
}

export type ActiveCustomer = SeenCustomer & CustomerActivity;

/** A local day. */
export interface Today extends MicrosRange {
  date: string;
  nextDate: string;
}

/** Never changed, because an answer may still use it. */
interface Known extends Omit<CustomerActivity, 'batchesByHour' | 'failedBatches' | 'rejectedRecords'> {
  /** The count of batches: what is known holds while it is the same. */
  version: number;
  readAtMs: number;
  /** When its energy was last computed with what was not materialized, or 0. */
  computedAtMs: number;
  needsComputing: boolean;
  /** Whether a device with readings of today has no site yet. */
  isWaiting: boolean;
  /** Readings of today of devices without a site, and of removed ones. */
  unplacedToday: number;
  /** Batches by hour since 1970. */
  batches: ReadonlyMap<number, HourOfBatches>;
  countedToHour: number;
}

/** What is pending is read again after this long. */
const freshMs = 5_000;
/** Customers of one statement: some thousand days of devices, some megabytes. */
const customersAtOnce = 50;
/** So many changed customers are computed while somebody waits; of more, what the shorter time allows. The rest is told as pending. */
const fewCustomers = 10;
const fewMs = 1_000;
const manyMs = 100;
/** The same for some customers that are read ahead, because those who ask wait for their turn behind them. */
const aheadMs = 250;
/** Days of devices of a customer that are computed in memory: more would take seconds. */
const maxDaysToCompute = 100;
/** A customer with more is left to the energy worker. */
const maxDirtyRanges = 1_000;
/** Readings of devices without a site that are counted one by one. */
const maxUnplaced = 100_000;
const maxKnown = 20_000;
/** How often what is kept fresh is read while nobody asks. */
const unwatchedMs = 30_000;
const watchedMs = 5 * 60_000;
/** After each refresh it rests this many times as long as that took. */
const restFactor = 4;
const hourMs = 3_600_000;

/**
 * What the customers of the fleet have sent. An answer is of one snapshot: of customers of which no batch has come since, what is
 * kept in memory for all requests holds; the others are read and computed in the snapshot, within a time, and those left over are
 * told as pending. Energy is that of the quarter-hours of the local day (energy-and-cost.md 3), whose edges are edges of slots.
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
  const reading = limiterOf('fleetActivity');
  // Replaced as a whole when the day changes: reads of the day before keep the object that they began with.
  let current = { date: '', known: new Map<string, Known>() };
  let askedAtMs = -Infinity;

  /** Positive also for an instant ahead of us, noted before the clock was set back. */
  const sinceMs = (noted: number) => Math.abs(now() - noted);
  const holds = (own: Known | undefined, { batchCount }: SeenCustomer): own is Known =>
    own?.version === batchCount && !(own.isEnergyPending && sinceMs(own.readAtMs) >= freshMs);

  function keep(known: Map<string, Known>, id: string, own: Known): void {
    const latest = known.get(id);
    const isKnownBetter =
      latest !== undefined &&
      (latest.version > own.version || (latest.version === own.version && !latest.isEnergyPending));
    if (isKnownBetter) return;
    known.delete(id);
    known.set(id, own);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(oldest);
    }
  }

  /** The customers of a scope in one snapshot, with what of each is known to hold in it, or else is read. */
  const readSnapshot = (scope: FleetScope, hours: number, budgetMs?: number) =>
    database.snapshot(async (tx) => {
      await lockKeptMeasurementsOfFleet(tx);
      const customers = await listSeenCustomers(tx, scope);
      const nowMs = now();
      const today = localDay(nowMs, timeZone);
      if (current.date !== today.date) current = { date: today.date, known: new Map() };
      const { known } = current;
      const firstHour = Math.floor(nowMs / hourMs) - hours + 1;
      const held = new Map<string, Known>();
      const changed: SeenCustomer[] = [];
      for (const customer of customers) {
        const own = known.get(customer.id);
        if (own !== undefined) held.set(customer.id, own);
        if (!holds(own, customer)) changed.push(customer);
      }
      const ends = performance.now() + (budgetMs ?? (changed.length <= fewCustomers ? fewMs : manyMs));
      const isOver = () => performance.now() > ends;
      // Those that nothing is known of first, then those that have waited longest.
      const waitingSince = ({ id }: SeenCustomer) => held.get(id)?.readAtMs ?? 0;
      const waiting = changed.toSorted((a, b) => waitingSince(a) - waitingSince(b));
      const read = new Map<string, Known>();
      for (let at = 0; at < waiting.length; at += customersAtOnce) {
        const some = waiting.slice(at, at + customersAtOnce);
        if (isOver() && some.every(({ id }) => held.has(id))) break;
        for (const [id, own] of await readStored(tx, some, { today, known: held, nowMs, firstHour })) read.set(id, own);
      }
      const computedAt = (id: string) => held.get(id)?.computedAtMs ?? 0;
      const toCompute = [...read].filter(([, own]) => own.needsComputing);
      for (const [at, [id, own]] of toCompute.toSorted(([a], [b]) => computedAt(a) - computedAt(b)).entries()) {
        if (at > 0 && isOver()) break;
        const computed = await computeEnergy(ofCustomer(tx, id), today, own, onProblem);
        read.set(id, { ...own, ...computed, computedAtMs: nowMs });
      }
      for (const [id, own] of read) keep(known, id, own);
      const activityOf = ({ id, batchCount }: SeenCustomer): Known | undefined => {
        const own = read.get(id) ?? held.get(id);
        return own === undefined || own.version === batchCount ? own : { ...own, isEnergyPending: true };
      };
      return { today, firstHour, customers: customers.map((customer) => ({ customer, own: activityOf(customer) })) };
    });

  return {
    /** The local day that is today, and the customers of a scope with their activity, in one snapshot, in no order. */
    async read(scope: FleetScope, hours: number): Promise<{ today: Today; customers: ActiveCustomer[] }> {
      askedAtMs = now();
      const { today, firstHour, customers } = await reading.run(() => readSnapshot(scope, hours));
      return {
        today,
        customers: customers.flatMap(({ customer, own }) => {
          if (own === undefined) return [];
          const batches = Array.from({ length: hours }, (_, at) => own.batches.get(firstHour + at));
          const active = {
            ...customer,
            ...own,
            batchesByHour: batches.map((hour) => hour?.count ?? 0),
            failedBatches: batches.reduce((sum, hour) => sum + (hour?.failed ?? 0), 0),
            rejectedRecords: batches.reduce((sum, hour) => sum + (hour?.rejected ?? 0), 0),
          };
          return [active];
        }),
      };
    },
    /** Reads ahead what has changed, until it is stopped, so that little is left for those who ask. */
    keepFresh: (hours: number) =>
      startRepeating({
        onProblem,
        async work(signal) {
          const { known } = current;
          const seen = await listSeenCustomers(database, allCustomers);
          const changed = seen.filter((customer) => !holds(known.get(customer.id), customer)).map(({ id }) => id);
          for (let at = 0; at < changed.length && !signal.aborted; at += customersAtOnce) {
            const some = { customers: changed.slice(at, at + customersAtOnce) };
            await reading.run(() => readSnapshot(some, hours, aheadMs));
          }
        },
        rest(signal, tookMs) {
          const pauseMs = sinceMs(askedAtMs) < watchedMs ? freshMs : unwatchedMs;
          return pause(Math.max(pauseMs, tookMs * restFactor), signal);
        },
      }),
  };
}

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

/** What is stored of some customers. */
async function readStored(
  tx: Transaction,
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
  const groups = ids.map((customerId) => ({ customerId }));
  const counts = new Map((await listCustomerCounts(tx, ids, days, maxDirtyRanges)).map((own) => [own.customerId, own]));
  const batches = Map.groupBy(await countBatches(tx, since), ({ customerId }) => customerId);
  const daysOf = await listDaysOfGroups(tx, groups, { ...days, statistics });
  const unplaced = new Map(
    (await countUnplacedReadings(tx, ids, today, maxUnplaced)).map((own) => [own.customerId, own]),
  );
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
      const { removed, waiting } = unplaced.get(id) ?? { removed: 0, waiting: 0 };
      const isUncomputed = own.dirtyRanges > 0 || own.hasGaps;
      // Readings of a device whose site has not come are counted, but have no energy yet.
      const isWaiting = waiting > 0 || removed >= maxUnplaced;
      const isEnergyPending = isUncomputed || isWaiting;
      const placed = sumDays(daysOf[at] ?? [], today);
      const stored = { ...placed, measurementsToday: placed.measurementsToday + removed + waiting };
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
            needsComputing: isUncomputed && own.dirtyRanges <= maxDirtyRanges,
            isWaiting,
            unplacedToday: removed + waiting,
            version: customer.batchCount,
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

/** The same with what is not materialized yet; nothing if that is too much, or fails. */
async function computeEnergy(
  tx: Transaction,
  today: Today,
  { unplacedToday, isWaiting }: Known,
  onProblem: (error: unknown) => void,
): Promise<Partial<Known>> {
  await tx.query({ text: 'SAVEPOINT customer' });
  try {
    const broken = new Set((await listFailures(tx, null)).map(({ deviceNumber }) => deviceNumber));
    const question = { range: today, maxDays: maxDaysToCompute, broken };
    const computed = await readEnergyWithin(tx, question, async (snapshot) => {
      const statistics = { depth: 'power', days: partialDays(today) } as const;
      const days = await snapshot.listDays({ ...snapshot.clipDays(today), statistics });
      const numbers = new Set(snapshot.devices.filter(addsUp).map(({ number }) => number));
      return sumDays(
        days.map((day) => ({ day, addsUp: numbers.has(day.deviceNumber) })),
        today,
      );
    });
    if (computed === null) return {};
    return {
      ...computed,
      measurementsToday: computed.measurementsToday + unplacedToday,
      isEnergyPending: isWaiting || broken.size > 0,
    };
  } catch (error) {
    await tx.query({ text: 'ROLLBACK TO SAVEPOINT customer' });
    if (!(error instanceof DomainError && error.kind === 'unavailable')) onProblem(error);
    return {};
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
