import { randomUUIDv7 } from 'node:crypto';
import type { z } from 'zod';
import { type Device, deviceWrite } from '../../shared/sites.ts';
import { countStates, type DeviceCounts, deviceState } from '../../shared/states.rules.ts';
import {
  deleteDirtyRanges,
  listReadingSpans,
  lockReadingSpans,
  markStoredDaysDirty,
} from '../energy/dirty-ranges.sql.ts';
import type { Database, Queryable, Transaction } from '../database/pool.ts';
import { refuseParent } from '../energy/device-tree.rules.ts';
import { hasSameRules, noSpans, wholeSpan } from '../energy/energy.rules.ts';
import { found, listSome, message, notFound, type Precondition, refuse } from '../base/errors.ts';

import { type Changing, makeChange, type RecordChange } from '../accounts/audit.ts';
import { retryBusy, refuseViolation } from '../database/errors.ts';
import { lockIngestExclusively } from '../database/ingest-lock.ts';
import {
  countMeasurements,
  deleteDevice,
  deviceFields,
  type DeviceValues,
  findDevice,
  findOwnerOfExternalId,
  insertDevice,
  listAllDevices,
  listDevices,
  listNames,
  listSubMeters,
  listTreeOfSite,
  lockDevices,
  lockTrees,
  type NumberedDevice,
  updateDevices,
} from './devices.sql.ts';
import { deleteLeftRemarks } from './report-remarks.sql.ts';
import { clearDeletedDevice } from './deleted-devices.ts';

/** Counting stops here; the message only has to say that there are measurements. */
const maxCounted = 10_000;

/** Adds a device. Throws `invalid` on an unknown site or parent, `conflict` on a taken external id. */
export async function createDevice(changing: Changing, values: DeviceValues): Promise<Device> {
  const create = makeChange(changing, (tx, recordChange) => addDevice(tx, recordChange, values));
  return create.catch(explain(changing.database, values));
}

/** Within a transaction. Violates the constraints of `insertDevice`. */
export async function addDevice(
  tx: Transaction,
  recordChange: RecordChange,
  given: z.input<typeof deviceWrite>,
): Promise<Device> {
  const id = randomUUIDv7();
  const values = deviceWrite.parse(given);
  await judgeParent(tx, null, values);
  await insertDevice(tx, id, values);
  const created = found(await findDevice(tx, id), 'device');
  await recordChange('device.create', { id, name: created.name, after: await shown(tx, created) });
  return created;
}

/** Fields that are absent or undefined stay as they are. */
export type DeviceChange = { [Field in keyof DeviceValues]?: DeviceValues[Field] | undefined };

/** Changes a device; its measurements move with it, and their energy follows its settings. Throws `notFound`, and what `createDevice` and `checkVersion` throw. */
export async function changeDevice(
  changing: Changing,
  id: string,
  change: DeviceChange,
  checkVersion: Precondition<Device>,
): Promise<Device> {
  const replaced = makeChange(changing, async (tx, recordChange) => {
    await replaceDevices(tx, recordChange, [id], change, checkVersion);
    return found(await findDevice(tx, id), 'device');
  });
  return replaced.catch(explain(changing.database, change));
}

/** Changes several devices in the same way: all of them or none. Throws what `changeDevice` does. */
export async function changeDevices(changing: Changing, ids: readonly string[], change: DeviceChange): Promise<number> {
  const own = [...new Set(ids)];
  await makeChange(changing, (tx, recordChange) => replaceDevices(tx, recordChange, own, change)).catch(
    explain(changing.database, change),
  );
  return own.length;
}

interface Replacement {
  before: NumberedDevice;
  after: DeviceValues;
}

/** Within a transaction. Violates the constraints of `updateDevices`. */
async function replaceDevices(
  tx: Transaction,
  recordChange: RecordChange,
  ids: readonly string[],
  change: DeviceChange,
  checkVersion: Precondition<Device> = () => undefined,
): Promise<void> {
  // Locked before the devices, in the order in which everyone locks both.
  if ((change.parentDeviceId ?? null) !== null) await lockTrees(tx);
  // Read under the lock, so that nobody changes the rules in between.
  await lockDevices(tx, ids);
  const stored = await listDevices(tx, ids);
  if (stored.length < ids.length) throw notFound('device');
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const replaced = stored.map((before): Replacement => {
    checkVersion(before);
    return { before, after: { ...before, ...given } };
  });
  await judgeMoves(tx, replaced, change.parentDeviceId);
  const nameOf = await readNames(
    tx,
    replaced.flatMap(({ before, after }) => [before, after]),
  );
  await updateDevices(
    tx,
    replaced.map(({ before, after }) => ({ ...after, id: before.id })),
  );
  for (const { before, after } of replaced) {
    const { id, name } = before;
    await recordChange('device.change', { id, name, before: shownOf(before, nameOf), after: shownOf(after, nameOf) });
  }
  const byOtherRules = replaced.filter(({ before, after }) => !hasSameRules(before, after));
  if (byOtherRules.length === 0) return;
  const numbers = byOtherRules.map(({ before }) => before.number);
  // This lock waits for materializing by the old rules; any later materializing sees the new rules.
  await lockReadingSpans(tx, numbers, { skip: false });
  for (const number of numbers) await markStoredDaysDirty(tx, number);
}

/** Throws `invalid` if a device (null: a new one) cannot be a sub-meter of its parent. */
async function judgeParent(
  tx: Transaction,
  id: string | null,
  { siteId, parentDeviceId }: Pick<DeviceValues, 'siteId' | 'parentDeviceId'>,
): Promise<void> {
  if (parentDeviceId === null) return;
  await lockTrees(tx);
  refuseParent(await listTreeOfSite(tx, siteId), { id, parentDeviceId });
}

/**
 * Checks the trees that devices move between or get a main meter in. A tree stays in one site. Throws `conflict` if a
 * device would be separated from its sub-meters or its main meter; a tree that moves as a whole keeps its shape.
 */
async function judgeMoves(
  tx: Transaction,
  replaced: readonly Replacement[],
  parentDeviceId: string | null | undefined,
): Promise<void> {
  const moved = new Map(
    replaced.filter(({ before, after }) => after.siteId !== before.siteId).map(({ before }) => [before.id, before]),
  );
  const left = (await listSubMeters(tx, [...moved.keys()])).filter(({ id }) => !moved.has(id));
  const above = moved.get(left[0]?.parentDeviceId ?? '');
  if (above !== undefined) {
    const own = left.filter((subMeter) => subMeter.parentDeviceId === above.id);
    throw refuse('movedFromSubMeters', { name: above.name, names: listSome(own) });
  }
  for (const { before, after } of replaced) {
    const isMoved = moved.has(before.id);
    if (isMoved && parentDeviceId === undefined && before.parentDeviceId !== null) {
      if (moved.has(before.parentDeviceId)) continue;
      const parent = await findDevice(tx, before.parentDeviceId);
      throw refuse('movedFromParent', { name: before.name, parent: parent?.name ?? '' }, { field: 'parentDeviceId' });
    }
    if (isMoved || after.parentDeviceId !== before.parentDeviceId) await judgeParent(tx, before.id, after);
  }
}

async function readNames(tx: Transaction, devices: readonly DeviceValues[]): Promise<ReadonlyMap<string, string>> {
  const ids = devices.flatMap(({ siteId, parentDeviceId }) =>
    parentDeviceId === null ? siteId : [siteId, parentDeviceId],
  );
  return listNames(tx, [...new Set(ids)]);
}

const shown = async (tx: Transaction, device: DeviceValues) => shownOf(device, await readNames(tx, [device]));

/** What the audit trail shows of a device, with the names of its site and parent instead of their ids. */
function shownOf(device: DeviceValues, nameOf: ReadonlyMap<string, string>): object {
  const { siteId, parentDeviceId } = device;
  const partOf = parentDeviceId === null ? {} : { partOf: nameOf.get(parentDeviceId) };
  const others = deviceFields.filter((field) => field !== 'siteId' && field !== 'parentDeviceId');
  const values = Object.fromEntries(others.map((field) => [field, device[field]]));
  return { ...values, siteName: nameOf.get(siteId), ...partOf };
}

/** The request that deletes a device waits for this many steps of deleting its data; the maintenance deletes the rest. */
const maxClearingSteps = 10;

/**
 * Deletes a device: everyone sees it as deleted at once, and its measurements, energy and flags are deleted in steps. Throws
 * `notFound`, and what `checkVersion` throws of the device as it was. Throws `conflict` while it has sub-meters and, without
 * `withMeasurements`, while it has measurements.
 */
export async function removeDevice(
  changing: Changing,
  id: string,
  { withMeasurements, checkVersion }: { withMeasurements: boolean; checkVersion: Precondition<Device> },
): Promise<void> {
  const { database } = changing;
  const judge = async (db: Queryable) => {
    const [stored = null] = await listDevices(db, [id]);
    const device = found(stored, 'device');
    checkVersion(device);
    const subMeters = await listSubMeters(db, [id]);
    if (subMeters.length > 0) {
      throw refuse('deletedFromSubMeters', { names: listSome(subMeters) });
    }
    if (!withMeasurements) await refuseIfMeasured(db, device.number);
    return device;
  };
  // First without the lock, so that a rejection never delays an ingest.
  const known = await judge(database);
  const deviceNumber = await retryBusy(() =>
    makeChange(changing, async (tx, recordChange) => {
      // Locked before the spans, in the order of changes, so that nothing judged here can change.
      await lockDevices(tx, [id]);
      // Wait for materializing before holding back ingests, so that they do not wait for it.
      await lockReadingSpans(tx, [known.number], { skip: false });
      await lockIngestExclusively(tx);
      const before = await judge(tx);
      await recordChange('device.delete', { id, name: before.name, before: await shown(tx, before) });
      await deleteDirtyRanges(tx, before.number);
      await deleteDevice(tx, before.number);
      await deleteLeftRemarks(tx, id);
      return before.number;
    }),
  ).catch(refuseViolation({ devices_parent_fkey: treeChanged }));
  // The device is already deleted, so failures are ignored here. The maintenance deletes the rest and logs failures.
  await clearDeletedDevice(database, deviceNumber, { maxSteps: maxClearingSteps }).catch(() => undefined);
}

async function refuseIfMeasured(db: Queryable, deviceNumber: number): Promise<void> {
  const count = await countMeasurements(db, deviceNumber, maxCounted + 1);
  if (count > 0) {
    const shown = count > maxCounted ? `more than ${maxCounted.toLocaleString('en')}` : count.toLocaleString('en');
    const measurements = count === 1 ? 'measurement' : 'measurements';
    throw refuse('measuredAlready', { count: shown, measurements });
  }
  const spans = await listReadingSpans(db, [deviceNumber]);
  if (wholeSpan(spans.get(deviceNumber) ?? noSpans) !== null) {
    throw refuse('energyOfOldMonths');
  }
}

const treeChanged = () => refuse('treeChanged', {}, { field: 'parentDeviceId' });

const explain = (database: Database, { siteId = '', externalId = '' }: DeviceChange) =>
  refuseViolation({
    async devices_external_id_key() {
      const owner = await findOwnerOfExternalId(database, externalId);
      return refuse(
        'externalIdTaken',
        {
          externalId,
          owner:
            owner === null
              ? message('anotherDevice')
              : message('deviceOfSite', { name: owner.name, site: owner.siteName }),
        },
        { field: 'externalId' },
      );
    },
    devices_parent_fkey: treeChanged,
    devices_site_fkey: () => refuse('noSite', { id: siteId }, { field: 'siteId' }),
  });

/** How many devices are in each state now. */
export async function countDeviceStates(db: Queryable, nowMs: number): Promise<DeviceCounts> {
  return countStates((await listAllDevices(db)).map((device) => deviceState(device, nowMs)));
}
