import { randomUUIDv7 } from 'node:crypto';
import { violatedConstraint } from '../db/pool.ts';
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
import { DomainError, notFound } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { type Changing, recordChange } from './audit.ts';

/** Adds a site. Throws `invalid` on an unknown municipality, `conflict` on a taken name. */
export async function createSite({ database, by }: Changing, values: SiteValues): Promise<Site> {
  const id = randomUUIDv7();
  const created = await database.transaction(async (tx) => {
    await insertSite(tx, id, values).catch(explain(values));
    return found(await findSite(tx, id));
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
    if (!(await lockSite(tx, id))) throw notFound('site');
    refuse(found(await findSite(tx, id)));
    await updateSite(tx, id, values).catch(explain(values));
    return found(await findSite(tx, id));
  });
  recordChange(by, 'site.change', id);
  return changed;
}

/** Deletes a site. Throws `notFound`, and `conflict` while it has devices. */
export async function removeSite({ database, by }: Changing, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockSite(tx, id))) throw notFound('site');
    const count = await countDevicesOfSite(tx, id);
    if (count > 0) {
      const devices = count === 1 ? '1 device' : `${count} devices`;
      throw new DomainError('conflict', `The site has ${devices}; move or delete them first.`);
    }
    await deleteSite(tx, id);
  });
  recordChange(by, 'site.delete', id);
}

function found(site: Site | null): Site {
  if (site === null) throw notFound('site');
  return site;
}

const explain = (values: SiteValues) => (error: unknown) => {
  switch (violatedConstraint(error)) {
    case 'sites_name_key':
      throw new DomainError('conflict', `name: there is already a site named "${values.name}"; choose another name.`);
    case 'sites_municipality_fkey':
      throw new DomainError(
        'invalid',
        `municipalityId: there is no municipality ${values.municipalityId}; choose one of GET /api/rates.`,
      );
    default:
      throw error;
  }
};
