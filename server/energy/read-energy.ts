import { setTimeout as sleep } from 'node:timers/promises';
import { type EnergyFailure, listFailures } from './energy-flags.sql.ts';
import { keepSums, type KeptSum } from './energy-sums.sql.ts';
import {
  allOf,
  type DeviceInterval,
  listReadingSpans,
  type DirtyRange,
  listDirtyRanges,
  listStateVersions,
  type NamedRange,
  listDirtySpans,
} from './dirty-ranges.sql.ts';
import { type ChosenDevice, listChosenDevices, lockKeptStep } from './measurements.sql.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { valuesOf } from '../database/rows.ts';
import { isOwnFault } from '../database/errors.ts';
import { limiterOf } from '../base/budgets.ts';
import type { LimitedWork } from '../base/limiter.ts';
import { Recent } from '../base/recent.ts';
import { noSpans, type EnergyRules, type ReadingSpans, unionOfSpans, dayOf } from './energy.rules.ts';
import { mergeIntervals, barrierOf, type SideName, unionOfReadingSpans } from './energy-window.rules.ts';
import { type DomainError, listSome, refuse } from '../base/errors.ts';
import { type MicrosRange, dayMicros, earliestMicros, lastMicros } from '../base/instants.ts';
import { allDevices, type DeviceScope } from '../base/scopes.ts';
import { EnergyReader, type SnapshotDevice } from './energy-reader.ts';
import { materializeSome, computeOverlay, type EnergyOverlay } from './materialize-energy.ts';
import { apartMicros, daysToCompute, listAffectedParts, openTouched } from './recompute-energy.ts';
import { energyReadingOf, listSpansWithin } from './energy-readings.sql.ts';
import { listAround } from './energy-neighbours.sql.ts';

interface DirtyDevice extends EnergyRules {
  number: number;
}

/** The dirty ranges that a query has to compute or wait for. */
interface Reaching {
  dirtyRanges: NamedRange[];
  /**
   * The intervals that these dirty ranges touch, one per device. Dirty ranges outside these intervals do not change the answer.
   */
  within: DeviceInterval[];
  /** The spans of materialized readings. The spans of all readings include omitted dirty ranges. */
  materialized: ReadonlyMap<number, ReadingSpans>;
}

/** Up to this many dirty ranges a search does not pay off, because their slots are computed in less than a second. */
const few = 1_000;
/** More than seven readings. Seven form a barrier if none of them is a glitch and each has the registers. */
const readingsToJudge = 16;

/**
 * The dirty ranges that can change slots on the days of a range. If there are many, those on one side of the range are left out
 * as far as barriers allow: a row of the year 2000 changes slots up to the next readings, not today's (energy-and-cost.md 5). The
 * side that leaves fewer ranges is chosen. Returns at most `limit` ranges and one more.
 */
async function listReachingRanges(
  tx: Transaction,
  devices: readonly DirtyDevice[],
  {
    range,
    materialized,
    limit,
  }: { range: MicrosRange; materialized: ReadonlyMap<number, ReadingSpans>; limit: number },
): Promise<Reaching> {
  const all = allOf(devices.map(({ number }) => number));
  const firstFew = await listDirtyRanges(tx, all, few + 1);
  if (firstFew.length <= few) return { dirtyRanges: firstFew, within: all, materialized };
  // The range is extended to whole days, because days are computed whole.
  const days = {
    fromMicros: dayOf(range.fromMicros) * dayMicros,
    toMicros: (dayOf(range.toMicros - 1) + 1) * dayMicros,
  };
  for (const side of ['before', 'after'] as const) {
    const open =
      side === 'before'
        ? { fromMicros: days.fromMicros, toMicros: lastMicros }
        : { fromMicros: earliestMicros, toMicros: days.toMicros - 1 };
    const kept = all.map(({ deviceNumber }) => ({ deviceNumber, ...open }));
    const others = await listDirtyRanges(tx, kept, few + 1);
    if (others.length > few) continue;
    const dirty = await listDirtySpans(
      tx,
      devices.map(({ number }) => number),
    );
    const barriers = await listBarriers(tx, side, devices, { days, materialized, dirty, others });
    const within = kept.map((one) => {
      const barrier = barriers.get(one.deviceNumber);
      if (barrier === undefined) return one;
      return side === 'before' ? { ...one, fromMicros: barrier } : { ...one, toMicros: barrier };
    });
    const dirtyRanges = await listDirtyRanges(tx, within, limit + 1);
    return { dirtyRanges, within, materialized: withDirty(materialized, dirty) };
  }
  return { dirtyRanges: await listDirtyRanges(tx, all, limit + 1), within: all, materialized };
}

/** Extends spans by dirty ranges, which begin and end at readings. */
function withDirty(
  materialized: ReadonlyMap<number, ReadingSpans>,
  dirty: readonly DeviceInterval[],
): ReadonlyMap<number, ReadingSpans> {
  const spans = new Map(materialized);
  for (const { deviceNumber, fromMicros, toMicros } of dirty) {
    const known = spans.get(deviceNumber) ?? noSpans;
    const any = unionOfSpans(known.any, { firstMicros: fromMicros, lastMicros: toMicros });
    spans.set(deviceNumber, { ...known, any });
  }
  return spans;
}

interface Around {
  /** Whole UTC days. */
  days: MicrosRange;
  materialized: ReadonlyMap<number, ReadingSpans>;
  /** For each device, the span from its first dirty range to its last. */
  dirty: readonly DeviceInterval[];
  /** All dirty ranges in the days and on the other side of them. */
  others: readonly DirtyRange[];
}

/**
 * The barrier of each device that has dirty ranges on one side of some days. A device without a barrier gets the end of time.
 */
async function listBarriers(
  tx: Transaction,
  side: SideName,
  devices: readonly DirtyDevice[],
  { days, materialized, dirty, others }: Around,
): Promise<Map<number, number>> {
  const rules = new Map(devices.map((device) => [device.number, device]));
  const atMicros = side === 'before' ? days.fromMicros : days.toMicros;
  const spansOf = await listSpansBeyond(tx, materialized, others);
  const all = withDirty(materialized, dirty);
  const asked = dirty.flatMap(({ deviceNumber, fromMicros, toMicros }) => {
    const any = all.get(deviceNumber)?.any ?? null;
    const isBeyond = side === 'before' ? fromMicros < atMicros : toMicros >= atMicros;
    const edge = side === 'before' ? atMicros : atMicros - 1;
    return isBeyond ? [{ deviceNumber, fromMicros: edge, toMicros: edge, any, sides: [side] }] : [];
  });
  const nearest = await listAround(tx, asked, { beyond: readingsToJudge, inside: 0 });
  return new Map(
    asked.map(({ deviceNumber }, at) => {
      const readings = (nearest[at]?.readings ?? []).map(energyReadingOf);
      const own = rules.get(deviceNumber) ?? { energySource: 'auto' };
      const barrier = barrierOf({ side, atMicros }, readings, spansOf(deviceNumber), own);
      return [deviceNumber, barrier ?? (side === 'before' ? earliestMicros : lastMicros)];
    }),
  );
}

/** The spans of the materialized readings and of some dirty ranges together. */
async function listSpansBeyond(
  tx: Transaction,
  materialized: ReadonlyMap<number, ReadingSpans>,
  dirtyRanges: readonly DirtyRange[],
): Promise<(deviceNumber: number) => ReadingSpans> {
  const intervals = [...Map.groupBy(dirtyRanges, ({ deviceNumber }) => deviceNumber)].flatMap(([deviceNumber, own]) =>
    mergeIntervals(own, 0).map((interval) => ({ deviceNumber, ...interval })),
  );
  const found = await listSpansWithin(tx, intervals);
  const spans = new Map(materialized);
  for (const [at, { deviceNumber }] of intervals.entries()) {
    spans.set(deviceNumber, unionOfReadingSpans(spans.get(deviceNumber) ?? noSpans, found[at] ?? noSpans));
  }
  return (deviceNumber) => spans.get(deviceNumber) ?? noSpans;
}

export interface EnergyQuestion {
  scope: DeviceScope;
  range: MicrosRange;
  /** The longest part of the range that is read, in microseconds. Set only if times between parts are not read. */
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

/** If more days than this are dirty, they are materialized first. To compute them for a single read would be a waste. */
const maxDaysToOverlay = 200;
/** If another transaction holds a device, up to this many days are computed in memory. With more days the read must wait. */
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
 * Reads the energy of the devices of a scope in one snapshot. Many dirty ranges are materialized first. A few, as there are at
 * any moment, are computed in memory and laid over the slots, so that a read is exact for its snapshot (energy-and-cost.md 5) and
 * never waits for ingests, however fast. Nor does it wait long for someone who holds the slots of a device: then it computes more
 * in memory, up to a limit. Throws `unavailable` beyond that.
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
    database.snapshot(
      async (tx): Promise<{ value: T; sums: KeptSum[] } | Unread> => {
        const devices = await listChosenDevices(tx, scope);
        let opened: OpenedDirty;
        try {
          opened = await openDirty(tx, { devices, broken, range, maxDays, limited, source: database.source });
          if (opened.isTooMuch) return { devices, within: opened.within, error: tooMuch(), isBroken: false };
        } catch (error) {
          if (signal?.aborted === true || !isOwnFault(error)) throw error;
          return { devices, within: allOf(devices.map((device) => device.number)), error, isBroken: true };
        }
        const sums: KeptSum[] = [];
        const { overlay } = opened;
        const reader = await EnergyReader.open({ tx, range, overlay, signal, sums }, opened.devices);
        return { value: await work(reader), sums };
      },
      [lockKeptStep(database)],
    );
  const attempt = async (maxDays: number) => {
    const read = await open(maxDays);
    // If the sums cannot be stored, the next answer takes as long as this one.
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
    // This also finds out which device fails. A process without write access leaves it to the portal.
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
 * The energy of some devices, or of all of a customer, in a transaction that the caller has opened with `lockKeptMeasurements`.
 * Null if more than `maxDays` device-days would have to be computed. For devices in `broken` only stored slots are
 * used. Materializes nothing.
 */
export async function readEnergyWithin<T>(
  tx: Transaction,
  {
    scope = allDevices,
    range,
    maxDays,
    broken,
  }: { scope?: DeviceScope; range: MicrosRange; maxDays: number; broken: ReadonlySet<number> },
  work: (reader: EnergyReader) => Promise<T>,
): Promise<T | null> {
  const devices = await listChosenDevices(tx, scope);
  const limited = { patience: () => AbortSignal.timeout(pauseMs) };
  const opened = await openDirty(tx, { devices, broken, range, maxDays, limited });
  if (opened.isTooMuch) return null;
  const { overlay } = opened;
  return work(await EnergyReader.open({ tx, range, overlay, signal: undefined, sums: [] }, opened.devices));
}

interface Unread {
  devices: readonly ChosenDevice[];
  /** The intervals to materialize before the next attempt. */
  within: readonly DeviceInterval[];
  error: unknown;
  /** True if something failed; false if there was only too much to compute. */
  isBroken: boolean;
}

/**
 * The error for devices whose slots cannot be computed. A total without a device would be wrong without notice. So there is no
 * total until the device is left out on purpose.
 */
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

/** Materializes the dirty ranges that are not locked; returns their number. */
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
  /** The devices for which only stored slots are used. */
  broken: ReadonlySet<number>;
  range: MicrosRange;
  maxDays: number;
  limited: Omit<LimitedWork, 'weight'>;
  /** Identifies the database. Set if the overlay of an earlier read may be used again. */
  source?: string;
}

type OpenedDirty =
  | { isTooMuch: true; within: DeviceInterval[] }
  | { isTooMuch: false; overlay: EnergyOverlay; devices: SnapshotDevice[] };

interface Computed {
  overlay: EnergyOverlay;
  /** The spans of those devices that have dirty ranges. */
  spans: readonly (readonly [number, ReadingSpans])[];
}

/** Overlays of the latest reads, for other reads that find the same readings and slots. */
const recent = new Recent<Computed>(8 * 1024 * 1024);
/** The memory of a device-day is less than this. */
const maxDayBytes = 20_000;

/** Computes those slots of the range that are not materialized yet. The number of days is limited for each read. */
async function openDirty(tx: Transaction, asked: AskedDirty): Promise<OpenedDirty> {
  const { devices, broken, range, maxDays, limited, source } = asked;
  const stored = await listReadingSpans(
    tx,
    devices.map((device) => device.number),
  );
  const computable = devices.filter((device) => !broken.has(device.number));
  const reaching = { range, materialized: stored, limit: maxDirtyRanges };
  const { dirtyRanges, within, materialized } = await listReachingRanges(tx, computable, reaching);
  const dirty = new Set(dirtyRanges.map(({ deviceNumber }) => deviceNumber));
  const refused = { isTooMuch: true, within: within.filter(({ deviceNumber }) => dirty.has(deviceNumber)) } as const;
  // This is too much in any case, so no neighbours are searched.
  if (dirtyRanges.length > maxDirtyRanges || daysIn(dirtyRanges, range) > maxDays) return refused;
  const rules = new Map(devices.map((device) => [device.number, device]));
  const isNamed = source !== undefined && dirty.size > 0 && dirtyRanges.length <= few;
  const versions = isNamed ? await listStateVersions(tx, [...dirty]) : null;
  const key =
    versions === null
      ? null
      : JSON.stringify([
          [source, tx.customerId, dayOf(range.fromMicros), dayOf(range.toMicros - 1)],
          devices.filter(({ number }) => dirty.has(number)).map(rulesOf),
          [...versions].toSorted(([a], [b]) => a - b),
          dirtyRanges.map(({ deviceNumber, id }) => `${deviceNumber} ${id}`).toSorted(),
        ]);
  let computed = key === null ? undefined : recent.find(key);
  if (computed === undefined) {
    const earlier = versions === null ? null : { source: `${source} ${tx.customerId}`, dirtyRanges, versions };
    const touched = dirty.size === 0 ? [] : await openTouched(tx, dirtyRanges, rules, materialized, earlier);
    const parts = await listAffectedParts(tx, touched, range);
    if (parts.reduce((sum, part) => sum + daysToCompute(part), 0) > maxDays) return refused;
    const overlay = await computeOverlay(tx, parts, limited);
    computed = { overlay, spans: touched.map((device) => [device.deviceNumber, device.spans]) };
    if (key !== null) recent.keep(key, computed, key.length + overlay.days.length * maxDayBytes);
  }
  const spans = new Map([...materialized, ...computed.spans]);
  const measured = devices.map((device) => ({
    ...device,
    deviceNumber: device.number,
    rules: device,
    spans: spans.get(device.number) ?? noSpans,
  }));
  return { isTooMuch: false, overlay: computed.overlay, devices: measured };
}

const rulesOf = (device: DirtyDevice) =>
  valuesOf(device, ['number', 'energySource', 'ratedPowerKw', 'registerMaxKwh', 'expectedIntervalSeconds']);

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
