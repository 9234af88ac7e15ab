import type { Database } from '../db/pool.ts';
import { deleteExpiredSessions, insertEndedSession } from '../db/sessions.ts';
import { sessionEndsAt, type Session } from '../domain/sessions.ts';

/** Signs a session out, so that copies of its cookie are dead too. */
export async function endSession(database: Database, session: Session, now: number): Promise<void> {
  await insertEndedSession(database, session.sessionId, new Date(sessionEndsAt(session)));
  await deleteExpiredSessions(database, new Date(now));
}
