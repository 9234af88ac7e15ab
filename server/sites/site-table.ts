import type { SiteTableRow } from '../../shared/site-table.ts';
import { listMunicipalities } from '../rates/tariffs.sql.ts';
import type { Queryable } from '../database/pool.ts';
import { refuse } from '../base/errors.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { refuseViolation } from '../database/errors.ts';
import { listDevicesWithSites, lockTrees } from './devices.sql.ts';
import { listSites } from './sites.sql.ts';
import { type NewDevice, planSiteTable, refuseProblems, type TablePlan } from './site-table.rules.ts';
import { addDevice } from './devices.ts';
import { addSite } from './sites.ts';

export async function planTable(db: Queryable, rows: ReadonlyMap<number, SiteTableRow>): Promise<TablePlan> {
  const [sites, municipalities, devices] = [
    await listSites(db),
    await listMunicipalities(db),
    await listDevicesWithSites(db),
  ];
  return planSiteTable(rows, { sites, municipalities, devices });
}

/**
 * Creates everything in a table or nothing. Throws `invalid` with the first cell that has a problem, `conflict` if a concurrent
 * change got in the way.
 */
export async function createSiteTable(
  changing: Changing,
  rows: ReadonlyMap<number, SiteTableRow>,
): Promise<{ sites: number; devices: number }> {
  const somebodyWasQuicker = () => refuse('tableMeanwhile');
  const create = makeChange(changing, async (tx, recordChange) => {
    // Locked before any row, in the order in which everyone locks both.
    if ([...rows.values()].some(({ parentExternalId }) => parentExternalId !== null)) await lockTrees(tx);
    const { newSites, newDevices, problems } = await planTable(tx, rows);
    refuseProblems(problems);
    const siteIds: string[] = [];
    for (const site of newSites) siteIds.push((await addSite(tx, recordChange, site)).id);
    const deviceIds = new Map<NewDevice, string>();
    /** A parent is added before its sub-meters, wherever it is in the table. */
    const add = async (planned: NewDevice): Promise<string> => {
      const { site, parent, ...device } = planned;
      const known = deviceIds.get(planned);
      if (known !== undefined) return known;
      const siteId = 'id' in site ? site.id : (siteIds[site.newSite] ?? '');
      const above = parent !== null && 'newDevice' in parent ? newDevices[parent.newDevice] : undefined;
      const parentDeviceId =
        parent !== null && 'id' in parent ? parent.id : above === undefined ? null : await add(above);
      const { id } = await addDevice(tx, recordChange, { ...device, siteId, parentDeviceId });
      deviceIds.set(planned, id);
      return id;
    };
    for (const device of newDevices) await add(device);
    return { sites: newSites.length, devices: newDevices.length };
  });
  return create.catch(
    refuseViolation({
      sites_name_key: somebodyWasQuicker,
      sites_municipality_fkey: somebodyWasQuicker,
      devices_external_id_key: somebodyWasQuicker,
      devices_site_fkey: somebodyWasQuicker,
      devices_parent_fkey: somebodyWasQuicker,
    }),
  );
}
