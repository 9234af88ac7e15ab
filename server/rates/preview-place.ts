import { type ChosenDevice, listChosenDevices } from '../energy/measurements.sql.ts';
import { listMunicipalities, type Municipality } from './municipalities.sql.ts';
import type { Database } from '../database/pool.ts';
import { listTariffs } from './tariffs.sql.ts';
import { found } from '../base/errors.ts';
import { allDevices } from '../base/scopes.ts';
import { checkTimeZone } from './municipalities.ts';
import { type CostPreview, type PreviewAsker, previewCosts } from './preview-costs.ts';

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
export async function previewPlace(
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

export const findMunicipality = async (database: Database, id: string): Promise<Municipality | null> =>
  (await listMunicipalities(database)).find((municipality) => municipality.id === id) ?? null;
