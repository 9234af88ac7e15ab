import type { Message } from '../../shared/messages.ts';
import type { SiteTableRow } from '../../shared/site-table.ts';
import { findParentProblem, type NamedTreeDevice } from '../energy/device-tree.rules.ts';
import type { EnergyRules } from '../energy/energy.rules.ts';
import { message, refuse } from '../base/errors.ts';

/** A cell with a problem; rows begin at 0. */
export interface TableProblem {
  row: number;
  field: string;
  problem: Message;
}

export interface KnownPlaces {
  sites: readonly { id: string; name: string; municipalityName: string }[];
  municipalities: readonly { id: string; name: string }[];
  devices: readonly (NamedTreeDevice & { externalId: string; siteName: string })[];
}

export interface NewDevice extends EnergyRules {
  /** The id of an existing site, or the position of a new one among the new sites. */
  site: { id: string } | { newSite: number };
  name: string;
  externalId: string;
  isActive: boolean;
  endUse: string | null;
  /** The parent device: the id of an existing one, or the position of a new one among the new devices. */
  parent: { id: string } | { newDevice: number } | null;
}

export interface TablePlan {
  newSites: { name: string; municipalityId: string }[];
  newDevices: NewDevice[];
  problems: TableProblem[];
}

/** As a spreadsheet counts its rows: the first one has the headings. */
const shownRow = (row: number) => row + 2;

/** Throws `invalid` with the first cell that has a problem. */
export function refuseProblems([first]: readonly TableProblem[]): void {
  if (first === undefined) return;
  throw refuse('rowRefused', { row: shownRow(first.row), column: first.field, problem: first.problem });
}

/** Names of sites and municipalities are compared without regard to case. */
const keyOf = (name: string) => name.toLowerCase();

/**
 * What a table of sites and devices would create, and the problem of every cell that prevents it. `rows` lacks those that could
 * not be parsed.
 */
export function planSiteTable(rows: ReadonlyMap<number, SiteTableRow>, known: KnownPlaces): TablePlan {
  const plan: TablePlan = { newSites: [], newDevices: [], problems: [] };
  const municipalities = new Map(known.municipalities.map((one) => [keyOf(one.name), one]));
  const sites = new Map(known.sites.map((one) => [keyOf(one.name), one]));
  const owners = new Map(
    known.devices.map((one) => [one.externalId, message('ownerDevice', { name: one.name, site: one.siteName })]),
  );
  const wanted: WantedParent[] = [];
  const newSites = new Map<string, { at: number; municipality: string; row: number }>();
  for (const [row, values] of rows) {
    const { site: siteName, municipality: place, name, externalId, parentExternalId, ...rest } = values;
    const reject = (field: keyof SiteTableRow, problem: Message) => plan.problems.push({ row, field, problem });
    const key = keyOf(siteName);
    const site = sites.get(key);
    let added = newSites.get(key);
    if (site !== undefined) {
      if (place !== null && keyOf(place) !== keyOf(site.municipalityName)) {
        reject('municipality', message('cellSiteElsewhere', { site: site.name, municipality: site.municipalityName }));
      }
    } else if (added !== undefined) {
      if (place !== null && keyOf(place) !== keyOf(added.municipality)) {
        reject(
          'municipality',
          message('cellOtherRowHas', { row: shownRow(added.row), municipality: added.municipality }),
        );
      }
    } else if (place === null) {
      reject('municipality', message('cellNeedsMunicipality'));
    } else {
      const municipality = municipalities.get(keyOf(place));
      if (municipality === undefined) reject('municipality', message('cellNoMunicipality', { name: place }));
      // Added anyway, so that its other rows do not report the same problem.
      added = { at: plan.newSites.length, municipality: place, row };
      newSites.set(key, added);
      plan.newSites.push({ name: siteName, municipalityId: municipality?.id ?? '' });
    }
    if (name === null && externalId === null) {
      if (site !== undefined) reject('name', message('cellSiteIsThere'));
      continue;
    }
    if (name === null) reject('name', message('cellRowHasExternalId'));
    if (externalId === null) reject('externalId', message('cellRowHasName'));
    if (externalId === null) continue;
    const owner = owners.get(externalId);
    if (owner !== undefined) reject('externalId', message('cellExternalIdTaken', { owner }));
    owners.set(externalId, message('ownerRow', { row: shownRow(row) }));
    const of = site === undefined ? { newSite: added?.at ?? 0 } : { id: site.id };
    if (parentExternalId !== null) wanted.push({ row, at: plan.newDevices.length, parentExternalId });
    plan.newDevices.push({ site: of, name: name ?? '', externalId, parent: null, ...rest });
  }
  plan.problems.push(...placeInTrees(plan.newDevices, wanted, known.devices));
  return plan;
}

type PlacedDevice = NamedTreeDevice & Pick<NewDevice, 'externalId' | 'parent'>;

interface WantedParent {
  row: number;
  /** The position of the device among the new ones. */
  at: number;
  parentExternalId: string;
}

/** Gives new devices their parents one after the other, so that the tree is valid at each step; reports the cells for which that fails. */
function placeInTrees(
  newDevices: readonly NewDevice[],
  wanted: readonly WantedParent[],
  known: KnownPlaces['devices'],
): TableProblem[] {
  const added = newDevices.map(({ site, name, externalId }, at): PlacedDevice => ({
    id: `new ${at}`,
    siteId: 'id' in site ? site.id : `new ${site.newSite}`,
    name,
    externalId,
    parentDeviceId: null,
    parent: { newDevice: at },
  }));
  const all: PlacedDevice[] = [...known.map((device) => ({ ...device, parent: { id: device.id } })), ...added];
  const byId = new Map(all.map((device) => [device.id, device]));
  const subMeters = new Map<string, PlacedDevice[]>();
  // If two rows have the same id, the first one counts.
  const byExternalId = new Map(all.toReversed().map((device) => [device.externalId, device]));
  const listUp = (device: PlacedDevice): PlacedDevice[] => {
    const parent = byId.get(device.parentDeviceId ?? '');
    return parent === undefined ? [device] : [device, ...listUp(parent)];
  };
  const listDown = (device: PlacedDevice): PlacedDevice[] => [
    device,
    ...(subMeters.get(device.id) ?? []).flatMap(listDown),
  ];
  return wanted.flatMap(({ row, at, parentExternalId }) => {
    const [device, planned, parent] = [added[at], newDevices[at], byExternalId.get(parentExternalId)];
    if (device === undefined || planned === undefined) return [];
    const reject = (problem: Message) => [{ row, field: 'parentExternalId', problem }];
    if (parent === undefined) {
      return reject(message('cellNoParent', { externalId: parentExternalId }));
    }
    if (parent.siteId !== device.siteId) {
      return reject(message('cellParentElsewhere', { externalId: parentExternalId }));
    }
    const link = { id: device.id, parentDeviceId: parent.id };
    // Only the devices that the link concerns, because a site may have thousands.
    const problem = findParentProblem([...listUp(parent), ...listDown(device)], link);
    if (problem !== null) return reject(problem);
    device.parentDeviceId = parent.id;
    subMeters.set(parent.id, [...(subMeters.get(parent.id) ?? []), device]);
    planned.parent = parent.parent;
    return [];
  });
}
