import type { Database } from '../database/pool.ts';
import { findSite } from './sites.sql.ts';
import { found } from '../base/errors.ts';
import { type CostPreview, findMunicipality, type PreviewAsker, previewPlace } from '../rates/previews.ts';
import { noMunicipality } from '../database/errors.ts';

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
