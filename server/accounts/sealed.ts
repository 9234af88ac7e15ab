import { CompactEncrypt, compactDecrypt } from 'jose';
import { z } from 'zod';
import { refuse } from '../base/errors.ts';
import type { SealingKey, SessionKeys } from './session-keys.ts';
import type { Session } from './sessions.rules.ts';

const algorithm = 'dir';
const encryption = 'A256GCM';
// A sealed value has about 600 characters; anything much longer was not sealed here.
const maxSealedLength = 2_000;

const seal = async ({ id, secret }: SealingKey, value: object): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: algorithm, enc: encryption, kid: id })
    .encrypt(secret);

/** The value of a sealed text; null if it is forged, cut, changed, another kind of value or sealed with an unknown key. */
async function openSealed<Schema extends z.ZodType>(
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

const epochMs = z.int().nonnegative();

const sealedSession = z.object({
  accountId: z.guid(),
  sessionId: z.guid(),
  securityStamp: z.guid(),
  signedInAt: epochMs,
  lastSeenAt: epochMs,
});

export const sealSession = async (keys: SessionKeys, session: Session): Promise<string> =>
  seal(await keys.newest(), session);

export const openSealedSession = (keys: SessionKeys, sealed: string): Promise<Session | null> =>
  openSealed(keys.find, sealed, sealedSession);

/** The purpose of a step. A token is invalid for any other purpose, and it is never a session. */
type Purpose = 'sign-in' | 'first-passkey' | 'new-app' | 'new-passkey' | 'reset-password' | 'invitation';

const openStepShape = z.object({
  accountId: z.guid(),
  /** The stamp of the account when the step began. If the account gets another stamp, the step is no longer valid. */
  securityStamp: z.guid(),
  startedAt: epochMs,
  /** The secret of the app to be added, or the challenge for a new passkey; null if the account has a second factor. */
  newSecret: z.string().nullable(),
  /** The address that a link for a password was sent to. The link ends with it. */
  email: z.string().optional(),
});
/** The token between two sign-in steps. It proves the password and grants no permissions. */
export type OpenStep = z.infer<typeof openStepShape>;

/** The token that a client holds between two steps. */
export const sealStep = async (keys: SessionKeys, purpose: Purpose, step: OpenStep): Promise<string> =>
  seal(await keys.newest(), { purpose, ...step });

/** The step of a token. Throws `invalid` if it was not sealed for this purpose. */
export async function openStep(keys: SessionKeys, purpose: Purpose, token: string): Promise<OpenStep> {
  const step = await openSealed(keys.find, token, openStepShape.extend({ purpose: z.literal(purpose) }));
  if (step === null) throw noTokenOfStep();
  return step;
}

const noTokenOfStep = () => refuse('noTokenOfStep', {}, { field: 'token' });

const sealedChallenge = z.object({ purpose: z.literal('passkey'), challenge: z.string(), startedAt: epochMs });
/**
 * The challenge that a passkey signs. The client holds it, sealed by the portal, so that a request for a challenge stores
 * nothing.
 */
export type Challenge = Omit<z.infer<typeof sealedChallenge>, 'purpose'>;

/** The token that a client holds while it asks a device for a passkey. */
export const sealChallenge = async (keys: SessionKeys, challenge: Challenge): Promise<string> =>
  seal(await keys.newest(), { purpose: 'passkey', ...challenge });

/** The challenge of a token. Throws `invalid` for any other text. */
export async function openChallenge(keys: SessionKeys, token: string): Promise<Challenge> {
  const challenge = await openSealed(keys.find, token, sealedChallenge);
  if (challenge === null) throw noTokenOfStep();
  return challenge;
}

const boxed = z.object({ accountId: z.string(), secret: z.string() });

/** Seals the secrets of an account that are kept in the database. So a copy of the database alone does not reveal them. */
export type SecretBox = ReturnType<typeof createSecretBox>;

export const createSecretBox = (keys: SessionKeys) => ({
  async seal(accountId: string, secret: string): Promise<string> {
    return seal(await keys.lasting(), { accountId, secret });
  },
  /** Null if it was sealed for another account, or with a key that no longer exists. */
  async open(accountId: string, sealed: string): Promise<string | null> {
    const key = await keys.lasting();
    const value = await openSealed(async (id) => (id === key.id ? key : undefined), sealed, boxed);
    return value?.accountId === accountId ? value.secret : null;
  },
});
