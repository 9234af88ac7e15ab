import { setTimeout as sleep } from 'node:timers/promises';
import { listDeviceNumbers, listEnergyRules, lockIngestExclusively } from '../db/devices.ts';
import { lockReadingSpans } from '../db/dirty-ranges.ts';
import { limits } from '../db/limits.ts';
import type { Database, Transaction } from '../db/pool.ts';
import { findKeptFrom, listDirtyBefore, lockOutReaders, setKeptFrom } from '../db/retention.ts';
import type { EngineLog, KeptReadings, TimeSeriesEngine } from '../db/time-series-engine.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant } from '../domain/instants.ts';
import { noSpans, type ReadingSpans } from '../domain/energy.ts';
import { materializeSome } from './materialize-energy.ts';
import { listDependence } from './recompute-energy.ts';

export interface Retention {
  database: Database;
  engine: TimeSeriesEngine;
  /** 0 keeps everything. */
  months: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: EngineLog;
  /** Ends the pauses between two tries. */
  signal?: AbortSignal;
}

/** Ingests wait for it: rather try again, once the long reads of the moment are over, than let them wait. */
const lockTimeoutMs = 1_000;
const attempts = 10;
const pauseMs = 30_000;

/** The start of the UTC month that is so many months before the one of the instant; epoch microseconds. */
export function keptFromOf(nowMs: number, months: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) * 1000;
}

/**
 * Takes away the measurements that are older than so many whole months. What they amount to stays in the slots; the readings
 * that slots of later measurements depend on stay, too, so that a late row still changes what it would have changed.
 */
export async function applyRetention({ database, engine, months, now, log, signal }: Retention): Promise<void> {
  if (months === 0) return;
  const beforeMicros = keptFromOf(now(), months);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if ((await findKeptFrom(database)) >= beforeMicros) return;
    await materializeBefore(database, beforeMicros);
    const outcome = await takeAway(database, engine, beforeMicros);
    if (outcome === 'done') {
      log.info(
        { before: formatInstant(beforeMicros) },
        'took away measurements that are older than they are to be kept',
      );
      return;
    }
    if (outcome === 'busy') await sleep(pauseMs, undefined, signal && { signal });
  }
  log.warn(
    { before: formatInstant(beforeMicros) },
    'older measurements could not be taken away yet; the next try is later',
  );
}

/** What comes in all the time is of later months, and need not be waited for. */
async function materializeBefore(database: Database, beforeMicros: number): Promise<void> {
  for (;;) {
    const deviceNumbers = await listDirtyBefore(database, beforeMicros);
    if (deviceNumbers.length === 0) return;
    // What cannot be computed at the moment keeps its readings.
    if ((await materializeSome(database, { deviceNumbers, skip: false })) === 0) return;
  }
}

/** `dirty` where somebody stored or changed something old just now, `busy` where somebody holds what is to go. */
async function takeAway(
  database: Database,
  engine: TimeSeriesEngine,
  beforeMicros: number,
): Promise<'done' | 'dirty' | 'busy'> {
  try {
    return await database.within(limits.background).transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
      await lockIngestExclusively(tx);
      // Whoever rebuilds a device or changes its rules is done before, and who comes later sees from when on readings are kept.
      const numbers = await listDeviceNumbers(tx);
      const spans = await lockReadingSpans(tx, numbers, { skip: false });
      if ((await listDirtyBefore(tx, beforeMicros)).length > 0) return 'dirty';
      const kept = await listKept(tx, spans, beforeMicros);
      await lockOutReaders(tx);
      await engine.dropBefore(tx, beforeMicros, kept);
      await setKeptFrom(tx, beforeMicros);
      return 'done';
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return 'busy';
    throw error;
  }
}

/** The readings before the instant that slots from it on depend on, whatever comes later and whatever the rules are then. */
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
