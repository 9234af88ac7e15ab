import { createHash, randomBytes } from 'node:crypto';
import type { PasskeyAnswer, PasskeyCreate } from '../../shared/passkeys.ts';
import type { Transaction } from '../database/pool.ts';
import { findPasskey, recordPasskeyUse, spendChallenge } from './second-factor.sql.ts';
import type { Challenge } from './sealed.ts';
import { isStepOpen, stepLifetimeMs } from './second-factor.rules.ts';

/** The relying party of a passkey (WebAuthn): browsers use the passkey only there. */
export interface RelyingParty {
  /** The host name. */
  id: string;
  /** The origin of the page that makes the request. */
  origin: string;
}

/**
 * Determined by the public address; in Development also localhost, if the page was opened there. Null if browsers allow no
 * passkeys there: an address without a host name or without https.
 */
export function relyingPartyOf(
  publicUrl: string,
  { isDevelopment, origin }: { isDevelopment: boolean; origin: string | undefined },
): RelyingParty | null {
  const isLocal = isDevelopment && origin !== undefined && URL.canParse(origin) && isLocalhost(new URL(origin));
  const url = new URL(isLocal ? origin : publicUrl);
  const isSafe = url.protocol === 'https:' || isLocalhost(url);
  const hasName = !/^\d+\.\d+\.\d+\.\d+$|^\[/.test(url.hostname);
  return isSafe && hasName ? { id: url.hostname, origin: url.origin } : null;
}

const isLocalhost = ({ hostname }: URL) => hostname === 'localhost';

/** COSE algorithms: ES256, EdDSA and RS256. Every device supports at least one of them. */
export const passkeyAlgorithms = [-7, -8, -257] as const;
export const maxPasskeys = 10;

interface Asked {
  challenge: string;
  party: RelyingParty;
}

// Loaded for the first passkey, because many portals never use one.
const load = () => import('@simplewebauthn/server');

/** The credential of a passkey that was made for this challenge by a device that verified its user; null for anything else. */
export async function readMadePasskey(made: PasskeyCreate['credential'], { challenge, party }: Asked) {
  const { verifyRegistrationResponse } = await load();
  try {
    if (!(await isWithoutCertificates(made))) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, rawId: made.id, type: 'public-key', clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    return registrationInfo?.credential ?? null;
  } catch {
    // Any error means that the passkey is not valid.
    return null;
  }
}

/**
 * The portal does not ask who made the device. A certificate that is sent anyway is refused, because it could contain addresses
 * which the portal would contact.
 */
async function isWithoutCertificates({ response }: PasskeyCreate['credential']): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The signature count of a passkey that signed this challenge after verifying its user; null for anything else. */
async function readSignCount(
  { id, response }: PasskeyAnswer['credential'],
  { challenge, party, publicKey, signCount }: Asked & { publicKey: Uint8Array; signCount: number },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const { clientDataJSON, authenticatorData, signature } = response;
  const signed = { clientDataJSON, authenticatorData, signature };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: signed },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: signCount },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

export interface AnsweredChallenge extends Challenge {
  party: RelyingParty;
  signed: PasskeyAnswer['credential'];
}

export const newChallenge = (): string => randomBytes(32).toString('base64url');

/**
 * Uses up the challenge and returns the account whose passkey signed it. Null if the challenge has expired or was used before,
 * or if no passkey fits.
 */
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
