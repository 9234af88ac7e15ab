import { setTimeout as sleep } from 'node:timers/promises';
import { type EnergyFailure, listFailures } from './energy-failures.sql.ts';
import { keepSums, type KeptSum } from './energy-sums.sql.ts';
import { allOf, type DeviceInterval, listReadingSpans, type DirtyRange } from './dirty-ranges.sql.ts';
import { type ChosenDevice, listChosenDevices } from './measurements.sql.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { isOwnFault } from '../database/errors.ts';
import { lockKeptMeasurements } from './retention.sql.ts';
import { limiterOf } from '../base/budgets.ts';
import { noSpans } from './energy.rules.ts';
import { mergeIntervals } from './energy-window.rules.ts';
import { type DomainError, refuse } from '../base/errors.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import { listSome } from '../base/names.ts';
import { allDevices, type DeviceScope } from '../base/scopes.ts';
import { computeOverlay, type EnergyOverlay } from './energy-overlay.ts';
import { EnergyReader, type SnapshotDevice } from './energy-reader.ts';
import { materializeSome } from './materialize-energy.ts';
import { listReachingRanges } from './reaching-ranges.ts';
import { type AffectedPart, apartMicros, daysToCompute, listAffectedParts, openTouched } from './recompute-energy.ts';

export interface EnergyQuestion {
  scope: DeviceScope;
  range: MicrosRange;
  /** The longest part of the range that is read, microseconds, where what lies between two parts is not. */
  longestMicros?: number;
  /** Whether the work lasts as long as a download and was admitted by the limiter of exports already. */
  isExport?: boolean;
  /**
   * Whether a device whose slots cannot be computed is answered with its stored slots. Otherwise the query is rejected.
   */
  isTolerant?: boolean;
  /** The account: reads of one account wait for each other rather than for those of others. */
  accountId?: string;
}

/** More than this is materialized first, because computing it for a single read would be a waste. */
const maxDaysToOverlay = 200;
/** If another transaction locks a device, up to this much is computed in memory; more has to wait. */
const maxDaysAtLast = 2_000;
const maxDirtyRanges = 20_000;
/** The cost of a dirty day outside the range: its registers are read, but nothing is computed. */
const shareOutside = 0.02;
const materializeAttempts = 5;
const pauseMs = 200;
const patienceMs = 30_000;

const tooMuch = () => refuse('manyNewReadingsOfThese');
const [reads, longReads, materializing] = [limiterOf('reads'), limiterOf('longReads'), limiterOf('materializing')];
const longFrom = 400 * dayMicros;

/**
 * Reads the energy of the devices of a scope in one snapshot. Many dirty ranges are materialized first; the few that any moment
 * brings are computed in memory and laid over the slots, so that a read is exact for its snapshot (energy-and-cost.md 5) and never
 * waits for ingests, however fast. Nor does it wait for somebody who holds the slots of a device for long: then it computes more
 * in memory, up to a bound. Throws `unavailable` beyond that.
 */
export async function readEnergy<T>(
  database: Database,
  { scope, range, longestMicros, isExport = false, isTolerant = false, accountId = '' }: EnergyQuestion,
  work: (reader: EnergyReader) => Promise<T>,
): Promise<T> {
  const { signal } = database;
  const patience = AbortSignal.timeout(patienceMs);
  const limited = { key: accountId, signal, patience: () => patience };
  const broken = new Set<number>();
  const isLong = (longestMicros ?? range.toMicros - range.fromMicros) > longFrom;
  const limit = <R>(read: () => Promise<R>): Promise<R> => {
    const inPlace = () => reads.run(read, limited);
    return isExport ? read() : isLong ? longReads.run(inPlace, limited) : inPlace();
  };
  const open = (maxDays: number) =>
    database.snapshot(async (tx): Promise<{ value: T; sums: KeptSum[] } | Unread> => {
      await lockKeptMeasurements(tx);
      const devices = await listChosenDevices(tx, scope);
      let opened: OpenedDirty;
      let overlay: EnergyOverlay;
      try {
        opened = await openDirty(tx, { devices, broken, range, maxDays });
        if (opened.isTooMuch) return { devices, within: opened.within, error: tooMuch(), isBroken: false };
        overlay = await computeOverlay(tx, opened.parts, limited);
      } catch (error) {
        if (signal?.aborted === true || !isOwnFault(error)) throw error;
        return { devices, within: allOf(devices.map((device) => device.number)), error, isBroken: true };
      }
      const sums: KeptSum[] = [];
      const reader = await EnergyReader.open({ tx, range, overlay, signal, sums }, opened.devices);
      return { value: await work(reader), sums };
    });
  const attempt = async (maxDays: number) => {
    const read = await open(maxDays);
    // If they cannot be kept, the next answer just takes as long as this one.
    if ('value' in read && read.sums.length > 0 && !database.isReadOnly)
      await keepSums(database, read.sums).catch(() => undefined);
    return read;
  };
  for (let attempts = 1; ; attempts += 1) {
    if (patience.aborted) throw tooMuch();
    const isLast = attempts > materializeAttempts;
    const maxDays = isLast ? maxDaysAtLast : maxDaysToOverlay;
    const read = await limit(() => attempt(maxDays));
    if ('value' in read) return read.value;
    // Also finds out which device is broken. A process that may not write leaves it to the portal.
    const materialize = () => materializeFree(database, read.within, patience);
    const materialized =
      isLast || database.isReadOnly ? 0 : await orTooMuch(materializing.run(materialize, limited), patience);
    const asked = read.within.map(({ deviceNumber }) => deviceNumber);
    const failures = (await listFailures(database, asked)).filter((one) => !broken.has(one.deviceNumber));
    if (isTolerant) for (const { deviceNumber } of failures) broken.add(deviceNumber);
    else if (failures.length > 0 && (read.isBroken || isLast)) throw refuseBroken(read, failures);
    if (isLast && (!isTolerant || failures.length === 0)) throw read.error;
    if (materialized === 0) await sleep(pauseMs, undefined, signal && { signal });
  }
}

/**
 * The energy of all devices of a customer, in a snapshot that the caller has opened with `lockKeptMeasurementsOfFleet`.
 * Null if more than `maxDays` device-days would have to be computed. For devices in `broken` only stored slots are
 * used. Materializes nothing.
 */
export async function readEnergyWithin<T>(
  tx: Transaction,
  { range, maxDays, broken }: { range: MicrosRange; maxDays: number; broken: ReadonlySet<number> },
  work: (reader: EnergyReader) => Promise<T>,
): Promise<T | null> {
  const devices = await listChosenDevices(tx, allDevices);
  const opened = await openDirty(tx, { devices, broken, range, maxDays });
  if (opened.isTooMuch) return null;
  const overlay = await computeOverlay(tx, opened.parts, { patience: () => AbortSignal.timeout(pauseMs) });
  return work(await EnergyReader.open({ tx, range, overlay, signal: undefined, sums: [] }, opened.devices));
}

interface Unread {
  devices: readonly ChosenDevice[];
  /** What to materialize before the next attempt. */
  within: readonly DeviceInterval[];
  error: unknown;
  /** Whether something could not be computed, rather than being too much. */
  isBroken: boolean;
}

/** A total without a device would be silently wrong, so there is none unless the device is left out on purpose. */
function refuseBroken({ devices, error }: Unread, failures: readonly EnergyFailure[]): DomainError {
  const numbers = new Set(failures.map((failure) => failure.deviceNumber));
  const broken = devices.filter((device) => numbers.has(device.number));
  return refuse('energyFails', { names: listSome(broken) }, { cause: error });
}

/**
 * The result of the work, or `unavailable` when the patience ends first. The work continues, so that the next read
 * finds it done.
 */
async function orTooMuch<T>(work: Promise<T>, patience: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(tooMuch());
  patience.addEventListener('abort', refuse, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    patience.removeEventListener('abort', refuse);
  }
}

/** Materializes what of it is not locked; returns the number of dirty ranges. */
async function materializeFree(
  database: Database,
  within: readonly DeviceInterval[],
  patience: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let materialized = -1; materialized !== 0 && !patience.aborted; total += materialized) {
    database.signal?.throwIfAborted();
    materialized = await materializeSome(database, { within, skip: true });
  }
  return total;
}

interface AskedDirty {
  devices: readonly ChosenDevice[];
  /** Devices for which only stored slots are used. */
  broken: ReadonlySet<number>;
  range: MicrosRange;
  maxDays: number;
}

type OpenedDirty =
  | { isTooMuch: true; within: DeviceInterval[] }
  | { isTooMuch: false; parts: AffectedPart[]; devices: SnapshotDevice[] };

/** The parts of the range that are not materialized yet; the count of days is limited for one read. */
async function openDirty(tx: Transaction, { devices, broken, range, maxDays }: AskedDirty): Promise<OpenedDirty> {
  const stored = await listReadingSpans(
    tx,
    devices.map((device) => device.number),
  );
  const computable = devices.filter((device) => !broken.has(device.number));
  const asked = { range, materialized: stored, limit: maxDirtyRanges };
  const { dirtyRanges, within, materialized } = await listReachingRanges(tx, computable, asked);
  const dirty = new Set(dirtyRanges.map(({ deviceNumber }) => deviceNumber));
  const refused = { isTooMuch: true, within: within.filter(({ deviceNumber }) => dirty.has(deviceNumber)) } as const;
  // Too much anyway, so do not search for neighbours.
  if (dirtyRanges.length > maxDirtyRanges || daysIn(dirtyRanges, range) > maxDays) return refused;
  const rules = new Map(devices.map((device) => [device.number, device]));
  const touched = dirtyRanges.length === 0 ? [] : await openTouched(tx, dirtyRanges, rules, materialized);
  const parts = await listAffectedParts(tx, touched, range);
  if (parts.reduce((sum, part) => sum + daysToCompute(part), 0) > maxDays) return refused;
  const spans = new Map([...materialized, ...touched.map((device) => [device.deviceNumber, device.spans] as const)]);
  const measured = devices.map((device) => ({
    ...device,
    deviceNumber: device.number,
    rules: device,
    spans: spans.get(device.number) ?? noSpans,
  }));
  return { isTooMuch: false, parts, devices: measured };
}

/** The approximate number of days of readings to look at. */
function daysIn(dirtyRanges: readonly DirtyRange[], range: MicrosRange): number {
  let days = 0;
  for (const own of Map.groupBy(dirtyRanges, (dirtyRange) => dirtyRange.deviceNumber).values()) {
    for (const { fromMicros, toMicros } of mergeIntervals(own, apartMicros)) {
      const inside = Math.max(0, Math.min(toMicros, range.toMicros) - Math.max(fromMicros, range.fromMicros));
      days += (inside + (toMicros - fromMicros - inside) * shareOutside) / dayMicros + shareOutside;
    }
  }
  return days;
}
