import type { Queryable, Transaction } from './pool.ts';
import { execute, findRow } from './rows.ts';

/** Which report: a month or year, and whose energy it is about. */
export interface ReportPlace {
  period: string;
  scope: string;
}

// Primary key report_remarks_pkey.
const FIND = `SELECT remark FROM monitoring.report_remarks WHERE period = $1 AND scope = $2`;
const LOCK = `LOCK TABLE monitoring.report_remarks IN SHARE ROW EXCLUSIVE MODE`;
const UPSERT = `INSERT INTO monitoring.report_remarks (period, scope, remark) VALUES ($1, $2, $3)
  ON CONFLICT (period, scope) DO UPDATE SET remark = excluded.remark`;

/** Empty where nobody has remarked anything. */
export const readRemark = async (db: Queryable, { period, scope }: ReportPlace) =>
  (await findRow<{ remark: string }>(db, FIND, period, scope))?.remark ?? '';

/** Holds back everybody else who remarks something, until the transaction ends. */
export const lockRemarks = (tx: Transaction) => execute(tx, LOCK);

/** An empty one is none. */
export const writeRemark = (tx: Transaction, { period, scope }: ReportPlace, remark: string) =>
  execute(tx, UPSERT, period, scope, remark);
