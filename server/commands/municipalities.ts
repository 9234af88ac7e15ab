import { randomUUIDv7 } from 'node:crypto';
import {
  countSitesOfMunicipality,
  deleteMunicipality,
  findMunicipality,
  insertMunicipality,
  isTimeZoneKnown,
  lockMunicipality,
  type Municipality,
  type MunicipalityValues,
  updateMunicipality,
} from '../db/municipalities.ts';
import { type Database, violatedConstraint } from '../db/pool.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { canonicalTimeZone } from '../domain/time-zones.ts';
import { type Changing, recordChange } from './audit.ts';

/** Adds a municipality. Throws `invalid` on a zone that the database does not know, `conflict` on a taken name. */
export async function createMunicipality(
  { database, by }: Changing,
  values: MunicipalityValues,
): Promise<Municipality> {
  const municipality = {
    id: randomUUIDv7(),
    name: values.name,
    timeZone: await checkTimeZone(database, values.timeZone),
  };
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
    const before = (await lockMunicipality(tx, id)) ? await findMunicipality(tx, id) : null;
    if (before === null) throw notFound('municipality');
    refuse(before);
    await updateMunicipality(tx, municipality).catch(explain(values));
  });
  recordChange(by, 'municipality.change', id);
  return municipality;
}

/** Deletes a municipality with its tariffs. Throws `notFound`, and `conflict` while it has sites. */
export async function removeMunicipality({ database, by }: Changing, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockMunicipality(tx, id))) throw notFound('municipality');
    const count = await countSitesOfMunicipality(tx, id);
    if (count > 0) {
      const sites = count === 1 ? '1 site' : `${count} sites`;
      throw new DomainError('conflict', `The municipality has ${sites}; move or delete them first.`);
    }
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

const explain = (values: MunicipalityValues) => (error: unknown) => {
  if (violatedConstraint(error) === 'municipalities_name_key') {
    throw new DomainError(
      'conflict',
      `name: there is already a municipality named "${values.name}"; choose another name.`,
    );
  }
  throw error;
};
