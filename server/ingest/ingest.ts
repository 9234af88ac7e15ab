import { type DirtyRange, insertDirtyRanges, rangeColumns } from '../energy/dirty-ranges.sql.ts';
import {
  deviceNumbersOf,
  findDeviceNumbers,
  forgetNewReadings,
  insertNewReadings,
  insertReadings,
  type Choice,
  type Destination,
  ofClient,
  storedOf,
} from './ingest.sql.ts';
import type { Step, TextRow } from '../database/exchange.ts';
import type { Database, OpenTransaction } from '../database/pool.ts';
import { errorState } from '../database/errors.ts';
import { recordStored } from '../push/push-outbox.sql.ts';
import { findKeptFromStep, keptFromOf } from '../energy/retention.sql.ts';
import type { TimeSeriesEngine } from '../database/engines/engine.ts';
import { yieldToOthers } from '../database/turns.ts';
import type { LatestRow } from './arrivals.rules.ts';
import { refuse } from '../base/errors.ts';
import { JudgedReadings, RejectedRows, type SortedRows } from './judged-readings.rules.ts';
import { type Claim, NewestStored } from './newest-stored.rules.ts';
import { quantityAt } from '../base/quantities.ts';
import {
  byExternalId,
  judgeRow,
  type JudgedReading,
  noLongerKept,
  type RowRules,
  unknownDevice,
} from './readings.rules.ts';
import { SortedReadings } from './sorted-readings.rules.ts';
import { createGroupedWriter } from './grouped-writer.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import { dayMicros } from '../base/instants.ts';

export interface IngestOutcome {
  /** Valid rows, including those already stored. */
  accepted: number;
  /** How many of the accepted rows were already stored. */
  duplicates: number;
  rejected: RejectedRows;
  /** The latest accepted row of each of the first external ids. */
  latest: LatestRow[];
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

const idsBetweenYields = 5_000;
/** As many rows take some 5 ms to sort or to find again. */
const rowsBetweenYields = 20_000;
/** Measurements are kept for at least a month, so newer ones are always accepted. */
const alwaysKeptMicros = 28 * dayMicros;
/** The newest rows of at most this many devices are reported for each delivery. */
const maxLatest = 100;
/** SQLSTATE. */
const uniqueViolation = '23505';

/** The write path of measurements: rows are validated one by one and stored in transactions shared by requests. */
export function createIngest(parts: {
  database: Database;
  engine: TimeSeriesEngine;
  now: () => number;
  /** Called after a commit with the number of rows that were sent. */
  onStored?: ((rows: number) => void) | undefined;
}): Ingest {
  const { database, engine, now, onStored } = parts;

  const newest = new NewestStored();

  /**
   * Storing is idempotent (what is stored is not stored again), so a commit whose answer was lost is retried too. If that commit
   * had succeeded, all rows count as accepted duplicates, as if the gateway had sent them again.
   */
  const storeGroup = async (group: readonly Judged[]): Promise<IngestOutcome[]> => {
    const mayBeGoneMicros = now() * 1000 - alwaysKeptMicros;
    const isOld = group.some(({ readings }) => readings.earliestMicros < mayBeGoneMicros);
    const externalIds = [...new Set(group.flatMap(({ readings }) => readings.externalIds))];
    const opening = [
      LOCK_INGEST_SHARED,
      findDeviceNumbers(externalIds),
      ...(isOld ? [findKeptFromStep(database)] : []),
    ];
    for (;;) {
      const { placed, isStored } = await database.transaction(
        async (tx, [, devices = [], kept]) => {
          const keptFrom = kept === undefined ? -Infinity : keptFromOf(kept);
          const placed = await placeReadings(group, { numbers: deviceNumbersOf(devices), keptFrom, newest });
          // Partitions are created in a transaction of their own, and only for rows that are stored.
          if (engine.lacksPartitions(timesOf(placed.readings))) return { placed, isStored: undefined };
          const { readings } = placed;
          const record = (isStored: Choice) => recordReadings(tx, readings, isStored);
          return { placed, isStored: (await insertPlaced(tx, readings, ofClient, record)).isStored };
        },
        { isIdempotent: true, opening },
      );
      const { readings, results, claims } = placed;
      if (isStored === undefined) {
        await engine.ensurePartitions(database, timesOf(readings));
        continue;
      }
      for (let at = 0; at < readings.count; at += 1) if (!isStored(at)) duplicateOf(results, readings.owner(at));
      newest.learn(claims, (claim) => isStored(claim.at));
      onStored?.(group.reduce((sum, one) => sum + one.readings.count, 0));
      return results;
    }
  };
  const write = createGroupedWriter({ store: storeGroup, rowsOf: ({ readings }: Judged) => readings.count });
  const store = async (readings: JudgedReadings, rejected: RejectedRows): Promise<IngestOutcome> => {
    if (readings.count === 0) return { ...noOutcome(), rejected };
    return write({ readings, rejected, sorted: await yieldBetween(readings.sorted()) });
  };

  return {
    begin(maxListed) {
      const { readings, rejected, judge } = createRowJudge(byExternalId, { maxListed, now });
      return {
        judge,
        async store() {
          if (readings.count + rejected.count > 0) return store(readings, rejected);
          throw refuse('emptyListOfRows');
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

/** Judges the rows of a request, one by one. */
export function createRowJudge(rules: RowRules, { maxListed, now }: { maxListed: number; now: () => number }) {
  const nowMicros = now() * 1000;
  const [readings, rejected] = [new JudgedReadings(), new RejectedRows(maxListed)];
  let count = 0;
  return {
    readings,
    rejected,
    /** Throws `invalid` if one is not an object. */
    judge(rows: readonly unknown[]) {
      for (const row of rows) {
        if (!isObject(row)) throw noObject(count);
        const verdict = judgeRow(row, count, nowMicros, rules);
        if ('problem' in verdict) rejected.add(count, () => verdict);
        else readings.add(count, verdict.externalId, verdict);
        count += 1;
      }
    },
  };
}

/** Runs the steps, and yields to others between them. */
export async function yieldBetween<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldToOthers();
  }
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const noObject = (index: number) => refuse('entryNoObject', { index });

/** The readings of a group, each once, and which of them are taken to be new. */
export interface Sorted {
  readings: SortedReadings;
  claims: PlacedClaim[];
}

interface Placed extends Sorted {
  /** One per request of the group; `duplicates` counts repetitions within the group. */
  results: IngestOutcome[];
}

interface PlacedClaim extends Claim {
  /** The position of its reading. */
  at: number;
}

/** Rows of one request, ascending by time. */
export interface Slice {
  owner: number;
  rows: Uint32Array;
}

interface Known {
  /** Device numbers by external id. */
  numbers: ReadonlyMap<string, number>;
  /** Epoch microseconds. */
  keptFrom: number;
  newest: NewestStored;
}

/** Rejects rows of unknown devices and rows older than what is kept; sorts the others. */
async function placeReadings(group: readonly Judged[], { numbers, keptFrom, newest }: Known): Promise<Placed> {
  const results = group.map(({ rejected }) => ({ ...noOutcome(), rejected: rejected.copy() }));
  const slices = new Map<number, Slice[]>();
  for (const [owner, { readings, sorted }] of group.entries()) {
    const result = results[owner] ?? noOutcome();
    const { order, starts } = sorted;
    for (const [id, externalId] of readings.externalIds.entries()) {
      if (id % idsBetweenYields === idsBetweenYields - 1) await yieldToOthers();
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
        if (result.rejected.count % rowsBetweenYields === 0) await yieldToOthers();
      }
      result.accepted += rows.length;
      const last = rows.at(-1);
      if (deviceNumber === undefined || last === undefined) continue;
      if (result.latest.length < maxLatest) {
        const activePower = readings.quantity(last, quantityAt.activePowerKw);
        result.latest.push({ externalId, timeMicros: readings.timeMicros(last), activePower });
      }
      slices.getOrInsertComputed(deviceNumber, () => []).push({ owner, rows });
    }
  }
  return { ...(await sortOnce(group, slices, results, newest)), results };
}

const noOutcome = (): IngestOutcome => ({ accepted: 0, duplicates: 0, rejected: new RejectedRows(0), latest: [] });

/** All readings by device and time, each (device, time) once: the first one wins, the others are duplicates. */
export async function sortOnce(
  group: readonly Pick<Judged, 'readings'>[],
  slices: ReadonlyMap<number, readonly Slice[]>,
  results: readonly IngestOutcome[],
  newest: Pick<NewestStored, 'newOnesAfter' | 'claim'>,
): Promise<Sorted> {
  const sorted = new SortedReadings(group.map(({ readings }) => readings));
  const claims: PlacedClaim[] = [];
  for (const [deviceNumber, own] of [...slices].toSorted(([a], [b]) => a - b)) {
    const newOnesAfter = newest.newOnesAfter(deviceNumber);
    let last = Number.NaN;
    for (const { owner, rows } of own.length === 1 ? own : merged(group, own)) {
      const requested = group[owner]?.readings;
      for (const row of rows) {
        const timeMicros = requested?.timeMicros(row) ?? Number.NaN;
        if (timeMicros === last) {
          duplicateOf(results, owner);
          continue;
        }
        sorted.add(deviceNumber, owner, row, timeMicros > newOnesAfter);
        last = timeMicros;
        if (sorted.count % rowsBetweenYields === 0) await yieldToOthers();
      }
    }
    const claim = newest.claim(deviceNumber, last);
    if (claim !== undefined) claims.push({ ...claim, at: sorted.count - 1 });
  }
  return { readings: sorted, claims };
}

/** The rows of one device, ascending by time; of one time in the order in which the requests came. */
function merged(group: readonly Pick<Judged, 'readings'>[], slices: readonly Slice[]): Slice[] {
  const timeOf = ({ owner, rows: [row = 0] }: Slice) => group[owner]?.readings.timeMicros(row) ?? Number.NaN;
  return slices
    .flatMap(({ owner, rows }) => Array.from(rows, (_, at): Slice => ({ owner, rows: rows.subarray(at, at + 1) })))
    .toSorted((a, b) => timeOf(a) - timeOf(b));
}

/**
 * Stores and commits; returns which readings were stored (the others were known) and the rows of the steps that record it.
 * Readings guessed to be new are copied straight into the measurements; if the guess was wrong, all of them are stored the slower
 * way.
 */
export async function insertPlaced(
  tx: OpenTransaction,
  readings: SortedReadings,
  into: Destination,
  record: (isStored: Choice) => Step[],
): Promise<{ isStored: Choice; recorded: TextRow[][] }> {
  const { count, sureCount } = readings;
  const stored = readings.sureOnes();
  const isStored = (at: number) => stored[at] === 1;
  const commit = async (first: readonly Step[]) => {
    const steps = [...first, ...record(isStored)];
    return { isStored, recorded: steps.length === 0 ? [] : (await tx.commit(steps)).slice(first.length) };
  };
  const copyNew = sureCount === 0 ? [] : insertNewReadings(readings, (at) => readings.isSure(at), into);
  let rows: readonly TextRow[] = [];
  try {
    if (sureCount === count) return await commit(copyNew);
    const others = insertReadings(readings, (at) => !readings.isSure(at), count - sureCount, into);
    rows = (await tx.send([...copyNew, ...others])).at(-1) ?? [];
  } catch (error) {
    if (sureCount === 0 || errorState(error) !== uniqueViolation) throw error;
    stored.fill(0);
    rows = (await tx.send([forgetNewReadings, ...insertReadings(readings, () => true, count, into)])).at(-1) ?? [];
  }
  let found = 0;
  for (const at of storedOf(readings, rows, into)) {
    stored[at] = 1;
    found += 1;
    if (found % rowsBetweenYields === 0) await yieldToOthers();
  }
  return commit([]);
}

/** Everything else that is written when readings were stored. */
function recordReadings(tx: OpenTransaction, readings: SortedReadings, isStored: Choice): Step[] {
  const dirtyRanges = dirtyRangesOf(readings, isStored);
  if (dirtyRanges.length === 0) return [];
  const ranges = rangeColumns(dirtyRanges);
  let rowCount = 0;
  for (let at = 0; at < readings.count; at += 1) if (isStored(at)) rowCount += 1;
  return [insertDirtyRanges(tx, ranges), recordStored(rowCount, ranges)];
}

/** One of each device and UTC day. */
const timesOf = (readings: SortedReadings) => readings.days().map(({ from }) => readings.timeMicros(from));

/** One dirty range per device and UTC day of which something was stored. */
export function dirtyRangesOf(readings: SortedReadings, isStored: Choice): DirtyRange[] {
  const dirtyRanges: DirtyRange[] = [];
  for (const { from, to } of readings.days()) {
    let [first, last] = [from, to - 1];
    while (first <= last && !isStored(first)) first += 1;
    while (last > first && !isStored(last)) last -= 1;
    if (first > last) continue;
    const [fromMicros, toMicros] = [readings.timeMicros(first), readings.timeMicros(last)];
    dirtyRanges.push({ deviceNumber: readings.deviceNumber(from), fromMicros, toMicros });
  }
  return dirtyRanges;
}

function duplicateOf(results: readonly IngestOutcome[], owner: number) {
  const result = results[owner];
  if (result !== undefined) result.duplicates += 1;
}
