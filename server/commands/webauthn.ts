import type { RelyingParty } from '../domain/relying-party.ts';
import { passkeyAlgorithms } from '../domain/relying-party.ts';

/** What a browser answers for a passkey that it has made. */
export interface MadePasskey {
  id: string;
  response: { clientDataJSON: string; attestationObject: string };
}

/** What a browser answers to a challenge, signed by a passkey. */
export interface SignedChallenge {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined };
}

interface Asked {
  challenge: string;
  party: RelyingParty;
}

// Loaded with the first passkey, so that a portal whose people have none does without.
const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The credential of a passkey that was made for this challenge by a device that knows its user; null for anything else. */
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
    // Whatever is wrong with it, it is none.
    return null;
  }
}

/** Who made the device is not asked for; a certificate that comes all the same could name addresses to be asked. */
async function isWithoutCertificates({ response }: MadePasskey): Promise<boolean> {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The count of a passkey that has signed this challenge, and knows its user; null for anything else. */
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
