import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CurrentUser } from '../../shared/accounts.ts';
import type { AccountActor } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import { sourceOf } from '../base/source-address.ts';
import { authorOf } from '../http/create-guard.ts';
import type { SignedIn } from '../http/guard.ts';
import { logWho } from '../http/request-log.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSurplusSessions,
  insertSession,
  findAccountOfSession,
  recordSessionUse,
} from './sessions.sql.ts';
import { type Summary, SessionSummaries } from './audit.rules.ts';
import {
  renewalMs,
  type Session,
  isDueForRenewal,
  isSessionOver,
  renewSession,
  sessionExpiresAt,
} from './sessions.rules.ts';
import { type Changing, makeChange } from './audit.ts';
import type { StampedAccount } from './accounts.ts';
import type { Account } from './accounts.sql.ts';
import { openSealedSession, sealSession } from './sealed.ts';
import type { SessionKeys } from './session-keys.ts';

/** The number of sessions of an account is limited: a script that signs in for every request would fill the table. */
const maxSessionsPerAccount = 100;
const maxUserAgentLength = 300;

/**
 * Ends a session of the caller's account, so that copies of its cookie stop working too. False if the account has no such
 * session.
 */
export async function endSession(
  changing: Changing<AccountActor>,
  id: string,
  summary: Summary | null = null,
): Promise<boolean> {
  return makeChange(changing, async (tx, recordChange) => {
    const isEnded = await deleteSession(tx, { sessionId: id, accountId: changing.by.actor.accountId });
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

/**
 * The prefix binds the cookie to this host; browsers accept it only over https. The port separates portals on one machine,
 * because browsers send a cookie to every port of its host.
 */
export function sessionCookieName(publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Host-' : ''}portal_session${port === '' ? '' : `_${port}`}`;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions in cookies: reading, beginning, renewing and ending them. */
export function createSessions({
  database,
  keys,
  publicUrl,
  now,
  zonesOf,
}: {
  database: Database;
  keys: SessionKeys;
  publicUrl: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** The time zone in which an account sees times. */
  zonesOf: (accountId: string) => Promise<Pick<CurrentUser, 'timeZone' | 'displayTimeZone'>>;
}) {
  const isHttps = publicUrl.startsWith('https:');
  const cookieName = sessionCookieName(publicUrl);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const;

  const summaries = new SessionSummaries();
  const summaryOf = (action: 'session.begin' | 'session.end', accountId: string, request: FastifyRequest) =>
    summaries.of(action, accountId, sourceOf(request.ip), now());

  const open = async (request: FastifyRequest): Promise<Session | null> => {
    const sealed = request.cookies[cookieName];
    if (sealed === undefined) return null;
    const session = await openSealedSession(keys, sealed);
    return session === null || isSessionOver(session, now()) ? null : session;
  };

  const give = async (reply: FastifyReply, session: Session) => {
    const maxAge = Math.floor((sessionExpiresAt(session) - session.lastSeenAt) / 1000);
    void reply.setCookie(cookieName, await sealSession(keys, session), { ...attributes, maxAge });
  };

  const takeBack = (request: FastifyRequest, reply: FastifyReply) => {
    if (request.cookies[cookieName] !== undefined) void reply.clearCookie(cookieName, attributes);
  };

  const present = async ({ id, email, displayName, roles }: Account): Promise<CurrentUser> => ({
    email,
    displayName,
    roles,
    ...(await zonesOf(id)),
  });

  return {
    /** An account as its own session sees it. */
    present,

    /** The account of the cookie; null if it has no session, or one that has ended. */
    async find(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
      const session = await open(request);
      const account = session && (await findAccountOfSession(database, session));
      if (session === null) takeBack(request, reply);
      // The cookie of an ended session is not cleared. The request may have begun before a sign-in in this browser, whose new cookie
      // would be lost.
      if (session === null || account === null) return null;
      const renewed = renewSession(session, now());
      if (isDueForRenewal(session, now())) {
        await recordSessionUse(database, renewed);
        await give(reply, renewed);
      }
      const { id: accountId, ...shown } = account;
      return { accountId, sessionId: session.sessionId, signedInAt: renewed.signedInAt, ...shown };
    },

    /** Starts a session for an account that has just been verified, and ends the previous session of the browser. */
    async begin(request: FastifyRequest, reply: FastifyReply, { account, securityStamp }: StampedAccount) {
      const { id } = account;
      logWho(request, { account: id });
      const at = now();
      const session = { accountId: id, sessionId: randomUUID(), securityStamp, signedInAt: at, lastSeenAt: at };
      const by = authorOf(request, session);
      const userAgent = (request.headers['user-agent'] ?? '').replaceAll('\u0000', '').slice(0, maxUserAgentLength);
      const previous = await open(request);
      const summary = summaryOf('session.begin', id, request);
      await makeChange({ database, by }, async (tx, recordChange) => {
        await insertSession(tx, session, by.actor.sourceAddress, userAgent);
        // This runs after the insertion, which waits for the lock on the account.
        if (previous !== null) await deleteSession(tx, previous);
        await deleteSurplusSessions(tx, session, maxSessionsPerAccount - 1);
        await recordChange('session.begin', { id: summary === null ? session.sessionId : null, summary });
      });
      // The time of a session may be slightly older than its cookie: the cookie may have been sealed again just before the use
      // was written.
      await deleteExpiredSessions(database, new Date(at - renewalMs));
      await give(reply, session);
      return present(account);
    },

    /** Renews the current session after a change that gave the account a new stamp. */
    async goOn(reply: FastifyReply, { accountId, sessionId, signedInAt }: SignedIn, securityStamp: string) {
      await give(reply, { accountId, sessionId, securityStamp, signedInAt, lastSeenAt: now() });
    },

    /** Signs out. If the cookie is not valid, it is only cleared. */
    async end(request: FastifyRequest, reply: FastifyReply) {
      const session = await open(request);
      if (session !== null) {
        const summary = summaryOf('session.end', session.accountId, request);
        await endSession({ database, by: authorOf(request, session) }, session.sessionId, summary);
      }
      takeBack(request, reply);
      // Not "cookies", which would also end sessions of other portals under this domain. Not "storage", which contains the
      // language.
      void reply.header('clear-site-data', '"cache"');
    },
  };
}
