import type { ListedSession } from '../../shared/accounts.ts';
import type { Queryable, Statement } from '../database/pool.ts';
import { affectsRows, execute, findRow, listRows, valuesOf } from '../database/rows.ts';
import { type Session, sessionExpiresAt } from './sessions.rules.ts';
import { type Account, inOrder } from './accounts.sql.ts';

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
// Also overwrites a time that is much later, because a fast clock must have written it. Concurrent requests arrive in any
// order.
const RECORD_USE = `UPDATE portal.sessions
  SET signed_in_at = least(signed_in_at, $2), last_used_at = $2, expires_at = $3
  WHERE id = $1 AND (last_used_at < $2 OR last_used_at > $2::timestamptz + interval '1 minute')`;
// Index sessions_account_id.
const LIST = `SELECT id, signed_in_at AS "signedInAt", last_used_at AS "lastUsedAt", source_address AS "sourceAddress",
         user_agent AS "userAgent"
  FROM portal.sessions WHERE account_id = $1 AND expires_at > $2
  ORDER BY last_used_at DESC, signed_in_at DESC, id`;
// With the notifications in its browser.
const DELETE = `WITH told AS (DELETE FROM portal.browser_subscriptions WHERE account_id = $2 AND session_id = $1)
  DELETE FROM portal.sessions WHERE id = $1 AND account_id = $2`;
const DELETE_OTHERS = `WITH told AS (DELETE FROM portal.browser_subscriptions WHERE account_id = $1 AND session_id IS DISTINCT FROM $2::uuid)
  DELETE FROM portal.sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2::uuid`;
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

export const insertSession = (database: Queryable, session: Session, sourceAddress: string, userAgent: string) =>
  execute(
    database,
    INSERT,
    ...valuesOf(session, ['sessionId', 'accountId']),
    new Date(session.signedInAt),
    new Date(sessionExpiresAt(session)),
    sourceAddress,
    userAgent,
  );

/** Records that a session was used at its `lastSeenAt`. */
export const recordSessionUse = (database: Queryable, session: Session) =>
  execute(database, RECORD_USE, session.sessionId, new Date(session.lastSeenAt), new Date(sessionExpiresAt(session)));

/** The unexpired sessions of an account, last used first. */
export const listSessions = (database: Queryable, accountId: string, now: Date) =>
  listRows<Omit<ListedSession, 'browser' | 'system' | 'isCurrent'> & { userAgent: string }>(
    database,
    LIST,
    accountId,
    now,
  );

export const deleteSession = (database: Queryable, session: Pick<Session, 'sessionId' | 'accountId'>) =>
  affectsRows(database, DELETE, session.sessionId, session.accountId);

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
