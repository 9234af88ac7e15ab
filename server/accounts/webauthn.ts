import type { RelyingParty } from './relying-party.rules.ts';
import { passkeyAlgorithms } from './relying-party.rules.ts';

/** A browser's answer with a new passkey. */
export interface MadePasskey {
  id: string;
  response: { clientDataJSON: string; attestationObject: string };
}

/** A browser's answer to a challenge, signed by a passkey. */
export interface SignedChallenge {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined };
}

interface Asked {
  challenge: string;
  party: RelyingParty;
}

// Loaded with the first passkey, because many portals never need it.
const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The credential of a passkey that was made for this challenge by a device that verified its user; null for anything else. */
export async function readMadePasskey(made: MadePasskey, { challenge, party }: Asked) {
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
    // Any error means that it is not valid.
    return null;
  }
}

/**
 * The maker of the device is not asked for. A certificate that is sent anyway is refused, because it could name addresses for the
 * portal to contact.
 */
async function isWithoutCertificates({ response }: MadePasskey): Promise<boolean> {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The signature count of a passkey that signed this challenge after verifying its user; null for anything else. */
export async function readSignCount(
  { id, response }: SignedChallenge,
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
