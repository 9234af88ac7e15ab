import { fleetMeasurements } from '../database/engines/engine.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database } from '../database/pool.ts';
import { about, refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';
import {
  type AskedDevice,
  createIngest,
  type Destination,
  type Ingest,
  type IngestOutcome,
  type IngestParts,
} from '../ingest/ingest.ts';
import type { JudgedReadings } from '../ingest/judged-readings.rules.ts';
import { byDeviceId, type RowRules } from '../ingest/readings.rules.ts';
import { fleetIngestLimits } from '../../shared/push.ts';
import { type Batch, type BatchOutcome, customerGone, maxRecords, storedEvent, tooMany } from './fleet-batches.ts';
import { checkFleetDevices, correctReadings, findFleetDevices, insertFleetDirtyRanges } from './fleet-ingest.sql.ts';
import { listNumberedDevices, lockCustomerState, numberDevices } from './fleet-sets.sql.ts';
import { recordBatches } from './ingest-events.sql.ts';

export type FleetIngest = Ingest<Batch, BatchOutcome>;

/** The maximum number of weeks in one batch. Each week may be a chunk of its own, with locks of its own. */
const maxWeeks = 100;
const weekMicros = 7 * dayMicros;
/** One more week costs about as much as this many rows. */
const rowsOfAWeek = 100;

/**
 * The write path of pushed measurements. Batches that wait at the same time share a transaction, even if they come from several
 * customers.
 */
export const createFleetIngest = (parts: IngestParts): FleetIngest =>
  createIngest(parts, fleetDestination(parts.database));

const fleetDestination = (database: Database): Destination<Batch, BatchOutcome> => ({
  table: fleetMeasurements,
  maxLatest: 0,
  maxListed: fleetIngestLimits.listedErrors,
  largeFrom: 2_000,
  notFound: about('deviceId', tooMany('devices')),
  rules: eachDeviceOnce,
  weigh(readings) {
    const weeks = countWeeks(readings);
    if (weeks > maxWeeks) throw refuse('manyWeeks', { count: weeks, max: maxWeeks });
    return readings.count + weeks * rowsOfAWeek;
  },
  find: (asked) => [findFleetDevices(asked)],
  check: checkFleetDevices,
  add: (lacking, at) => numberDevicesOf(database, lacking, at),
  overwrite(group, readings, at) {
    if (!group.some(({ from }) => from.isCorrection)) return [];
    const isMeant = (one: number) => group[readings.owner(one)]?.from.isCorrection === true;
    return correctReadings(readings, isMeant, at);
  },
  record({ at, group, ranges }) {
    const events = group.map(({ from, outcome }) => {
      const { accepted, duplicates, fromMicros, toMicros } = outcome;
      const times = accepted > 0 ? { fromMicros, toMicros } : { fromMicros: null, toMicros: null };
      return storedEvent(from, batchOutcome(outcome), { at, ...times, newMeasurements: accepted - duplicates });
    });
    // These steps are last, because they lock the rows of customers.
    return [insertFleetDirtyRanges(ranges), ...recordBatches(events)];
  },
  answer({ customerId }, outcome, recorded) {
    if (recorded.some((rows) => rows.some(([id]) => id === customerId))) return batchOutcome(outcome);
    throw customerGone();
  },
});

/**
 * Rules that check each device id only once. A batch has many rows per device, and half of the time would go into looking up
 * the id.
 */
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

function countWeeks(readings: JudgedReadings): number {
  const weeks = new Set<number>();
  for (let row = 0; row < readings.count; row += 1) weeks.add(Math.floor(readings.timeMicros(row) / weekMicros));
  return weeks.size;
}

/** Numbers new devices, one customer after the other, in separate transactions. */
export async function numberDevicesOf(database: Database, lacking: readonly AskedDevice[], at: Date): Promise<void> {
  for (const [customerId, own] of Map.groupBy(lacking, (one) => one.customerId ?? '')) {
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

export const batchOutcome = ({ accepted, rejected }: IngestOutcome): BatchOutcome => ({
  accepted,
  rejected: rejected.count,
  errors: rejected.first.map(({ index, externalId, problem }) => ({ index, id: externalId, problem })),
});
