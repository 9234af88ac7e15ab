import { z } from 'zod';
import { currentUser } from '../../shared/accounts.ts';
import {
  addedPasskey,
  newPasskeyStep,
  ownProof,
  passkeyAnswer,
  passkeyCreate,
  passkeyRequest,
} from '../../shared/passkeys.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { newChallenge, userHandleOf } from '../commands/answered-challenge.ts';
import { beginAddingPasskey, finishAddingPasskey, removePasskey, signInWithPasskey } from '../commands/passkeys.ts';
import { refuseLockedSource } from '../commands/sign-in-attempts.ts';
import { passkeyAlgorithms } from '../domain/relying-party.ts';
import { present } from './accounts.ts';
import { openAnswer, openProof, type SecondFactorRouteParts } from './own-proof.ts';
import { logWho } from './request-log.ts';
import { noTokenOfStep, openSealedStep, sealChallenge, sealStep } from './sealed-steps.ts';
import type { App } from './typed-app.ts';

const tags = ['Accounts'];
const timeout = 300_000;

/** Signing in with a passkey, and the own ones: `/api/auth/login/passkey`, `/api/auth/me/second-factor/passkeys`. */
export async function passkeyRoutes(app: App, parts: SecondFactorRouteParts): Promise<void> {
  const { secondFactor, guard, sessions, keys, partyOf } = parts;
  const { now } = secondFactor.accounts;
  const proofOf = openProof(parts);

  app.post(
    '/api/auth/login/passkey/options',
    {
      schema: {
        tags,
        summary: 'Ask for a passkey',
        description:
          'A challenge for navigator.credentials.get, of whatever account; nothing is kept of it. 409 where the address of the portal has no name or no https.',
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
        summary: 'Sign in with a passkey',
        description:
          'Without a password and without a second step, because its device has asked for a finger, a face or a PIN. Sets the session cookie. ' +
          'A challenge is answered once; a passkey that is not known is 401 and counts as a failure of the source address.',
        body: passkeyAnswer,
        response: { 200: currentUser, 401: errorBody, 409: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const answered = await openAnswer(parts, request, request.body);
      const by = { actor: { kind: 'anonymous', sourceAddress: request.ip }, log: request.log } as const;
      const { account, securityStamp } = await signInWithPasskey(secondFactor, by, answered);
      logWho(request, { account: account.id });
      await sessions.begin(request, reply, { id: account.id, securityStamp });
      return present(account);
    },
  );

  const path = '/api/auth/me/second-factor/passkeys';
  app.post(
    `${path}/options`,
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description: 'Options for navigator.credentials.create; nothing changes before its answer has come.',
        body: ownProof,
        response: { 200: newPasskeyStep, 409: errorBody, 429: errorBody },
      },
    },
    async (request) => {
      const party = partyOf(request);
      const proof = await proofOf(request, request.body);
      const { accountId, email, displayName } = guard.current(request);
      const begun = await beginAddingPasskey(secondFactor, { by: guard.author(request), proof });
      const challenge = newChallenge();
      const step = { accountId, securityStamp: begun.securityStamp, startedAt: now(), newSecret: challenge };
      const ofKey = { type: 'public-key' as const };
      return {
        token: await sealStep(keys, 'new-passkey', step),
        options: {
          rp: { id: party.id, name: await parts.applicationName() },
          user: { id: userHandleOf(accountId), name: email, displayName },
          challenge,
          pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ ...ofKey, alg })),
          timeout,
          excludeCredentials: begun.credentials.map((id) => ({ ...ofKey, id: id.toString('base64url') })),
          authenticatorSelection: {
            residentKey: 'required' as const,
            requireResidentKey: true as const,
            userVerification: 'required' as const,
          },
          attestation: 'none' as const,
        },
      };
    },
  );

  app.post(
    path,
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'Add a passkey',
        description:
          'Ends the other sessions of the account; this one continues with the cookie in the response. Where it is the first second factor, ' +
          'ten recovery codes are answered, and the password alone signs in no more.',
        body: passkeyCreate,
        response: { 201: addedPasskey, 409: errorBody },
      },
    },
    async (request, reply) => {
      const { token, name, credential: made } = request.body;
      const step = await openSealedStep(keys, 'new-passkey', token);
      if (step === null) throw noTokenOfStep();
      const adding = { step, name, made, party: partyOf(request) };
      const { securityStamp, recoveryCodes } = await finishAddingPasskey(secondFactor, guard.author(request), adding);
      await sessions.goOn(reply, guard.current(request), securityStamp);
      return reply.code(201).send({ recoveryCodes });
    },
  );

  app.post(
    `${path}/:id/remove`,
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'Remove one of your passkeys',
        description:
          'Ends the other sessions of the account; this one continues with the cookie in the response. 409 for the last second factor of an account that must have one.',
        params: idParams,
        body: ownProof,
        response: { 204: z.null(), 409: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const proof = await proofOf(request, request.body);
      const stamp = await removePasskey(secondFactor, { by: guard.author(request), proof, id: request.params.id });
      await sessions.goOn(reply, guard.current(request), stamp);
      return reply.code(204).send(null);
    },
  );
}
