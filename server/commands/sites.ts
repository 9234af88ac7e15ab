import { randomUUIDv7 } from 'node:crypto';
import {
  countDevicesOfSite,
  deleteSite,
  findSite,
  insertSite,
  lockSite,
  type Site,
  type SiteValues,
  updateSite,
} from '../db/sites.ts';
import { found } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { type Changing, recordChange } from './audit.ts';
import { nameTaken, noMunicipality, refuseViolation, refuseWhileUsed } from './violations.ts';

/** Adds a site. Throws `invalid` on an unknown municipality, `conflict` on a taken name. */
export async function createSite({ database, by }: Changing, values: SiteValues): Promise<Site> {
  const id = randomUUIDv7();
  const created = await database.transaction(async (tx) => {
    await insertSite(tx, id, values).catch(explain(values));
    return found(await findSite(tx, id), 'site');
  });
  recordChange(by, 'site.create', id);
  return created;
}

/** Changes a site. Throws `notFound`, what `createSite` throws, and what `refuse` throws of the site as it was. */
export async function changeSite(
  { database, by }: Changing,
  id: string,
  values: SiteValues,
  refuse: Precondition<Site>,
): Promise<Site> {
  const changed = await database.transaction(async (tx) => {
    await lockSite(tx, id);
    refuse(found(await findSite(tx, id), 'site'));
    await updateSite(tx, id, values).catch(explain(values));
    return found(await findSite(tx, id), 'site');
  });
  recordChange(by, 'site.change', id);
  return changed;
}

/** Deletes a site. Throws `notFound`, and `conflict` while it has devices. */
export async function removeSite({ database, by }: Changing, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    found(await lockSite(tx, id), 'site');
    refuseWhileUsed('site', await countDevicesOfSite(tx, id), 'device');
    await deleteSite(tx, id);
  });
  recordChange(by, 'site.delete', id);
}

const explain = ({ name, municipalityId }: SiteValues) =>
  refuseViolation({
    sites_name_key: () => nameTaken('a site', name),
    sites_municipality_fkey: () => noMunicipality(municipalityId),
  });
