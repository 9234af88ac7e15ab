import type { MeasurementTable, TimeSeriesEngine } from '../database/engines/engine.ts';
import { concernsSome, findReach, knownReach } from '../database/engines/reach.ts';
import type { Step, TextRow } from '../database/exchange.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database, LateTransaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { refuse } from '../base/errors.ts';
import { nothingRead, quantityAt } from '../base/quantities.ts';
import { keptFromOf } from '../energy/measurements.sql.ts';
import type { Message } from '../../shared/messages.ts';
import type { RecalledKey } from '../http/guard.ts';
import type { LatestRow } from './arrivals.rules.ts';
import { createGroupedWriter } from './grouped-writer.ts';
import {
  findStoredReadings,
  forgetNewReadings,
  type Guess,
  insertNewReadings,
  insertReadings,
  isRefuted,
  layoutOf,
  storedOf,
  type Target,
} from './ingest.sql.ts';
import { JudgedReadings, RejectedRows, type SortedRows } from './judged-readings.rules.ts';
import { type Claim, NewestStored } from './newest-stored.rules.ts';
import { type JudgedReading, judgeRow, noLongerKept, rejectedRow, type RowRules } from './readings.rules.ts';
import { byPlace, type Choice, type Place, type PlacedRange, SortedReadings } from './sorted-readings.rules.ts';

/** What became of the rows of a request. */
export interface IngestOutcome {
  /** Valid rows, including those already stored. */
  accepted: number;
  /** How many of the accepted rows were already stored. */
  duplicates: number;
  rejected: RejectedRows;
  /** The latest accepted row of each device, for the first devices of the request. */
  latest: LatestRow[];
  /** The times of the earliest and the latest accepted row, epoch microseconds; infinite if there is none. */
  fromMicros: number;
  toMicros: number;
}

export interface Ingest<From, Answer> {
  begin(from: From): IngestRequest<Answer>;
}

/** The rows of one request, judged as they arrive and stored together. */
export interface IngestRequest<Answer> {
  /** Judges the next rows. Throws `invalid` if one is not an object. */
  judge(rows: readonly unknown[]): void;
  /** Takes a valid reading. */
  add(reading: JudgedReading): void;
  /** Stores the accepted rows. Resolves after the commit; throws if nothing was stored. */
  store(): Promise<Answer>;
  /** Returns the same answer as {@link store}, but stores nothing. */
  tryOut(): Promise<Answer>;
}

export interface IngestParts {
  database: Database;
  engine: TimeSeriesEngine;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called after a commit with the number of rows in its requests. */
  onStored?: ((rows: number) => void) | undefined;
}

/** Who sends: a customer of the fleet; null at a Client. */
export interface Sender {
  readonly customerId: string | null;
  /** The API key. Left out if the sender is known to be allowed to send. */
  readonly key?: RecalledKey | undefined;
}

/** A device as its sender names it. */
export interface AskedDevice {
  readonly customerId: string | null;
  readonly id: string;
}

interface Request<From> {
  from: From;
  readings: JudgedReadings;
  sorted: SortedRows;
  rejected: RejectedRows;
  /** The size of the request, in rows. */
  weight: number;
}

/** Where readings go: what a Client and the fleet do differently. */
export interface Destination<From extends Sender, Answer> {
  readonly table: MeasurementTable;
  /** The newest rows of at most this many devices are reported for each request. */
  readonly maxLatest: number;
  /** How many rejected rows of a request are listed. */
  readonly maxListed: number;
  /** Requests of at least this weight have writers of their own, so that smaller ones never wait for them. */
  readonly largeFrom: number;
  /** The reason for rejecting a row whose device is not found. */
  readonly notFound: Message;
  /** The rules by which the rows of a request are judged. */
  rules(): RowRules;
  /** The weight of a request, in rows. Null if nothing must be written. Throws if the whole request is rejected. */
  weigh(readings: JudgedReadings, rejected: RejectedRows): number | null;
  /**
   * Finds devices and the start of the kept rows. Runs under the shared ingest lock, so that no device it finds can be deleted
   * before the commit. The first statement returns, for each existing device, its number and its position in the list that was
   * looked up (at a Client, its external ID instead of the position). A second statement returns the instant before which rows
   * are not kept.
   */
  find(asked: readonly AskedDevice[], earliestMicros: number): Step[];
  /**
   * Fails the transaction, in a way that {@link isRefuted} recognizes, unless devices have these numbers, keys exist and rows
   * are kept.
   */
  check(guess: Guess): Step;
  /** Adds devices that were not found, if this destination allows that. */
  add?(lacking: readonly AskedDevice[], at: Date): Promise<void>;
  /** Overwrites stored readings with corrections. Returns the same as an insertion. */
  overwrite?(group: readonly { from: From }[], readings: SortedReadings, at: Date): Step[];
  /** Rows written together with the readings, in the same commit. */
  record(stored: {
    at: Date;
    group: readonly { from: From; outcome: IngestOutcome }[];
    ranges: readonly PlacedRange[];
  }): Step[];
  /** The answer to a request, made from the rows of {@link record}. Throws if the request was not stored. */
  answer(from: From, outcome: IngestOutcome, recorded: readonly TextRow[][]): Answer;
}

const idsBetweenYields = 5_000;
/** Sorting or searching this many rows takes some 5 ms. */
const rowsBetweenYields = 20_000;
/** The maximum number of devices of a fleet whose newest reading and number are remembered; some 80 bytes each. */
const maxRemembered = 500_000;

/** The write path of measurements: rows are judged one by one and stored in transactions shared by requests. */
export function createIngest<From extends Sender, Answer>(
  { database, engine, now, onStored }: IngestParts,
  destination: Destination<From, Answer>,
): Ingest<From, Answer> {
  const newest = new NewestStored(maxRemembered);
  const layout = layoutOf(destination.table);
  /** Rows before this instant may no longer be kept, as far as this process knows. */
  let keptSince = -Infinity;

  /**
   * Storing is idempotent, so a commit whose answer was lost is retried too. If that commit had succeeded, all rows
   * count as accepted duplicates, as if they had been sent again.
   */
  const storeGroup = async (requests: readonly Request<From>[]): Promise<(() => Answer)[]> => {
    const at = new Date(now());
    const asked = await askedDevices(requests);
    const earliestMicros = Math.min(...requests.map(({ readings }) => readings.earliestMicros));

    type Found = { there: ReadonlyMap<number, number>; keptFrom: number };
    const storeAs = async (tx: LateTransaction, { there, keptFrom }: Found) => {
      // 3. Give each row its place. Reject rows without a place and rows that are no longer kept.
      const { group, placed, places } = await placeRows(requests, asked, there, { keptFrom, ...destination });
      // 4. Of rows with the same place and time, the first one wins.
      const { readings, claims } = await sortOnce(group, placed, places, newest);
      // 5. Create partitions, like new devices, only for rows that are stored.
      const makePartitions = () => engine.ensurePartitions(database, readings.times());
      if (engine.lacksPartitions(readings.times())) return { first: makePartitions };
      // 6. Overwrite readings with corrections.
      const corrections = destination.overwrite?.(group, readings, at) ?? [];
      const changed = corrections.length === 0 ? [] : (await tx.send(corrections)).flat();
      const corrected = new Set(changed.length === 0 ? [] : storedOf(readings, changed, layout));
      // 7. Store new readings, record them, and commit.
      const { isStored, recorded } = await insert(tx, readings, { layout, at }, (isNew) => {
        countDuplicates(group, readings, isNew);
        const ranges = readings.ranges((one) => isNew(one) || corrected.has(one));
        return destination.record({ at, group, ranges });
      });
      return { group, claims, isStored, recorded };
    };

    // 1. If all devices are remembered, everything takes one round trip. A check undoes it if a number is no longer right.
    const storeByMemory = async () => {
      const there = earliestMicros < keptSince ? undefined : newest.numbersOf(asked.devices);
      if (there === undefined) return undefined;
      const devices = asked.devices.map((device, position) => ({ ...device, number: there.get(position) ?? 0 }));
      const keyIds = [...new Set(requests.flatMap(({ from }) => from.key?.id ?? []))];
      const opening = [LOCK_INGEST_SHARED, destination.check({ devices, keyIds, earliestMicros })];
      return database
        .transactionAtOnce(opening, (tx) => storeAs(tx, { there, keptFrom: -Infinity }))
        .catch((error: unknown) => {
          if (isRefuted(error)) return undefined;
          throw error;
        });
    };

    // 2. Else look up each device once; this goes with the BEGIN and the lock against deleting devices.
    let mayAdd = destination.add !== undefined;
    const storeByLookup = async () => {
      await Promise.all(requests.map(async ({ from }) => from.key?.confirm()));
      const opening = [LOCK_INGEST_SHARED, ...destination.find(asked.devices, earliestMicros)];
      return database.transaction(
        async (tx, [, found = [], kept]) => {
          const there = numbersOf(asked, found);
          newest.remember(asked.devices, there);
          const lacking = mayAdd ? asked.devices.filter((_, device) => !there.has(device)) : [];
          // New devices get their places in separate transactions; then the group begins again.
          if (lacking.length > 0) return { first: () => destination.add?.(lacking, at) };
          const keptFrom = kept === undefined ? -Infinity : keptFromOf(kept);
          keptSince = Math.max(keptSince, keptFrom);
          return storeAs(tx, { there, keptFrom });
        },
        { isIdempotent: true, opening },
      );
    };

    for (;;) {
      const step = (await storeByMemory()) ?? (await storeByLookup());
      if ('first' in step) {
        mayAdd = false;
        await step.first();
        continue;
      }
      // 8. Answer each request after the commit.
      const { group, claims, isStored, recorded } = step;
      newest.learn(claims, (claim) => isStored(claim.at));
      onStored?.(group.reduce((sum, { readings }) => sum + readings.count, 0));
      const answerOf = (from: From, outcome: IngestOutcome) => () => destination.answer(from, outcome, recorded);
      return group.map(({ from, outcome }) => answerOf(from, outcome));
    }
  };

  /**
   * Stores and commits; returns which readings were stored (the others were known) and the rows of the steps that record it.
   * Readings guessed to be new are copied straight into the measurements; if the guess was wrong, all of them are stored the slower
   * way.
   */
  const insert = async (
    tx: LateTransaction,
    readings: SortedReadings,
    target: Target,
    record: (isStored: Choice) => Step[],
  ): Promise<{ isStored: Choice; recorded: TextRow[][] }> => {
    const { count, sureCount } = readings;
    const stored = readings.sureOnes();
    const isStored = (at: number) => stored[at] === 1;
    const commit = async (first: readonly Step[]) => {
      const steps = [...first, ...record(isStored)];
      return { isStored, recorded: steps.length === 0 ? [] : (await tx.commit(steps)).slice(first.length) };
    };
    const copyNew = sureCount === 0 ? [] : insertNewReadings(readings, isStored, target);
    let rows: readonly TextRow[] = [];
    try {
      if (sureCount === count) return await commit(copyNew);
      const others = insertReadings(readings, (at) => !isStored(at), target);
      rows = (await tx.send([...copyNew, ...others])).at(-1) ?? [];
    } catch (error) {
      if (sureCount === 0 || !engine.isDuplicate(error)) throw error;
      stored.fill(0);
      const all = insertReadings(readings, () => true, target);
      rows = (await tx.send([forgetNewReadings, ...all])).at(-1) ?? [];
    }
    let found = 0;
    for (const at of storedOf(readings, rows, layout)) {
      stored[at] = 1;
      found += 1;
      if (found % rowsBetweenYields === 0) await yieldToOthers();
    }
    return commit([]);
  };

  /** Places the rows and compares them with stored ones as {@link storeGroup} does. */
  const tryOut = async (request: Request<From>): Promise<Answer> => {
    const asked = await askedDevices([request]);
    const opening = destination.find(asked.devices, request.readings.earliestMicros);
    return database.transaction(
      async (tx, [found = [], kept]) => {
        const keptFrom = kept === undefined ? -Infinity : keptFromOf(kept);
        const there = numbersOf(asked, found);
        const { group, placed, places } = await placeRows([request], asked, there, { keptFrom, ...destination });
        const { readings } = await sortOnce(group, placed, places, new NewestStored(0));
        const [rows = []] = await tx.send([findStoredReadings(readings, layout)]);
        const known = new Set(storedOf(readings, rows, layout));
        countDuplicates(group, readings, (at) => !known.has(at));
        return destination.answer(request.from, group[0]?.outcome ?? outcomeOf(request.rejected), []);
      },
      { isIdempotent: true, opening },
    );
  };

  const isAway = ({ from }: Request<From>) =>
    from.customerId !== null && knownReach(database).away.has(from.customerId);
  const findAway = async (error?: unknown) =>
    (error === undefined || concernsSome(error)) &&
    findReach(database).then(
      () => true,
      () => false,
    );
  const writer = () =>
    createGroupedWriter({
      store: storeGroup,
      rowsOf: ({ weight }: Request<From>) => weight,
      ...(engine.isSharded === true && { isAway, findAway }),
    });
  const [writeSmall, writeLarge] = [writer(), writer()];

  return {
    begin(from) {
      const rules = destination.rules();
      const nowMicros = now() * 1000;
      const [readings, rejected] = [new JudgedReadings(), new RejectedRows(destination.maxListed)];
      const add = (reading: JudgedReading) => readings.add(reading.index, reading.externalId, reading);
      let count = 0;
      const quantities = nothingRead.slice();
      const weighed = async (): Promise<Request<From> | null> => {
        const weight = destination.weigh(readings, rejected);
        if (weight === null) return null;
        return { from, readings, rejected, weight, sorted: await yieldBetween(readings.sorted()) };
      };
      return {
        add,
        judge(rows) {
          for (const row of rows) {
            if (!isObject(row)) throw refuse('entryNoObject', { index: count });
            const verdict = judgeRow(row, count, nowMicros, rules, quantities);
            if ('problem' in verdict) rejected.add(count, () => verdict);
            else add(verdict);
            count += 1;
          }
        },
        async store() {
          const request = await weighed();
          if (request === null) {
            await from.key?.confirm();
            return destination.answer(from, outcomeOf(rejected), []);
          }
          const write = request.weight < destination.largeFrom ? writeSmall : writeLarge;
          return (await write(request))();
        },
        async tryOut() {
          const request = await weighed();
          return request === null ? destination.answer(from, outcomeOf(rejected), []) : tryOut(request);
        },
      };
    },
  };
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

/** Runs the steps, and yields to others between them. */
async function yieldBetween<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldToOthers();
  }
}

const outcomeOf = (rejected: RejectedRows): IngestOutcome => ({
  accepted: 0,
  duplicates: 0,
  rejected,
  latest: [],
  fromMicros: Infinity,
  toMicros: -Infinity,
});

interface Asked {
  /** Each device of the group once. */
  devices: AskedDevice[];
  /** For each request, the positions of its devices among these devices. */
  ofRequests: Uint32Array[];
  /** The position of a device among these devices, by customer and id. */
  known: Map<string | null, Map<string, number>>;
}

async function askedDevices(requests: readonly Request<Sender>[]): Promise<Asked> {
  const asked: Asked = { devices: [], ofRequests: [], known: new Map() };
  for (const { from, readings } of requests) {
    const { customerId } = from;
    const own = asked.known.getOrInsertComputed(customerId, () => new Map<string, number>());
    const ofRequest = new Uint32Array(readings.externalIds.length);
    for (let at = 0; at < ofRequest.length; at += 1) {
      const id = readings.externalIds[at] ?? '';
      let device = own.get(id);
      if (device === undefined) own.set(id, (device = asked.devices.push({ customerId, id }) - 1));
      ofRequest[at] = device;
      if (at % idsBetweenYields === idsBetweenYields - 1) await yieldToOthers();
    }
    asked.ofRequests.push(ofRequest);
  }
  return asked;
}

/** The numbers of the found devices, by their position in the list that was looked up. */
function numbersOf({ known }: Asked, found: readonly TextRow[]): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const [position = null, id, number] of found) {
    const device = position === null ? known.get(null)?.get(id ?? '') : Number(position);
    if (device !== undefined) numbers.set(device, Number(number));
  }
  return numbers;
}

/** A request whose group is being stored. The transaction may be retried. */
interface Attempted<From> extends Request<From> {
  outcome: IngestOutcome;
}

/**
 * The rows of a group, ordered by place: those of place `n` are from `starts[n]` up to `starts[n + 1]`. Loops over them create
 * no objects.
 */
interface PlacedRows {
  owners: Uint32Array;
  rows: Uint32Array;
  starts: Uint32Array;
}

/** The rows of each place, in the order of places; those of each request ascending by time. */
async function placeRows<From>(
  requests: readonly Request<From>[],
  { devices, ofRequests }: Asked,
  numbers: ReadonlyMap<number, number>,
  { keptFrom, notFound, maxLatest }: { keptFrom: number; notFound: Message; maxLatest: number },
): Promise<{ group: Attempted<From>[]; places: Place[]; placed: PlacedRows }> {
  const found = Array.from(numbers, ([asked, number]) => ({
    asked,
    place: { customerId: devices[asked]?.customerId ?? null, number },
  })).toSorted((a, b) => byPlace(a.place, b.place));
  const placeOf = new Int32Array(devices.length).fill(-1);
  for (const [at, { asked }] of found.entries()) placeOf[asked] = at;
  const starts = new Uint32Array(found.length + 1);
  const group = requests.map((request) => ({ ...request, outcome: outcomeOf(request.rejected.copy()) }));
  for (const [owner, { readings, sorted, outcome }] of group.entries()) {
    const { order } = sorted;
    for (let id = 0; id < readings.externalIds.length; id += 1) {
      if (id % idsBetweenYields === idsBetweenYields - 1) await yieldToOthers();
      const externalId = readings.externalIds[id] ?? '';
      const place = placeOf[ofRequests[owner]?.[id] ?? -1] ?? -1;
      const to = sorted.starts[id + 1] ?? 0;
      let first = sorted.starts[id] ?? 0;
      for (; first < to; first += 1) {
        const row = order[first] ?? 0;
        const timeMicros = readings.timeMicros(row);
        if (place !== -1 && timeMicros >= keptFrom) break;
        const index = readings.index(row);
        const problem = () => (place === -1 ? notFound : noLongerKept(timeMicros, keptFrom));
        outcome.rejected.add(index, () => rejectedRow({ index, externalId, timeMicros }, problem()));
        if (outcome.rejected.count % rowsBetweenYields === 0) await yieldToOthers();
      }
      if (first === to) continue;
      starts[place + 1] = (starts[place + 1] ?? 0) + to - first;
      const last = order[to - 1] ?? 0;
      const timeMicros = readings.timeMicros(last);
      outcome.accepted += to - first;
      outcome.fromMicros = Math.min(outcome.fromMicros, readings.timeMicros(order[first] ?? 0));
      outcome.toMicros = Math.max(outcome.toMicros, timeMicros);
      if (outcome.latest.length < maxLatest) {
        outcome.latest.push({ externalId, timeMicros, activePower: readings.quantity(last, quantityAt.activePowerKw) });
      }
    }
  }
  for (let place = 0; place < found.length; place += 1)
    starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
  const ends = starts.slice();
  const count = starts.at(-1) ?? 0;
  const [owners, rows] = [new Uint32Array(count), new Uint32Array(count)];
  for (const [owner, { readings, sorted }] of requests.entries()) {
    for (let id = 0; id < readings.externalIds.length; id += 1) {
      const place = placeOf[ofRequests[owner]?.[id] ?? -1] ?? -1;
      if (place === -1) continue;
      const to = sorted.starts[id + 1] ?? 0;
      let end = ends[place] ?? 0;
      for (let at = sorted.starts[id] ?? 0; at < to; at += 1) {
        const row = sorted.order[at] ?? 0;
        if (readings.timeMicros(row) < keptFrom) continue;
        owners[end] = owner;
        rows[end] = row;
        end += 1;
      }
      ends[place] = end;
    }
  }
  return { group, places: found.map(({ place }) => place), placed: { owners, rows, starts } };
}

interface PlacedClaim extends Claim {
  /** The position of its reading. */
  at: number;
}

/**
 * All readings by place and time, with each (place, time) only once; and claims for readings that may be the newest of their
 * place.
 */
async function sortOnce(
  group: readonly { readings: JudgedReadings }[],
  placed: PlacedRows,
  places: readonly Place[],
  newest: NewestStored,
): Promise<{ readings: SortedReadings; claims: PlacedClaim[] }> {
  const { owners, rows, starts } = placed;
  const requested = group.map(({ readings }) => readings);
  const timeAt = (at: number) => requested[owners[at] ?? 0]?.timeMicros(rows[at] ?? 0) ?? Number.NaN;
  const readings = new SortedReadings(requested, places);
  const claims: PlacedClaim[] = [];
  for (const [number, place] of places.entries()) {
    const [from = 0, to = 0] = [starts[number], starts[number + 1]];
    sortByTime(placed, from, to, timeAt);
    const newOnesAfter = newest.newOnesAfter(place);
    let last = Number.NaN;
    for (let at = from; at < to; at += 1) {
      const timeMicros = timeAt(at);
      if (timeMicros === last) continue;
      readings.add(number, owners[at] ?? 0, rows[at] ?? 0, timeMicros > newOnesAfter);
      last = timeMicros;
      if (readings.count % rowsBetweenYields === 0) await yieldToOthers();
    }
    const claim = Number.isNaN(last) ? undefined : newest.claim(place, last);
    if (claim !== undefined) claims.push({ ...claim, at: readings.count - 1 });
  }
  return { readings, claims };
}

/**
 * Sorts the rows of a place by time. Rows of several requests may be out of order. Rows with the same time keep the order in
 * which their requests came.
 */
function sortByTime({ owners, rows }: PlacedRows, from: number, to: number, timeAt: (at: number) => number): void {
  let at = from + 1;
  while (at < to && timeAt(at - 1) <= timeAt(at)) at += 1;
  if (at >= to) return;
  const times = Float64Array.from({ length: to - from }, (_, index) => timeAt(from + index));
  const order = Uint32Array.from(times.keys()).toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  const [ownersBefore, rowsBefore] = [owners.slice(from, to), rows.slice(from, to)];
  for (const [index, before] of order.entries()) {
    owners[from + index] = ownersBefore[before] ?? 0;
    rows[from + index] = rowsBefore[before] ?? 0;
  }
}

/** Accepted rows that were not stored are duplicates of stored rows, or of rows in the same group. */
function countDuplicates(
  group: readonly { outcome: IngestOutcome }[],
  readings: SortedReadings,
  isStored: Choice,
): void {
  const stored = new Uint32Array(group.length);
  for (let at = 0; at < readings.count; at += 1) {
    const owner = readings.owner(at);
    if (isStored(at)) stored[owner] = (stored[owner] ?? 0) + 1;
  }
  for (const [owner, { outcome }] of group.entries()) outcome.duplicates = outcome.accepted - (stored[owner] ?? 0);
}
