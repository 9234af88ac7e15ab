import { setTimeout as sleep } from 'node:timers/promises';
import { allOf, lockReadingSpans } from './dirty-ranges.sql.ts';
import { shares } from '../base/budgets.ts';
import type { Database, Transaction } from '../database/pool.ts';
import type { KeptReadings, TimeSeriesEngine } from '../database/engines/engine.ts';
import { DomainError } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { noSpans, type ReadingSpans } from './energy.rules.ts';
import { deleteEndedIntervals } from './intervals.sql.ts';
import type { Log } from '../base/log.ts';
import { materializeSome } from './materialize-energy.ts';
import { listDependence } from './recompute-energy.ts';
import {
  listDeviceNumbers,
  listEnergyRules,
  findKeptFrom,
  listDirtyBefore,
  lockOutReaders,
  setKeptFrom,
} from './measurements.sql.ts';
import { lockIngestExclusively } from '../database/ingest-lock.ts';

export interface Retention {
  database: Database;
  engine: TimeSeriesEngine;
  /** 0 keeps everything. */
  months: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  /** Ends the pauses between attempts. */
  signal?: AbortSignal | undefined;
}

const attempts = 10;
const pauseMs = 30_000;

/** The start of the UTC month this many months before that of the instant; epoch microseconds. */
export function keptFromOf(nowMs: number, months: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) * 1000;
}

/**
 * Removes the measurements older than this many whole months. Their slots stay, and so do the readings that later slots depend
 * on, so that a late row still has its full effect.
 */
export async function applyRetention({ database, engine, months, now, log, signal }: Retention): Promise<void> {
  const { dropBefore } = engine;
  if (months === 0 || dropBefore === null) return;
  const beforeMicros = keptFromOf(now(), months);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if ((await findKeptFrom(database)) >= beforeMicros) return;
    await materializeBefore(database, beforeMicros);
    const outcome = await takeAway(database, dropBefore, beforeMicros);
    if (outcome === 'done') {
      log.info({ before: formatInstant(beforeMicros) }, 'deleted measurements past the retention period');
      return;
    }
    if (outcome === 'busy') await sleep(pauseMs, undefined, signal && { signal });
  }
  log.warn(
    { before: formatInstant(beforeMicros) },
    'could not delete measurements past the retention period; will retry',
  );
}

/** Current ingests are for later months and need not be waited for. */
async function materializeBefore(database: Database, beforeMicros: number): Promise<void> {
  for (;;) {
    const deviceNumbers = await listDirtyBefore(database, beforeMicros);
    if (deviceNumbers.length === 0) return;
    const within = allOf(deviceNumbers).map((all) => ({ ...all, toMicros: beforeMicros }));
    // Readings are kept while the energy of their device cannot be computed.
    if ((await materializeSome(database, { within, skip: false })) === 0) return;
  }
}

/** Returns `dirty` if old readings have just been stored or changed, or `busy` if the rows to remove are locked. */
async function takeAway(
  database: Database,
  dropBefore: NonNullable<TimeSeriesEngine['dropBefore']>,
  beforeMicros: number,
): Promise<'done' | 'dirty' | 'busy'> {
  try {
    return await database.within(shares.background).transaction(async (tx) => {
      await lockIngestExclusively(tx);
      // Waits for running rebuilds and changes of energy rules. Later ones see the new start of the kept readings.
      const numbers = await listDeviceNumbers(tx);
      const spans = await lockReadingSpans(tx, numbers, { skip: false });
      if ((await listDirtyBefore(tx, beforeMicros)).length > 0) return 'dirty';
      const kept = await listKept(tx, spans, beforeMicros);
      await lockOutReaders(tx);
      await dropBefore(tx, beforeMicros, kept);
      await deleteEndedIntervals(tx, beforeMicros);
      await setKeptFrom(tx, beforeMicros);
      return 'done';
    });
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unavailable') return 'busy';
    throw error;
  }
}

/** The readings before the instant on which later slots can depend, whatever readings or rules follow. */
async function listKept(
  tx: Transaction,
  spans: ReadonlyMap<number, ReadingSpans>,
  atMicros: number,
): Promise<KeptReadings[]> {
  const rules = await listEnergyRules(tx, [...spans.keys()]);
  return listDependence(
    tx,
    [...rules].flatMap(([deviceNumber, own]) => {
      const known = spans.get(deviceNumber) ?? noSpans;
      if (known.any === null || known.any.firstMicros >= atMicros) return [];
      return [{ deviceNumber, rules: { ...own, energySource: 'auto' as const }, spans: known }];
    }),
    atMicros,
  );
}
