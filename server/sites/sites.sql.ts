import type { Site, SiteWrite } from '../../shared/sites.ts';
import {
  type EnergyLayout,
  energyStatement,
  affectsRows,
  execute,
  findRow,
  findValue,
  listRows,
} from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

const selectSites = (t: EnergyLayout, where: string, more = '') =>
  `SELECT s.id, s.name, s.municipality_id AS "municipalityId", m.name AS "municipalityName", m.time_zone AS "timeZone"${more}
   FROM ${t.table('sites')} s JOIN ${t.table('municipalities')} m ON ${t.own('m')}m.id = s.municipality_id
   WHERE ${t.own('s')}${t.current('s')}${where}`;
const LIST_SITES = energyStatement((t) => selectSites(t, 'true'));
// For the few sites of a portal; sites of one import share an instant, so their ids decide.
const FIND_FIRST_ZONE = `SELECT m.time_zone FROM monitoring.sites s
  JOIN monitoring.municipalities m ON m.id = s.municipality_id ORDER BY s.created_at, s.id LIMIT 1`;
// Separately, because a customer of the fleet may have tens of thousands of devices, and a search for each site would
// read all of them each time.
const COUNT_DEVICES_OF_SITES = energyStatement(
  (t) => `SELECT d.site_id AS id, count(*)::integer AS count FROM ${t.table('devices')} d
          WHERE ${t.own('d')}${t.current('d')}d.site_id IS NOT NULL GROUP BY d.site_id`,
);
// Index devices_site_id.
const FIND_SITE = energyStatement((t) =>
  selectSites(
    t,
    's.id = $1',
    `, (SELECT count(*)::integer FROM ${t.table('devices')} d
        WHERE ${t.own('d')}${t.current('d')}d.site_id = s.id) AS "deviceCount"`,
  ),
);
// Names are unique by sites_name_key, ignoring case; sites_municipality_fkey makes sure that every site has a zone.
const INSERT_SITE = `INSERT INTO monitoring.sites (id, name, municipality_id) VALUES ($1, $2, $3)`;
const UPDATE_SITE = `UPDATE monitoring.sites SET name = $2, municipality_id = $3 WHERE id = $1`;
// Waits for devices being added to the site and holds back new ones until the transaction ends.
const LOCK_SITE = `SELECT FROM monitoring.sites WHERE id = $1 FOR UPDATE`;
const COUNT_DEVICES = `SELECT count(*)::integer AS count FROM monitoring.devices WHERE site_id = $1`;
const DELETE_SITE = `DELETE FROM monitoring.sites WHERE id = $1`;

/** Every site, in no order. */
export async function listSites(db: Queryable): Promise<Site[]> {
  const sites = await listRows<Omit<Site, 'deviceCount'>>(db, LIST_SITES);
  const counts = await listRows<{ id: string; count: number }>(db, COUNT_DEVICES_OF_SITES);
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  return sites.map((site) => ({ ...site, deviceCount: countOf.get(site.id) ?? 0 }));
}

/** The zone of the site that was created first. */
export const findFirstSiteZone = (db: Queryable) => findValue<string>(db, FIND_FIRST_ZONE);

export const findSite = (db: Queryable, id: string) => findRow<Site>(db, FIND_SITE, id);

/** Violates `sites_name_key` if the name is taken, and `sites_municipality_fkey` if the municipality does not exist. */
export const insertSite = (tx: Queryable, id: string, { name, municipalityId }: SiteWrite) =>
  execute(tx, INSERT_SITE, id, name, municipalityId);

/** Violates the constraints of `insertSite`. */
export const updateSite = (tx: Queryable, id: string, { name, municipalityId }: SiteWrite) =>
  execute(tx, UPDATE_SITE, id, name, municipalityId);

export const lockSite = (tx: Transaction, id: string) => affectsRows(tx, LOCK_SITE, id);

export const countDevicesOfSite = async (db: Queryable, id: string) =>
  (await findValue<number>(db, COUNT_DEVICES, id)) ?? 0;

export const deleteSite = (tx: Transaction, id: string) => execute(tx, DELETE_SITE, id);
