import type { ReportSubscription } from '../../shared/report-subscriptions.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, listRows, lockAndCount } from '../database/rows.ts';

const columns = `id, name, is_active AS "isActive", period, subject_ids AS "subjectIds", recipients,
  has_workbook AS "hasWorkbook", created_at AS "createdAt"`;
const LIST = `SELECT ${columns} FROM portal.report_subscriptions`;
const FIND = `${LIST} WHERE id = $1`;
const LOCK = `${FIND} FOR UPDATE`;
const PUT = `INSERT INTO portal.report_subscriptions
    (id, name, is_active, period, subject_ids, recipients, has_workbook, created_at)
  VALUES ($1, $2, $3, $4, $5::uuid[], $6::jsonb, $7, $8)
  ON CONFLICT (id) DO UPDATE SET name = $2, is_active = $3, period = $4, subject_ids = $5::uuid[], recipients = $6::jsonb,
    has_workbook = $7`;
const DELETE = `DELETE FROM portal.report_subscriptions WHERE id = $1`;

/** All subscriptions, in no order. */
export const listSubscriptions = (db: Queryable) => listRows<ReportSubscription>(db, LIST);

export const findSubscription = (db: Queryable, id: string) => findRow<ReportSubscription>(db, FIND, id);

/** Locked until the transaction ends. */
export const lockSubscription = (tx: Transaction, id: string) => findRow<ReportSubscription>(tx, LOCK, id);

/** How many there are, which stays so until the transaction ends. */
export const lockSubscriptions = (tx: Transaction) => lockAndCount(tx, 'portal.report_subscriptions');

/** Adds or replaces a subscription. */
export const putSubscription = (tx: Transaction, one: ReportSubscription) =>
  execute(
    tx,
    PUT,
    one.id,
    one.name,
    one.isActive,
    one.period,
    one.subjectIds,
    JSON.stringify(one.recipients),
    one.hasWorkbook,
    one.createdAt,
  );

export const deleteSubscription = (tx: Transaction, id: string) => execute(tx, DELETE, id);
