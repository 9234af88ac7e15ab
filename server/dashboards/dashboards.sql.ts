import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, findValue, listRows } from '../database/rows.ts';

/** The newest version of a dashboard that was saved. */
export interface SavedDashboard {
  name: string;
  version: number;
  /** Null if the dashboard was reset to the shipped one. */
  title: string | null;
  updatedAt: string;
  updatedBy: string;
  /** Only set in lists of dashboards. */
  description?: string | null;
}

export interface DashboardVersion {
  version: number;
  savedAt: string;
  savedBy: string;
  isReset: boolean;
}

/** The user who saves, with their current name. */
export interface DashboardAuthor {
  id: string;
  name: string;
}

const columns = `d.name, d.version, d.title, d.updated_at AS "updatedAt", d.updated_by AS "updatedBy"`;
// Some hundred rows. The description is not extracted if the spec is very large, or has characters that PostgreSQL refuses to
// read.
const LIST = `SELECT ${columns},
    CASE WHEN pg_column_size(v.spec) >= 65536 OR v.spec::text ~* '\\\\u(0000|d[89a-f])' THEN NULL
      ELSE v.spec #>> '{display,description}' END AS description
  FROM dashboards.dashboards d LEFT JOIN dashboards.versions v ON v.name = d.name AND v.version = d.version`;
const FIND = `SELECT ${columns} FROM dashboards.dashboards d WHERE d.name = $1`;
const LOCK = `${FIND} FOR UPDATE`;
const COUNT = `SELECT count(*) AS count FROM dashboards.dashboards`;
// The primary key of versions.
const FIND_VERSION = `SELECT version, spec, saved_at AS "savedAt", saved_by AS "savedBy" FROM dashboards.versions
  WHERE name = $1 AND version = $2`;
const LIST_VERSIONS = `SELECT version, saved_at AS "savedAt", saved_by AS "savedBy", spec IS NULL AS "isReset"
  FROM dashboards.versions WHERE name = $1 ORDER BY version DESC`;
const INSERT = `INSERT INTO dashboards.dashboards (name, version, title, updated_at, updated_by) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (name) DO NOTHING`;
const UPDATE = `UPDATE dashboards.dashboards SET version = $2, title = $3, updated_at = $4, updated_by = $5 WHERE name = $1`;
const INSERT_VERSION = `INSERT INTO dashboards.versions (name, version, spec, saved_at, saved_by_id, saved_by)
  VALUES ($1, $2, $3, $4, $5, $6)`;
const DELETE_OLD_VERSIONS = `DELETE FROM dashboards.versions WHERE name = $1 AND version <= $2`;
const DELETE = `DELETE FROM dashboards.dashboards WHERE name = $1`;

const RECORD = `SELECT portal.record_dashboard_change($1, $2, $3, $4, $5, $6)`;

export const listDashboards = (db: Queryable) => listRows<SavedDashboard>(db, LIST);
export const findDashboard = (db: Queryable, name: string) => findRow<SavedDashboard>(db, FIND, name);
export const lockDashboard = (tx: Transaction, name: string) => findRow<SavedDashboard>(tx, LOCK, name);
export const countDashboards = async (db: Queryable) => (await findValue<number>(db, COUNT)) ?? 0;
export const listVersions = (db: Queryable, name: string) => listRows<DashboardVersion>(db, LIST_VERSIONS, name);
export const deleteDashboard = (tx: Transaction, name: string) => execute(tx, DELETE, name);

/** One version of a dashboard. Its spec is null if the dashboard was reset to the shipped one. */
export const findVersion = (db: Queryable, name: string, version: number) =>
  findRow<{ version: number; spec: unknown; savedAt: string; savedBy: string }>(db, FIND_VERSION, name, version);

export interface NewVersion {
  name: string;
  version: number;
  /** Both are null if the dashboard is reset to the shipped one. */
  title: string | null;
  spec: object | null;
  /** Epoch milliseconds. */
  nowMs: number;
  by: DashboardAuthor;
}

/**
 * Writes the newest version of a dashboard that is locked or new, and deletes the oldest beyond the limit. False if
 * someone else wrote that version first.
 */
export async function writeVersion(
  tx: Transaction,
  { name, version, title, spec, nowMs, by }: NewVersion,
  { isNew, kept }: { isNew: boolean; kept: number },
): Promise<boolean> {
  const at = new Date(nowMs).toISOString();
  const { rowCount } = await tx.query({ text: isNew ? INSERT : UPDATE }, [name, version, title, at, by.name]);
  if (rowCount === 0) return false;
  await execute(tx, INSERT_VERSION, name, version, spec && JSON.stringify(spec), at, by.id, by.name);
  await execute(tx, DELETE_OLD_VERSIONS, name, version - kept);
  return true;
}

/** A change of a dashboard for the audit trail. A side is null if the dashboard does not exist there. */
export interface DashboardChange {
  id: string;
  by: DashboardAuthor;
  what: 'create' | 'change' | 'delete';
  title: string;
  before: object | null;
  after: object | null;
}

/**
 * Adds an event to the audit trail, in the transaction of the change. The account of the tool has no other permission there.
 */
export const recordDashboardChange = (tx: Transaction, { id, by, what, title, before, after }: DashboardChange) =>
  execute(tx, RECORD, id, by.id, what, title, before, after);
