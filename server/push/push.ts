import { type ClientReport, clientReportLimits } from '../../shared/push.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { forgetDifferences } from './push-differences.sql.ts';
import { countRecorded, type DueRows, deleteSent } from './push-outbox.sql.ts';
import {
  beginRecording,
  countUnwalked,
  endRecording,
  findRecording,
  isRecordingUnused,
  type Recording,
  setRecordingUsed,
  setTarget,
  setWalk,
  type WalkPosition,
} from './push-recording.sql.ts';
import { countUnpushed, forgetPushed, markPushed, type PushedInterval } from './push-intervals.sql.ts';
import { countRemovals, finishRemoval } from './push-removals.sql.ts';
import { forgetReconciliation } from './push-reconciliation.sql.ts';
import {
  addRejected,
  clearWaits,
  forgetPushStates,
  listPushStates,
  type PushResource,
  setSent,
} from './push-state.sql.ts';
import { found, refuse } from '../base/errors.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { lockIngestExclusively } from '../database/ingest-lock.ts';

/** A recording that no push empties ends after this time; otherwise it would grow forever. */
const givenUpAfterMs = 7 * 24 * 3_600_000;

/** The destination of a push. */
export interface PushTarget {
  /** A hash of the address. */
  fleet: string;
  /** The customer of the fleet that this Client is; null until the fleet has told. */
  customerId: string | null;
}

/**
 * The recording for this fleet. If there is none, one begins, and ingests record from now on. For another fleet, or a customer
 * that was created again, everything starts over. Throws `unavailable` if ingests hold the lock for too long.
 */
export async function ensureRecording(
  database: Database,
  { fleet, customerId }: PushTarget,
  nowMs: number,
): Promise<Recording> {
  const present = await findRecording(database);
  const target = customerId === null ? fleet : `${fleet}/${customerId}`;
  if (present !== null) {
    const [knownFleet, knownCustomer] = present.target.split('/');
    if (knownFleet === fleet && (customerId === null || knownCustomer === customerId)) return present;
    if (knownFleet === fleet && knownCustomer === undefined) {
      await setTarget(database, target);
      return present;
    }
  }
  return database.transaction(async (tx) => {
    await lockIngestExclusively(tx);
    if (present !== null) {
      await endRecording(tx);
      await forgetPushStates(tx);
    }
    await forgetPushed(tx);
    await forgetReconciliation(tx);
    await forgetDifferences(tx);
    await beginRecording(tx, target, nowMs * 1000);
    return found(await findRecording(tx), 'recording');
  });
}

/** Ends a recording that was not used for a week; the next push then begins with everything stored. True if it did. */
export async function giveUpRecording(database: Database, nowMs: number): Promise<boolean> {
  const sinceMicros = (nowMs - givenUpAfterMs) * 1000;
  if (!(await isRecordingUnused(database, sinceMicros))) return false;
  return database.transaction(async (tx) => {
    await lockIngestExclusively(tx);
    if (!(await isRecordingUnused(tx, sinceMicros))) return false;
    await endRecording(tx);
    return true;
  });
}

/** What changes after a batch: finished entries of the outbox, the position of the walk, pushed intervals, or a removal. */
export type Progress =
  { due: DueRows } | { walk: WalkPosition | null } | { intervals: readonly PushedInterval[] } | { removalId: number };

export interface Acknowledged {
  resource: PushResource;
  /** Null if the rows were not sent. */
  sent: { cursor: string; batchSize: number | null } | null;
  progress: Progress | null;
  rejected: { rows: number; error: string } | null;
  nowMs: number;
}

/** Records in one transaction that a batch was sent. */
export async function acknowledge(database: Database, done: Acknowledged): Promise<void> {
  const { resource, sent, progress, rejected, nowMs } = done;
  const nowMicros = nowMs * 1000;
  await database.transaction(
    async (tx) => {
      if (progress !== null && 'due' in progress) await deleteSent(tx, progress.due);
      if (progress !== null && 'walk' in progress) await setWalk(tx, progress.walk);
      if (progress !== null && 'intervals' in progress) await markPushed(tx, progress.intervals);
      if (progress !== null && 'removalId' in progress) await finishRemoval(tx, progress.removalId);
      if (progress !== null) await setRecordingUsed(tx, nowMicros);
      if (sent !== null) await setSent(tx, { resource, ...sent, nowMicros });
      if (rejected !== null) await addRejected(tx, { resource, ...rejected, nowMicros });
    },
    { isIdempotent: true },
  );
}

/** The state of the push of each resource. */
export async function overviewPush(database: Database) {
  const states = await listPushStates(database);
  // The recorded rows that are not sent yet, plus an estimate of those stored before the recording.
  const backlogRows = (await countRecorded(database)) + (await countUnwalked(database));
  const backlogIntervals = await countUnpushed(database);
  const backlogRemovals = await countRemovals(database);
  const last = states.find(({ resource }) => resource === 'measurements')?.lastSuccessAt ?? null;
  return {
    states,
    backlogRows,
    backlogIntervals,
    backlogRemovals,
    lastSuccessMs: last === null ? null : Date.parse(last),
  };
}

/** The report is kept for this long, because a large backlog takes a while to count. */
const reportFreshMs = 10_000;

/** Reads the report of this Client about itself, at most once in some seconds. A failure to read it never stops a push. */
export function createReporter(database: Database, version: string): () => Promise<ClientReport | null> {
  let [readAt, report]: [number, ClientReport | null] = [-Infinity, null];
  return async () => {
    if (performance.now() - readAt < reportFreshMs) return report;
    readAt = performance.now();
    report = await overviewPush(database).then(
      (overview) => reportOf(overview, version),
      () => report,
    );
    return report;
  };
}

function reportOf({ states, backlogRows, backlogIntervals }: PushOverview, version: string): ClientReport {
  const failed = states.flatMap(({ lastError: text, lastErrorKind: kind, lastErrorAt: at }) =>
    text === null || at === null ? [] : [{ kind, text: text.slice(0, clientReportLimits.errorCharacters), at }],
  );
  const lastError = failed.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0] ?? null;
  return { version, backlogRows: backlogRows + backlogIntervals, lastError };
}

type PushOverview = Awaited<ReturnType<typeof overviewPush>>;

/** The number of failures in a row of the resource that has most; 0 if none has failed. */
export const countPushFailures = async (db: Queryable): Promise<number> =>
  Math.max(0, ...(await listPushStates(db)).map(({ failures }) => failures));

/** Throws `conflict` if this portal does not push. */
export function refusePushOff(isEnabled: boolean): void {
  if (isEnabled) return;
  throw refuse('pushOff', { names: 'FleetIngest__Enabled, FleetIngest__Url, FleetIngest__Token' });
}

/** Ends the waits of all resources, so that the next tick tries them. Throws `conflict` if this portal does not push. */
export async function requestPush(changing: Changing, isEnabled: boolean): Promise<void> {
  refusePushOff(isEnabled);
  await makeChange(changing, async (tx, recordChange) => {
    await clearWaits(tx);
    await recordChange('push.run', { id: null });
  });
}
