import { lockReadingSpans, markStoredDaysDirty } from '../energy/dirty-ranges.sql.ts';
import {
  analyzeGrown,
  closePart,
  countRecords,
  type CopiedDevice,
  type CopiedMunicipality,
  type CopiedSite,
  joinByHash,
  listKnownIds,
  listNumberedDevices,
  lockCustomerState,
  numberDevices,
  type SetType,
  updateDevices,
  upsertMunicipalities,
  upsertSites,
  upsertTariffs,
} from './fleet-sets.sql.ts';
import { recordBatches } from './ingest-events.sql.ts';
import type { Database, Transaction } from '../database/pool.ts';
import type { MunicipalityTariff } from '../rates/tariffs.sql.ts';
import { hasSameRules } from '../energy/energy.rules.ts';
import { about, message, refuse } from '../base/errors.ts';
import {
  type Batch,
  type BatchOutcome,
  customerGone,
  maxRecords,
  type RejectedRecord,
  storedEvent,
  tooMany,
} from './fleet-batches.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';

/** A record with its place in the batch. */
export type Indexed<T> = T & { index: number };

/** The shape of the records of each set. */
export interface CopiedRecords extends Record<SetType, { id: string }> {
  municipalities: CopiedMunicipality;
  sites: CopiedSite;
  devices: CopiedDevice;
  tariffs: MunicipalityTariff;
}

/** The valid records of a full set, or of a part of it. */
export type FleetSet<Type extends SetType = SetType> = {
  [Each in Type]: { type: Each; records: readonly Indexed<CopiedRecords[Each]>[] };
}[Type];

export interface JudgedSet {
  set: FleetSet;
  rejected: readonly RejectedRecord[];
  /** The ids of all records in the set. Rejected records are included, because they are not missing from the set. */
  recordIds: readonly string[];
  /** Whether a record had no readable id. */
  isIncomplete: boolean;
}

/**
 * Stores a full set, or a part of it, in one transaction. It writes the records, and marks stored records that are in no part
 * as removed. Throws `unauthenticated` if the customer has been deleted. If the client has disconnected, throws the reason of
 * the database's signal: the client will send a newer set, and this one must not overwrite it.
 */
export async function storeSet(
  database: Database,
  batch: Batch,
  { set, rejected, recordIds, isIncomplete }: JudgedSet,
  part: { part: number; parts: number },
  at: Date,
): Promise<BatchOutcome> {
  const { customerId } = batch;
  return database.forCustomer(customerId).transaction(
    async (tx) => {
      await tx.query(LOCK_INGEST_SHARED);
      const state = await lockCustomerState(tx, customerId);
      if (state === null) throw customerGone();
      database.signal?.throwIfAborted();
      await joinByHash(tx);
      const late = await writeSet(tx, customerId, at, set, state.lastDeviceNumber);
      const itsPart = { ...part, cursor: batch.cursor, recordIds, isIncomplete };
      if ((await closePart(tx, customerId, at, set.type, itsPart)) > maxRecords) throw setTooLarge(set.type);
      const errors = [...rejected, ...late].toSorted((a, b) => a.index - b.index);
      const outcome = { accepted: set.records.length - late.length, rejected: errors.length, errors };
      const event = storedEvent(batch, outcome, { at, fromMicros: null, toMicros: null, newMeasurements: 0 });
      await tx.commit(recordBatches([event]));
      return outcome;
    },
    { isIdempotent: true },
  );
}

/** Writes a set. Returns the records that conflict with stored ones. */
async function writeSet(
  tx: Transaction,
  customerId: string,
  at: Date,
  { type, records }: FleetSet,
  lastDeviceNumber: number,
): Promise<RejectedRecord[]> {
  const target = { type, customerId, at };
  switch (type) {
    case 'municipalities':
      return upsertWithinBound(tx, target, records, upsertMunicipalities);
    case 'sites':
      return upsertWithinBound(tx, target, records, upsertSites);
    case 'devices':
      return writeDevices(tx, customerId, at, records, lastDeviceNumber);
    case 'tariffs': {
      const asked = [...new Set(records.map((one) => one.municipalityId))];
      const known = await listKnownIds(tx, 'municipalities', customerId, asked);
      const { placed = [], orphans = [] } = Object.groupBy(records, (one) =>
        known.has(one.municipalityId) ? 'placed' : 'orphans',
      );
      return [
        ...(await upsertWithinBound(tx, target, placed, upsertTariffs)),
        ...orphans.map(({ index, id, municipalityId }) => ({
          index,
          id,
          problem: about('municipalityId', message('noMunicipalityYet', { id: municipalityId })),
        })),
      ];
    }
  }
}

/** Writes records until the customer has as many as it may have. Returns the records that were not written. */
async function upsertWithinBound<Copied extends Indexed<{ id: string }>>(
  tx: Transaction,
  { type, customerId, at }: { type: SetType; customerId: string; at: Date },
  records: readonly Copied[],
  upsert: (tx: Transaction, customerId: string, at: Date, good: readonly Copied[]) => Promise<unknown>,
): Promise<RejectedRecord[]> {
  const before = await countRecords(tx, type, customerId);
  const free = Math.max(0, maxRecords - before);
  const ids = records.map(({ id }) => id);
  const known = records.length <= free ? new Set(ids) : await listKnownIds(tx, type, customerId, ids);
  const excess = new Set(ids.filter((id) => !known.has(id)).slice(free));
  const { good = [], refused = [] } = Object.groupBy(records, ({ id }) => (excess.has(id) ? 'refused' : 'good'));
  await upsert(tx, customerId, at, good);
  await analyzeGrown(tx, type, { before, added: (await countRecords(tx, type, customerId)) - before });
  return refused.map(({ index, id }) => ({ index, id, problem: tooMany(type) }));
}

const setTooLarge = (type: SetType) => refuse('setTooLarge', { type, max: maxRecords });

async function writeDevices(
  tx: Transaction,
  customerId: string,
  at: Date,
  records: readonly Indexed<CopiedDevice>[],
  lastDeviceNumber: number,
): Promise<RejectedRecord[]> {
  const ids = records.map(({ id }) => id);
  const known = new Map((await listNumberedDevices(tx, customerId, ids)).map((device) => [device.id, device]));
  const added = ids.filter((id) => !known.has(id));
  const refused = new Set(added.splice(Math.max(0, maxRecords - lastDeviceNumber)));
  await numberDevices(tx, customerId, at, { ids: added, lastDeviceNumber });
  const good = records.filter(({ id }) => !refused.has(id));
  await updateDevices(tx, customerId, at, good);
  await analyzeGrown(tx, 'devices', { before: lastDeviceNumber, added: added.length });
  const changed = good.flatMap((record) => {
    const device = known.get(record.id);
    return device === undefined || hasSameRules(device, record) ? [] : [device.number];
  });
  // The lock waits until nobody materializes by the old rules any more. Later on everyone sees the new rules.
  if (changed.length > 0) await lockReadingSpans(tx, changed, { skip: false });
  for (const number of changed) await markStoredDaysDirty(tx, number);
  return records.flatMap(({ index, id }) => (refused.has(id) ? [{ index, id, problem: tooMany('devices') }] : []));
}
