import { createHash, randomBytes } from 'node:crypto';
import { findPasskey, recordPasskeyUse, spendChallenge } from './passkeys.sql.ts';
import type { Transaction } from '../database/pool.ts';
import type { RelyingParty } from './relying-party.rules.ts';
import { isStepOpen, stepLifetimeMs } from './second-factor.rules.ts';
import { readSignCount, type SignedChallenge } from './webauthn.ts';

/** What a passkey signs. The client holds it, sealed by the portal, so that a request for one stores nothing. */
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

/** Spends the challenge and returns the account whose passkey signed it; null if it has expired, was spent before or no passkey fits. */
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

/** The user handle by which a passkey identifies its account. */
export const userHandleOf = (accountId: string): string =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
