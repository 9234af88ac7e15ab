import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findValue, lockAndCount } from '../database/rows.ts';

/** Identifies a report: a month or year, and its sites and devices. */
export interface ReportPlace {
  period: string;
  scope: string;
  /** The sites and devices of the report; empty for all of them. */
  subjectIds: readonly string[];
}

// Primary key report_remarks_pkey.
const FIND = `SELECT remark FROM monitoring.report_remarks WHERE period = $1 AND scope = $2`;
const UPSERT = `INSERT INTO monitoring.report_remarks (period, scope, subject_ids, remark) VALUES ($1, $2, $3, $4)
  ON CONFLICT (period, scope) DO UPDATE SET subject_ids = excluded.subject_ids, remark = excluded.remark`;
const DELETE = `DELETE FROM monitoring.report_remarks WHERE period = $1 AND scope = $2`;
// Primary keys sites_pkey and devices_id_key.
const FIND_SUBJECT = `SELECT FROM monitoring.sites WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT FROM monitoring.devices WHERE id = ANY ($1::uuid[]) LIMIT 1`;
// Reads all remarks, which are bounded.
const DELETE_LEFT = `DELETE FROM monitoring.report_remarks WHERE $1 = ANY (subject_ids)
  AND NOT EXISTS (SELECT FROM monitoring.sites WHERE id = ANY (subject_ids))
  AND NOT EXISTS (SELECT FROM monitoring.devices WHERE id = ANY (subject_ids))`;

export const readRemark = async (db: Queryable, { period, scope }: ReportPlace) =>
  (await findValue<string>(db, FIND, period, scope)) ?? '';

/** Counts the remarks, and holds back other changes of remarks until the transaction ends. */
export const lockRemarks = (tx: Transaction) => lockAndCount(tx, 'monitoring.report_remarks');

/** An empty remark deletes it. */
export const writeRemark = (tx: Transaction, { period, scope, subjectIds }: ReportPlace, remark: string) =>
  remark === '' ? execute(tx, DELETE, period, scope) : execute(tx, UPSERT, period, scope, subjectIds, remark);

export const hasSubject = (tx: Transaction, ids: readonly string[]) => affectsRows(tx, FIND_SUBJECT, ids);

/** To be called after a site or device was deleted: deletes remarks whose sites and devices are all gone. */
export const deleteLeftRemarks = (tx: Transaction, deletedId: string) => execute(tx, DELETE_LEFT, deletedId);
