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
} from '../db/municipalities.ts';
import type { Database } from '../db/pool.ts';
import { DomainError, found } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { canonicalTimeZone } from '../domain/time-zones.ts';
import { type Changing, recordChange } from './audit.ts';
import { nameTaken, refuseViolation, refuseWhileUsed } from './violations.ts';

/** Adds a municipality. Throws `invalid` on a zone that the database does not know, `conflict` on a taken name. */
export async function createMunicipality(
  { database, by }: Changing,
  values: MunicipalityValues,
): Promise<Municipality> {
  const timeZone = await checkTimeZone(database, values.timeZone);
  const municipality = { id: randomUUIDv7(), name: values.name, timeZone };
  await insertMunicipality(database, municipality).catch(explain(values));
  recordChange(by, 'municipality.create', municipality.id);
  return municipality;
}

/** Changes a municipality. Throws `notFound`, and what `createMunicipality` and `refuse` throw. */
export async function changeMunicipality(
  { database, by }: Changing,
  id: string,
  values: MunicipalityValues,
  refuse: Precondition<Municipality>,
): Promise<Municipality> {
  const municipality = { id, name: values.name, timeZone: await checkTimeZone(database, values.timeZone) };
  await database.transaction(async (tx) => {
    refuse(found(await lockMunicipality(tx, id), 'municipality'));
    await updateMunicipality(tx, municipality).catch(explain(values));
  });
  recordChange(by, 'municipality.change', id);
  return municipality;
}

/** Deletes a municipality with its tariffs. Throws `notFound`, and `conflict` while it has sites. */
export async function removeMunicipality({ database, by }: Changing, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    found(await lockMunicipality(tx, id), 'municipality');
    refuseWhileUsed('municipality', await countSitesOfMunicipality(tx, id), 'site');
    await deleteMunicipality(tx, id);
  });
  recordChange(by, 'municipality.delete', id);
}

async function checkTimeZone(database: Database, given: string): Promise<string> {
  const timeZone = canonicalTimeZone(given);
  if (await isTimeZoneKnown(database, timeZone)) return timeZone;
  throw new DomainError(
    'invalid',
    `timeZone: the database does not know ${timeZone}; choose a zone such as Europe/Berlin.`,
  );
}

const explain = ({ name }: MunicipalityValues) =>
  refuseViolation({ municipalities_name_key: () => nameTaken('a municipality', name) });
