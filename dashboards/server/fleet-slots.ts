import { readEnergy } from '../../server/energy/read-energy.ts';
import { type FleetDay, listDaysOfGroups } from '../../server/energy/energy-days.sql.ts';
import { listCustomerCounts, listMeteredSites, type MeteredSite } from '../../server/fleet/fleet-activity.sql.ts';
import type { NamedCustomer } from '../../server/fleet/fleet-customers.sql.ts';
import type { Database } from '../../server/database/pool.ts';
import { listTariffsOfFleet, type MunicipalityTariff } from '../../server/rates/tariffs.sql.ts';
import { yieldToOthers } from '../../server/database/yield-to-others.ts';
import { limiterOf } from '../../server/base/budgets.ts';
import { emptyEnergy, type EnergyBuckets } from '../../server/energy/energy.rules.ts';
import { energyColumns, slotsPerDay } from '../../server/energy/energy-day.rules.ts';
import { addsUp } from '../../server/rates/energy-totals.rules.ts';
import { DomainError, refuse } from '../../server/base/errors.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { averagePowerAt, emptyStatistics } from '../../server/energy/statistics.rules.ts';
import { dayMicros } from '../../server/base/instants.ts';

/** The quarter-hours of a site on a UTC day: the sum of its devices that add up. */
export interface SiteDay extends EnergyBuckets {
  /** NaN if none of them measured. */
  powerKw: Float64Array;
  hasInterpolated: boolean;
}

export interface FleetSite extends MeteredSite {
  /** By days since 1970; one without readings and energy is left out. */
  days: Map<number, SiteDay>;
}

/** A customer with its sites; another object once anything of it has changed. */
export interface FleetCustomer {
  id: string;
  name: string;
  sites: readonly FleetSite[];
  tariffs: readonly MunicipalityTariff[];
}

/** Days since 1970, half-open. */
export interface Days {
  fromDay: number;
  toDay: number;
}

interface Asking {
  accountId: string;
  /** When the question came: panels that ask at the same time share one read, however long it takes. */
  askedAtMs: number;
}

interface Known {
  customer: FleetCustomer;
  version: number;
  readAtMs: number;
  /** Whether some of its readings are not included in its days yet. */
  isBehind: boolean;
  /** The days that have been read. */
  days: Set<number>;
}

/** Limits of one question and of what is kept in memory: some hundred megabytes, and some seconds if nothing was read yet. */
export const fleetLimits = { deviceDays: 1_000_000, siteDays: 40_000 } as const;
/** Days of devices in one statement. */
const deviceDaysAtOnce = 10_000;
const customersAtOnce = 200;
/** Customers whose data lags behind are read again after this long. */
const freshMs = 5_000;
/** Changes without a batch, such as a rebuild of all energy, show after this long. */
const keptMs = 15 * 60_000;
/** The time per question for computing what is not materialized yet; the rest is reported as missing. */
const computingMs = 3_000;
const patienceMs = 30_000;
/** Customers with more are left to the portal. */
const maxDirtyRanges = 500;

/**
 * The quarter-hours of all sites of a fleet, kept in memory for all users: only customers that sent something since are read
 * again, many in one statement (docs/adr/0050). The caller passes the customers that the user may see.
 */
export class FleetSlots {
  readonly #now: () => number;
  readonly #maxSiteDays: number;
  readonly #known = new Map<string, Known>();
  readonly #reading = limiterOf('fleetSlots');

  constructor(now: () => number, maxSiteDays: number = fleetLimits.siteDays) {
    this.#now = now;
    this.#maxSiteDays = maxSiteDays;
  }

  /** The site-days that are kept, never more than `maxSiteDays`. */
  get keptSiteDays(): number {
    let count = 0;
    for (const { customer } of this.#known.values()) for (const site of customer.sites) count += site.days.size;
    return count;
  }

  /** The customers with these days, in the given order, and how many of them may lack readings. */
  async read(
    database: Database,
    customers: readonly NamedCustomer[],
    days: Days,
    { accountId, askedAtMs }: Asking,
  ): Promise<{ customers: FleetCustomer[]; pendingCount: number }> {
    return this.#reading.run(
      async () => {
        await this.#readSites(
          database,
          customers.filter((customer) => this.#isStale(customer, askedAtMs)),
        );
        const known = customers.flatMap(({ id }) => this.#known.get(id) ?? []);
        for (const { id, name } of customers) renameTo(name, this.#known.get(id));
        refuseTooMuch(known, days, this.#maxSiteDays);
        this.#makeRoom(known, days);
        const uncertain = await this.#readDays(database, known, days);
        await this.#compute(database, uncertain, { days, accountId });
        return {
          customers: known.map(({ customer }) => customer),
          pendingCount: known.filter(({ isBehind }) => isBehind).length,
        };
      },
      { key: accountId, signal: database.signal, patience: () => AbortSignal.timeout(patienceMs) },
    );
  }

  #isStale({ id, version }: NamedCustomer, askedAtMs: number): boolean {
    const own = this.#known.get(id);
    if (own === undefined || own.version !== version) return true;
    return askedAtMs - own.readAtMs >= (own.isBehind ? freshMs : keptMs);
  }

  async #readSites(database: Database, stale: readonly NamedCustomer[]): Promise<void> {
    for (let at = 0; at < stale.length; at += customersAtOnce) {
      const some = stale.slice(at, at + customersAtOnce);
      const ids = some.map(({ id }) => id);
      const sites = Map.groupBy(await listMeteredSites(database, ids), ({ customerId }) => customerId);
      const tariffs = await listTariffsOfFleet(database, ids);
      const readAtMs = this.#now();
      for (const { id, name, version } of some) {
        const own = (sites.get(id) ?? []).map((site) => ({ ...site, days: new Map() }));
        const customer = { id, name, sites: own, tariffs: tariffs.get(id) ?? [] };
        this.#known.set(id, { customer, version, readAtMs, isBehind: false, days: new Set() });
      }
    }
  }

  /** Reads the stored days that are not known yet; returns the customers for which there is more than is stored. */
  async #readDays(database: Database, known: readonly Known[], days: Days): Promise<Known[]> {
    const { fromDay, toDay } = days;
    const asked = Array.from({ length: toDay - fromDay }, (_, at) => fromDay + at);
    const missing = known.filter((own) => asked.some((day) => !own.days.has(day)));
    const uncertain = new Set<Known>();
    for (let at = 0; at < missing.length;) {
      const some: Known[] = [];
      let devices = 0;
      for (let next = missing[at]; next !== undefined; next = missing[at]) {
        const own = devicesOf(next);
        if (some.length === customersAtOnce) break;
        if (some.length > 0 && (devices + own) * asked.length > deviceDaysAtOnce) break;
        some.push(next);
        devices += own;
        at += 1;
      }
      const daysAtOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, devices)));
      for (let from = fromDay; from < toDay; from += daysAtOnce) {
        const part = { fromDay: from, toDay: Math.min(toDay, from + daysAtOnce) };
        for (const own of await readStored(database, some, part)) uncertain.add(own);
        await yieldToOthers();
      }
      for (const own of some) if (!uncertain.has(own)) markKnown(own, days);
    }
    return [...uncertain];
  }

  /**
   * Computes what is not materialized yet, beginning with the customers that have waited longest. If the client goes away, the
   * rest is left for the next question.
   */
  async #compute(
    database: Database,
    uncertain: readonly Known[],
    { days, accountId }: { days: Days; accountId: string },
  ): Promise<void> {
    const deadline = AbortSignal.timeout(computingMs);
    const signal = database.signal === undefined ? deadline : AbortSignal.any([deadline, database.signal]);
    const range = { fromMicros: days.fromDay * dayMicros, toMicros: days.toDay * dayMicros };
    for (const own of uncertain) {
      const { customer } = own;
      const question = { scope: allDevices, range, isTolerant: true, accountId };
      if (own.isBehind || deadline.aborted) {
        own.isBehind = true;
        markKnown(own, days);
        continue;
      }
      try {
        await readEnergy(database.forCustomer(customer.id).until(signal), question, async (snapshot) => {
          const sites = new Map(customer.sites.map((site) => [site.id, site]));
          const siteOf = new Map(snapshot.devices.filter(addsUp).map(({ number, siteId }) => [number, siteId]));
          const statistics = { depth: 'power', days: 'all' } as const;
          const found = await snapshot.listDays({ ...snapshot.clipDays(range), statistics });
          clearDays(own, days);
          for (const day of found) {
            const site = sites.get(siteOf.get(day.deviceNumber) ?? '');
            if (site !== undefined && !own.days.has(day.day)) addDay(site, day);
          }
        });
      } catch (error) {
        database.signal?.throwIfAborted();
        if (!deadline.aborted && !(error instanceof DomainError && error.kind === 'unavailable')) throw error;
        own.isBehind = true;
      }
      markKnown(own, days);
    }
  }

  /**
   * Called before anything is read, so that an aborted question cannot leave too much in memory: if there would be too much, only
   * what is asked for stays.
   */
  #makeRoom(known: readonly Known[], days: Days): void {
    let count = this.keptSiteDays;
    for (const { customer, days: own } of known) {
      for (let day = days.fromDay; day < days.toDay; day += 1) if (!own.has(day)) count += customer.sites.length;
    }
    if (count <= this.#maxSiteDays) return;
    const asked = new Set(known);
    for (const [id, own] of this.#known) {
      if (!asked.has(own)) this.#known.delete(id);
      own.days = new Set([...own.days].filter((day) => isIn(day, days)));
      // As new objects, because another answer may still use the old ones.
      const sites = own.customer.sites.map((site) => ({
        ...site,
        days: new Map([...site.days].filter(([day]) => isIn(day, days))),
      }));
      own.customer = { ...own.customer, sites };
    }
  }
}

const devicesOf = ({ customer }: Known) => customer.sites.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
/** As a new object, because another answer may still use the old one. */
function renameTo(name: string, own: Known | undefined): void {
  if (own !== undefined && own.customer.name !== name) own.customer = { ...own.customer, name };
}

const isIn = (day: number, { fromDay, toDay }: Days) => day >= fromDay && day < toDay;

function markKnown(own: Known, { fromDay, toDay }: Days): void {
  for (let day = fromDay; day < toDay; day += 1) own.days.add(day);
}

/** Known days stay, because another answer may still use them. */
function clearDays({ customer, days: known }: Known, asked: Days): void {
  for (const { days } of customer.sites) {
    for (const day of days.keys()) if (isIn(day, asked) && !known.has(day)) days.delete(day);
  }
}

function refuseTooMuch(known: readonly Known[], { fromDay, toDay }: Days, maxSiteDays: number): void {
  const count = toDay - fromDay;
  const devices = known.reduce((sum, own) => sum + devicesOf(own), 0);
  const sites = known.reduce((sum, { customer }) => sum + customer.sites.length, 0);
  const maxDays = Math.floor(Math.min(fleetLimits.deviceDays / Math.max(1, devices), maxSiteDays / Math.max(1, sites)));
  if (count <= maxDays) return;
  throw refuse('manyFleetDays', { count, devices, sites, customers: known.length, max: maxDays }, { field: 'to' });
}

/** Adds the stored days; returns the customers with something that is not materialized, or is in a long gap. */
async function readStored(database: Database, known: readonly Known[], days: Days): Promise<Known[]> {
  const groups = known.flatMap((own) =>
    own.customer.sites.map((site) => ({ customerId: own.customer.id, siteId: site.id, site, own })),
  );
  const ids = known.map(({ customer }) => customer.id);
  const statistics = { depth: 'power', days: 'all' } as const;
  const found = await database.snapshot(async (tx) => ({
    counts: await listCustomerCounts(tx, ids, days, maxDirtyRanges),
    days: await listDaysOfGroups(tx, groups, { ...days, statistics }),
  }));
  for (const own of known) clearDays(own, days);
  for (const [at, { site, own }] of groups.entries()) {
    for (const { day, addsUp: isSummed } of found.days[at] ?? []) {
      if (isSummed && !own.days.has(day.day)) addDay(site, day);
    }
  }
  const counts = new Map(found.counts.map((own) => [own.customerId, own]));
  return known.filter((own) => {
    const { dirtyRanges = 0, hasGaps = false } = counts.get(own.customer.id) ?? {};
    if (dirtyRanges > maxDirtyRanges) own.isBehind = true;
    return dirtyRanges > 0 || hasGaps;
  });
}

const nothing = new Float64Array(slotsPerDay);
const scratch = { energy: emptyEnergy(slotsPerDay), statistics: emptyStatistics(slotsPerDay) };

function addDay({ days }: FleetSite, day: FleetDay['day']): void {
  const sum = days.getOrInsertComputed(day.day, () => ({
    importedKwh: new Float64Array(slotsPerDay),
    exportedKwh: new Float64Array(slotsPerDay),
    interpolatedImportedKwh: nothing,
    interpolatedExportedKwh: nothing,
    powerKw: new Float64Array(slotsPerDay).fill(NaN),
    hasInterpolated: false,
  }));
  if (day.hasInterpolated && !sum.hasInterpolated) {
    sum.interpolatedImportedKwh = new Float64Array(slotsPerDay);
    sum.interpolatedExportedKwh = new Float64Array(slotsPerDay);
    sum.hasInterpolated = true;
  }
  const { energy, statistics } = scratch;
  for (const name of energyColumns) energy[name].fill(0);
  day.fillEnergy(energy, 0);
  day.readStatistics(statistics);
  for (const name of energyColumns) {
    if (sum[name] === nothing) continue;
    for (let slot = 0; slot < slotsPerDay; slot += 1)
      sum[name][slot] = (sum[name][slot] ?? 0) + (energy[name][slot] ?? 0);
  }
  for (let slot = 0; slot < slotsPerDay; slot += 1) {
    const powerKw = averagePowerAt(statistics, slot);
    const before = sum.powerKw[slot] ?? NaN;
    if (powerKw !== null) sum.powerKw[slot] = Number.isNaN(before) ? powerKw : before + powerKw;
  }
}
