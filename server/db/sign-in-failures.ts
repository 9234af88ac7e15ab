import type { SignInFailures } from '../domain/lockout.ts';
import { noFailures } from '../domain/lockout.ts';
import type { Queryable, Statement } from './pool.ts';

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
const LOCK_ROW: Statement = {
  text: `INSERT INTO portal.sign_in_failures (email_key, failed_at) VALUES (lower($1), '{}')
         ON CONFLICT (email_key) DO UPDATE SET email_key = EXCLUDED.email_key
         RETURNING failed_at AS "failedAt", locked_until AS "lockedUntil"`,
};
const UPDATE: Statement = {
  text: `UPDATE portal.sign_in_failures SET failed_at = $2, locked_until = $3 WHERE email_key = lower($1)`,
};
const DELETE: Statement = { text: `DELETE FROM portal.sign_in_failures WHERE email_key = lower($1)` };
// failed_at ascends, so its last item is the newest. Skips rows that a sign-in has locked.
const DELETE_OUTDATED: Statement = {
  text: `DELETE FROM portal.sign_in_failures WHERE email_key IN (
           SELECT email_key FROM portal.sign_in_failures
           WHERE COALESCE(failed_at[cardinality(failed_at)] <= $1, true) AND COALESCE(locked_until <= $2, true)
           FOR UPDATE SKIP LOCKED)`,
};

export async function findFailures(database: Queryable, email: string): Promise<SignInFailures> {
  const { rows } = await database.query<FailuresRow>(FIND, [email]);
  return rows[0] === undefined ? noFailures : toFailures(rows[0]);
}

/** The failures of this email, locked until the transaction ends. */
export async function lockFailures(transaction: Queryable, email: string): Promise<SignInFailures> {
  const { rows } = await transaction.query<FailuresRow>(LOCK_ROW, [email]);
  return rows[0] === undefined ? noFailures : toFailures(rows[0]);
}

export async function updateFailures(transaction: Queryable, email: string, failures: SignInFailures): Promise<void> {
  await transaction.query(UPDATE, [
    email,
    failures.failedAt.map((at) => new Date(at)),
    failures.lockedUntil === null ? null : new Date(failures.lockedUntil),
  ]);
}

/** Forgets the failures of this email and opens its lock. */
export async function deleteFailures(database: Queryable, email: string): Promise<void> {
  await database.query(DELETE, [email]);
}

/** Deletes rows that can no longer lock anybody: newest failure at or before `failedBefore`, no lock after `now`. */
export async function deleteOutdatedFailures(database: Queryable, failedBefore: Date, now: Date): Promise<void> {
  await database.query(DELETE_OUTDATED, [failedBefore, now]);
}

function toFailures(row: FailuresRow): SignInFailures {
  return {
    failedAt: row.failedAt.map((at) => at.getTime()),
    lockedUntil: row.lockedUntil === null ? null : Date.parse(row.lockedUntil),
  };
}
