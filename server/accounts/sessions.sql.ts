import type { Account } from './accounts.rules.ts';
import type { Session } from './sessions.rules.ts';
import { inOrder } from './accounts.sql.ts';
import type { Queryable, Statement } from '../database/pool.ts';
import { affectsRows, execute, findRow, listRows, valuesOf } from '../database/rows.ts';

/** A session as its own account sees it. */
export interface ListedSession {
  id: string;
  signedInAt: string;
  /** Accurate to a few minutes. */
  lastUsedAt: string;
  sourceAddress: string;
  userAgent: string;
}

// Runs on every request of a signed-in user: two look-ups by primary key.
const FIND_ACCOUNT: Statement = {
  name: 'sessions.find_account',
  text: `SELECT id, email, display_name AS "displayName", roles FROM portal.accounts
         WHERE id = $1 AND security_stamp = $2 AND is_active
           AND EXISTS (SELECT FROM portal.sessions WHERE id = $3 AND account_id = $1)`,
};
// An account deleted in the meantime gets no session.
const INSERT = `INSERT INTO portal.sessions (id, account_id, signed_in_at, last_used_at, expires_at, source_address, user_agent)
  SELECT $1, id, $3, $3, $4, $5, $6 FROM portal.accounts WHERE id = $2`;
// Also overwrites a much later use, which was written by a clock that was ahead. Concurrent requests come in any order.
const RECORD_USE = `UPDATE portal.sessions
  SET signed_in_at = least(signed_in_at, $2), last_used_at = $2, expires_at = $3
  WHERE id = $1 AND (last_used_at < $2 OR last_used_at > $2::timestamptz + interval '1 minute')`;
// Index sessions_account_id.
const LIST = `SELECT id, signed_in_at AS "signedInAt", last_used_at AS "lastUsedAt", source_address AS "sourceAddress",
         user_agent AS "userAgent"
  FROM portal.sessions WHERE account_id = $1 AND expires_at > $2
  ORDER BY last_used_at DESC, signed_in_at DESC, id`;
const DELETE = `DELETE FROM portal.sessions WHERE id = $1 AND account_id = $2`;
const DELETE_OTHERS = `DELETE FROM portal.sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2::uuid`;
// Index sessions_expires_at.
const DELETE_EXPIRED = `DELETE FROM portal.sessions WHERE expires_at <= $1`;
const DELETE_SURPLUS = `DELETE FROM portal.sessions
  WHERE id IN (SELECT id FROM portal.sessions WHERE account_id = $1 AND id <> $2
               ORDER BY last_used_at DESC, signed_in_at DESC, id OFFSET $3)`;

/** The account of a session; null if it is inactive, deleted or has a new stamp, or if the session was ended. */
export const findAccountOfSession = async (database: Queryable, session: Session) =>
  inOrder(
    await findRow<Account>(database, FIND_ACCOUNT, ...valuesOf(session, ['accountId', 'securityStamp', 'sessionId'])),
  );

export async function insertSession(
  database: Queryable,
  session: {
    id: string;
    accountId: string;
    signedInAt: Date;
    expiresAt: Date;
    sourceAddress: string;
    userAgent: string;
  },
): Promise<void> {
  const { id, accountId, signedInAt, expiresAt, sourceAddress, userAgent } = session;
  await execute(database, INSERT, id, accountId, signedInAt, expiresAt, sourceAddress, userAgent);
}

export const recordSessionUse = (database: Queryable, id: string, at: Date, expiresAt: Date) =>
  execute(database, RECORD_USE, id, at, expiresAt);

/** The unexpired sessions of an account, last used first. */
export const listSessions = (database: Queryable, accountId: string, now: Date) =>
  listRows<ListedSession>(database, LIST, accountId, now);

/** False if the account has no such session. */
export const deleteSession = (database: Queryable, { id, accountId }: { id: string; accountId: string }) =>
  affectsRows(database, DELETE, id, accountId);

/** Ends the sessions of an account, except `keptId` if given. */
export const deleteSessionsOf = (database: Queryable, accountId: string, keptId: string | null) =>
  execute(database, DELETE_OTHERS, accountId, keptId);

export const deleteExpiredSessions = (database: Queryable, now: Date) => execute(database, DELETE_EXPIRED, now);

/** Ends the least recently used sessions of an account, so that the kept one and `maxOthers` remain. */
export const deleteSurplusSessions = (
  database: Queryable,
  { accountId, sessionId }: Pick<Session, 'accountId' | 'sessionId'>,
  maxOthers: number,
) => execute(database, DELETE_SURPLUS, accountId, sessionId, maxOthers);
