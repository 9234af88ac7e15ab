import { findParentProblem, type NamedTreeDevice } from './device-tree.ts';
import type { EnergyRules } from './energy.ts';
import { DomainError } from './errors.ts';

/** A row of a table of sites and devices; without a name and an external id it is only a site. */
export interface TableRow extends EnergyRules {
  site: string;
  municipality: string | null;
  name: string | null;
  externalId: string | null;
  isActive: boolean;
  /** The external id of the parent device, of which it measures a part. */
  parentExternalId: string | null;
  endUse: string | null;
}

/** A cell with a problem; rows begin at 0. */
export interface TableProblem {
  row: number;
  field: string;
  message: string;
}

/** What exists already. */
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

/** Throws `invalid` with the first cell that cannot be taken. */
export function refuseProblems([first]: readonly TableProblem[]): void {
  if (first === undefined) return;
  throw new DomainError(
    'invalid',
    `Row ${shownRow(first.row)}, ${first.field}: ${first.message}. Nothing was created.`,
  );
}

/** Names of sites and municipalities are compared without regard to case. */
const keyOf = (name: string) => name.toLowerCase();

/**
 * What a table of sites and devices would create, and the problem of every cell that prevents it. `rows` lacks those that could
 * not be parsed.
 */
export function planSiteTable(rows: ReadonlyMap<number, TableRow>, known: KnownPlaces): TablePlan {
  const plan: TablePlan = { newSites: [], newDevices: [], problems: [] };
  const municipalities = new Map(known.municipalities.map((one) => [keyOf(one.name), one]));
  const sites = new Map(known.sites.map((one) => [keyOf(one.name), one]));
  const owners = new Map(known.devices.map((one) => [one.externalId, `the device "${one.name}" of "${one.siteName}"`]));
  const wanted: WantedParent[] = [];
  const newSites = new Map<string, { at: number; municipality: string; row: number }>();
  for (const [row, values] of rows) {
    const { site: siteName, municipality: place, name, externalId, parentExternalId, ...rest } = values;
    const refuse = (field: keyof TableRow, message: string) => plan.problems.push({ row, field, message });
    const key = keyOf(siteName);
    const site = sites.get(key);
    let added = newSites.get(key);
    if (site !== undefined) {
      if (place !== null && keyOf(place) !== keyOf(site.municipalityName)) {
        refuse(
          'municipality',
          `the site "${site.name}" is in ${site.municipalityName}; leave it empty or change the site`,
        );
      }
    } else if (added !== undefined) {
      if (place !== null && keyOf(place) !== keyOf(added.municipality)) {
        refuse('municipality', `row ${shownRow(added.row)} has ${added.municipality} for this site`);
      }
    } else if (place === null) {
      refuse('municipality', 'a new site needs one; it is the name of a municipality under Rates');
    } else {
      const municipality = municipalities.get(keyOf(place));
      if (municipality === undefined) refuse('municipality', `there is no municipality "${place}"; create it first`);
      // Added anyway, so that its other rows do not report the same problem.
      added = { at: plan.newSites.length, municipality: place, row };
      newSites.set(key, added);
      plan.newSites.push({ name: siteName, municipalityId: municipality?.id ?? '' });
    }
    if (name === null && externalId === null) {
      if (site !== undefined) refuse('name', 'must not be empty: the site is there already');
      continue;
    }
    if (name === null) refuse('name', 'must not be empty: the row has an external ID');
    if (externalId === null) refuse('externalId', 'must not be empty: the row has a name');
    if (externalId === null) continue;
    const owner = owners.get(externalId);
    if (owner !== undefined) refuse('externalId', `belongs to ${owner}; each device needs its own`);
    owners.set(externalId, `row ${shownRow(row)}`);
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
  // Of two with the same id the first counts.
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
    const refuse = (message: string) => [{ row, field: 'parentExternalId', message }];
    if (parent === undefined) {
      return refuse(
        `no device has the external ID "${parentExternalId}", neither here nor in the table; it takes that of a device, not its name`,
      );
    }
    if (parent.siteId !== device.siteId) {
      return refuse(`"${parentExternalId}" is in another site; choose a device of the same site`);
    }
    const link = { id: device.id, parentDeviceId: parent.id };
    // Only the devices that the link concerns, because a site may have thousands.
    const problem = findParentProblem([...listUp(parent), ...listDown(device)], link);
    if (problem !== null) return refuse(problem);
    device.parentDeviceId = parent.id;
    subMeters.set(parent.id, [...(subMeters.get(parent.id) ?? []), device]);
    planned.parent = parent.parent;
    return [];
  });
}
