import { listChosenDevices } from '../energy/measurements.sql.ts';
import { listMunicipalities } from './municipalities.sql.ts';
import type { Database } from '../database/pool.ts';
import { listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import { found, refuse } from '../base/errors.ts';
import { allDevices } from '../base/scopes.ts';
import { type CostPreview, type PreviewAsker, previewCosts } from './preview-costs.ts';
import { identifyTariff, refuseSameStart, type TariffValues } from './tariffs.ts';
import { noMunicipality } from '../database/violations.ts';

export interface TariffWriteAsked {
  /** Null for a new tariff. */
  id: string | null;
  /** Null for a tariff to be deleted. */
  values: TariffValues | null;
}

/**
 * What would change in the months that are measured already if tariffs were stored or deleted; nothing is written. Throws what
 * the writes throw: `notFound`, and `invalid` or `conflict` as `createTariff` has them.
 */
export async function previewTariffs(
  database: Database,
  writes: readonly TariffWriteAsked[],
  asker: PreviewAsker,
): Promise<CostPreview> {
  const stored = [...(await listTariffs(database, null)).values()].flat();
  const municipalities = new Map((await listMunicipalities(database)).map((one) => [one.id, one]));
  const [before, next] = readWrites(writes, stored);
  const kept = stored.filter((tariff) => !before.includes(tariff));
  for (const tariff of next) {
    if (!municipalities.has(tariff.municipalityId)) throw noMunicipality(tariff.municipalityId);
    refuseSameStart(tariff, [...kept, ...next]);
  }
  const touched = new Set([...before, ...next].map((tariff) => tariff.municipalityId));
  const devices = (await listChosenDevices(database, allDevices)).filter((one) => touched.has(one.municipalityId));
  const timeZones = [...touched].map((municipalityId) => municipalities.get(municipalityId)?.timeZone ?? 'UTC');
  const replaced = new Set(before.map((tariff) => tariff.id));
  const revise = (municipalityId: string, tariffs: readonly MunicipalityTariff[]) => [
    ...tariffs.filter((tariff) => !replaced.has(tariff.id)),
    ...next.filter((tariff) => tariff.municipalityId === municipalityId),
  ];
  return previewCosts(database, { ...asker, devices, tariffs: [...before, ...next], timeZones }, { revise });
}

/** The tariffs as they are and as they will be. Throws `invalid` where one is written twice. */
function readWrites(
  writes: readonly TariffWriteAsked[],
  stored: readonly MunicipalityTariff[],
): [MunicipalityTariff[], MunicipalityTariff[]] {
  const ids = writes.flatMap(({ id }) => id ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw refuse('tariffTwice', { id: twice }, { field: 'changes' });
  return [
    ids.map((id) => found(stored.find((tariff) => tariff.id === id) ?? null, 'tariff')),
    writes.flatMap(({ id, values }) => (values === null ? [] : [identifyTariff(id, values)])),
  ];
}
