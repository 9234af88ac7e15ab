import type { Database } from '../db/pool.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSurplusSessions,
  insertSession,
  recordSessionUse,
} from '../db/sessions.ts';
import { renewalMs, sessionExpiresAt, type Session } from '../domain/sessions.ts';

/** A script that signs in for each of its requests would fill the table otherwise. */
const maxSessionsPerAccount = 1_000;
const maxUserAgentLength = 300;

/** From where a session is used. */
export interface SessionOrigin {
  sourceAddress: string;
  userAgent: string;
}

/** Begins a session, and ends the one that the browser had. */
export async function beginSession(
  database: Database,
  session: Session,
  { sourceAddress, userAgent }: SessionOrigin,
  previous: Session | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    await insertSession(tx, {
      id: session.sessionId,
      accountId: session.accountId,
      signedInAt: new Date(session.signedInAt),
      expiresAt: new Date(sessionExpiresAt(session)),
      sourceAddress,
      userAgent: userAgent.replaceAll('\u0000', '').slice(0, maxUserAgentLength),
    });
    // After the insertion, which waits for whoever holds the account.
    if (previous !== null) await deleteSession(tx, { id: previous.sessionId, accountId: previous.accountId });
    await deleteSurplusSessions(tx, session.accountId, maxSessionsPerAccount);
  });
  // A cookie may have been sealed anew just before the use of its session was written.
  await deleteExpiredSessions(database, new Date(session.signedInAt - renewalMs));
}

/** Writes that a session was used at its `lastSeenAt`. */
export async function recordUse(database: Database, session: Session): Promise<void> {
  await recordSessionUse(
    database,
    session.sessionId,
    new Date(session.lastSeenAt),
    new Date(sessionExpiresAt(session)),
  );
}

/** Ends a session of an account, so that copies of its cookie are dead too. False where it has no such session. */
export async function endSession(database: Database, ended: { id: string; accountId: string }): Promise<boolean> {
  return deleteSession(database, ended);
}

/** Ends all sessions of an account but one. */
export async function endOtherSessions(
  database: Database,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  await deleteSessionsOf(database, accountId, sessionId);
}
