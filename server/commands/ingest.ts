import { setImmediate as letOthersRun } from 'node:timers/promises';
import { LOCK_INGEST_SHARED } from '../db/devices.ts';
import { findDeviceNumbers, insertReadings, listStoredHere } from '../db/ingest.ts';
import { insertDirtyRanges, type DirtyRange } from '../db/dirty-ranges.ts';
import type { Database, Transaction } from '../db/pool.ts';
import { findKeptFrom } from '../db/retention.ts';
import type { TimeSeriesEngine } from '../db/time-series-engine.ts';
import { dayMicros, dayOf } from '../domain/energy-day.ts';
import { DomainError } from '../domain/errors.ts';
import { JudgedReadings, RejectedRows, type SortedRows } from '../domain/judged-readings.ts';
import { judgeRow, type JudgedReading, noLongerKept, unknownDevice } from '../domain/readings.ts';
import { SortedReadings } from '../domain/sorted-readings.ts';
import { createGroupedWriter } from './grouped-writer.ts';

export interface IngestOutcome {
  /** Valid rows, including those already stored. */
  accepted: number;
  /** How many of the accepted rows were already stored. */
  duplicates: number;
  rejected: RejectedRows;
}

export interface Ingest {
  /** Begins a request; its first `maxListed` rejected rows are listed. */
  begin(maxListed: number): IngestRequest;
  /** Stores valid readings. */
  store(readings: readonly JudgedReading[]): Promise<IngestOutcome>;
}

/** The rows of one request, validated as they arrive and stored together. */
export interface IngestRequest {
  /** Validates the next rows. Throws `invalid` if one is not an object. */
  judge(rows: readonly unknown[]): void;
  /** Stores the accepted rows. Resolves after the commit; throws if nothing was stored. */
  store(): Promise<IngestOutcome>;
}

interface Judged {
  readings: JudgedReadings;
  sorted: SortedRows;
  rejected: RejectedRows;
}

/** After so many external ids others have their turn. */
const idsPerTurn = 5_000;
/** Measurements are kept for at least a month, so newer ones are always accepted. */
const alwaysKeptMicros = 28 * dayMicros;

/** The write path of measurements: rows are validated one by one and stored in transactions shared by requests. */
export function createIngest(parts: {
  database: Database;
  engine: TimeSeriesEngine;
  now: () => number;
  /** Called after a commit with the number of rows that were sent. */
  onStored?: ((rows: number) => void) | undefined;
}): Ingest {
  const { database, engine, now, onStored } = parts;

  /**
   * Storing is idempotent (ON CONFLICT DO NOTHING), so a commit whose answer was lost is retried too. If it had happened, all
   * rows count as accepted and as duplicates, as if the gateway had sent them again.
   */
  const storeGroup = async (group: readonly Judged[]): Promise<IngestOutcome[]> => {
    for (;;) {
      const results = await database.transaction(
        async (tx) => {
          const placed = await placeReadings(tx, group, now() * 1000 - alwaysKeptMicros);
          // Partitions are created in a transaction of their own, and only for rows that are stored.
          return engine.lacksPartitions(placed.readings.times()) ? placed.readings : insertPlaced(tx, placed);
        },
        { isIdempotent: true },
      );
      if (results instanceof SortedReadings) {
        await engine.ensurePartitions(database, results.times());
        continue;
      }
      onStored?.(group.reduce((sum, { readings }) => sum + readings.count, 0));
      return results;
    }
  };
  const write = createGroupedWriter({ store: storeGroup, rowsOf: ({ readings }: Judged) => readings.count });
  const store = async (readings: JudgedReadings, rejected: RejectedRows): Promise<IngestOutcome> => {
    if (readings.count === 0) return { accepted: 0, duplicates: 0, rejected };
    return write({ readings, rejected, sorted: await inTurns(readings.sorted()) });
  };

  return {
    begin(maxListed) {
      const nowMicros = now() * 1000;
      const [readings, rejected] = [new JudgedReadings(), new RejectedRows(maxListed)];
      let count = 0;
      return {
        judge(rows) {
          for (const row of rows) {
            if (!isObject(row)) throw noObject(count);
            const verdict = judgeRow(row, count, nowMicros);
            if ('reason' in verdict) rejected.add(count, () => verdict);
            else readings.add(count, verdict.externalId, verdict);
            count += 1;
          }
        },
        async store() {
          if (count > 0) return store(readings, rejected);
          throw new DomainError('invalid', 'The body is an empty list; at least one row is required.');
        },
      };
    },
    async store(all) {
      const readings = new JudgedReadings();
      for (const reading of all) readings.add(reading.index, reading.externalId, reading);
      return store(readings, new RejectedRows(0));
    },
  };
}

/** Lets others have their turn between the steps. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await letOthersRun();
  }
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const noObject = (index: number) =>
  new DomainError(
    'invalid',
    `The body must be a list of rows; entry ${index} is not an object, and nothing was stored.`,
  );

interface Placed {
  readings: SortedReadings;
  /** One per request of the group; `duplicates` counts repetitions within the group. */
  results: IngestOutcome[];
}

/** Rows of one request, ascending by time. */
interface Slice {
  owner: number;
  rows: Uint32Array;
}

/**
 * Finds the devices of the rows; rejects rows of unknown devices and rows older than what is kept, which only readings before
 * `mayBeGoneMicros` can be.
 */
async function placeReadings(tx: Transaction, group: readonly Judged[], mayBeGoneMicros: number): Promise<Placed> {
  await tx.query(LOCK_INGEST_SHARED);
  const numbers = await findDeviceNumbers(tx, [...new Set(group.flatMap(({ readings }) => readings.externalIds))]);
  const isOld = group.some(({ readings }) => readings.earliestMicros < mayBeGoneMicros);
  const keptFrom = isOld ? await findKeptFrom(tx) : -Infinity;

  const results = group.map(({ rejected }) => ({ accepted: 0, duplicates: 0, rejected: rejected.copy() }));
  const slices = new Map<number, Slice[]>();
  for (const [owner, { readings, sorted }] of group.entries()) {
    const result = results[owner] ?? noOutcome();
    const { order, starts } = sorted;
    for (const [id, externalId] of readings.externalIds.entries()) {
      if (id % idsPerTurn === idsPerTurn - 1) await letOthersRun();
      const all = order.subarray(starts[id], starts[id + 1]);
      const deviceNumber = numbers.get(externalId);
      const firstKept = all.findIndex((row) => readings.timeMicros(row) >= keptFrom);
      const rows = deviceNumber === undefined || firstKept === -1 ? all.subarray(all.length) : all.subarray(firstKept);
      for (const row of all.subarray(0, all.length - rows.length)) {
        const [index, timeMicros] = [readings.index(row), readings.timeMicros(row)];
        const rejectedRow = { index, externalId, timeMicros };
        result.rejected.add(index, () =>
          deviceNumber === undefined ? unknownDevice(rejectedRow) : noLongerKept(rejectedRow, keptFrom),
        );
      }
      result.accepted += rows.length;
      if (deviceNumber === undefined || rows.length === 0) continue;
      const others = slices.get(deviceNumber);
      if (others === undefined) slices.set(deviceNumber, [{ owner, rows }]);
      else others.push({ owner, rows });
    }
  }
  return { readings: sortOnce(group, slices, results), results };
}

const noOutcome = (): IngestOutcome => ({ accepted: 0, duplicates: 0, rejected: new RejectedRows(0) });

/** All readings by device and time, each (device, time) once: the first one wins, the others are duplicates. */
function sortOnce(
  group: readonly Judged[],
  slices: ReadonlyMap<number, readonly Slice[]>,
  results: readonly IngestOutcome[],
): SortedReadings {
  const sorted = new SortedReadings(group.map(({ readings }) => readings));
  for (const [deviceNumber, own] of [...slices].toSorted(([a], [b]) => a - b)) {
    let last = Number.NaN;
    for (const { owner, row, timeMicros } of merged(group, own)) {
      if (timeMicros === last) duplicateOf(results, owner);
      else sorted.add(deviceNumber, owner, row);
      last = timeMicros;
    }
  }
  return sorted;
}

/** The rows of one device, ascending by time; of one time in the order in which the requests came. */
function* merged(group: readonly Judged[], slices: readonly Slice[]) {
  const rowsOf = function* ({ owner, rows }: Slice) {
    const readings = group[owner]?.readings;
    for (const row of rows) yield { owner, row, timeMicros: readings?.timeMicros(row) ?? Number.NaN };
  };
  const [only] = slices;
  if (slices.length === 1 && only !== undefined) yield* rowsOf(only);
  else yield* slices.flatMap((slice) => [...rowsOf(slice)]).toSorted((a, b) => a.timeMicros - b.timeMicros);
}

async function insertPlaced(tx: Transaction, { readings, results }: Placed): Promise<IngestOutcome[]> {
  const stored = await insertReadings(tx, readings);
  if (stored > 0) await insertDirtyRanges(tx, dirtyRangesOf(readings));
  const [only] = results;
  if (results.length === 1 && only !== undefined) {
    only.duplicates += readings.count - stored;
  } else if (stored < readings.count) {
    const storedHere = await listStoredHere(tx, readings);
    for (let at = 0; at < readings.count; at += 1) if (!storedHere.has(at)) duplicateOf(results, readings.owner(at));
  }
  return results;
}

/** One dirty range per device and UTC day. */
function dirtyRangesOf(readings: SortedReadings): DirtyRange[] {
  const dirtyRanges: DirtyRange[] = [];
  let endOfDay = 0;
  for (let at = 0; at < readings.count; at += 1) {
    const [deviceNumber, timeMicros] = [readings.deviceNumber(at), readings.timeMicros(at)];
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

function duplicateOf(results: readonly IngestOutcome[], owner: number) {
  const result = results[owner];
  if (result !== undefined) result.duplicates += 1;
}
