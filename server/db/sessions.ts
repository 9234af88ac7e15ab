import type { Account } from '../domain/accounts.ts';
import type { Session } from '../domain/sessions.ts';
import { toAccount } from './accounts.ts';
import type { Queryable, Statement } from './pool.ts';

// Runs on each request of a signed-in user: two look-ups by primary key.
const FIND_ACCOUNT: Statement = {
  name: 'sessions.find_account',
  text: `SELECT id, email, display_name AS "displayName", roles FROM portal.accounts
         WHERE id = $1 AND security_stamp = $2 AND is_active
           AND NOT EXISTS (SELECT FROM portal.ended_sessions WHERE session_id = $3)`,
};
const END: Statement = {
  text: `INSERT INTO portal.ended_sessions (session_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
};
const DELETE_EXPIRED: Statement = { text: `DELETE FROM portal.ended_sessions WHERE expires_at <= $1` };

/** The account behind a session, or null when it is inactive, has a new stamp, is gone, or the session was signed out. */
export async function findAccountOfSession(database: Queryable, session: Session): Promise<Account | null> {
  const { rows } = await database.query<{ id: string; email: string; displayName: string; roles: string[] }>(
    FIND_ACCOUNT,
    [session.accountId, session.securityStamp, session.sessionId],
  );
  return rows[0] === undefined ? null : toAccount(rows[0]);
}

/** No cookie of this session is valid any more. `expiresAt` is when none could be anyway. */
export async function insertEndedSession(database: Queryable, sessionId: string, expiresAt: Date): Promise<void> {
  await database.query(END, [sessionId, expiresAt]);
}

export async function deleteExpiredSessions(database: Queryable, now: Date): Promise<void> {
  await database.query(DELETE_EXPIRED, [now]);
}
