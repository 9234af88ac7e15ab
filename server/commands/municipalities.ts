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
import { type Database, violatedConstraint } from '../db/pool.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import { canonicalTimeZone } from '../domain/time-zones.ts';

/** Adds a municipality. Throws `invalid` on a zone that the database does not know, `conflict` on a taken name. */
export async function createMunicipality(database: Database, values: MunicipalityValues): Promise<Municipality> {
  const municipality = {
    id: randomUUIDv7(),
    name: values.name,
    timeZone: await checkTimeZone(database, values.timeZone),
  };
  await insertMunicipality(database, municipality).catch(explain(values));
  return municipality;
}

/** Changes a municipality. Throws `notFound`, and what `createMunicipality` throws. */
export async function changeMunicipality(
  database: Database,
  id: string,
  values: MunicipalityValues,
): Promise<Municipality> {
  const municipality = { id, name: values.name, timeZone: await checkTimeZone(database, values.timeZone) };
  const isFound = await updateMunicipality(database, municipality).catch(explain(values));
  if (!isFound) throw notFound('municipality');
  return municipality;
}

/** Deletes a municipality with its tariffs. Throws `notFound`, and `conflict` while it has sites. */
export async function removeMunicipality(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockMunicipality(tx, id))) throw notFound('municipality');
    const count = await countSitesOfMunicipality(tx, id);
    if (count > 0) {
      const sites = count === 1 ? '1 site' : `${count} sites`;
      throw new DomainError('conflict', `The municipality has ${sites}; move or delete them first.`);
    }
    await deleteMunicipality(tx, id);
  });
}

async function checkTimeZone(database: Database, given: string): Promise<string> {
  const timeZone = canonicalTimeZone(given);
  if (await isTimeZoneKnown(database, timeZone)) return timeZone;
  throw new DomainError(
    'invalid',
    `timeZone: the database does not know ${timeZone}; choose a zone such as Europe/Berlin.`,
  );
}

const explain = (values: MunicipalityValues) => (error: unknown) => {
  if (violatedConstraint(error) === 'municipalities_name_key') {
    throw new DomainError(
      'conflict',
      `name: there is already a municipality named "${values.name}"; choose another name.`,
    );
  }
  throw error;
};
