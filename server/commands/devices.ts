import { randomUUIDv7 } from 'node:crypto';
import {
  countMeasurements,
  deleteDevice,
  type Device,
  type DeviceValues,
  findDevice,
  findDeviceNumber,
  findOwnerOfExternalId,
  insertDevice,
  listSubMeterNames,
  listTreeOfSite,
  lockDevice,
  lockIngestExclusively,
  lockTrees,
  updateDevice,
} from '../db/devices.ts';
import { deleteDirtyRanges, listReadingSpans, lockReadingSpans, markStoredDaysDirty } from '../db/dirty-ranges.ts';
import type { Database, Queryable, Transaction } from '../db/pool.ts';
import { findSite } from '../db/sites.ts';
import { refuseParent } from '../domain/device-tree.ts';
import { hasSameRules } from '../domain/energy.ts';
import { DomainError, found } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { type Changing, makeChange, type RecordChange } from './audit.ts';
import { clearDeletedDevice } from './deleted-devices.ts';
import { retryBusy } from './retry-busy.ts';
import { refuseViolation } from './violations.ts';

/** Counting stops here; the message only has to say that there are measurements. */
const maxCounted = 10_000;

/** Adds a device. Throws `invalid` on an unknown site or parent, `conflict` on a taken external id. */
export async function createDevice(changing: Changing, values: DeviceValues): Promise<Device> {
  const create = makeChange(changing, (tx, recordChange) => addDevice(tx, recordChange, values));
  return create.catch(explain(changing.database, values));
}

/** Within a transaction. Violates the constraints of `insertDevice`. */
export async function addDevice(tx: Transaction, recordChange: RecordChange, values: DeviceValues): Promise<Device> {
  const id = randomUUIDv7();
  await judgeParent(tx, null, values);
  await insertDevice(tx, id, values);
  const created = found(await findDevice(tx, id), 'device');
  await recordChange('device.create', { id, name: created.name, after: await shownOf(tx, created) });
  return created;
}

/** Fields that are absent or undefined stay as they are. */
export type DeviceChange = Pick<DeviceValues, 'siteId' | 'name' | 'externalId'> & {
  [Field in keyof DeviceValues]?: DeviceValues[Field] | undefined;
};

/** Changes a device; its measurements move with it, and their energy follows its settings. Throws `notFound`, and what `createDevice` and `refuse` throw. */
export async function changeDevice(
  changing: Changing,
  id: string,
  change: DeviceChange,
  refuse: Precondition<Device>,
): Promise<Device> {
  return makeChange(changing, replacing(id, change, refuse)).catch(explain(changing.database, change));
}

/** Within a transaction. Violates the constraints of `updateDevice`. */
const replacing =
  (id: string, change: DeviceChange, refuse: Precondition<Device>) =>
  async (tx: Transaction, recordChange: RecordChange): Promise<Device> => {
    // Before the device, as everybody who takes both.
    if ((change.parentDeviceId ?? null) !== null) await lockTrees(tx);
    // Read under the lock, so that nobody changes the rules in between.
    await lockDevice(tx, id);
    const before = found(await findDevice(tx, id), 'device');
    refuse(before);
    const { isActive, energySource, ratedPowerKw, registerMaxKwh, expectedIntervalSeconds, parentDeviceId } = change;
    const after: DeviceValues = {
      siteId: change.siteId,
      name: change.name,
      externalId: change.externalId,
      isActive: isActive ?? before.isActive,
      energySource: energySource ?? before.energySource,
      ratedPowerKw: ratedPowerKw === undefined ? before.ratedPowerKw : ratedPowerKw,
      registerMaxKwh: registerMaxKwh === undefined ? before.registerMaxKwh : registerMaxKwh,
      expectedIntervalSeconds:
        expectedIntervalSeconds === undefined ? before.expectedIntervalSeconds : expectedIntervalSeconds,
      parentDeviceId: parentDeviceId === undefined ? before.parentDeviceId : parentDeviceId,
    };
    await refuseMove(tx, before, after, parentDeviceId);
    if (after.parentDeviceId !== before.parentDeviceId || after.siteId !== before.siteId)
      await judgeParent(tx, id, after);
    const shownBefore = await shownOf(tx, before);
    await updateDevice(tx, id, after);
    await recordChange('device.change', {
      id,
      name: before.name,
      before: shownBefore,
      after: await shownOf(tx, after),
    });
    const deviceNumber = await findDeviceNumber(tx, id);
    if (deviceNumber !== null && !hasSameRules(before, after)) {
      // Under this lock nobody materializes by the old rules, and later ones see the new rules.
      await lockReadingSpans(tx, [deviceNumber], { skip: false });
      await markStoredDaysDirty(tx, deviceNumber);
    }
    return found(await findDevice(tx, id), 'device');
  };

/** What several devices become at once; what is left out stays as it is. */
export interface SharedChange {
  siteId?: string | undefined;
  isActive?: boolean | undefined;
}

/** Moves several devices, switches them on or off: all of them or none. Throws what `changeDevice` does. */
export async function changeDevices(
  changing: Changing,
  ids: readonly string[],
  { siteId, isActive }: SharedChange,
): Promise<number> {
  const own = [...new Set(ids)].toSorted();
  const change = makeChange(changing, async (tx, recordChange) => {
    // In the order of their ids, so that two who change the same ones wait for each other.
    for (const id of own) {
      await lockDevice(tx, id);
      const before = found(await findDevice(tx, id), 'device');
      const { name, externalId } = before;
      await replacing(
        id,
        { siteId: siteId ?? before.siteId, name, externalId, isActive },
        () => undefined,
      )(tx, recordChange);
    }
    return own.length;
  });
  return change.catch(explain(changing.database, { siteId: siteId ?? '', externalId: '' }));
}

/** Throws `invalid` where a device (null: a new one) cannot measure a part of its parent. */
async function judgeParent(
  tx: Transaction,
  id: string | null,
  { siteId, parentDeviceId }: Pick<DeviceValues, 'siteId' | 'parentDeviceId'>,
): Promise<void> {
  if (parentDeviceId === null) return;
  await lockTrees(tx);
  refuseParent(await listTreeOfSite(tx, siteId), { id, parentDeviceId });
}

/** A tree stays in its site: throws `conflict` where a device is to leave its sub-meters or its parent behind. */
async function refuseMove(
  tx: Transaction,
  before: Device,
  after: DeviceValues,
  parentDeviceId: string | null | undefined,
): Promise<void> {
  if (after.siteId === before.siteId) return;
  await refuseIfParent(tx, before.id, 'move');
  if (parentDeviceId !== undefined || before.parentDeviceId === null) return;
  const parent = await findDevice(tx, before.parentDeviceId);
  throw new DomainError(
    'conflict',
    `parentDeviceId: the device measures a part of "${parent?.name ?? ''}" of its site; send null, or a device of the other site, to move it.`,
  );
}

/** Throws `conflict` while other devices measure a part of a device. */
async function refuseIfParent(db: Queryable, id: string, verb: 'move' | 'delete'): Promise<void> {
  const names = (await listSubMeterNames(db, id)).map((name) => `"${name}"`);
  if (names.length === 0) return;
  const more = names.length > listedNames ? ` and ${names.length - listedNames} more` : '';
  throw new DomainError(
    'conflict',
    `parentDeviceId: ${names.slice(0, listedNames).join(', ')}${more} ${names.length === 1 ? 'measures' : 'measure'} a part of the device; let them measure a part of another one, or of none, to ${verb} it.`,
  );
}

const listedNames = 3;

/** What the audit trail shows of a device: the names of its site and of its parent in the place of their ids. */
async function shownOf(tx: Transaction, { siteId, parentDeviceId, ...values }: DeviceValues): Promise<object> {
  const partOf = parentDeviceId === null ? {} : { partOf: (await findDevice(tx, parentDeviceId))?.name };
  const { name, externalId, isActive, energySource, ratedPowerKw, registerMaxKwh, expectedIntervalSeconds } = values;
  const siteName = (await findSite(tx, siteId))?.name;
  const limits = { energySource, ratedPowerKw, registerMaxKwh, expectedIntervalSeconds };
  return { name, siteName, externalId, isActive, ...partOf, ...limits };
}

/** The greatest part of what a device leaves behind that whoever deletes it waits for; the maintenance takes away the rest. */
const maxClearingSteps = 10;

/**
 * Deletes a device: it is gone for everybody at once, and its measurements, energy and flags are taken away in steps. Throws
 * `notFound`, `conflict` while other devices measure a part of it, and without `withMeasurements` while it has measurements.
 */
export async function removeDevice(
  changing: Changing,
  id: string,
  { withMeasurements }: { withMeasurements: boolean },
): Promise<void> {
  const { database } = changing;
  const judge = async (db: Queryable) => {
    const deviceNumber = found(await findDeviceNumber(db, id), 'device');
    await refuseIfParent(db, id, 'delete');
    if (!withMeasurements) await refuseIfMeasured(db, deviceNumber);
    return deviceNumber;
  };
  // First without the lock, so that a refusal never delays an ingest.
  const known = await judge(database);
  const deviceNumber = await retryBusy(() =>
    makeChange(changing, async (tx, recordChange) => {
      // Whoever materializes its readings is done before, and not while ingests wait.
      await lockReadingSpans(tx, [known], { skip: false });
      await lockIngestExclusively(tx);
      const deviceNumber = await judge(tx);
      const before = found(await findDevice(tx, id), 'device');
      await recordChange('device.delete', { id, name: before.name, before: await shownOf(tx, before) });
      await deleteDirtyRanges(tx, deviceNumber);
      await deleteDevice(tx, deviceNumber);
      return deviceNumber;
    }),
  ).catch(refuseViolation({ devices_parent_fkey: treeChanged }));
  // The device is gone whatever happens now; the maintenance takes away what is left of it, and says what keeps it from that.
  await clearDeletedDevice(database, deviceNumber, { maxSteps: maxClearingSteps }).catch(() => undefined);
}

async function refuseIfMeasured(db: Queryable, deviceNumber: number): Promise<void> {
  const count = await countMeasurements(db, deviceNumber, maxCounted + 1);
  if (count > 0) {
    const shown = count > maxCounted ? `more than ${maxCounted.toLocaleString('en')}` : count.toLocaleString('en');
    const measurements = count === 1 ? 'measurement' : 'measurements';
    throw new DomainError(
      'conflict',
      `The device has ${shown} ${measurements}, which would be lost; switch it off instead, or delete it with ?withMeasurements=true.`,
    );
  }
  const spans = await listReadingSpans(db, [deviceNumber]);
  const { any = null } = spans.get(deviceNumber) ?? {};
  if (any !== null) {
    throw new DomainError(
      'conflict',
      'The device has energy of months whose measurements are no longer kept, which would be lost; switch it off instead, or delete it with ?withMeasurements=true.',
    );
  }
}

const treeChanged = () =>
  new DomainError('conflict', 'parentDeviceId: the tree of the site was changed meanwhile; look again.');

const explain = (database: Database, { siteId, externalId }: Pick<DeviceValues, 'siteId' | 'externalId'>) =>
  refuseViolation({
    async devices_external_id_key() {
      const owner = await findOwnerOfExternalId(database, externalId);
      const who = owner === null ? 'another device' : `the device "${owner.name}" of the site "${owner.siteName}"`;
      return new DomainError('conflict', `externalId: "${externalId}" belongs to ${who}; each device needs its own.`);
    },
    devices_parent_fkey: treeChanged,
    devices_site_fkey: () =>
      new DomainError('invalid', `siteId: there is no site ${siteId}; choose one of GET /api/sites.`),
  });
