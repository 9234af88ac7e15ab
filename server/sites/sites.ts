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
} from './sites.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { deleteLeftRemarks } from './report-remarks.sql.ts';
import { found, type Precondition } from '../base/errors.ts';
import { type Changing, makeChange, type RecordChange } from '../accounts/audit.ts';
import { nameTaken, noMunicipality, refuseViolation, refuseWhileUsed } from '../database/errors.ts';

/** Adds a site. Throws `invalid` on an unknown municipality, `conflict` on a taken name. */
export async function createSite(changing: Changing, values: SiteValues): Promise<Site> {
  return makeChange(changing, (tx, recordChange) => addSite(tx, recordChange, values).catch(explain(values)));
}

/** Within a transaction. Violates the constraints of `insertSite`. */
export async function addSite(tx: Transaction, recordChange: RecordChange, values: SiteValues): Promise<Site> {
  const id = randomUUIDv7();
  await insertSite(tx, id, values);
  const created = found(await findSite(tx, id), 'site');
  await recordChange('site.create', { id, name: created.name, after: shownOf(created) });
  return created;
}

/** Changes a site. Throws `notFound`, what `createSite` throws, and what `checkVersion` throws of the site as it was. */
export async function changeSite(
  changing: Changing,
  id: string,
  values: SiteValues,
  checkVersion: Precondition<Site>,
): Promise<Site> {
  return makeChange(changing, async (tx, recordChange) => {
    await lockSite(tx, id);
    const before = found(await findSite(tx, id), 'site');
    checkVersion(before);
    await updateSite(tx, id, values).catch(explain(values));
    const after = found(await findSite(tx, id), 'site');
    await recordChange('site.change', { id, name: before.name, before: shownOf(before), after: shownOf(after) });
    return after;
  });
}

/** Deletes a site. Throws `notFound`, `conflict` while it has devices, and what `checkVersion` throws of the site as it was. */
export async function removeSite(changing: Changing, id: string, checkVersion: Precondition<Site>): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    await lockSite(tx, id);
    const before = found(await findSite(tx, id), 'site');
    checkVersion(before);
    refuseWhileUsed('site', await countDevicesOfSite(tx, id));
    await deleteSite(tx, id);
    await deleteLeftRemarks(tx, id);
    await recordChange('site.delete', { id, name: before.name, before: shownOf(before) });
  });
}

const shownOf = ({ name, municipalityName }: Site) => ({ name, municipalityName });

const explain = ({ name, municipalityId }: SiteValues) =>
  refuseViolation({
    sites_name_key: () => nameTaken('aSite', name),
    sites_municipality_fkey: () => noMunicipality(municipalityId),
  });
