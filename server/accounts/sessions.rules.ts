/** What a session cookie carries, sealed. Instants are epoch milliseconds. */
export interface Session {
  accountId: string;
  sessionId: string;
  /** The account's stamp when the cookie was sealed; another one on the account ends the session. */
  securityStamp: string;
  signedInAt: number;
  lastSeenAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** decisions.md 2: idle lifetime 8 h sliding, absolute 14 days. */
const idleLifetimeMs = 8 * hourMs;
export const absoluteLifetimeMs = 14 * 24 * hourMs;
// Sealing on every request would send a cookie with every response to a polling page.
export const renewalMs = 5 * minuteMs;

/** When the session expires unless it is used before. */
export function sessionExpiresAt(session: Session): number {
  return Math.min(session.lastSeenAt + idleLifetimeMs, sessionEndsAt(session));
}

/** The latest instant at which any cookie of this session can still be valid. */
export function sessionEndsAt(session: Session): number {
  return session.signedInAt + absoluteLifetimeMs;
}

export function isSessionOver(session: Session, now: number): boolean {
  return now >= sessionExpiresAt(session);
}

/** True when the cookie should be renewed: so that the idle lifetime slides, or because a clock that was ahead wrote it. */
export function isDueForRenewal(session: Session, now: number): boolean {
  return Math.abs(now - session.lastSeenAt) >= renewalMs;
}

/** The session as used now. Both its times count from now at the latest: a clock that was ahead lengthens neither from its next use on. */
export function renewSession(session: Session, now: number): Session {
  return { ...session, signedInAt: Math.min(session.signedInAt, now), lastSeenAt: now };
}
