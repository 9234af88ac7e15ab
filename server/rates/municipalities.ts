import { randomUUIDv7 } from 'node:crypto';
import {
  countSitesOfMunicipality,
  deleteMunicipality,
  insertMunicipality,
  isTimeZoneKnown,
  lockMunicipality,
  type Municipality,
  type MunicipalityValues,
  updateMunicipality,
} from './municipalities.sql.ts';
import type { Database } from '../database/pool.ts';
import { listTariffs } from './tariffs.sql.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { canonicalTimeZone } from '../base/time-zones.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { shownTariff } from './tariffs.ts';
import { nameTaken, refuseViolation, refuseWhileUsed } from '../database/violations.ts';

/** Adds a municipality. Throws `invalid` on a zone that the database does not know, `conflict` on a taken name. */
export async function createMunicipality(changing: Changing, values: MunicipalityValues): Promise<Municipality> {
  const timeZone = await checkTimeZone(changing.database, values.timeZone);
  const { id, ...after } = { id: randomUUIDv7(), name: values.name, timeZone };
  await makeChange(changing, async (tx, recordChange) => {
    await insertMunicipality(tx, { id, ...after }).catch(explain(values));
    await recordChange('municipality.create', { id, name: after.name, after });
  });
  return { id, ...after };
}

/** Changes a municipality. Throws `notFound`, and what `createMunicipality` and `checkVersion` throw. */
export async function changeMunicipality(
  changing: Changing,
  id: string,
  values: MunicipalityValues,
  checkVersion: Precondition<Municipality>,
): Promise<Municipality> {
  const after = { id, name: values.name, timeZone: await checkTimeZone(changing.database, values.timeZone) };
  await makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockMunicipality(tx, id), 'municipality');
    checkVersion(before);
    await updateMunicipality(tx, after).catch(explain(values));
    await recordChange('municipality.change', { id, name: before.name, before, after });
  });
  return after;
}

/** Deletes a municipality with its tariffs. Throws `notFound`, `conflict` while it has sites, and what `checkVersion` throws. */
export async function removeMunicipality(
  changing: Changing,
  id: string,
  checkVersion: Precondition<Municipality>,
): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockMunicipality(tx, id), 'municipality');
    checkVersion(before);
    const { name, timeZone } = before;
    refuseWhileUsed('municipality', await countSitesOfMunicipality(tx, id));
    const tariffs = (await listTariffs(tx, [id])).get(id) ?? [];
    await deleteMunicipality(tx, id);
    for (const tariff of tariffs)
      await recordChange('tariff.delete', { id: tariff.id, name: tariff.name, before: shownTariff(tariff) });
    await recordChange('municipality.delete', { id, name, before: { name, timeZone } });
  });
}

/** The zone by its canonical name. Throws `invalid` on one that the database does not know. */
export async function checkTimeZone(database: Database, given: string): Promise<string> {
  const timeZone = canonicalTimeZone(given);
  if (await isTimeZoneKnown(database, timeZone)) return timeZone;
  throw refuse('zoneUnknown', { timeZone }, { field: 'timeZone' });
}

const explain = ({ name }: MunicipalityValues) =>
  refuseViolation({ municipalities_name_key: () => nameTaken('aMunicipality', name) });
