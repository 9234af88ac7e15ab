import type { Database, Queryable } from '../database/pool.ts';
import {
  countDevices,
  countDifferences,
  deleteOutdatedDifferences,
  insertResends,
  type KnownDifference,
  listNewestDifferences,
  listNextDevices,
  listPendingDays,
  replaceDifferences,
} from './push-differences.sql.ts';
import { resendIntervals } from './push-intervals.sql.ts';
import {
  beginReconciliation,
  clearRunWait,
  findFirstStored,
  findReconciliation,
  finishRun,
  type Reconciliation,
  type ReconcileRun,
  saveRun,
} from './push-reconciliation.sql.ts';
import { listDayChecksums } from '../energy/day-checksums.sql.ts';
import { findKeptFrom, lockKeptMeasurements } from '../energy/measurements.sql.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import {
  type CountedDay,
  dayKey,
  daysOfPage,
  devicesOfPage,
  type DifferingDay,
} from '../energy/day-checksums.rules.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { refusePushOff } from './push.ts';

/** Measurements of the last days (this number) are compared every day; all measurements are compared every four weeks. */
const recentDays = 31;
const everyDays = 1;
const everythingEveryDays = 28;
/** Devices of a page; the fleet accepts 500. */
const maxDevices = 500;

const startOfDay = (micros: number) => Math.floor(micros / dayMicros) * dayMicros;

/** The running comparison, or one that is due now; null without any. */
export async function findDueRun(database: Database, nowMs: number): Promise<Reconciliation | null> {
  const known = await findReconciliation(database);
  if (known?.isRunning === true) return known;
  const restedMicros = nowMs * 1000 - (known?.beganMicros ?? -Infinity);
  // A time of comparison in the future was recorded by a wrong clock, so it does not count.
  if (restedMicros >= 0 && restedMicros < everyDays * dayMicros) return null;
  await begin(database, known, { isRequested: false, nowMs });
  return findReconciliation(database);
}

/** Starts a comparison of the last days, or of everything if requested or if the last complete one is long ago. */
async function begin(
  db: Queryable,
  known: Reconciliation | null,
  { isRequested, nowMs }: { isRequested: boolean; nowMs: number },
): Promise<void> {
  const nowMicros = nowMs * 1000;
  const { fullFinishedMicros = null, inStepToMicros = null } = known ?? {};
  const isFull =
    isRequested ||
    inStepToMicros === null ||
    fullFinishedMicros === null ||
    nowMicros >= fullFinishedMicros + everythingEveryDays * dayMicros;
  // The range includes today, and readings of meters whose clocks are ahead.
  const toMicros = startOfDay(nowMicros) + 2 * dayMicros;
  const first = startOfDay((await findFirstStored(db)) ?? nowMicros);
  const since = Math.min(nowMicros - recentDays * dayMicros, inStepToMicros ?? nowMicros);
  const fromMicros = Math.min(isFull ? first : Math.max(first, startOfDay(since)), toMicros);
  await deleteOutdatedDifferences(db);
  await beginReconciliation(db, { isFull, isRequested, beganMicros: nowMicros, fromMicros, toMicros });
}

/** Starts a comparison of everything stored. Throws `conflict` if this portal does not push. */
export async function requestReconciliation(changing: Changing, isEnabled: boolean, nowMs: number): Promise<void> {
  refusePushOff(isEnabled);
  await makeChange(changing, async (tx, recordChange) => {
    await clearRunWait(tx);
    await recordChange('push.reconcile', { id: null });
    const known = await findReconciliation(tx);
    // A second request does not restart it.
    if (known?.isRunning !== true || !known.isRequested) await begin(tx, known, { isRequested: true, nowMs });
  });
}

/** The devices and days that are compared in one step. */
export interface ReconcilePage {
  deviceIds: string[];
  range: MicrosRange;
  /** The run before this page, and the run after it. */
  before: ReconcileRun;
  behind: ReconcileRun;
}

/** The next page of a run; null at its end. */
export async function findNextPage(database: Database, run: ReconcileRun): Promise<ReconcilePage | null> {
  const { resentToNumber, windowToMicros, toMicros } = run;
  const range = { fromMicros: run.windowFromMicros, toMicros: windowToMicros };
  const days = (range.toMicros - range.fromMicros) / dayMicros;
  const next = days === 0 ? [] : await listNextDevices(database, run.deviceNumber, range, maxDevices);
  const devices =
    resentToNumber === null ? devicesOfPage(next, days) : next.filter(({ number }) => number <= resentToNumber);
  const last = devices.at(-1);
  if (last !== undefined) {
    const behind = { ...run, deviceNumber: last.number, resentToNumber: null };
    return { deviceIds: devices.map(({ id }) => id), range, before: run, behind };
  }
  const count = await countDevices(database);
  if (windowToMicros >= toMicros || count === 0) return null;
  return findNextPage(database, {
    ...run,
    windowFromMicros: windowToMicros,
    windowToMicros: Math.min(windowToMicros + daysOfPage(count) * dayMicros, toMicros),
    deviceNumber: 0,
    resentToNumber: null,
  });
}

/**
 * Reads which days of a page are stored, and which of them are not completely sent yet, in one snapshot. Null if none of the
 * readings is kept any more.
 */
export async function readPage(
  database: Database,
  { deviceIds, range }: ReconcilePage,
): Promise<{ days: CountedDay[]; pending: ReadonlySet<string>; range: MicrosRange } | null> {
  return database.snapshot(async (tx) => {
    await lockKeptMeasurements(tx);
    // A day that is only partly kept is not compared.
    const keptFrom = Math.ceil(Math.max(0, await findKeptFrom(tx)) / dayMicros) * dayMicros;
    const kept = { ...range, fromMicros: Math.max(range.fromMicros, keptFrom) };
    if (kept.fromMicros >= kept.toMicros) return null;
    const days = await listDayChecksums(tx, deviceIds, kept);
    const pending = await listPendingDays(tx, deviceIds);
    return { days, pending: new Set(pending.map(dayKey)), range: kept };
  });
}

/** Queues the days to be sent again; the page is then compared once more. */
export async function sendAgain(
  database: Database,
  { before, behind }: ReconcilePage,
  days: readonly DifferingDay[],
): Promise<void> {
  const resentDays = before.resentDays + days.length;
  await database.transaction(async (tx) => {
    if (!(await saveRun(tx, { ...before, resentToNumber: behind.deviceNumber, resentDays }))) return;
    await insertResends(tx, days);
    await resendIntervals(tx, days);
  });
}

/** Moves on to the next page, and records the days that still differ. */
export async function leavePage(
  database: Database,
  { deviceIds, range, behind }: ReconcilePage,
  { comparedDays, differing }: { comparedDays: number; differing: readonly DifferingDay[] },
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await saveRun(tx, { ...behind, comparedDays: behind.comparedDays + comparedDays }))) return;
    await replaceDifferences(tx, deviceIds, range, differing);
  });
}

/** Ends a run. Everything measured before it began has then been compared, because the first run compares all. */
export const endRun = (database: Database, { beganMicros }: ReconcileRun, nowMs: number) =>
  finishRun(database, { beganMicros, nowMicros: nowMs * 1000 });

const maxListed = 20;

export interface ReconciliationOverview {
  known: Reconciliation | null;
  differingDays: number;
  /** The newest differences. */
  differences: KnownDifference[];
}

/** The state of the comparison with the fleet. */
export const overviewReconciliation = async (database: Database): Promise<ReconciliationOverview> => ({
  known: await findReconciliation(database),
  differingDays: await countDifferences(database),
  differences: await listNewestDifferences(database, maxListed),
});
