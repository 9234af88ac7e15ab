import type { Database } from '../database/pool.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSurplusSessions,
  insertSession,
  recordSessionUse,
} from './sessions.sql.ts';
import type { AccountActor } from '../base/scopes.ts';
import type { Summary } from './audit.rules.ts';
import { renewalMs, sessionExpiresAt, type Session } from './sessions.rules.ts';
import { type Changing, makeChange } from './audit.ts';

/** Bounded because a script that signs in for every request would fill the table. */
const maxSessionsPerAccount = 100;
const maxUserAgentLength = 300;

/** Begins a session, and ends the one that the browser had. */
export async function beginSession(
  changing: Changing<AccountActor>,
  session: Session,
  { userAgent, previous, summary }: { userAgent: string; previous: Session | null; summary: Summary | null },
): Promise<void> {
  const { database, by } = changing;
  await makeChange(changing, async (tx, recordChange) => {
    await insertSession(tx, {
      id: session.sessionId,
      accountId: session.accountId,
      signedInAt: new Date(session.signedInAt),
      expiresAt: new Date(sessionExpiresAt(session)),
      sourceAddress: by.actor.sourceAddress,
      userAgent: userAgent.replaceAll('\u0000', '').slice(0, maxUserAgentLength),
    });
    // After the insertion, which waits for the lock on the account.
    if (previous !== null) await deleteSession(tx, { id: previous.sessionId, accountId: previous.accountId });
    await deleteSurplusSessions(tx, session, maxSessionsPerAccount - 1);
    await recordChange('session.begin', { id: summary === null ? session.sessionId : null, summary });
  });
  // A cookie may have been sealed again just before the use of its session was written.
  await deleteExpiredSessions(database, new Date(session.signedInAt - renewalMs));
}

/** Records that a session was used at its `lastSeenAt`. */
export const recordUse = (database: Database, session: Session) =>
  recordSessionUse(database, session.sessionId, new Date(session.lastSeenAt), new Date(sessionExpiresAt(session)));

/** Ends a session of the account that asks, so that copies of its cookie are dead too. False if it has no such session. */
export async function endSession(
  changing: Changing<AccountActor>,
  id: string,
  summary: Summary | null = null,
): Promise<boolean> {
  return makeChange(changing, async (tx, recordChange) => {
    const isEnded = await deleteSession(tx, { id, accountId: changing.by.actor.accountId });
    if (isEnded) await recordChange('session.end', { id: summary === null ? id : null, summary });
    return isEnded;
  });
}

/** Ends all sessions of the account except the current one. */
export async function endOtherSessions(changing: Changing<AccountActor>): Promise<void> {
  const { accountId, sessionId } = changing.by.actor;
  await makeChange(changing, async (tx, recordChange) => {
    await deleteSessionsOf(tx, accountId, sessionId);
    await recordChange('session.end-others', { id: sessionId });
  });
}
