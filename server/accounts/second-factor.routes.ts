import { z } from 'zod';
import type { FastifyRequest } from 'fastify';
import {
  newAppStep,
  renewedCodes,
  secondFactorAnswer,
  secondFactorProof,
  signInPolicy,
  type SignInStep,
} from '../../shared/accounts.ts';
import { ownProof, ownSecondFactor, type OwnProof as GivenProof, type PasskeyAnswer } from '../../shared/passkeys.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { found, refuse } from '../base/errors.ts';
import { strangerOf } from '../http/create-guard.ts';
import { guarded, type Guard, type App } from '../http/guard.ts';
import type { PasswordProof } from './accounts.ts';
import {
  beginAdding,
  changeSignInPolicy,
  finishAddingApp,
  renewRecoveryCodes,
  resetSecondFactor,
  takeSecondFactor,
  turnOffSecondFactor,
  createNewApp,
  type OwnChange,
  type SecondFactorParts,
} from './second-factor.ts';
import { listPasskeys, findOwnSecondFactor, findSignInPolicy } from './second-factor.sql.ts';
import { openChallenge, openStep, sealStep } from './sealed.ts';
import { type AnsweredChallenge, type RelyingParty, relyingPartyOf } from './webauthn.ts';
import type { SessionKeys } from './session-keys.ts';
import type { Sessions } from './sessions.ts';

const tags = ['Accounts'];

export interface SecondFactorRouteParts {
  secondFactor: SecondFactorParts;
  guard: Guard;
  sessions: Sessions;
  keys: SessionKeys;
  /** The relying party of the passkeys of a request. Throws `conflict` if the address of the portal allows none. */
  partyOf: (request: FastifyRequest) => RelyingParty;
  /** The name of the portal in the authenticator app. */
  applicationName: () => Promise<string>;
}

export const createPartyOf =
  (publicUrl: string, isDevelopment: boolean): SecondFactorRouteParts['partyOf'] =>
  ({ headers }) => {
    const party = relyingPartyOf(publicUrl, { isDevelopment, origin: headers.origin });
    if (party !== null) return party;
    throw refuse('noPasskeysHere', { address: publicUrl });
  };

/** The answer of a passkey, together with the challenge that was sealed for it. */
export async function openAnswer(
  { keys, partyOf }: SecondFactorRouteParts,
  request: FastifyRequest,
  { token, credential }: PasskeyAnswer,
): Promise<AnsweredChallenge> {
  return { ...(await openChallenge(keys, token)), party: partyOf(request), signed: credential };
}

/** A change of your own second factor: who asks, and the proof that they own the account. */
export async function openOwnChange(
  parts: SecondFactorRouteParts,
  request: FastifyRequest & { body: GivenProof },
): Promise<OwnChange> {
  const { passkey, ...typed } = request.body;
  const by = parts.guard.author(request);
  return { by, proof: { ...typed, passkey: passkey && (await openAnswer(parts, request, passkey)) } };
}

export async function beginSecondStep(
  { keys, applicationName, secondFactor }: SecondFactorRouteParts,
  { account, securityStamp, next, hasApp, hasPasskey }: PasswordProof,
): Promise<SignInStep> {
  const newApp =
    next === 'enrolment' ? await createNewApp({ issuer: await applicationName(), label: account.email }) : null;
  const step = { securityStamp, accountId: account.id, startedAt: secondFactor.accounts.now() };
  return {
    token: await sealStep(keys, 'sign-in', { ...step, newSecret: newApp?.secret ?? null }),
    newApp,
    hasApp,
    hasPasskey,
  };
}

/** The second step of signing in, and your own second factor: `/api/auth/login/second-factor`, `/api/auth/me/second-factor`. */
export async function secondFactorRoutes(app: App, parts: SecondFactorRouteParts): Promise<void> {
  const { secondFactor, guard, sessions, keys } = parts;
  const { database, now } = secondFactor.accounts;
  const path = '/api/auth/me/second-factor';

  app.post(
    '/api/auth/login/second-factor',
    {
      schema: {
        tags,
        operationId: 'signInWithSecondFactor',
        summary: 'Sign in with a second factor',
        description:
          'After a 202 of /api/auth/login. Takes a code of the authenticator app or a recovery code. Each works once. Sets the session ' +
          'cookie. A wrong code is 401 and counts as a failed sign-in. An expired token is 400.',
        body: secondFactorProof,
        response: { 200: secondFactorAnswer, 401: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const step = await openStep(keys, 'sign-in', request.body.token);
      const { code } = request.body;
      const proof = await takeSecondFactor(secondFactor, strangerOf(request), { step, code });
      return { ...(await sessions.begin(request, reply, proof)), recoveryCodes: proof.recoveryCodes };
    },
  );

  app.get(
    path,
    guarded(guard.signedIn, {
      tags,
      operationId: 'getSecondFactor',
      summary: 'Get your second factor',
      response: { 200: ownSecondFactor },
    }),
    async (request) => {
      const { accountId } = guard.current(request);
      const own = found(await findOwnSecondFactor(database, accountId), 'account');
      return { ...own, passkeys: await listPasskeys(database, accountId) };
    },
  );

  app.post(
    `${path}/app`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'requestAuthenticatorApp',
      summary: 'Request a secret for a new authenticator app',
      description: 'Nothing changes until its first code arrives. A wrong password counts as a failed sign-in.',
      body: ownProof,
      response: { 200: newAppStep, 429: errorBody },
    }),
    async (request) => {
      const { accountId, email } = guard.current(request);
      const securityStamp = await beginAdding(secondFactor, await openOwnChange(parts, request));
      const newApp = await createNewApp({ issuer: await parts.applicationName(), label: email });
      const step = { accountId, securityStamp, startedAt: now(), newSecret: newApp.secret };
      return { token: await sealStep(keys, 'new-app', step), newApp };
    },
  );

  app.put(
    `${path}/app`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'addAuthenticatorApp',
      summary: 'Add the authenticator app by its first code',
      description:
        'Replaces the app that the account had. Returns ten recovery codes; older ones become invalid. ' +
        'Ends the other sessions of the account; this one continues with the cookie in the response.',
      body: secondFactorProof,
      response: { 200: renewedCodes },
    }),
    async (request, reply) => {
      const step = await openStep(keys, 'new-app', request.body.token);
      const { code } = request.body;
      const added = await finishAddingApp(secondFactor, guard.author(request), { step, code });
      await sessions.goOn(reply, guard.current(request), added.securityStamp);
      return { recoveryCodes: added.recoveryCodes };
    },
  );

  app.post(
    `${path}/recovery-codes`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'renewRecoveryCodes',
      summary: 'Create new recovery codes',
      description: 'The old ones become invalid. 409 without a second factor.',
      body: ownProof,
      response: { 200: renewedCodes, 409: errorBody, 429: errorBody },
    }),
    async (request) => ({
      recoveryCodes: await renewRecoveryCodes(secondFactor, await openOwnChange(parts, request)),
    }),
  );

  app.post(
    `${path}/off`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'turnOffSecondFactor',
      summary: 'Turn your second factor off',
      description:
        'Removes its passkeys, too. 409 if the account must have one. Ends the other sessions of the account; this one continues with the cookie in the response.',
      body: ownProof,
      response: { 204: z.null(), 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      const stamp = await turnOffSecondFactor(secondFactor, await openOwnChange(parts, request));
      await sessions.goOn(reply, guard.current(request), stamp);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/users/:id/reset-second-factor',
    guarded(guard.admin, {
      tags: ['Users'],
      operationId: 'resetSecondFactorOfUser',
      summary: 'Remove the lost second factor of another user and end their sessions',
      description:
        'Then the password alone signs them in, or leads to a new app or passkey if they must have one. 409 for yourself.',
      params: idParams,
      response: { 204: z.null(), 409: errorBody },
    }),
    async (request, reply) => {
      await resetSecondFactor(secondFactor, { by: guard.author(request), id: request.params.id });
      return reply.code(204).send(null);
    },
  );

  const policyPath = '/api/admin/sign-in-policy';
  app.get(
    policyPath,
    guarded(guard.admin, {
      tags: ['Users'],
      operationId: 'getSignInPolicy',
      summary: 'Get the requirements for signing in',
      response: { 200: signInPolicy },
    }),
    async () => findSignInPolicy(database),
  );

  app.put(
    policyPath,
    guarded(guard.admin, {
      tags: ['Users'],
      operationId: 'updateSignInPolicy',
      summary: 'Set whether administrators need a second factor',
      description:
        'Those without one, restricted ones included, are signed out, and add an authenticator app or a passkey when they sign in again. ' +
        '409 if you have none yourself.',
      body: signInPolicy,
      response: { 200: signInPolicy, 409: errorBody },
    }),
    async (request) => {
      await changeSignInPolicy(secondFactor, guard.author(request), request.body);
      return request.body;
    },
  );
}
