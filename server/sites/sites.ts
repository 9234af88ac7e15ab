import { randomUUIDv7 } from 'node:crypto';
import type { Site, SiteWrite } from '../../shared/sites.ts';
import type { Transaction, Database } from '../database/pool.ts';
import { found } from '../base/errors.ts';
import { changesOf, type Changing, makeChange, type RecordChange } from '../accounts/audit.ts';
import { nameTaken, noMunicipality, refuseViolation, refuseWhileUsed } from '../database/errors.ts';
import { type CostPreview, type PreviewAsker, findMunicipality, previewPlace } from '../rates/previews.ts';
import { countDevicesOfSite, deleteSite, findSite, insertSite, lockSite, updateSite } from './sites.sql.ts';
import { deleteLeftRemarks } from './report-remarks.sql.ts';

/** Adds a site. Throws `invalid` on an unknown municipality, `conflict` on a taken name. */
export async function createSite(changing: Changing, values: SiteWrite): Promise<Site> {
  return makeChange(changing, (tx, recordChange) => addSite(tx, recordChange, values).catch(explain(values)));
}

/** Within a transaction. Violates the constraints of `insertSite`. */
export async function addSite(tx: Transaction, recordChange: RecordChange, values: SiteWrite): Promise<Site> {
  const id = randomUUIDv7();
  await insertSite(tx, id, values);
  const created = found(await findSite(tx, id), 'site');
  await recordChange('site.create', { id, name: created.name, after: shownOf(created) });
  return created;
}

const shownOf = ({ name, municipalityName }: Site) => ({ name, municipalityName });
const lock = async (tx: Transaction, id: string) => ((await lockSite(tx, id)) ? findSite(tx, id) : null);
const sites = changesOf<Site>({ kind: 'site', what: 'site', lock, nameOf: ({ name }) => name, shownOf });

/** Changes a site. Throws `notFound`, what `createSite` throws, and what `checkVersion` throws of the site as it was. */
export const changeSite = sites.changer(async (tx, id, values: SiteWrite) => {
  await updateSite(tx, id, values).catch(explain(values));
  return found(await findSite(tx, id), 'site');
});

/** Deletes a site. Throws `notFound`, `conflict` while it has devices, and what `checkVersion` throws of the site as it was. */
export const removeSite = sites.remover(async (tx, id) => {
  refuseWhileUsed('site', await countDevicesOfSite(tx, id));
  await deleteSite(tx, id);
  await deleteLeftRemarks(tx, id);
});

const explain = ({ name, municipalityId }: SiteWrite) =>
  refuseViolation({
    sites_name_key: () => nameTaken('aSite', name),
    sites_municipality_fkey: () => noMunicipality(municipalityId),
  });

/**
 * What a site would have cost in another municipality, whose tariffs and time zone apply to its past too. Throws `notFound`, and
 * `invalid` on an unknown municipality.
 */
export async function previewSite(
  database: Database,
  siteId: string,
  municipalityId: string,
  asker: PreviewAsker,
): Promise<CostPreview> {
  const site = found(await findSite(database, siteId), 'site');
  const next = await findMunicipality(database, municipalityId);
  if (next === null) throw noMunicipality(municipalityId);
  return previewPlace(
    database,
    [site, { municipalityId, timeZone: next.timeZone }],
    (device) => device.siteId === siteId,
    asker,
  );
}
