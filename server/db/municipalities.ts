import { errorState, type Queryable, type Transaction } from './pool.ts';

export interface MunicipalityValues {
  name: string;
  /** An IANA name in its canonical spelling. */
  timeZone: string;
}

export interface Municipality extends MunicipalityValues {
  id: string;
}

const LIST_MUNICIPALITIES = { text: `SELECT id, name, time_zone AS "timeZone" FROM monitoring.municipalities` };
// PostgreSQL has its own copy of the IANA database, which may be older than the one of Node.
const TRY_TIME_ZONE = { text: `SELECT now() AT TIME ZONE $1` };
// Names are unique by municipalities_name_key, ignoring case.
const INSERT_MUNICIPALITY = {
  text: `INSERT INTO monitoring.municipalities (id, name, time_zone) VALUES ($1, $2, $3)`,
};
const UPDATE_MUNICIPALITY = {
  text: `UPDATE monitoring.municipalities SET name = $2, time_zone = $3 WHERE id = $1`,
};
const FIND_MUNICIPALITY = {
  text: `SELECT id, name, time_zone AS "timeZone" FROM monitoring.municipalities WHERE id = $1`,
};
// Waits for sites being added to the municipality and holds back new ones until the transaction ends.
const LOCK_MUNICIPALITY = { text: `SELECT FROM monitoring.municipalities WHERE id = $1 FOR UPDATE` };
// Index sites_municipality_id.
const COUNT_SITES = { text: `SELECT count(*)::integer AS count FROM monitoring.sites WHERE municipality_id = $1` };
// Its tariffs go with it (tariffs_municipality_fkey).
const DELETE_MUNICIPALITY = { text: `DELETE FROM monitoring.municipalities WHERE id = $1` };

/** Every municipality, in no order. */
export async function listMunicipalities(db: Queryable): Promise<Municipality[]> {
  const { rows } = await db.query<Municipality>(LIST_MUNICIPALITIES);
  return rows;
}

export async function findMunicipality(db: Queryable, id: string): Promise<Municipality | null> {
  const { rows } = await db.query<Municipality>(FIND_MUNICIPALITY, [id]);
  return rows[0] ?? null;
}

/** Whether the database can convert to this zone. Not for use inside a transaction: an unknown zone would end it. */
export async function isTimeZoneKnown(db: Queryable, timeZone: string): Promise<boolean> {
  try {
    await db.query(TRY_TIME_ZONE, [timeZone]);
    return true;
  } catch (error) {
    if (errorState(error) === '22023') return false;
    throw error;
  }
}

/** Violates `municipalities_name_key` if the name is taken. */
export async function insertMunicipality(db: Queryable, { id, name, timeZone }: Municipality): Promise<void> {
  await db.query(INSERT_MUNICIPALITY, [id, name, timeZone]);
}

/** False if there is no such municipality; violates `municipalities_name_key` where the name is taken. */
export async function updateMunicipality(db: Queryable, { id, name, timeZone }: Municipality): Promise<boolean> {
  const { rowCount } = await db.query(UPDATE_MUNICIPALITY, [id, name, timeZone]);
  return rowCount > 0;
}

/** False if there is no such municipality. */
export async function lockMunicipality(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(LOCK_MUNICIPALITY, [id]);
  return rowCount > 0;
}

export async function countSitesOfMunicipality(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(COUNT_SITES, [id]);
  return rows[0]?.count ?? 0;
}

export async function deleteMunicipality(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE_MUNICIPALITY, [id]);
}
