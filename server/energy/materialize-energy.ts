import { deleteEnergyDays, emptyDay, listExactDays, openDay, writeEnergyDays, storedDay } from './energy-days.sql.ts';
import {
  deleteFlags,
  replaceFlags,
  deleteFailures,
  listFailures,
  upsertFailure,
  deleteGaps,
  type DeviceDays,
  insertGaps,
  isFlagIn,
  type StoredFlag,
  type DaysOfDevices,
} from './energy-flags.sql.ts';
import {
  allOf,
  deleteDirtyRanges,
  type DeviceInterval,
  listDirtyDevices,
  longestRetryMs,
  lockReadingSpans,
  markMeasuredDaysDirty,
  type DirtyRange,
  takeDirtyRanges,
  updateReadingSpans,
} from './dirty-ranges.sql.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { isOwnFault } from '../database/errors.ts';
import {
  noSpans,
  type ReadingSpans,
  type RegisterSpan,
  applyPatch,
  dayOf,
  daysOfPatch,
  type EnergyDay,
  type EnergyPatch,
  intervalOfPatch,
  type StoredDay,
} from './energy.rules.ts';
import { type EnergyGap, isEmptyGap, rangeOfPart, daysOfGap } from './energy-window.rules.ts';
import {
  type AffectedPart,
  listAffectedParts,
  openTouched,
  piecesOf,
  recompute,
  type Recomputed,
  weightOf,
} from './recompute-energy.ts';
import { listEnergyRules, findKeptFrom } from './measurements.sql.ts';
import { dayMicros, type MicrosRange } from '../base/instants.ts';
import { limiterOf } from '../base/budgets.ts';
import type { LimitedWork } from '../base/limiter.ts';

/** Days computed for one read because they are not materialized yet. */
export interface EnergyOverlay {
  /** The computed days of all devices in no order, including empty ones. */
  days: readonly StoredDay[];
  /** The ranges of days that have any data, half-open. */
  spans: readonly { fromDay: number; toDay: number }[];
  /** Replaces stored days with the computed ones. */
  layOver(stored: readonly StoredDay[], filter: DaysOfDevices): StoredDay[];
  layOverFlags(stored: readonly StoredFlag[], range: MicrosRange): StoredFlag[];
}

const computing = limiterOf('computedDays');

/** Computes the parts piece by piece from the snapshot `tx`. The results are kept as compact as they are stored. */
export async function computeOverlay(
  tx: Transaction,
  parts: readonly AffectedPart[],
  limited: Omit<LimitedWork, 'weight'>,
): Promise<EnergyOverlay> {
  const days = new Map<string, StoredDay>();
  const gaps: EnergyGap[] = [];
  const flags = new Map<string, StoredFlag>();
  const replaced = new Map<number, MicrosRange[]>();
  const findDay = (deviceNumber: number, day: number) => days.get(keyOf({ deviceNumber, day }));
  for (const piece of piecesOf(parts)) {
    const weight = piece.reduce((sum, part) => sum + weightOf(part), 0);
    const compute = async () => {
      const { patches, ...found } = await recompute(tx, piece);
      for (const day of await patchedDays(tx, patches, findDay)) days.set(keyOf(day), storedDay(day));
      gaps.push(...found.gaps);
      for (const flag of [...found.flags, ...found.reaching]) flags.set(keyOfFlag(flag), flag);
      for (const { deviceNumber, ...interval } of [...patches.map(intervalOfPatch), ...found.gaps.map(intervalOfGap)]) {
        replaced.getOrInsertComputed(deviceNumber, () => []).push(interval);
      }
    };
    await computing.run(compute, { ...limited, weight });
  }

  return {
    days: [...days.values()],
    spans: [...[...days.values()].map(({ day }) => ({ fromDay: day, toDay: day + 1 })), ...gaps],
    layOver(stored, { deviceNumbers, fromDay, toDay }) {
      if (parts.length === 0) return [...stored];
      const asked = new Set(deviceNumbers);
      const isAsked = (day: StoredDay) => asked.has(day.deviceNumber) && day.day >= fromDay && day.day < toDay;
      const silent = gaps.filter((gap) => asked.has(gap.deviceNumber) && gap.fromDay < toDay && gap.toDay > fromDay);
      const isSilent = ({ deviceNumber, day }: StoredDay) =>
        silent.some((gap) => gap.deviceNumber === deviceNumber && gap.fromDay <= day && day < gap.toDay);
      return [
        ...stored.filter((day) => !days.has(keyOf(day)) && !isSilent(day)),
        ...[...days.values()].filter(isAsked),
        ...silent.flatMap((gap) => [...daysOfGap(gap, { fromDay, toDay })]),
      ];
    },
    layOverFlags(stored, range) {
      const isReplaced = (flag: StoredFlag) =>
        replaced.get(flag.deviceNumber)?.some((own) => isFlagIn(flag, own)) === true;
      return [...stored.filter((flag) => !isReplaced(flag)), ...flags.values().filter((flag) => isFlagIn(flag, range))];
    },
  };
}

const keyOf = ({ deviceNumber, day }: { deviceNumber: number; day: number }) => `${deviceNumber} ${day}`;
const keyOfFlag = ({ deviceNumber, timeMicros, kind, direction }: StoredFlag) =>
  `${deviceNumber} ${timeMicros} ${kind} ${direction}`;

/** Limits of one transaction: some seconds of work. */
const max = { devices: 64, dirtyRanges: 4_000, days: 64 };

/**
 * Materializes some of the dirty ranges (those within some intervals, or all) into the slots, in one transaction: a crash leaves the
 * dirty ranges or the slots, never half. With `skip`, devices that are being materialized elsewhere are left out; without it, they
 * are waited for. A device whose slots cannot be computed is recorded and waits for its next attempt, while the others go on.
 * Returns how many dirty ranges and such devices there were; 0 when none is left.
 */
export async function materializeSome(
  database: Database,
  { within, skip, onFailure = () => undefined }: MaterializeOptions,
): Promise<number> {
  const numbers = await listDirtyDevices(database, within, max.devices, Date.now() * 1000);
  if (numbers.length === 0) return 0;
  const own = new Set(numbers);
  const dirty = within?.filter(({ deviceNumber }) => own.has(deviceNumber)) ?? allOf(numbers);
  try {
    return await materializeDevices(database, dirty, skip);
  } catch (error) {
    database.signal?.throwIfAborted();
    if (!isOwnFault(error)) throw error;
  }
  // At least one of the devices is broken, so each device is now tried alone.
  let materialized = 0;
  for (const one of dirty) {
    try {
      materialized += await materializeDevices(database, [one], skip);
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      await recordFailure(database, one.deviceNumber, error);
      onFailure(error);
      materialized += 1;
    }
  }
  return materialized;
}

interface MaterializeOptions {
  /** Only dirty ranges that touch these intervals (one per device) are materialized; null means all. */
  within: readonly DeviceInterval[] | null;
  skip: boolean;
  /** Called for each device whose slots cannot be computed. */
  onFailure?: (error: unknown) => void;
}

async function recordFailure(database: Database, deviceNumber: number, error: unknown): Promise<void> {
  const [known] = await listFailures(database, [deviceNumber]);
  const attempts = (known?.attempts ?? 0) + 1;
  const nowMicros = Date.now() * 1000;
  const retryMicros = nowMicros + retryAfterMs(attempts) * 1000;
  const reason = error instanceof Error ? error.message : String(error);
  await upsertFailure(database, { deviceNumber, attempts, sinceMicros: nowMicros, retryMicros }, reason);
}

const firstRetryMs = 60_000;
const retryAfterMs = (attempts: number) => Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1));

async function materializeDevices(
  database: Database,
  dirty: readonly DeviceInterval[],
  skip: boolean,
): Promise<number> {
  const numbers = dirty.map(({ deviceNumber }) => deviceNumber);
  return database.transaction(async (tx) => {
    const spans = await lockReadingSpans(tx, numbers, { skip });
    if (spans.size === 0) return 0;
    const locked = dirty.filter(({ deviceNumber }) => spans.has(deviceNumber));
    const dirtyRanges = await takeDirtyRanges(tx, locked, max);
    await materialize(tx, dirtyRanges, spans);
    return dirtyRanges.length;
  });
}

/**
 * Recomputes all slots and flags of a device from its readings, in one transaction; concurrent reads see the old ones. The
 * result is the same to the bit. Slots before the kept readings stay as they are.
 */
export async function rebuildEnergy(database: Database, deviceNumber: number): Promise<void> {
  await database.transaction(async (tx) => {
    const stored = (await lockReadingSpans(tx, [deviceNumber], { skip: false })).get(deviceNumber) ?? noSpans;
    const keptFrom = await findKeptFrom(tx);
    await forgetEnergy(tx, deviceNumber, keptFrom);
    await markMeasuredDaysDirty(tx, deviceNumber);
    const dirtyRanges = await takeDirtyRanges(tx, allOf([deviceNumber]), {
      dirtyRanges: Number.MAX_SAFE_INTEGER,
      days: 1_000_000,
    });
    const spans = new Map([[deviceNumber, spansBefore(stored, keptFrom)]]);
    await updateReadingSpans(tx, spans);
    await materialize(tx, dirtyRanges, spans);
  });
}

/**
 * Deletes the materialized slots of a device from an instant on (epoch microseconds, or -Infinity), and its dirty
 * ranges.
 */
export async function forgetEnergy(tx: Transaction, deviceNumber: number, fromMicros: number): Promise<void> {
  const days = { deviceNumber, fromDay: fromMicros === -Infinity ? firstDay : dayOf(fromMicros), toDay: lastDay };
  await deleteDirtyRanges(tx, deviceNumber);
  await deleteEnergyDays(tx, [days]);
  await deleteGaps(tx, [days]);
  await deleteFlags(tx, deviceNumber, Math.max(fromMicros, firstDay * dayMicros));
}

/** The first day of the year 1, which has the earliest instant. Counted from 1970-01-01. */
const firstDay = -719_162;
/** A day after the year 9999. */
const lastDay = 2_932_897;

/** Cuts spans off at an instant, because the readings from that instant on are read again. */
function spansBefore(spans: ReadingSpans, beforeMicros: number): ReadingSpans {
  const clip = (span: RegisterSpan): RegisterSpan =>
    span === null || span.firstMicros >= beforeMicros
      ? null
      : { firstMicros: span.firstMicros, lastMicros: Math.min(span.lastMicros, beforeMicros) };
  return { ...spans, any: clip(spans.any), imported: clip(spans.imported), exported: clip(spans.exported) };
}

async function materialize(
  tx: Transaction,
  dirtyRanges: readonly DirtyRange[],
  spans: ReadonlyMap<number, ReadingSpans>,
): Promise<void> {
  if (dirtyRanges.length === 0) return;
  // The rules are read after the dirty ranges. If the rules change at the same time, the change leaves dirty ranges for the
  // next run.
  const rules = await listEnergyRules(tx, [...spans.keys()]);
  const touched = await openTouched(tx, dirtyRanges, rules, spans);
  const parts = await listAffectedParts(tx, touched);
  await deleteGaps(tx, parts.map(daysOfPart));
  for (const piece of piecesOf(parts)) await store(tx, await recompute(tx, piece));
  await updateReadingSpans(tx, new Map(touched.map((device) => [device.deviceNumber, device.spans])));
  await deleteFailures(tx, [...spans.keys()]);
}

function daysOfPart(part: AffectedPart): DeviceDays {
  const { fromMicros, toMicros } = rangeOfPart(part);
  return { deviceNumber: part.device.deviceNumber, fromDay: dayOf(fromMicros), toDay: dayOf(toMicros - 1) + 1 };
}

/** Stores the results. The gaps within the parts must have been removed before. */
async function store(tx: Transaction, { patches, gaps, flags }: Recomputed): Promise<void> {
  await writeEnergyDays(tx, await patchedDays(tx, patches));
  if (gaps.length > 0) {
    await deleteEnergyDays(tx, gaps);
    await insertGaps(
      tx,
      gaps.filter((gap) => !isEmptyGap(gap)),
    );
  }
  await replaceFlags(tx, [...patches.map(intervalOfPatch), ...gaps.map(intervalOfGap)], flags);
}

export const intervalOfGap = ({ deviceNumber, fromDay, toDay }: EnergyGap) => ({
  deviceNumber,
  fromMicros: fromDay * dayMicros,
  toMicros: toDay * dayMicros,
});

/** The whole days that patches touch: stored days, or those that `findKnown` returns, with the patches applied. */
export async function patchedDays(
  tx: Transaction,
  patches: readonly EnergyPatch[],
  findKnown: (deviceNumber: number, day: number) => StoredDay | undefined = () => undefined,
): Promise<EnergyDay[]> {
  const keyOf = ({ deviceNumber, day }: { deviceNumber: number; day: number }) => `${deviceNumber} ${day}`;
  const touched = patches.flatMap((patch) =>
    daysOfPatch(patch).map((day) => ({ deviceNumber: patch.deviceNumber, day, patch })),
  );
  const stored: StoredDay[] = [];
  const unread = new Map<string, { deviceNumber: number; day: number }>();
  for (const { deviceNumber, day, patch } of touched) {
    if (isWhole(patch, day)) continue;
    const known = findKnown(deviceNumber, day);
    if (known === undefined) unread.set(keyOf({ deviceNumber, day }), { deviceNumber, day });
    else stored.push(known);
  }
  stored.push(...(await listExactDays(tx, [...unread.values()])));
  const days = new Map(stored.map((day) => [keyOf(day), openDay(day)]));
  for (const { patch, ...day } of touched)
    applyPatch(
      days.getOrInsertComputed(keyOf(day), () => emptyDay(day)),
      patch,
    );
  return [...days.values()];
}

/** Whether a patch holds every slot of the day. */
function isWhole(patch: EnergyPatch, day: number): boolean {
  const { fromMicros, toMicros } = intervalOfPatch(patch);
  return dayOf(fromMicros - 1) < day && dayOf(toMicros) > day;
}
