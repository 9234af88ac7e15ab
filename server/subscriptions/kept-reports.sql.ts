import type { ReportFigures, ReportedPeriod, ReportRecipient } from '../../shared/report-subscriptions.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows } from '../database/rows.ts';

const columns = `id, subscription_id AS "subscriptionId", name, period, from_date::text AS "fromDate", to_date::text AS "toDate",
  subject_ids AS "subjectIds", recipients, has_workbook AS "hasWorkbook", read_at AS "readAt", figures`;
// Uses index kept_reports_read_at. Null means all reports; an account id means the reports that the account receives.
const LIST = `SELECT ${columns} FROM portal.kept_reports
  WHERE $1::text IS NULL OR recipients @> jsonb_build_array(jsonb_build_object('userId', $1::text))
  ORDER BY read_at DESC, id DESC LIMIT $2`;
const FIND = `SELECT ${columns}, contents FROM portal.kept_reports WHERE id = $1`;
// Key kept_reports_period_key.
const FIND_OF_PERIOD = `SELECT id FROM portal.kept_reports WHERE subscription_id = $1 AND period = $2 AND from_date = $3::date`;
const KEEP = `INSERT INTO portal.kept_reports
    (id, subscription_id, name, period, from_date, to_date, subject_ids, recipients, has_workbook, read_at, figures, contents)
  VALUES ($1, $2, $3, $4, $5::date, $6::date, $7::uuid[], $8::jsonb, $9, $10, $11::jsonb, $12::jsonb)
  ON CONFLICT (subscription_id, period, from_date) DO NOTHING`;
// Reads the keys of all reports; their number is bounded.
const DELETE_OLD = `DELETE FROM portal.kept_reports WHERE id IN (
  SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY subscription_id ORDER BY read_at DESC) AS of_own,
                         row_number() OVER (ORDER BY read_at DESC) AS of_all FROM portal.kept_reports) ranked
  WHERE of_own > $1 OR of_all > $2)`;

export interface StoredReport {
  id: string;
  subscriptionId: string;
  name: string;
  period: ReportedPeriod;
  fromDate: string;
  toDate: string;
  subjectIds: string[];
  recipients: ReportRecipient[];
  hasWorkbook: boolean;
  readAt: string;
  figures: ReportFigures;
}

/** The newest reports; those that name an account, if one is given. */
export const listReports = (db: Queryable, accountId: string | null, limit: number) =>
  listRows<StoredReport>(db, LIST, accountId, limit);

/** With its contents, as they were stored. */
export const findReport = (db: Queryable, id: string) => findRow<StoredReport & { contents: unknown }>(db, FIND, id);

export const hasReport = async (db: Queryable, subscriptionId: string, period: ReportedPeriod, fromDate: string) =>
  (await findValue<string>(db, FIND_OF_PERIOD, subscriptionId, period, fromDate)) !== null;

/** Stores a report. False if the subscription already has a report of that period. */
export const keepReport = (tx: Transaction, one: StoredReport & { contents: object }) =>
  affectsRows(
    tx,
    KEEP,
    one.id,
    one.subscriptionId,
    one.name,
    one.period,
    one.fromDate,
    one.toDate,
    one.subjectIds,
    JSON.stringify(one.recipients),
    one.hasWorkbook,
    one.readAt,
    JSON.stringify(one.figures),
    JSON.stringify(one.contents),
  );

export const deleteOldReports = (db: Queryable, maxOfSubscription: number, max: number) =>
  execute(db, DELETE_OLD, maxOfSubscription, max);
