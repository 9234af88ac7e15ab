import { CompactEncrypt, compactDecrypt } from 'jose';
import { z } from 'zod';
import type { Session } from '../domain/sessions.ts';
import type { SessionKeys } from './session-keys.ts';

const payload = z.object({
  accountId: z.guid(),
  sessionId: z.guid(),
  securityStamp: z.guid(),
  signedInAt: z.int().nonnegative(),
  lastSeenAt: z.int().nonnegative(),
});

const algorithm = 'dir';
const encryption = 'A256GCM';
// The portal's cookies have some 450 characters; longer ones are not worth decrypting.
const maxSealedLength = 2_000;

/** A session as the text of a cookie: encrypted and authenticated with the newest key. */
export async function sealSession(keys: SessionKeys, session: Session): Promise<string> {
  const key = await keys.newest();
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(session)))
    .setProtectedHeader({ alg: algorithm, enc: encryption, kid: key.id })
    .encrypt(key.secret);
}

/** The session in a cookie; null if the text is forged, cut, changed or sealed with an unknown key. */
export async function openSealedSession(keys: SessionKeys, sealed: string): Promise<Session | null> {
  if (sealed.length > maxSealedLength) return null;
  try {
    const { plaintext } = await compactDecrypt(
      sealed,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.find(kid);
        if (key === undefined) throw new Error('sealed with an unknown key');
        return key.secret;
      },
      { keyManagementAlgorithms: [algorithm], contentEncryptionAlgorithms: [encryption] },
    );
    return payload.parse(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch {
    // Whatever is wrong with a cookie, its bearer is not signed in.
    return null;
  }
}
