import { z } from 'zod';
import { currentUser, secondFactorAnswer } from '../../shared/accounts.ts';
import {
  addedPasskey,
  firstPasskey,
  type NewPasskeyStep,
  newPasskeyStep,
  ownProof,
  passkeyAnswer,
  passkeyCreate,
  passkeyRequest,
} from '../../shared/passkeys.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { strangerOf } from '../http/create-guard.ts';
import { guarded, type App } from '../http/guard.ts';
import { newChallenge, userHandleOf, passkeyAlgorithms, type RelyingParty } from './webauthn.ts';
import {
  beginAddingPasskey,
  beginFirstPasskey,
  finishAddingPasskey,
  finishFirstPasskey,
  removePasskey,
  signInWithPasskey,
} from './passkeys.ts';
import { refuseLockedSource } from './sign-in-attempts.ts';
import { openAnswer, openOwnChange, type SecondFactorRouteParts } from './second-factor.routes.ts';
import { sealChallenge, sealStep, openStep } from './sealed.ts';

const tags = ['Accounts'];
const timeout = 300_000;

interface NewPasskey {
  party: RelyingParty;
  account: { accountId: string; email: string; displayName: string };
  securityStamp: string;
  /** The ids of the passkeys that the account already has. */
  credentials: Buffer[];
}

/** Signing in with a passkey, and managing your own: `/api/auth/login/passkey`, `/api/auth/me/second-factor/passkeys`. */
export async function passkeyRoutes(app: App, parts: SecondFactorRouteParts): Promise<void> {
  const { secondFactor, guard, sessions, keys, partyOf } = parts;
  const { now } = secondFactor.accounts;

  app.post(
    '/api/auth/login/passkey/options',
    {
      schema: {
        tags,
        operationId: 'requestPasskey',
        summary: 'Request a challenge to sign in with a passkey',
        description:
          'For navigator.credentials.get and any account. The portal stores nothing. 409 if the address of the portal has no host name or no https.',
        response: { 200: passkeyRequest, 409: errorBody, 429: errorBody },
      },
    },
    async (request) => {
      const { id: rpId } = partyOf(request);
      refuseLockedSource(secondFactor.accounts, request.ip);
      const challenge = newChallenge();
      const token = await sealChallenge(keys, { challenge, startedAt: now() });
      return { token, options: { challenge, rpId, timeout, userVerification: 'required' as const } };
    },
  );

  app.post(
    '/api/auth/login/passkey',
    {
      schema: {
        tags,
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Needs no password and no second step: the device asks for a fingerprint, a face or a PIN. Sets the session cookie. ' +
          'A challenge works once. An unknown passkey is 401 and counts as a failure of the source address.',
        body: passkeyAnswer,
        response: { 200: currentUser, 401: errorBody, 409: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const answered = await openAnswer(parts, request, request.body);
      return sessions.begin(request, reply, await signInWithPasskey(secondFactor, strangerOf(request), answered));
    },
  );

  /** The options with which a browser creates a passkey, and the token for the next step. */
  const asStep = async (
    purpose: 'first-passkey' | 'new-passkey',
    { party, account, securityStamp, credentials }: NewPasskey,
  ): Promise<NewPasskeyStep> => {
    const challenge = newChallenge();
    const { accountId, email, displayName } = account;
    const ofKey = { type: 'public-key' as const };
    return {
      token: await sealStep(keys, purpose, { accountId, securityStamp, startedAt: now(), newSecret: challenge }),
      options: {
        rp: { id: party.id, name: await parts.applicationName() },
        user: { id: userHandleOf(accountId), name: email, displayName },
        challenge,
        pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ ...ofKey, alg })),
        timeout,
        excludeCredentials: credentials.map((id) => ({ ...ofKey, id: id.toString('base64url') })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    };
  };

  const first = '/api/auth/login/first-passkey';
  app.post(
    `${first}/options`,
    {
      schema: {
        tags,
        operationId: 'requestFirstPasskey',
        summary: 'Request a challenge for the first passkey, during sign-in',
        description:
          'After a 202 of /api/auth/login with a `newApp`, and instead of that app. For navigator.credentials.create. ' +
          '400 if the account has a second factor already or the token has expired.',
        body: firstPasskey,
        response: { 200: newPasskeyStep, 409: errorBody },
      },
    },
    async (request) => {
      const party = partyOf(request);
      const step = await openStep(keys, 'sign-in', request.body.token);
      const email = await beginFirstPasskey(secondFactor, step);
      const { accountId, securityStamp } = step;
      const account = { accountId, email, displayName: email };
      return asStep('first-passkey', { party, account, securityStamp, credentials: [] });
    },
  );

  app.post(
    first,
    {
      schema: {
        tags,
        operationId: 'addFirstPasskey',
        summary: 'Add the first passkey and sign in',
        description: 'Sets the session cookie, and returns ten recovery codes. An expired token is 400.',
        body: passkeyCreate,
        response: { 200: secondFactorAnswer, 409: errorBody },
      },
    },
    async (request, reply) => {
      const { token, name, credential: made } = request.body;
      const step = await openStep(keys, 'first-passkey', token);
      const adding = { step, name, made, party: partyOf(request) };
      const proof = await finishFirstPasskey(secondFactor, strangerOf(request), adding);
      return { ...(await sessions.begin(request, reply, proof)), recoveryCodes: proof.recoveryCodes };
    },
  );

  const path = '/api/auth/me/second-factor/passkeys';
  app.post(
    `${path}/options`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'requestNewPasskey',
      summary: 'Request a challenge for a new passkey',
      description: 'For navigator.credentials.create. Nothing changes until its answer arrives.',
      body: ownProof,
      response: { 200: newPasskeyStep, 409: errorBody, 429: errorBody },
    }),
    async (request) => {
      const party = partyOf(request);
      const { accountId, email, displayName } = guard.current(request);
      const begun = await beginAddingPasskey(secondFactor, await openOwnChange(parts, request));
      return asStep('new-passkey', { party, account: { accountId, email, displayName }, ...begun });
    },
  );

  app.post(
    path,
    guarded(guard.signedIn, {
      tags,
      operationId: 'addPasskey',
      summary: 'Add a passkey',
      description:
        'Ends the other sessions of the account; this one continues with the cookie in the response. The first ' +
        'second factor of an account comes with ten recovery codes. From then on a second factor is required.',
      body: passkeyCreate,
      response: { 201: addedPasskey, 409: errorBody },
    }),
    async (request, reply) => {
      const { token, name, credential: made } = request.body;
      const step = await openStep(keys, 'new-passkey', token);
      const adding = { step, name, made, party: partyOf(request) };
      const { securityStamp, recoveryCodes } = await finishAddingPasskey(secondFactor, guard.author(request), adding);
      await sessions.goOn(reply, guard.current(request), securityStamp);
      return reply.code(201).send({ recoveryCodes });
    },
  );

  app.post(
    `${path}/:id/remove`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'removePasskey',
      summary: 'Remove one of your passkeys',
      description:
        'Ends the other sessions of the account; this one continues with the cookie in the response. 409 if it is the last second factor of an account that must have one.',
      params: idParams,
      body: ownProof,
      response: { 204: z.null(), 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      const stamp = await removePasskey(secondFactor, {
        ...(await openOwnChange(parts, request)),
        id: request.params.id,
      });
      await sessions.goOn(reply, guard.current(request), stamp);
      return reply.code(204).send(null);
    },
  );
}
