import { type ChosenDevice, listChosenDevices } from '../db/measurements.ts';
import { listMunicipalities, type Municipality } from '../db/municipalities.ts';
import type { Database } from '../db/pool.ts';
import { findSite } from '../db/sites.ts';
import { listTariffs } from '../db/tariffs.ts';
import { found } from '../domain/errors.ts';
import { allDevices } from '../domain/scopes.ts';
import { checkTimeZone } from './municipalities.ts';
import { type CostPreview, type PreviewAsker, previewCosts } from './preview-costs.ts';
import { noMunicipality } from './violations.ts';

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

/** What the sites of a municipality would have cost in another time zone. Throws `notFound`, and `invalid` on an unknown zone. */
export async function previewTimeZone(
  database: Database,
  municipalityId: string,
  asked: string,
  asker: PreviewAsker,
): Promise<CostPreview> {
  const municipality = found(await findMunicipality(database, municipalityId), 'municipality');
  const timeZone = await checkTimeZone(database, asked);
  const places = [
    { municipalityId, timeZone: municipality.timeZone },
    { municipalityId, timeZone },
  ] as const;
  return previewPlace(database, places, (device) => device.municipalityId === municipalityId, asker);
}

type Place = Pick<ChosenDevice, 'municipalityId' | 'timeZone'>;

/** Of the devices that move from one place to another. */
async function previewPlace(
  database: Database,
  [from, to]: readonly [Place, Place],
  isMoved: (device: ChosenDevice) => boolean,
  asker: PreviewAsker,
): Promise<CostPreview> {
  const devices = (await listChosenDevices(database, allDevices)).filter(isMoved);
  const tariffs = [...(await listTariffs(database, [from.municipalityId, to.municipalityId])).values()].flat();
  const timeZones = [from.timeZone, to.timeZone];
  return previewCosts(database, { ...asker, devices, tariffs, timeZones }, { place: to });
}

const findMunicipality = async (database: Database, id: string): Promise<Municipality | null> =>
  (await listMunicipalities(database)).find((municipality) => municipality.id === id) ?? null;
