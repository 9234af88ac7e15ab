import { correctFleetReadings } from './fleet-corrections.sql.ts';
import {
  type AskedDevice,
  findFleetDevices,
  fleetDestination,
  insertFleetDirtyRanges,
  type PlacedDevices,
  placedDevicesOf,
} from './fleet-ingest.sql.ts';
import { listNumberedDevices, lockCustomerState, numberDevices } from './fleet-sets.sql.ts';
import { type Choice, type Destination, storedOf } from '../ingest/ingest.sql.ts';
import { recordBatches } from './ingest-events.sql.ts';
import type { Database, OpenTransaction } from '../database/pool.ts';
import type { TimeSeriesEngine } from '../database/engines/engine.ts';
import { about, refuse } from '../base/errors.ts';
import type { JudgedReadings, RejectedRows, SortedRows } from '../ingest/judged-readings.rules.ts';
import { NewestOfFleet } from '../ingest/newest-stored.rules.ts';
import { byDeviceId, type RowRules } from '../ingest/readings.rules.ts';
import type { SortedReadings } from '../ingest/sorted-readings.rules.ts';
import { type Batch, type BatchOutcome, customerGone, maxRecords, storedEvent, tooMany } from './fleet-batches.ts';
import { createGroupedWriter } from '../ingest/grouped-writer.ts';
import {
  createRowJudge,
  dirtyRangesOf,
  insertPlaced,
  yieldBetween,
  type Slice,
  type Sorted,
  sortOnce,
} from '../ingest/ingest.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import { dayMicros } from '../base/instants.ts';

export interface FleetIngest {
  /** Begins a batch of measurements; its first `maxListed` rejected rows are listed. */
  begin(batch: Batch, maxListed: number): FleetUpload;
}

/** The rows of one batch, judged as they come in and stored together. */
export interface FleetUpload {
  /** Throws `invalid` if one is not an object. */
  judge: (rows: readonly unknown[]) => void;
  /** Stores the accepted rows. Resolves after the commit; throws if nothing was stored. */
  store: () => Promise<BatchOutcome>;
}

interface Judged {
  batch: Batch;
  readings: JudgedReadings;
  sorted: SortedRows;
  rejected: RejectedRows;
  weight: number;
}

const weekMicros = 7 * dayMicros;
/** The most weeks of one batch: each may be a chunk of its own, with its own locks. */
const maxWeeks = 100;
/** Another week costs about as much as this many rows. */
const rowsOfAWeek = 100;
/** Larger batches have writers of their own, so that small ones never wait for them. */
const largeFrom = 2_000;

/** Devices whose newest reading is kept in mind, some 60 bytes each. */
const maxRemembered = 500_000;

/** The write path of pushed measurements: batches of all customers that wait at the same time share a transaction. */
export function createFleetIngest(parts: {
  database: Database;
  engine: TimeSeriesEngine;
  now: () => number;
  /** Called after a commit with the number of rows that were sent. */
  onStored?: ((rows: number) => void) | undefined;
}): FleetIngest {
  const { database, engine, now, onStored } = parts;
  const newest = new NewestOfFleet(maxRemembered);

  /** Storing is idempotent, also the event of a batch, so a commit whose answer was lost is tried again. */
  const storeGroup = async (group: readonly Judged[]): Promise<(BatchOutcome | 'gone')[]> => {
    const at = new Date(now());
    const asked = askedDevices(group);
    const opening = [LOCK_INGEST_SHARED, findFleetDevices(asked.devices)];
    let isNumbered = false;
    for (;;) {
      const step = await database.transaction(
        async (tx, [, rows = []]) => {
          const devices = placedDevicesOf(asked.devices, rows);
          if (devices.length < asked.devices.length && !isNumbered) return { lacking: devices };
          const { readings, claims, outcomes } = await place(group, asked, devices, newest);
          if (engine.lacksPartitions(readings.times())) return { unpartitioned: readings };
          const into = fleetDestination(devices, at);
          const corrected = await correct(tx, group, { readings, devices, into, at });
          const { isStored, recorded } = await insertPlaced(tx, readings, into, (stored) => {
            const ranges = dirtyRangesOf(readings, (one) => stored(one) || corrected.has(one));
            const newOf = countOwners(readings, stored, group.length);
            const events = group.map(({ batch }, owner) => {
              const { outcome, fromMicros, toMicros } = outcomes[owner] ?? nothing();
              return storedEvent(batch, outcome, { at, fromMicros, toMicros, newMeasurements: newOf[owner] ?? 0 });
            });
            // The rows of customers are locked by writing them, so that comes last.
            return [insertFleetDirtyRanges(ranges, devices), ...recordBatches(events)];
          });
          const there = new Set(recorded[1]?.map(([id]) => id));
          const customerOf = (one: number) => devices[readings.deviceNumber(one)]?.customerId ?? '';
          return {
            isStored,
            claims: Map.groupBy(claims, (claim) => customerOf(claim.at)),
            results: group.map(({ batch }, owner) =>
              there.has(batch.customerId) ? (outcomes[owner] ?? nothing()).outcome : ('gone' as const),
            ),
          };
        },
        { isIdempotent: true, opening },
      );
      if ('lacking' in step) {
        await numberNew(database, asked, step.lacking, at);
        isNumbered = true;
      } else if ('unpartitioned' in step) {
        await engine.ensurePartitions(database, step.unpartitioned.times());
      } else {
        const { isStored, claims, results } = step;
        for (const [customerId, own] of claims) newest.learn(customerId, own, (claim) => isStored(claim.at));
        onStored?.(group.reduce((sum, { readings: { count } }) => sum + count, 0));
        return results;
      }
    }
  };
  const writer = () => createGroupedWriter({ store: storeGroup, rowsOf: ({ weight }: Judged) => weight });
  const [writeSmall, writeLarge] = [writer(), writer()];

  return {
    begin(batch, maxListed) {
      const { readings, rejected, judge } = createRowJudge(eachDeviceOnce(), { maxListed, now });
      return {
        judge,
        async store() {
          const weeks = countWeeks(readings);
          if (weeks > maxWeeks) throw tooManyWeeks(weeks);
          const weight = readings.count + weeks * rowsOfAWeek;
          const sorted = await yieldBetween(readings.sorted());
          const write = weight < largeFrom ? writeSmall : writeLarge;
          const result = await write({ batch, readings, sorted, rejected, weight });
          if (result === 'gone') throw customerGone();
          return result;
        },
      };
    },
  };
}

/** Rules that check each device id once: a batch has many rows of a device, and looking its id up takes half the time. */
function eachDeviceOnce(): RowRules {
  const known = new Map<unknown, string>();
  const read = (value: unknown) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const id = byDeviceId.read(value);
    if (id !== null) known.set(value, id);
    return id;
  };
  return { ...byDeviceId, read };
}

/** Overwrites stored measurements with the values of correcting batches; returns the positions of those that changed. */
async function correct(
  tx: OpenTransaction,
  group: readonly Judged[],
  { readings, devices, into, at }: { readings: SortedReadings; devices: PlacedDevices; into: Destination; at: Date },
): Promise<ReadonlySet<number>> {
  if (!group.some(({ batch }) => batch.isCorrection)) return new Set();
  const isMeant = (one: number) => group[readings.owner(one)]?.batch.isCorrection === true;
  const rows = await tx.send(correctFleetReadings(readings, devices, isMeant, at));
  return new Set(storedOf(readings, rows.flat(), into));
}

function countWeeks(readings: JudgedReadings): number {
  const weeks = new Set<number>();
  for (let row = 0; row < readings.count; row += 1) weeks.add(Math.floor(readings.timeMicros(row) / weekMicros));
  return weeks.size;
}

const tooManyWeeks = (weeks: number) => refuse('manyWeeks', { count: weeks, max: maxWeeks });

interface Asked {
  /** Each device of the group once. */
  devices: AskedDevice[];
  /** For each batch, where the devices of its readings are among them. */
  placesOf: Uint32Array[];
}

function askedDevices(group: readonly Judged[]): Asked {
  const devices: AskedDevice[] = [];
  const known = new Map<string, Map<string, number>>();
  const placesOf = group.map(({ batch: { customerId }, readings: { externalIds } }) => {
    const own = known.getOrInsertComputed(customerId, () => new Map<string, number>());
    return Uint32Array.from(externalIds, (id) =>
      own.getOrInsertComputed(id, () => devices.push({ customerId, id }) - 1),
    );
  });
  return { devices, placesOf };
}

/** Numbers devices that are new, customer by customer, in transactions of their own. */
async function numberNew(database: Database, { devices }: Asked, known: PlacedDevices, at: Date): Promise<void> {
  const found = new Set(known.map(({ asked }) => asked));
  const lacking = devices.filter((_, asked) => !found.has(asked));
  for (const [customerId, own] of Map.groupBy(lacking, (one) => one.customerId)) {
    const ids = own.map(({ id }) => id);
    await database.transaction(async (tx) => {
      await tx.query(LOCK_INGEST_SHARED);
      const state = await lockCustomerState(tx, customerId);
      if (state === null) return;
      const { lastDeviceNumber } = state;
      const numbered = new Set((await listNumberedDevices(tx, customerId, ids)).map(({ id }) => id));
      const added = ids.filter((id) => !numbered.has(id)).slice(0, Math.max(0, maxRecords - lastDeviceNumber));
      await numberDevices(tx, customerId, at, { ids: added, lastDeviceNumber });
    });
  }
}

interface PlacedBatch {
  outcome: BatchOutcome;
  fromMicros: number | null;
  toMicros: number | null;
}

const nothing = (): PlacedBatch => ({
  outcome: { accepted: 0, rejected: 0, errors: [] },
  fromMicros: null,
  toMicros: null,
});

/** How many of the readings chosen by `isMeant` came with each batch. */
function countOwners(readings: SortedReadings, isMeant: Choice, batches: number): Uint32Array {
  const counts = new Uint32Array(batches);
  for (let one = 0; one < readings.count; one += 1) {
    const owner = readings.owner(one);
    if (isMeant(one)) counts[owner] = (counts[owner] ?? 0) + 1;
  }
  return counts;
}

/** Sorts the readings of a group; those of a device that has no number are rejected. */
async function place(
  group: readonly Judged[],
  { devices: { length }, placesOf }: Asked,
  devices: PlacedDevices,
  newest: NewestOfFleet,
): Promise<Sorted & { outcomes: PlacedBatch[] }> {
  const places = new Int32Array(length).fill(-1);
  for (const [at, { asked }] of devices.entries()) places[asked] = at;
  const slices = new Map<number, Slice[]>();
  const outcomes = group.map(({ readings, sorted: { order, starts }, rejected: before }, owner) => {
    const rejected = before.copy();
    let [accepted, fromMicros, toMicros] = [0, Infinity, -Infinity];
    for (const [id, deviceId] of readings.externalIds.entries()) {
      const rows = order.subarray(starts[id], starts[id + 1]);
      const at = places[placesOf[owner]?.[id] ?? -1] ?? -1;
      if (at === -1) {
        for (const row of rows) {
          const index = readings.index(row);
          rejected.add(index, () => ({ index, externalId: deviceId, problem: about('deviceId', tooMany('devices')) }));
        }
        continue;
      }
      accepted += rows.length;
      fromMicros = Math.min(fromMicros, readings.timeMicros(rows[0] ?? 0));
      toMicros = Math.max(toMicros, readings.timeMicros(rows.at(-1) ?? 0));
      slices.getOrInsertComputed(at, () => []).push({ owner, rows });
    }
    const errors = rejected.first.map(({ index, externalId, problem }) => ({ index, id: externalId, problem }));
    return {
      outcome: { accepted, rejected: rejected.count, errors },
      fromMicros: accepted > 0 ? fromMicros : null,
      toMicros: accepted > 0 ? toMicros : null,
    };
  });
  const newestOf = devices.map(({ customerId }) => newest.of(customerId));
  const newestAt = {
    newOnesAfter: (at: number) => newestOf[at]?.newOnesAfter(devices[at]?.number ?? 0) ?? Infinity,
    claim: (at: number, micros: number) => newestOf[at]?.claim(devices[at]?.number ?? 0, micros),
  };
  return { ...(await sortOnce(group, slices, [], newestAt)), outcomes };
}
