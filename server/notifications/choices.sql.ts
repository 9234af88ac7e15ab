import type { NotificationChoices } from '../../shared/notifications.ts';
import type { Queryable } from '../database/pool.ts';
import { execute, findRow, listRows } from '../database/rows.ts';

const columns = `account_id AS "accountId", channels, minimum_severity AS "minimumSeverity", kinds, subject_ids AS "subjectIds",
  quiet_hours AS "quietHours", language`;
const FIND = `SELECT ${columns} FROM portal.notification_choices WHERE account_id = $1`;
const LIST = `SELECT ${columns} FROM portal.notification_choices WHERE account_id = ANY ($1::uuid[])`;
const PUT = `INSERT INTO portal.notification_choices
    (account_id, channels, minimum_severity, subject_ids, quiet_hours, language, kinds)
  VALUES ($1, $2, $3, $4::uuid[], $5::jsonb, $6, $7)
  ON CONFLICT (account_id) DO UPDATE SET channels = $2, minimum_severity = $3, subject_ids = $4::uuid[], quiet_hours = $5::jsonb,
    language = $6, kinds = $7`;

export interface StoredChoices extends NotificationChoices {
  accountId: string;
  /** Sites of a Client, customers of an Admin; none: all. */
  subjectIds: string[];
}

/** Null if the account has made no choice. */
export const findChoices = (db: Queryable, accountId: string) => findRow<StoredChoices>(db, FIND, accountId);

export const listChoices = (db: Queryable, accountIds: readonly string[]) =>
  listRows<StoredChoices>(db, LIST, accountIds);

export const putChoices = (db: Queryable, choices: StoredChoices) => {
  const { accountId, channels, minimumSeverity, kinds, subjectIds, quietHours, language } = choices;
  const hours = quietHours === null ? null : JSON.stringify(quietHours);
  return execute(db, PUT, accountId, channels, minimumSeverity, subjectIds, hours, language, kinds);
};
