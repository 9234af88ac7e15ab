import type { FastifyRequest } from 'fastify';
import type { OwnProof as GivenProof, PasskeyAnswer } from '../../shared/passkeys.ts';
import type { AnsweredChallenge } from './answered-challenge.ts';
import type { OwnChange, SecondFactorParts } from './second-factor.ts';
import { refuse } from '../base/errors.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.rules.ts';
import type { Guard } from '../http/guard.ts';
import { noTokenOfStep, openSealedChallenge } from './sealed-steps.ts';
import type { SessionKeys } from './session-keys.ts';
import type { Sessions } from './sessions.routes.ts';

export interface SecondFactorRouteParts {
  secondFactor: SecondFactorParts;
  guard: Guard;
  sessions: Sessions;
  keys: SessionKeys;
  /** The relying party of the passkeys. */
  partyOf: PartyOf;
  /** The name of the portal in the authenticator app. */
  applicationName: () => Promise<string>;
}

/** The relying party of the passkeys of a request. Throws `conflict` if the address of the portal allows none. */
export type PartyOf = (request: FastifyRequest) => RelyingParty;

export const createPartyOf =
  (publicUrl: string, isDevelopment: boolean): PartyOf =>
  ({ headers }) => {
    const party = relyingPartyOf(publicUrl, { isDevelopment, origin: headers.origin });
    if (party !== null) return party;
    throw refuse('noPasskeysHere', { address: publicUrl });
  };

/** The answer of a passkey, together with the challenge that was sealed for it. */
export async function openAnswer(
  { keys, partyOf }: { keys: SessionKeys; partyOf: PartyOf },
  request: FastifyRequest,
  { token, credential }: PasskeyAnswer,
): Promise<AnsweredChallenge> {
  const challenge = await openSealedChallenge(keys, token);
  if (challenge === null) throw noTokenOfStep();
  return { ...challenge, party: partyOf(request), signed: credential };
}

/** What a request changes of the own second factor: who asks, and the proof that it is the owner of the account. */
export const openOwnChange =
  (parts: { guard: Guard; keys: SessionKeys; partyOf: PartyOf }) =>
  async (request: FastifyRequest & { body: GivenProof }): Promise<OwnChange> => {
    const { passkey, ...typed } = request.body;
    const by = parts.guard.author(request);
    return { by, proof: { ...typed, passkey: passkey && (await openAnswer(parts, request, passkey)) } };
  };
