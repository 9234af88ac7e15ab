import { createHash, randomBytes } from 'node:crypto';
import { findPasskey, recordPasskeyUse, spendChallenge } from '../db/passkeys.ts';
import type { Transaction } from '../db/pool.ts';
import type { RelyingParty } from '../domain/relying-party.ts';
import { isStepOpen, stepLifetimeMs } from '../domain/second-factor.ts';
import { readSignCount, type SignedChallenge } from './webauthn.ts';

/** What a passkey signs. The client holds it, sealed by the portal, so that asking for one leaves nothing behind. */
export interface Challenge {
  challenge: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

export interface AnsweredChallenge extends Challenge {
  party: RelyingParty;
  signed: SignedChallenge;
}

export const newChallenge = (): string => randomBytes(32).toString('base64url');

/** Spends the challenge. The account of the passkey that has signed it; null where it is over, was answered before, or nobody's. */
export async function takePasskey(
  tx: Transaction,
  { challenge, startedAt, party, signed }: AnsweredChallenge,
  now: Date,
): Promise<string | null> {
  if (!isStepOpen(startedAt, now.getTime())) return null;
  const passkey = await findPasskey(tx, Buffer.from(signed.id, 'base64url'));
  if (passkey === null || passkey.host !== party.id) return null;
  const { userHandle } = signed.response;
  if (userHandle !== undefined && userHandle !== userHandleOf(passkey.accountId)) return null;
  const signCount = await readSignCount(signed, { challenge, party, ...passkey });
  if (signCount === null) return null;
  const hash = createHash('sha256').update(challenge).digest();
  const isFirst = await spendChallenge(tx, { hash, expiresAt: new Date(startedAt + stepLifetimeMs), now });
  const isTaken = isFirst && (await recordPasskeyUse(tx, passkey.id, signCount, now));
  return isTaken ? passkey.accountId : null;
}

/** What a passkey keeps to tell its account by. */
export const userHandleOf = (accountId: string): string =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
