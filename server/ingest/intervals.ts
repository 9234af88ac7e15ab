import type { Message } from '../../shared/messages.ts';
import { about, message, refuse } from '../base/errors.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { insertDirtyRanges, rangeColumns } from '../energy/dirty-ranges.sql.ts';
import { dirtyRangesOf } from '../energy/energy-window.rules.ts';
import {
  deleteIntervals,
  insertIntervals,
  listOverlaps,
  lockIntervals,
  type StoredInterval,
} from '../energy/intervals.sql.ts';
import { findKeptFrom } from '../energy/measurements.sql.ts';
import { limits } from '../../shared/measurements.ts';
import type { LatestRow } from './arrivals.rules.ts';
import type { ofClient } from './client-ingest.ts';
import type { IngestOutcome, IngestRequest } from './ingest.ts';
import { findDeviceNumbers } from './ingest.sql.ts';
import { type JudgedInterval, judgeInterval } from './intervals.rules.ts';
import { RejectedRows } from './judged-readings.rules.ts';
import { byExternalId, noLongerKept, rejectedRow, type RowRules } from './readings.rules.ts';

/** Rows that are compared with stored ones, and written, at a time. */
const rowsAtOnce = 5_000;
const maxLatest = 100;

/** Rows of one request. */
export type IntervalRequest<Answer> = Pick<IngestRequest<Answer>, 'judge' | 'store'>;
export interface IntervalIngest {
  /** A dry run returns the answer that the same request would get otherwise, and stores nothing. */
  begin(from: typeof ofClient, options: { isDryRun: boolean }): IntervalRequest<IngestOutcome>;
}

/** The write path of a Client's own intervals. */
export function createIntervalIngest({
  database,
  now,
  onStored,
}: {
  database: Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called after a commit with the number of rows that were sent. */
  onStored?: ((rows: number) => void) | undefined;
}): IntervalIngest {
  const notFound = about('externalId', message('rowOfNoDevice'));
  return {
    begin: (_, { isDryRun }) =>
      beginIntervals({ rules: byExternalId, now, maxListed: limits.ingestListedErrors }, async (rows, rejected) => {
        if (rows.length + rejected.count === 0) throw refuse('emptyListOfRows');
        const ids = [...new Set(rows.map(({ externalId }) => externalId))];
        const opening = [LOCK_INGEST_SHARED, findDeviceNumbers(ids.map((id) => ({ id })))];
        const outcome = await database.transaction(
          async (tx, [, found = []]) => {
            const numbers = new Map(found.map(([, id, number]) => [id ?? '', Number(number)]));
            // Later rows are compared with earlier rows of the same request. So a dry run stores rows too, and then rolls back.
            if (isDryRun) await tx.send([{ text: 'SAVEPOINT before_dry_run' }]);
            const stored = await storeIntervals(tx, rows, { numbers, notFound, at: new Date(now()), replaces: false });
            if (isDryRun) await tx.send([{ text: 'ROLLBACK TO SAVEPOINT before_dry_run' }]);
            return { ...stored, rejected: withMore(rejected, stored.rejected) };
          },
          { isIdempotent: true, opening },
        );
        if (!isDryRun) onStored?.(rows.length);
        return outcome;
      }),
  };
}

/** The rows of a request, judged as they arrive. `store` gets the valid rows. */
export function beginIntervals<Answer>(
  { rules, now, maxListed }: { rules: RowRules; now: () => number; maxListed: number },
  store: (rows: readonly JudgedInterval[], rejected: RejectedRows) => Promise<Answer>,
): IntervalRequest<Answer> {
  const rows: JudgedInterval[] = [];
  const rejected = new RejectedRows(maxListed);
  let count = 0;
  return {
    judge(entries) {
      for (const row of entries) {
        if (!isObject(row)) throw refuse('entryNoObject', { index: count });
        const verdict = judgeInterval(row, count, now() * 1000, rules);
        if ('problem' in verdict) rejected.add(count, () => verdict);
        else rows.push(verdict);
        count += 1;
      }
    },
    store: () => store(rows, rejected),
  };
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

/** The rejected rows of a request together with `more`. They are copied, because the transaction may be retried. */
export function withMore(rejected: RejectedRows, more: readonly Rejection[]): RejectedRows {
  const all = rejected.copy();
  for (const { row, problem } of more) {
    all.add(row.index, () => rejectedRow({ ...row, timeMicros: row.fromMicros }, problem));
  }
  return all;
}

interface Rejection {
  row: JudgedInterval;
  problem: Message;
}

interface StoredIntervals extends Omit<IngestOutcome, 'rejected'> {
  rejected: Rejection[];
}

/**
 * Stores intervals of devices, which are found by their ids. Runs under the shared ingest lock. An interval that is already
 * stored is a duplicate. An interval that overlaps another one is rejected; within the request, the later of the two. With
 * `replaces` it replaces the stored intervals that it overlaps.
 */
export async function storeIntervals(
  tx: Transaction,
  rows: readonly JudgedInterval[],
  { numbers, notFound, at, replaces }: StoreOptions,
): Promise<StoredIntervals> {
  const outcome: StoredIntervals = {
    accepted: 0,
    duplicates: 0,
    rejected: [],
    latest: [],
    fromMicros: Infinity,
    toMicros: -Infinity,
  };
  const keptFrom = await findKeptFrom(tx);
  const placed: PlacedInterval[] = [];
  for (const row of rows) {
    const deviceNumber = numbers.get(row.externalId);
    if (deviceNumber === undefined) outcome.rejected.push({ row, problem: notFound });
    else if (row.fromMicros < keptFrom) {
      outcome.rejected.push({ row, problem: { ...noLongerKept(row.fromMicros, keptFrom), field: 'from' } });
    } else placed.push({ ...row, deviceNumber });
  }
  if (placed.length === 0) return outcome;
  placed.sort((a, b) => a.deviceNumber - b.deviceNumber || a.fromMicros - b.fromMicros || a.index - b.index);
  await lockIntervals(tx, [...new Set(placed.map(({ deviceNumber }) => deviceNumber))]);
  const changed: DeviceRange[] = [];
  const latest = new Map<string, LatestRow>();
  for (let from = 0; from < placed.length; from += rowsAtOnce) {
    const some = placed.slice(from, from + rowsAtOnce);
    const { kept, replaced } = compare(some, await listOverlaps(tx, some), replaces, outcome);
    if (replaced.length > 0) await deleteIntervals(tx, replaced);
    if (kept.length > 0) await insertIntervals(tx, kept, at);
    changed.push(...kept, ...replaced);
    for (const { externalId, toMicros } of kept) {
      if (latest.size < maxLatest || latest.has(externalId))
        latest.set(externalId, { externalId, timeMicros: toMicros, activePower: null });
    }
    await yieldToOthers();
  }
  const dirty = dirtyRangesOf(changed);
  if (dirty.length > 0) await tx.send([insertDirtyRanges(tx, rangeColumns(dirty))]);
  return { ...outcome, latest: [...latest.values()] };
}

interface StoreOptions {
  /** The numbers of the devices by the ids of the rows. */
  numbers: ReadonlyMap<string, number>;
  notFound: Message;
  at: Date;
  replaces: boolean;
}

type PlacedInterval = JudgedInterval & { deviceNumber: number };
type DeviceRange = MicrosRange & { deviceNumber: number };
type Overlap = Awaited<ReturnType<typeof listOverlaps>>[number];

/** Decides which intervals (by device and start) are new, and which stored intervals they replace. Counts all others. */
function compare(
  some: readonly PlacedInterval[],
  overlaps: readonly Overlap[],
  replaces: boolean,
  outcome: StoredIntervals,
): { kept: PlacedInterval[]; replaced: StoredInterval[] } {
  const overlapsOf = Map.groupBy(overlaps, ({ position }) => position - 1);
  const [kept, replaced]: [PlacedInterval[], StoredInterval[]] = [[], []];
  for (const [at, row] of some.entries()) {
    const { deviceNumber } = row;
    const before = kept.at(-1);
    const isInRequest = before?.deviceNumber === deviceNumber && before.toMicros > row.fromMicros;
    const stored = overlapsOf.get(at) ?? [];
    const others = isInRequest ? [before] : stored;
    const [other] = others;
    const isKnown = other !== undefined && others.length === 1 && isSame(other, row, replaces && !isInRequest);
    if (other !== undefined && !isKnown && (isInRequest || !replaces)) {
      const [from, to] = [formatInstant(other.fromMicros), formatInstant(other.toMicros)];
      outcome.rejected.push({ row, problem: about('from', message('intervalOverlaps', { from, to })) });
      continue;
    }
    outcome.accepted += 1;
    outcome.fromMicros = Math.min(outcome.fromMicros, row.fromMicros);
    outcome.toMicros = Math.max(outcome.toMicros, row.toMicros);
    if (isKnown) {
      outcome.duplicates += 1;
      continue;
    }
    replaced.push(...stored.map((one) => ({ ...one, deviceNumber })));
    kept.push(row);
  }
  return { kept, replaced };
}

/**
 * Whether two intervals are the same. With `byEnergy`, which is used when intervals may be replaced, their energy must be equal
 * too.
 */
const isSame = (a: Omit<StoredInterval, 'deviceNumber'>, b: JudgedInterval, byEnergy: boolean) =>
  a.fromMicros === b.fromMicros &&
  a.toMicros === b.toMicros &&
  (!byEnergy || (a.imported === b.imported && a.exported === b.exported));
