import { noFailures, type SignInFailures } from './lockout.rules.ts';
import type { Queryable, Statement } from '../database/pool.ts';
import { execute, findRow } from '../database/rows.ts';

interface FailuresRow {
  failedAt: Date[];
  lockedUntil: string | null;
}

const FIND: Statement = {
  name: 'sign_in_failures.find',
  text: `SELECT failed_at AS "failedAt", locked_until AS "lockedUntil"
         FROM portal.sign_in_failures WHERE email_key = lower($1)`,
};
// Locks the row, so that two portals on one database count every failure.
const LOCK_ROW = `INSERT INTO portal.sign_in_failures (email_key, failed_at) VALUES (lower($1), '{}')
  ON CONFLICT (email_key) DO UPDATE SET email_key = EXCLUDED.email_key
  RETURNING failed_at AS "failedAt", locked_until AS "lockedUntil"`;
const UPDATE = `UPDATE portal.sign_in_failures SET failed_at = $2, locked_until = $3 WHERE email_key = lower($1)`;
const DELETE = `DELETE FROM portal.sign_in_failures WHERE email_key = lower($1)`;
// failed_at ascends, so its last item is the newest. Skips rows that a sign-in has locked.
const DELETE_OUTDATED = `DELETE FROM portal.sign_in_failures WHERE email_key IN (
  SELECT email_key FROM portal.sign_in_failures
  WHERE COALESCE(failed_at[cardinality(failed_at)] <= $1, true) AND COALESCE(locked_until <= $2, true)
  FOR UPDATE SKIP LOCKED)`;

export const findFailures = async (database: Queryable, email: string) =>
  toFailures(await findRow<FailuresRow>(database, FIND, email));

/** The failures of this email, locked until the transaction ends. */
export const lockFailures = async (transaction: Queryable, email: string) =>
  toFailures(await findRow<FailuresRow>(transaction, LOCK_ROW, email));

export async function updateFailures(transaction: Queryable, email: string, failures: SignInFailures): Promise<void> {
  const lockedUntil = failures.lockedUntil === null ? null : new Date(failures.lockedUntil);
  const failedAt = failures.failedAt.map((at) => new Date(at));
  await execute(transaction, UPDATE, email, failedAt, lockedUntil);
}

/** Forgets the failures of this email and opens its lock. */
export const deleteFailures = (database: Queryable, email: string) => execute(database, DELETE, email);

/** Deletes rows that can no longer lock anybody: newest failure at or before `failedBefore`, no lock after `now`. */
export const deleteOutdatedFailures = (database: Queryable, failedBefore: Date, now: Date) =>
  execute(database, DELETE_OUTDATED, failedBefore, now);

function toFailures(row: FailuresRow | null): SignInFailures {
  if (row === null) return noFailures;
  const { failedAt, lockedUntil } = row;
  return {
    failedAt: failedAt.map((at) => at.getTime()),
    lockedUntil: lockedUntil === null ? null : Date.parse(lockedUntil),
  };
}
