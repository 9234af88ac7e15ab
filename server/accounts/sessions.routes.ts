import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CurrentUser } from '../../shared/accounts.ts';
import type { StampedAccount } from './accounts.ts';
import { beginSession, endSession, recordUse } from './sessions.ts';
import type { Database } from '../database/pool.ts';
import { findAccountOfSession } from './sessions.sql.ts';
import { SessionSummaries } from './audit.rules.ts';
import { isDueForRenewal, isSessionOver, renewSession, sessionExpiresAt, type Session } from './sessions.rules.ts';
import { sourceOf } from '../base/source-address.ts';
import type { SignedIn } from '../http/guard.ts';
import { authorOf } from '../http/create-guard.ts';
import { logWho } from '../http/request-log.ts';
import { openSealedSession, sealSession } from './session-cookie.ts';
import type { SessionKeys } from './session-keys.ts';

/** Sessions in cookies: reading, beginning, renewing and ending them. */
export interface Sessions {
  /** The account of the cookie; null if it is not valid, and the cookie is then cleared. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null>;
  /** Begins a session for an account that has just proven who it is, and ends the one that the browser had. */
  begin(request: FastifyRequest, reply: FastifyReply, proven: StampedAccount): Promise<CurrentUser>;
  /** Renews the current session after a change that gave the account a new stamp. */
  goOn(reply: FastifyReply, signedIn: SignedIn, securityStamp: string): Promise<void>;
  /** Signs out. If the cookie is not valid, it is only cleared. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface SessionsOptions {
  database: Database;
  keys: SessionKeys;
  publicUrl: string;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * The prefix binds the cookie to this host; browsers accept it only over https. The port separates portals on one machine,
 * because browsers send a cookie to every port of its host.
 */
export function sessionCookieName(publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Host-' : ''}portal_session${port === '' ? '' : `_${port}`}`;
}

export function createSessions({ database, keys, publicUrl, now }: SessionsOptions): Sessions {
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

  return {
    async find(request, reply) {
      const session = await open(request);
      const account = session && (await findAccountOfSession(database, session));
      if (session === null || account === null) {
        takeBack(request, reply);
        return null;
      }
      const renewed = renewSession(session, now());
      if (isDueForRenewal(session, now())) {
        await recordUse(database, renewed);
        await give(reply, renewed);
      }
      const { id: accountId, email, displayName, roles } = account;
      return { accountId, sessionId: session.sessionId, signedInAt: renewed.signedInAt, email, displayName, roles };
    },

    async begin(request, reply, { account, securityStamp }) {
      const { id } = account;
      logWho(request, { account: id });
      const at = now();
      const session = { accountId: id, sessionId: randomUUID(), securityStamp, signedInAt: at, lastSeenAt: at };
      const by = authorOf(request, session);
      await beginSession({ database, by }, session, {
        userAgent: request.headers['user-agent'] ?? '',
        previous: await open(request),
        summary: summaryOf('session.begin', id, request),
      });
      await give(reply, session);
      return presentUser(account);
    },

    async goOn(reply, { accountId, sessionId, signedInAt }, securityStamp) {
      await give(reply, { accountId, sessionId, securityStamp, signedInAt, lastSeenAt: now() });
    },

    async end(request, reply) {
      const session = await open(request);
      if (session !== null) {
        const summary = summaryOf('session.end', session.accountId, request);
        await endSession({ database, by: authorOf(request, session) }, session.sessionId, summary);
      }
      takeBack(request, reply);
      // Not "cookies", which would end sessions of other portals under this domain, nor "storage", which contains the language.
      void reply.header('clear-site-data', '"cache"');
    },
  };
}

export function presentUser({ email, displayName, roles }: CurrentUser): CurrentUser {
  return { email, displayName, roles };
}
