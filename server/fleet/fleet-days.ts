import { limiterOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';
import { type AskedRange, rangesOf, type SiteRanges, zonesOf } from '../base/ranges.ts';
import { readWithinReach } from '../database/engines/reach.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { slotMicros, dayOf } from '../energy/energy.rules.ts';
import { listDaysOfGroups } from '../energy/energy-days.sql.ts';
import { lockKeptMeasurementsOfFleet } from '../energy/measurements.sql.ts';
import { listTariffsOfFleet } from '../rates/tariffs.sql.ts';
import type { EnergySource } from '../reports/energy-sources.ts';
import { listCustomerCounts, listMeteredSites } from './fleet-activity.sql.ts';
import type { NamedCustomer } from './fleet-customers.sql.ts';
import { computeDays, type Kept, KeptCustomers } from './kept-customers.ts';
import { addDay, type KeptCustomer, openKept, refuseDevices } from './kept-sites.ts';

/** Days since 1970, half-open. */
interface Days {
  fromDay: number;
  toDay: number;
}

interface Asking {
  accountId: string;
  /** When the query arrived. Panels that ask at the same time share one read, however long it takes. */
  askedAtMs: number;
}

interface FleetQuestion extends Asking {
  range: AskedRange;
  /** The customers to choose from; empty means all. */
  sites: readonly string[];
  devices: readonly string[];
}

interface KeptDays extends Kept {
  customer: KeptCustomer;
  /** The part that has been read. */
  days: Days;
}

/**
 * The limits of a query and of the days in memory. They allow a few hundred megabytes, and a few seconds if nothing was read
 * yet.
 */
export const fleetLimits = { deviceDays: 1_000_000, siteDays: 40_000 } as const;
/** The maximum number of device-days in one statement. */
const deviceDaysAtOnce = 10_000;
const customersAtOnce = 200;
/** Changes without a batch, such as a rebuild of all energy, are visible after this time. */
const keptMs = 15 * 60_000;
/** The time that a query may spend on dirty ranges. Customers that remain are reported as pending. */
const computingMs = 3_000;
const patienceMs = 30_000;
/** Customers with more dirty ranges, and device-days beyond the limit, are left to the portal. */
const maxDirtyRanges = 500;
const maxDaysToCompute = 200;

/**
 * The quarter-hours of all sites of a fleet, kept in memory for all users. Only customers that have sent something since then
 * are read again, many of them in one statement (docs/adr/0050). The caller must pass only customers that the user may see.
 */
export class FleetDays {
  readonly #now: () => number;
  readonly #onProblem: (error: unknown) => void;
  readonly #maxSiteDays: number;
  readonly #kept = new KeptCustomers<KeptDays>({ reading: limiterOf('fleetSlots'), keptMs });

  constructor(now: () => number, onProblem: (error: unknown) => void, maxSiteDays: number = fleetLimits.siteDays) {
    this.#now = now;
    this.#onProblem = onProblem;
    this.#maxSiteDays = maxSiteDays;
  }

  /** The number of site-days in memory, never more than `maxSiteDays`. */
  get keptSiteDays(): number {
    let count = 0;
    for (const { customer } of this.#kept.values()) for (const site of customer.sites) count += site.days.size;
    return count;
  }

  /**
   * The sites of customers as the devices of a query, for a range of whole quarter-hours; and the number of customers that may
   * lack readings. Throws `invalid` if this is too much, or if the query names devices.
   */
  async open(
    database: Database,
    customers: readonly NamedCustomer[],
    { range, sites, devices, ...asking }: FleetQuestion,
  ): Promise<{ sources: EnergySource[]; ranges: SiteRanges; pendingCustomers: number }> {
    if (devices.length > 0) refuseDevices();
    const { fromMicros, toMicros } = range;
    const whole = {
      ...range,
      fromMicros: Math.floor(fromMicros / slotMicros) * slotMicros,
      toMicros: Math.ceil(toMicros / slotMicros) * slotMicros,
    };
    const days = { fromDay: dayOf(whole.fromMicros), toDay: dayOf(whole.toMicros - 1) + 1 };
    const found = await this.read(database, customers, days, asking);
    const chosen = new Set(sites);
    const asked = found.customers.flatMap((customer) => {
      if (chosen.size === 0) return customer.sites.length > 0 ? [customer] : [];
      const own = customer.sites.filter(({ id }) => chosen.has(id));
      return own.length > 0 ? [{ ...customer, sites: own, costs: new Map() }] : [];
    });
    const ranges = rangesOf(whole, zonesOf(asked.flatMap((customer) => customer.sites)));
    return { sources: openKept(asked, ranges), ranges, pendingCustomers: found.pendingCount };
  }

  /**
   * The customers with these days, in the given order, and the number of those that may lack readings. A customer out of reach has
   * the days that were read before, or is left out.
   */
  async read(
    database: Database,
    customers: readonly NamedCustomer[],
    days: Days,
    { accountId, askedAtMs }: Asking,
  ): Promise<{ customers: KeptCustomer[]; pendingCount: number }> {
    const sinceMs = (readAtMs: number) => askedAtMs - readAtMs;
    const read = async () => {
      const away = new Set(customers.flatMap(({ id, isAway }) => (isAway === true ? id : [])));
      const isAway = ({ customer }: KeptDays) => away.has(customer.id);
      const stale = customers.filter((one) => !away.has(one.id) && !this.#kept.holds(one, sinceMs));
      await this.#readSites(database, stale);
      const known = customers.flatMap(({ id, name }) => {
        const own = this.#kept.get(id);
        // A new object replaces the old one, because another answer may still use the old one.
        if (own !== undefined && own.customer.name !== name) own.customer = { ...own.customer, name };
        return own ?? [];
      });
      refuseTooMuch(known, days, this.#maxSiteDays);
      const missing = this.#makeRoom(
        known.filter((own) => !isAway(own)),
        days,
      );
      await this.#compute(database, await readStoredDays(database, missing, days), days);
      for (const own of missing) own.days = days;
      return {
        customers: known.flatMap((own) => (lacks(own, days) ? [] : own.customer)),
        pendingCount: known.filter((own) => own.isPending && !isAway(own)).length + away.size,
      };
    };
    const patience = () => AbortSignal.timeout(patienceMs);
    return this.#kept.run(read, { key: accountId, signal: database.signal, patience });
  }

  async #readSites(database: Database, stale: readonly NamedCustomer[]): Promise<void> {
    for (let at = 0; at < stale.length; at += customersAtOnce) {
      const some = stale.slice(at, at + customersAtOnce);
      const ids = some.map(({ id }) => id);
      const read = async (tx: Transaction) => ({
        sites: Map.groupBy(await listMeteredSites(tx, ids), ({ customerId }) => customerId),
        tariffs: await listTariffsOfFleet(tx, ids),
      });
      const { sites, tariffs } = await readWithinReach(database, read, ids);
      const readAtMs = this.#now();
      for (const { id, name, version } of some) {
        const own = (sites.get(id) ?? []).map((site) => ({ ...site, days: new Map() }));
        const customer = { id, name, sites: own, tariffs: tariffs.get(id) ?? [], costs: new Map() };
        this.#kept.keep(id, { customer, version, readAtMs, isPending: false, days: noDays });
      }
    }
  }

  /** Computes dirty ranges. If the client disconnects, the remaining ranges are left to the next query. */
  async #compute(database: Database, uncertain: Iterable<KeptDays>, days: Days): Promise<void> {
    const deadline = AbortSignal.timeout(computingMs);
    const signal = database.signal === undefined ? deadline : AbortSignal.any([deadline, database.signal]);
    const range = { fromMicros: days.fromDay * dayMicros, toMicros: days.toDay * dayMicros };
    const about = { range, statistics: 'all', maxDays: maxDaysToCompute } as const;
    const onProblem = (error: unknown) => {
      signal.throwIfAborted();
      this.#onProblem(error);
    };
    for (const own of uncertain) {
      if (own.isPending) continue;
      const reading = database.forCustomer(own.customer.id).until(signal);
      const read = async (tx: Transaction) => {
        await lockKeptMeasurementsOfFleet(tx);
        return computeDays(tx, about, onProblem);
      };
      const computed = await reading.snapshot(read).catch((error: unknown) => {
        database.signal?.throwIfAborted();
        if (!deadline.aborted) throw error;
        return null;
      });
      own.isPending = computed?.isPartial ?? true;
      if (computed === null) continue;
      forgetDays(own);
      const sites = new Map(own.customer.sites.map((site) => [site.id, site]));
      for (const { day, siteId, addsUp } of computed.days) if (addsUp) addDay(sites.get(siteId), day);
    }
  }

  /**
   * Forgets the days of customers that lack some, and returns these customers. If memory would hold too much, it forgets all
   * days. This happens before anything is read, so that an aborted query cannot leave too much in memory.
   */
  #makeRoom(known: readonly KeptDays[], days: Days): readonly KeptDays[] {
    const missing = known.filter((own) => lacks(own, days));
    missing.forEach(forgetDays);
    const siteCount = missing.reduce((sum, { customer }) => sum + customer.sites.length, 0);
    if (this.keptSiteDays + siteCount * (days.toDay - days.fromDay) <= this.#maxSiteDays) return missing;
    const asked = new Set(known);
    for (const [id, own] of this.#kept) if (!asked.has(own)) this.#kept.delete(id);
    known.forEach(forgetDays);
    return known;
  }
}

const lacks = (own: KeptDays, days: Days) => days.fromDay < own.days.fromDay || days.toDay > own.days.toDay;
const noDays = { fromDay: Infinity, toDay: -Infinity };

/** New objects replace the old ones, because another answer may still use the old ones. */
function forgetDays(own: KeptDays): void {
  const sites = own.customer.sites.map((site) => ({ ...site, days: new Map() }));
  own.customer = { ...own.customer, sites, costs: new Map() };
  own.days = noDays;
}

const devicesOf = ({ customer }: KeptDays) => customer.sites.reduce((sum, { deviceCount }) => sum + deviceCount, 0);

function refuseTooMuch(known: readonly KeptDays[], { fromDay, toDay }: Days, maxSiteDays: number): void {
  const count = toDay - fromDay;
  const devices = known.reduce((sum, own) => sum + devicesOf(own), 0);
  const sites = known.reduce((sum, { customer }) => sum + customer.sites.length, 0);
  const maxDays = Math.floor(Math.min(fleetLimits.deviceDays / Math.max(1, devices), maxSiteDays / Math.max(1, sites)));
  if (count <= maxDays) return;
  throw refuse('manyFleetDays', { count, devices, sites, customers: known.length, max: maxDays }, { field: 'to' });
}

/** Reads the stored days. Returns the customers for which more than the stored days must be read. */
async function readStoredDays(database: Database, missing: readonly KeptDays[], days: Days): Promise<Set<KeptDays>> {
  const { fromDay, toDay } = days;
  const uncertain = new Set<KeptDays>();
  const leastDevices = deviceDaysAtOnce / customersAtOnce / (toDay - fromDay);
  let count = 0;
  const parts = Map.groupBy(missing, (own) => {
    count += Math.max(devicesOf(own), leastDevices);
    return Math.floor((count * (toDay - fromDay)) / deviceDaysAtOnce);
  });
  for (const some of parts.values()) {
    const devices = some.reduce((sum, own) => sum + devicesOf(own), 0);
    const daysAtOnce = Math.ceil(deviceDaysAtOnce / Math.max(1, devices));
    for (let from = fromDay; from < toDay; from += daysAtOnce) {
      const part = { fromDay: from, toDay: Math.min(toDay, from + daysAtOnce) };
      for (const own of await addStored(database, some, part)) uncertain.add(own);
      await yieldToOthers();
    }
  }
  return uncertain;
}

/** Adds the stored days. Returns the customers that have readings not yet materialized, or a long gap. */
async function addStored(database: Database, known: readonly KeptDays[], days: Days): Promise<KeptDays[]> {
  const groups = known.flatMap((own) =>
    own.customer.sites.map((site) => ({ customerId: own.customer.id, siteId: site.id, site })),
  );
  const ids = known.map(({ customer }) => customer.id);
  const statistics = { depth: 'power', days: 'all' } as const;
  const read = async (tx: Transaction) => ({
    counts: await listCustomerCounts(tx, ids, days, maxDirtyRanges),
    days: await listDaysOfGroups(tx, groups, { ...days, statistics }),
  });
  const found = await readWithinReach(database, read, ids);
  for (const [at, { site }] of groups.entries()) {
    for (const { day, addsUp } of found.days[at] ?? []) if (addsUp) addDay(site, day);
  }
  const counts = new Map(found.counts.map((own) => [own.customerId, own]));
  return known.filter((own) => {
    const { dirtyRanges = 0, hasGaps = false } = counts.get(own.customer.id) ?? {};
    if (dirtyRanges > maxDirtyRanges) own.isPending = true;
    return dirtyRanges > 0 || hasGaps;
  });
}
