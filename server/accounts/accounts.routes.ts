import { z } from 'zod';
import {
  currentUser,
  listedSession,
  loginRequest,
  passwordChange,
  portalTimeZone,
  portalTimeZoneUpdate,
  profileUpdate,
  signInStep,
} from '../../shared/accounts.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { profileVersion } from '../../shared/versions.ts';
import { notFound } from '../base/errors.ts';
import { answerErrorOrEmpty401 } from '../http/errors.ts';
import { strangerOf } from '../http/create-guard.ts';
import { guarded, type App } from '../http/guard.ts';
import { ifMatch, ifMatchHeaders, withVersion, versioned } from '../http/resources.ts';
import { changePassword, changeProfile, signIn } from './accounts.ts';
import { endOtherSessions, endSession } from './sessions.ts';
import { countOwnChange } from './sign-in-attempts.ts';
import { listSessions } from './sessions.sql.ts';
import { describeUserAgent } from './sessions.rules.ts';
import { changePortalZone } from './time-zones.ts';
import { findPortalZone } from './time-zones.sql.ts';
import { type SecondFactorRouteParts, beginSecondStep } from './second-factor.routes.ts';

const tags = ['Accounts'];

/** Sign-in, sign-out and your own profile: `/api/auth/…` of the specification. */
export async function accountRoutes(app: App, parts: SecondFactorRouteParts): Promise<void> {
  const { guard, sessions } = parts;
  const { accounts } = parts.secondFactor;
  app.post(
    '/api/auth/login',
    {
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'Sets the session cookie and ends the session that the browser had. Five failures within 15 minutes lock the ' +
          'email for 15 minutes. A source address may fail a hundred times, then once a second. 202: the account has a second ' +
          'factor or must add one; continue with /api/auth/login/second-factor or, with a passkey, /api/auth/login/passkey.',
        body: loginRequest,
        response: { 200: currentUser, 202: signInStep, 401: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const proof = await signIn(accounts, strangerOf(request), request.body);
      if (proof.next !== 'signedIn') return reply.code(202).send(await beginSecondStep(parts, proof));
      return sessions.begin(request, reply, proof);
    },
  );

  app.post(
    '/api/auth/logout',
    {
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session and every copy of its cookie. Succeeds without a session too.',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await sessions.end(request, reply);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/auth/sessions',
    guarded(guard.signedIn, {
      tags,
      operationId: 'listSessions',
      summary: 'List your sessions, last used first',
      response: { 200: z.array(listedSession) },
    }),
    async (request) => {
      const { accountId, sessionId } = guard.current(request);
      const listed = await listSessions(accounts.database, accountId, new Date(accounts.now()));
      return listed.map(({ userAgent, ...session }) => ({
        ...session,
        ...describeUserAgent(userAgent),
        isCurrent: session.id === sessionId,
      }));
    },
  );

  app.delete(
    '/api/auth/sessions',
    guarded(guard.signedIn, {
      tags,
      operationId: 'endOtherSessions',
      summary: 'End all your other sessions',
      response: { 204: z.null(), 429: errorBody },
    }),
    async (request, reply) => {
      // Without this check, a request without an id would end all other sessions.
      if (new URL(request.url, 'http://portal.invalid').pathname.endsWith('/')) throw notFound('session');
      const by = guard.author(request);
      countOwnChange(accounts, by.actor);
      await endOtherSessions({ database: accounts.database, by });
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/auth/sessions/:id',
    guarded(guard.signedIn, {
      tags,
      operationId: 'endSession',
      summary: 'End one of your sessions',
      description: 'Every copy of its cookie stops working at once. Ending the current session signs it out.',
      params: idParams,
      response: { 204: z.null(), 429: errorBody },
    }),
    async (request, reply) => {
      const by = guard.author(request);
      const { id } = request.params;
      if (id !== by.actor.sessionId) countOwnChange(accounts, by.actor);
      if (id === by.actor.sessionId) await sessions.end(request, reply);
      else if (!(await endSession({ database: accounts.database, by }, id))) throw notFound('session');
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/auth/me',
    {
      ...guarded(guard.signedIn, {
        tags,
        operationId: 'getCurrentUser',
        summary: 'Get the signed-in user',
        description: 'A 401 has an empty body.',
        response: { 200: versioned(currentUser), 401: z.null() },
      }),
      errorHandler: answerErrorOrEmpty401,
    },
    async (request, reply) => {
      const { accountId: id, ...user } = guard.current(request);
      return withVersion(reply, await sessions.present({ id, ...user }), profileVersion);
    },
  );

  app.put(
    '/api/auth/me',
    guarded(guard.signedIn, {
      tags,
      operationId: 'updateCurrentUser',
      summary: 'Change your display name and time zone',
      headers: ifMatchHeaders,
      body: profileUpdate,
      response: { 200: versioned(currentUser), 429: errorBody },
    }),
    async (request, reply) => {
      const by = guard.author(request);
      const changed = await changeProfile(accounts, by, request.body, ifMatch(request, profileVersion));
      return withVersion(reply, await sessions.present(changed), profileVersion);
    },
  );

  app.get(
    '/api/admin/time-zone',
    guarded(guard.admin, {
      tags,
      operationId: 'getTimeZone',
      summary: 'Get the time zone in which the portal shows times',
      response: { 200: portalTimeZone },
    }),
    async () => ({ timeZone: await findPortalZone(accounts.database) }),
  );

  app.put(
    '/api/admin/time-zone',
    guarded(guard.admin, {
      tags,
      operationId: 'updateTimeZone',
      summary: 'Set the time zone in which users without a choice of their own see times',
      description: 'Days, tariffs and cost of a site stay in its own time zone.',
      body: portalTimeZoneUpdate,
      response: { 200: portalTimeZone },
    }),
    async (request) => changePortalZone(accounts.database, guard.author(request), request.body.timeZone),
  );

  app.post(
    '/api/auth/me/change-password',
    guarded(guard.signedIn, {
      tags,
      operationId: 'changePassword',
      summary: 'Change your password',
      description: 'Ends the other sessions of the account; this one continues with the cookie in the response.',
      body: passwordChange,
      response: { 204: z.null(), 429: errorBody },
    }),
    async (request, reply) => {
      const signedIn = guard.current(request);
      const { currentPassword, newPassword } = request.body;
      const securityStamp = await changePassword(accounts, {
        by: guard.author(request),
        currentPassword,
        newPassword,
      });
      await sessions.goOn(reply, signedIn, securityStamp);
      return reply.code(204).send(null);
    },
  );
}
