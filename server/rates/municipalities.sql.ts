import { errorState, type Queryable, type Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows } from '../database/rows.ts';

export interface MunicipalityValues {
  name: string;
  /** An IANA name in its canonical spelling. */
  timeZone: string;
}

export interface Municipality extends MunicipalityValues {
  id: string;
}

const selectMunicipalities = `SELECT id, name, time_zone AS "timeZone" FROM monitoring.municipalities`;
const LIST_MUNICIPALITIES = { text: selectMunicipalities };
// PostgreSQL has its own copy of the IANA database, which may be older than the one of Node.
const TRY_TIME_ZONE = `SELECT now() AT TIME ZONE $1`;
// Names are unique by municipalities_name_key, ignoring case.
const INSERT_MUNICIPALITY = `INSERT INTO monitoring.municipalities (id, name, time_zone) VALUES ($1, $2, $3)`;
const UPDATE_MUNICIPALITY = `UPDATE monitoring.municipalities SET name = $2, time_zone = $3 WHERE id = $1`;
// Waits for sites being added to the municipality and holds back new ones until the transaction ends.
const LOCK_MUNICIPALITY = `${selectMunicipalities} WHERE id = $1 FOR UPDATE`;
// Index sites_municipality_id.
const COUNT_SITES = `SELECT count(*)::integer AS count FROM monitoring.sites WHERE municipality_id = $1`;
// Its tariffs go with it (tariffs_municipality_fkey).
const DELETE_MUNICIPALITY = `DELETE FROM monitoring.municipalities WHERE id = $1`;

/** Every municipality, in no order. */
export const listMunicipalities = (db: Queryable) => listRows<Municipality>(db, LIST_MUNICIPALITIES);

/** Whether the database can convert to this zone. Not for use inside a transaction: an unknown zone would end it. */
export async function isTimeZoneKnown(db: Queryable, timeZone: string): Promise<boolean> {
  try {
    return await affectsRows(db, TRY_TIME_ZONE, timeZone);
  } catch (error) {
    if (errorState(error) === '22023') return false;
    throw error;
  }
}

/** Violates `municipalities_name_key` if the name is taken. */
export const insertMunicipality = (db: Queryable, { id, name, timeZone }: Municipality) =>
  execute(db, INSERT_MUNICIPALITY, id, name, timeZone);

/** Violates `municipalities_name_key` if the name is taken. */
export const updateMunicipality = (db: Queryable, { id, name, timeZone }: Municipality) =>
  execute(db, UPDATE_MUNICIPALITY, id, name, timeZone);

/** Locked until the end of the transaction; null if there is none. */
export const lockMunicipality = (tx: Transaction, id: string) => findRow<Municipality>(tx, LOCK_MUNICIPALITY, id);

export const countSitesOfMunicipality = async (db: Queryable, id: string) =>
  (await findValue<number>(db, COUNT_SITES, id)) ?? 0;

export const deleteMunicipality = (tx: Transaction, id: string) => execute(tx, DELETE_MUNICIPALITY, id);
