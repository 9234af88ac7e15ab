import type { Message } from '../../shared/messages.ts';
import { message, refuseField } from '../base/errors.ts';

/** Levels of meters below each other, the main meter's included. */
export const maxTreeLevels = 8;

/** A device and its main meter, which is a device of the same site. */
export interface TreeDevice {
  id: string;
  siteId: string;
  parentDeviceId: string | null;
}

/** The position of a device among those in a query (docs/energy.md, "Main meters and sub-meters"). */
export interface TreePlace {
  /** The nearest ancestor in the same query, whose energy includes that of this device; null if it counts on its own. */
  countedIn: string | null;
  /** The number of its direct sub-meters, whether they are in the query or not. */
  subMeterCount: number;
}

/** Places devices in the tree of their site. `linked` must contain at least every device that has a main meter. */
export function placeInTree<Device extends TreeDevice>(
  asked: readonly Device[],
  linked: readonly TreeDevice[],
): (Device & TreePlace)[] {
  const known = new Map([...linked, ...asked].map((device) => [device.id, device]));
  const isAsked = new Set(asked.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const device of known.values()) {
    const parentId = findParentId(device, known);
    if (parentId !== null) counts.set(parentId, (counts.get(parentId) ?? 0) + 1);
  }
  return asked.map((device) => ({
    ...device,
    countedIn: listAncestors(device, known).find((id) => isAsked.has(id)) ?? null,
    subMeterCount: counts.get(device.id) ?? 0,
  }));
}

/** Ignores a main meter at another site, which a Client may have sent to its fleet. */
function findParentId({ siteId, parentDeviceId }: TreeDevice, known: ReadonlyMap<string, TreeDevice>): string | null {
  const parent = known.get(parentDeviceId ?? '');
  return parent === undefined || parent.siteId === siteId ? parentDeviceId : null;
}

/** The ancestors of a device, from its parent upwards. None if there are more levels than a tree may have, as in a cycle. */
function listAncestors(device: TreeDevice, known: ReadonlyMap<string, TreeDevice>): string[] {
  const ancestors: string[] = [];
  for (let at: TreeDevice | undefined = device; at !== undefined;) {
    const parentId = findParentId(at, known);
    if (parentId === null) break;
    ancestors.push(parentId);
    if (ancestors.length >= maxTreeLevels) return [];
    at = known.get(parentId);
  }
  return ancestors;
}

export type NamedTreeDevice = TreeDevice & { name: string };

interface WantedParent {
  /** Null for a new device. */
  id: string | null;
  parentDeviceId: string;
}

/** Throws `invalid` if a device cannot be a sub-meter of the wanted main meter. */
export function refuseParent(ofSite: readonly NamedTreeDevice[], wanted: WantedParent): void {
  const problem = findParentProblem(ofSite, wanted);
  if (problem !== null) throw refuseField('parentDeviceId', problem);
}

/** The reason why a device cannot be a sub-meter of another one of its site; null if it can. */
export function findParentProblem(
  ofSite: readonly NamedTreeDevice[],
  { id, parentDeviceId }: WantedParent,
): Message | null {
  const known = new Map(ofSite.map((device) => [device.id, device]));
  const parent = known.get(parentDeviceId);
  if (parent === undefined) {
    return message('noDeviceInSite', { id: parentDeviceId });
  }
  if (parentDeviceId === id) return message('partOfItself');
  const above = [parentDeviceId, ...listAncestors(parent, known)];
  if (id !== null && above.includes(id)) {
    return message('partOfCircle', { name: parent.name });
  }
  const levels = above.length + (id === null ? 1 : countLevels(id, ofSite));
  return levels > maxTreeLevels ? message('tooManyLevels', { levels, max: maxTreeLevels }) : null;
}

/** The levels from a device down, its own included. */
function countLevels(id: string, devices: readonly TreeDevice[]): number {
  const children = devices.filter(({ parentDeviceId }) => parentDeviceId === id);
  return 1 + Math.max(0, ...children.map((child) => countLevels(child.id, devices)));
}

/** What a device measured in a range. */
export interface MeasuredEnergy {
  importedKwh: number;
  exportedKwh: number;
}

/** The tolerance when meters of one class are compared: 2 %, or the last digit of a register. */
const toleranceShare = 0.02;
const leastToleranceKwh = 0.1;

export interface MeterBalance {
  /** The energy of the meter that no sub-meter measured: its import minus export, less that of its sub-meters. */
  notSubMeteredKwh: number;
  /** Whether its sub-meters measured more than it did, beyond the tolerance. */
  isExceeded: boolean;
  subMeters: readonly string[];
}

/** The balance, by id, of each meter whose sub-meters are all in the query. */
export function listBalances<Device extends TreeDevice & TreePlace>(
  devices: readonly Device[],
  energyOf: (device: Device) => MeasuredEnergy,
): Map<string, MeterBalance> {
  const bySuperior = Map.groupBy(devices, (device) => device.countedIn);
  return new Map(
    devices.flatMap((device) => {
      const { id, subMeterCount } = device;
      const own = (bySuperior.get(id) ?? []).filter(({ parentDeviceId }) => parentDeviceId === id);
      if (subMeterCount === 0 || own.length < subMeterCount) return [];
      const measured = own.map(energyOf);
      const netKwh = measured.reduce((sum, one) => sum + netOf(one), 0);
      const throughputKwh = measured.reduce((sum, { importedKwh, exportedKwh }) => sum + importedKwh + exportedKwh, 0);
      const notSubMeteredKwh = netOf(energyOf(device)) - netKwh;
      const isExceeded = -notSubMeteredKwh > Math.max(leastToleranceKwh, throughputKwh * toleranceShare);
      return [[id, { notSubMeteredKwh, isExceeded, subMeters: own.map((one) => one.id) }] as const];
    }),
  );
}

/** The balances that do not close: the sub-meters measured more than their main meter, or some readings are missing. */
export const listOpenBalances = <Device extends TreeDevice>(
  devices: readonly Device[],
  balances: ReadonlyMap<string, MeterBalance>,
  missingSlots: ReadonlyMap<string, number>,
) =>
  devices.flatMap((device) => {
    const balance = balances.get(device.id);
    if (balance === undefined) return [];
    const missing = [device.id, ...balance.subMeters].reduce((sum, id) => sum + (missingSlots.get(id) ?? 0), 0);
    return balance.isExceeded || missing > 0 ? [{ ...balance, device, missingSlots: missing }] : [];
  });

const netOf = ({ importedKwh, exportedKwh }: MeasuredEnergy) => importedKwh - exportedKwh;

/** Whether a device counts in sums. It does unless its energy is included in that of another device. */
export const addsUp = ({ countedIn }: { countedIn: string | null }): boolean => countedIn === null;
