import { z } from 'zod';
import type { Challenge } from './answered-challenge.ts';
import type { OpenStep, SecretBox } from './second-factor.ts';
import { refuse } from '../base/errors.ts';
import { openSealed, seal } from './sealed.ts';
import type { SessionKeys } from './session-keys.ts';

/** What a step belongs to. A token is worthless for any other purpose, and never a session. */
type Purpose = 'sign-in' | 'first-passkey' | 'new-app' | 'new-passkey';

const stepOf = (purpose: Purpose) =>
  z.object({
    purpose: z.literal(purpose),
    accountId: z.guid(),
    securityStamp: z.guid(),
    startedAt: z.int().nonnegative(),
    newSecret: z.string().nullable(),
  });

/** The token that a client holds between two steps. */
export const sealStep = async (keys: SessionKeys, purpose: Purpose, step: OpenStep): Promise<string> =>
  seal(await keys.newest(), { purpose, ...step });

/** The step of a token. Throws `invalid` if it was not sealed for this purpose. */
export const stepOpener =
  (keys: SessionKeys) =>
  async (purpose: Purpose, token: string): Promise<OpenStep> => {
    const step = await openSealed(keys.find, token, stepOf(purpose));
    if (step === null) throw noTokenOfStep();
    return step;
  };

export const noTokenOfStep = () => refuse('noTokenOfStep', {}, { field: 'token' });

const challengeForPasskey = z.object({
  purpose: z.literal('passkey'),
  challenge: z.string(),
  startedAt: z.int().nonnegative(),
});

/** The token that a client holds while it asks a device for a passkey. */
export const sealChallenge = async (keys: SessionKeys, challenge: Challenge): Promise<string> =>
  seal(await keys.newest(), { purpose: 'passkey', ...challenge });

export const openSealedChallenge = (keys: SessionKeys, token: string): Promise<Challenge | null> =>
  openSealed(keys.find, token, challengeForPasskey);

const boxed = z.object({ accountId: z.string(), secret: z.string() });

/** Seals with the lasting key, for one account. */
export const createSecretBox = (keys: SessionKeys): SecretBox => ({
  async seal(accountId, secret) {
    return seal(await keys.lasting(), { accountId, secret });
  },
  async open(accountId, sealed) {
    const key = await keys.lasting();
    const value = await openSealed(async (id) => (id === key.id ? key : undefined), sealed, boxed);
    return value?.accountId === accountId ? value.secret : null;
  },
});
