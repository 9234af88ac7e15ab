import type { Queryable, Transaction } from './pool.ts';

export interface SiteValues {
  name: string;
  municipalityId: string;
}

export interface Site extends SiteValues {
  id: string;
  municipalityName: string;
  /** IANA name; a site has the zone of its municipality. */
  timeZone: string;
  deviceCount: number;
}

// Index devices_site_id for the count.
const selectSites = `SELECT s.id, s.name, s.municipality_id AS "municipalityId", m.name AS "municipalityName",
                            m.time_zone AS "timeZone",
                            (SELECT count(*)::integer FROM monitoring.devices d WHERE d.site_id = s.id) AS "deviceCount"
                     FROM monitoring.sites s JOIN monitoring.municipalities m ON m.id = s.municipality_id`;
const LIST_SITES = { text: selectSites };
const FIND_SITE = { text: `${selectSites} WHERE s.id = $1` };
// Names are unique by sites_name_key, ignoring case; sites_municipality_fkey makes sure that every site has a zone.
const INSERT_SITE = { text: `INSERT INTO monitoring.sites (id, name, municipality_id) VALUES ($1, $2, $3)` };
const UPDATE_SITE = { text: `UPDATE monitoring.sites SET name = $2, municipality_id = $3 WHERE id = $1` };
// Waits for devices being added to the site and holds back new ones until the transaction ends.
const LOCK_SITE = { text: `SELECT FROM monitoring.sites WHERE id = $1 FOR UPDATE` };
const COUNT_DEVICES = { text: `SELECT count(*)::integer AS count FROM monitoring.devices WHERE site_id = $1` };
const DELETE_SITE = { text: `DELETE FROM monitoring.sites WHERE id = $1` };

/** Every site, in no order. */
export async function listSites(db: Queryable): Promise<Site[]> {
  const { rows } = await db.query<Site>(LIST_SITES);
  return rows;
}

export async function findSite(db: Queryable, id: string): Promise<Site | null> {
  const { rows } = await db.query<Site>(FIND_SITE, [id]);
  return rows[0] ?? null;
}

/** Violates `sites_name_key` if the name is taken, `sites_municipality_fkey` where there is no such municipality. */
export async function insertSite(tx: Queryable, id: string, { name, municipalityId }: SiteValues): Promise<void> {
  await tx.query(INSERT_SITE, [id, name, municipalityId]);
}

/** False if there is no such site; violates the constraints of `insertSite`. */
export async function updateSite(tx: Queryable, id: string, { name, municipalityId }: SiteValues): Promise<boolean> {
  const { rowCount } = await tx.query(UPDATE_SITE, [id, name, municipalityId]);
  return rowCount > 0;
}

/** False if there is no such site. */
export async function lockSite(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(LOCK_SITE, [id]);
  return rowCount > 0;
}

export async function countDevicesOfSite(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(COUNT_DEVICES, [id]);
  return rows[0]?.count ?? 0;
}

export async function deleteSite(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE_SITE, [id]);
}
