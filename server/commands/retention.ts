import { setTimeout as sleep } from 'node:timers/promises';
import { listDeviceNumbers, listEnergyRules, lockIngestExclusively } from '../db/devices.ts';
import { listReadingSpans } from '../db/energy-marks.ts';
import { limits } from '../db/limits.ts';
import type { Database, Transaction } from '../db/pool.ts';
import { findKeptFrom, hasMarksBefore, setKeptFrom } from '../db/retention.ts';
import type { EngineLog, KeptReadings, TimeSeriesEngine } from '../db/time-series-engine.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant } from '../domain/instants.ts';
import { noSpans } from '../domain/energy.ts';
import { absorbAll } from './absorb-energy.ts';
import { listDependence } from './recompute-energy.ts';

export interface Retention {
  database: Database;
  engine: TimeSeriesEngine;
  /** 0 keeps everything. */
  months: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: EngineLog;
}

/** Ingests wait for it: rather try again than let them wait long. */
const lockTimeoutMs = 5_000;
const attempts = 5;
const pauseMs = 2_000;

/** The start of the UTC month that is so many months before the one of the instant; epoch microseconds. */
export function keptFromOf(nowMs: number, months: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) * 1000;
}

/**
 * Takes away the measurements that are older than so many whole months. What they amount to stays in the slots; the readings
 * that slots of later measurements depend on stay, too, so that a late row still changes what it would have changed.
 */
export async function applyRetention({ database, engine, months, now, log }: Retention): Promise<void> {
  if (months === 0) return;
  const beforeMicros = keptFromOf(now(), months);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if ((await findKeptFrom(database)) >= beforeMicros) return;
    await absorbAll(database, await listDeviceNumbers(database));
    if (await takeAway(database, engine, beforeMicros)) {
      log.info(
        { before: formatInstant(beforeMicros) },
        'took away measurements that are older than they are to be kept',
      );
      return;
    }
    await sleep(pauseMs);
  }
  log.warn(
    { before: formatInstant(beforeMicros) },
    'older measurements could not be taken away yet; the next try is later',
  );
}

/** False where the database was too busy. */
async function takeAway(database: Database, engine: TimeSeriesEngine, beforeMicros: number): Promise<boolean> {
  try {
    return await database.within(limits.background).transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
      await lockIngestExclusively(tx);
      if (await hasMarksBefore(tx, beforeMicros)) return false;
      await engine.dropBefore(tx, beforeMicros, await listKept(tx, beforeMicros));
      await setKeptFrom(tx, beforeMicros);
      return true;
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return false;
    throw error;
  }
}

/** The readings before the instant that slots from it on depend on, whatever comes later and whatever the rules are then. */
async function listKept(tx: Transaction, atMicros: number): Promise<KeptReadings[]> {
  const numbers = await listDeviceNumbers(tx);
  const [spans, rules] = [await listReadingSpans(tx, numbers), await listEnergyRules(tx, numbers)];
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
