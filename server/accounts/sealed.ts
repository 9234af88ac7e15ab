import { CompactEncrypt, compactDecrypt } from 'jose';
import type { z } from 'zod';

export interface SealingKey {
  /** Is written into everything that the key seals. */
  id: string;
  secret: Uint8Array;
}

const algorithm = 'dir';
const encryption = 'A256GCM';
// What the portal seals has some 600 characters; anything much longer is not ours.
const maxSealedLength = 2_000;

/** A value as text, encrypted and authenticated with the key. */
export const seal = async ({ id, secret }: SealingKey, value: object): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: algorithm, enc: encryption, kid: id })
    .encrypt(secret);

/** The value of a sealed text; null if it is forged, cut, changed, another kind of value or sealed with an unknown key. */
export async function openSealed<Schema extends z.ZodType>(
  findKey: (id: string) => Promise<SealingKey | undefined>,
  sealed: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  if (sealed.length > maxSealedLength) return null;
  try {
    const { plaintext } = await compactDecrypt(
      sealed,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await findKey(kid);
        if (key === undefined) throw new Error('sealed with an unknown key');
        return key.secret;
      },
      { keyManagementAlgorithms: [algorithm], contentEncryptionAlgorithms: [encryption] },
    );
    return schema.parse(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch {
    return null;
  }
}
