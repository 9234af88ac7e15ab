import { setImmediate as nextTurn } from 'node:timers/promises';
import { LOCK_INGEST_SHARED } from '../db/devices.ts';
import { type DeviceReading, findDeviceNumbers, insertReadings, listStoredHere } from '../db/ingest.ts';
import { insertDirtyRanges, type DirtyRange } from '../db/dirty-ranges.ts';
import type { Database, Transaction } from '../db/pool.ts';
import { findKeptFrom } from '../db/retention.ts';
import type { TimeSeriesEngine } from '../db/time-series-engine.ts';
import { dayMicros, dayOf } from '../domain/energy-day.ts';
import { DomainError } from '../domain/errors.ts';
import { type JudgedReading, judgeRow, noLongerKept, type RejectedRow, unknownDevice } from '../domain/readings.ts';

export interface IngestOutcome {
  /** Valid rows, stored now or known already. */
  accepted: number;
  /** How many of the accepted rows were known already. */
  duplicates: number;
  /** Ascending by index. */
  rejected: RejectedRow[];
}

export interface Ingest {
  /** Judges, stores and commits the rows of one request. Resolves after the commit; throws when nothing was stored. */
  ingest(rows: readonly unknown[]): Promise<IngestOutcome>;
  /** Stores readings that were judged already. */
  store(readings: readonly JudgedReading[]): Promise<IngestOutcome>;
}

interface Request {
  readings: readonly JudgedReading[];
  resolve: (result: IngestOutcome) => void;
  reject: (error: unknown) => void;
}

/** Two connections keep two cores of the database busy; more only make each other wait for the log (bench/ingest). */
const maxWriters = 2;
/** With fewer rows waiting, one larger transaction after another stores more of them than two small ones side by side. */
const rowsForAnotherWriter = 1_000;
/** Rows that may share a transaction; a single request may be larger. */
const maxGroupRows = 10_000;
/** The shortest that measurements are kept is a whole month, so that what is newer is always taken. */
const alwaysKeptMicros = 28 * dayMicros;
/** After so many judged rows other requests get a turn. */
const rowsPerTurn = 5_000;

/**
 * The write path of measurements. Requests that wait at the same time share one transaction, so that the price of a commit
 * is paid once for all of them; each is answered after that commit and with its own counts.
 */
export function createIngest(parts: {
  database: Database;
  engine: TimeSeriesEngine;
  now: () => number;
  /** Called after a commit with the number of rows that were sent. */
  onStored?: ((rows: number) => void) | undefined;
}): Ingest {
  const { database, engine, now, onStored } = parts;
  const waiting: Request[] = [];
  let waitingRows = 0;
  let writers = 0;

  const store = async (readings: readonly JudgedReading[]): Promise<IngestOutcome> => {
    if (readings.length === 0) return { accepted: 0, duplicates: 0, rejected: [] };
    await engine.ensurePartitions(database, timesOf(readings));
    const { promise, resolve, reject } = Promise.withResolvers<IngestOutcome>();
    waiting.push({ readings, resolve, reject });
    waitingRows += readings.length;
    if (writers === 0 || (writers < maxWriters && waitingRows >= rowsForAnotherWriter)) void write();
    return promise;
  };

  /**
   * Stored twice is stored once (ON CONFLICT DO NOTHING), so also a commit whose answer was lost is tried again. If it had
   * happened, all rows are known then: they count as accepted, and as duplicates, just as if the gateway had sent them again.
   */
  const storeAll = (group: readonly Request[]) =>
    database.transaction((tx) => storeGroup(tx, group, now() * 1000 - alwaysKeptMicros), { isIdempotent: true });

  const write = async () => {
    writers += 1;
    while (waiting.length > 0) {
      const group = takeGroup(waiting);
      for (const request of group) waitingRows -= request.readings.length;
      try {
        const results = await storeAll(group);
        onStored?.(group.reduce((sum, { readings }) => sum + readings.length, 0));
        for (const [at, request] of group.entries()) request.resolve(results[at] ?? noRows);
      } catch (error) {
        await storeOneByOne(group, error);
      }
    }
    writers -= 1;
  };

  /** What fails one request must not fail those that happened to share its transaction. */
  const storeOneByOne = async (group: readonly Request[], error: unknown) => {
    const isUnavailable = error instanceof DomainError && error.code === 'unavailable';
    for (const request of group) {
      if (group.length === 1 || isUnavailable) {
        request.reject(error);
        continue;
      }
      try {
        const [result] = await storeAll([request]);
        onStored?.(request.readings.length);
        request.resolve(result ?? noRows);
      } catch (own) {
        request.reject(own);
      }
    }
  };

  return {
    store,
    async ingest(rows) {
      const nowMicros = now() * 1000;
      const readings: JudgedReading[] = [];
      const rejected: RejectedRow[] = [];
      for (const [index, row] of objectsOf(rows).entries()) {
        const verdict = judgeRow(row, index, nowMicros);
        if ('reason' in verdict) rejected.push(verdict);
        else readings.push(verdict);
        if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
      }
      const { accepted, duplicates, rejected: later } = await store(readings);
      if (later.length === 0) return { accepted, duplicates, rejected };
      return { accepted, duplicates, rejected: [...rejected, ...later].toSorted((a, b) => a.index - b.index) };
    },
  };
}

const noRows: IngestOutcome = { accepted: 0, duplicates: 0, rejected: [] };

function objectsOf(rows: readonly unknown[]): readonly Record<string, unknown>[] {
  if (rows.length === 0) throw new DomainError('invalid', 'The body is an empty list; at least one row is required.');
  if (!rows.every(isObject)) {
    const index = rows.findIndex((row) => !isObject(row));
    throw new DomainError(
      'invalid',
      `The body must be a list of rows; entry ${index} is no object, and nothing was stored.`,
    );
  }
  return rows;
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

function* timesOf(readings: readonly JudgedReading[]) {
  for (const reading of readings) yield reading.timeMicros;
}

function takeGroup(waiting: Request[]): Request[] {
  let rows = 0;
  let count = 0;
  for (const request of waiting) {
    if (count > 0 && rows + request.readings.length > maxGroupRows) break;
    rows += request.readings.length;
    count += 1;
  }
  return waiting.splice(0, count);
}

interface OwnedReading extends DeviceReading {
  /** Which request of the group brought it. */
  owner: number;
}

/** Readings before `mayBeGoneMicros` may be from a time whose measurements are not kept any more. */
async function storeGroup(
  tx: Transaction,
  group: readonly Request[],
  mayBeGoneMicros: number,
): Promise<IngestOutcome[]> {
  await tx.query(LOCK_INGEST_SHARED);
  const externalIds = new Set<string>();
  for (const { readings } of group) for (const reading of readings) externalIds.add(reading.externalId);
  const numbers = await findDeviceNumbers(tx, [...externalIds]);
  const keptFrom = group.some(({ readings }) => readings.some(({ timeMicros }) => timeMicros < mayBeGoneMicros))
    ? await findKeptFrom(tx)
    : -Infinity;

  const results = group.map((): IngestOutcome => ({ accepted: 0, duplicates: 0, rejected: [] }));
  const perDevice = new Map<number, OwnedReading[]>();
  for (const [owner, { readings }] of group.entries()) {
    const result = results[owner] ?? noRows;
    for (const reading of readings) {
      const deviceNumber = numbers.get(reading.externalId);
      if (deviceNumber === undefined || reading.timeMicros < keptFrom) {
        result.rejected.push(deviceNumber === undefined ? unknownDevice(reading) : noLongerKept(reading, keptFrom));
        continue;
      }
      result.accepted += 1;
      const own = perDevice.get(deviceNumber);
      const owned = { ...reading, deviceNumber, owner };
      if (own === undefined) perDevice.set(deviceNumber, [owned]);
      else own.push(owned);
    }
  }

  const { kept, repeated } = sortedOnce(perDevice);
  for (const reading of repeated) duplicateOf(results, reading);
  const stored = await insertReadings(tx, kept);
  if (stored > 0) await insertDirtyRanges(tx, dirtyRangesOf(kept));
  if (stored < kept.length) {
    if (group.length === 1) {
      const [result] = results;
      if (result !== undefined) result.duplicates += kept.length - stored;
    } else {
      const storedHere = await listStoredHere(tx, kept);
      for (const [at, reading] of kept.entries()) if (!storedHere.has(at)) duplicateOf(results, reading);
    }
  }
  return results;
}

/** One dirty range a device and UTC day; `readings` are sorted by both. */
function dirtyRangesOf(readings: readonly DeviceReading[]): DirtyRange[] {
  const dirtyRanges: DirtyRange[] = [];
  let endOfDay = 0;
  for (const { deviceNumber, timeMicros } of readings) {
    const last = dirtyRanges.at(-1);
    if (last?.deviceNumber === deviceNumber && timeMicros < endOfDay) {
      last.toMicros = timeMicros;
    } else {
      dirtyRanges.push({ deviceNumber, fromMicros: timeMicros, toMicros: timeMicros });
      endOfDay = (dayOf(timeMicros) + 1) * dayMicros;
    }
  }
  return dirtyRanges;
}

function duplicateOf(results: readonly IngestOutcome[], reading: OwnedReading) {
  const result = results[reading.owner];
  if (result !== undefined) result.duplicates += 1;
}

/** All readings by device and time, each (device, time) once: the first that came wins, the others are repeated. */
function sortedOnce(perDevice: ReadonlyMap<number, OwnedReading[]>): {
  kept: OwnedReading[];
  repeated: OwnedReading[];
} {
  const kept: OwnedReading[] = [];
  const repeated: OwnedReading[] = [];
  const devices = [...perDevice].toSorted(([a], [b]) => a - b);
  for (const [, readings] of devices) {
    if (!isAscending(readings)) readings.sort((a, b) => a.timeMicros - b.timeMicros);
    let last = Number.NaN;
    for (const reading of readings) {
      if (reading.timeMicros === last) repeated.push(reading);
      else kept.push(reading);
      last = reading.timeMicros;
    }
  }
  return { kept, repeated };
}

function isAscending(readings: readonly OwnedReading[]): boolean {
  for (let at = 1; at < readings.length; at += 1) {
    if ((readings[at]?.timeMicros ?? 0) < (readings[at - 1]?.timeMicros ?? 0)) return false;
  }
  return true;
}
