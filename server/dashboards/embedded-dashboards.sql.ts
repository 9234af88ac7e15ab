import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, columnsOf, execute, findRow, listRows, valuesOf } from '../database/rows.ts';

export interface EmbeddedDashboard {
  id: string;
  title: string;
  description: string;
  /** Below `Dashboard__EmbedPathPrefix`. */
  path: string;
  sortOrder: number;
}

const fields = ['id', 'title', 'description', 'path', 'sortOrder'] as const;

// The entries of a menu, so never more than fifty rows.
const SELECT = `SELECT id, title, description, path, sort_order AS "sortOrder" FROM portal.embedded_dashboards`;
const LIST = `${SELECT} ORDER BY sort_order, title, id`;
const LOCK = `${SELECT} WHERE id = $1 FOR UPDATE`;
// Holds back other additions until the transaction ends.
const LOCK_ALL = `LOCK TABLE portal.embedded_dashboards IN SHARE ROW EXCLUSIVE MODE`;
const COUNT = `SELECT count(*)::integer AS count, coalesce(max(sort_order), 0) AS last FROM portal.embedded_dashboards`;
const INSERT = `INSERT INTO portal.embedded_dashboards (id, title, description, path, sort_order) VALUES ($1, $2, $3, $4, $5)`;
const UPDATE = `UPDATE portal.embedded_dashboards SET title = $2, description = $3, path = $4, sort_order = $5 WHERE id = $1`;
const DELETE = `DELETE FROM portal.embedded_dashboards WHERE id = $1`;
// One statement, so that exactly one of several portals that start at the same time adds all entries.
const SEED = `WITH first AS (
    INSERT INTO portal.embedded_dashboards_seeded DEFAULT VALUES ON CONFLICT DO NOTHING RETURNING only_row)
  INSERT INTO portal.embedded_dashboards (id, title, description, path, sort_order)
  SELECT s.* FROM first CROSS JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[]) AS s`;

/** In the order of the menu. */
export const listEmbeddedDashboards = (db: Queryable) => listRows<EmbeddedDashboard>(db, LIST);

/** An entry, locked until the transaction ends; null if it does not exist. */
export const lockEmbeddedDashboard = (tx: Transaction, id: string) => findRow<EmbeddedDashboard>(tx, LOCK, id);

/** The number of entries and the highest sort order. Both stay the same until the transaction ends. */
export async function lockEmbeddedDashboards(tx: Transaction): Promise<{ count: number; last: number }> {
  await execute(tx, LOCK_ALL);
  return (await findRow<{ count: number; last: number }>(tx, COUNT)) ?? { count: 0, last: 0 };
}

export const insertEmbeddedDashboard = (tx: Transaction, dashboard: EmbeddedDashboard) =>
  execute(tx, INSERT, ...valuesOf(dashboard, fields));

export const updateEmbeddedDashboard = (tx: Transaction, dashboard: EmbeddedDashboard) =>
  execute(tx, UPDATE, ...valuesOf(dashboard, fields));

export const deleteEmbeddedDashboard = (tx: Transaction, id: string) => execute(tx, DELETE, id);

/** Adds these entries, at most once in the life of a database. False if they had been added before. */
export const seedEmbeddedDashboardsOnce = (db: Queryable, dashboards: readonly EmbeddedDashboard[]) =>
  affectsRows(db, SEED, ...columnsOf(dashboards, fields));
