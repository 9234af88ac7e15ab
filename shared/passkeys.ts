import { z } from 'zod';
import { recoveryCodes, stepToken } from './accounts.ts';
import { instant, guid, name } from './primitives.ts';

/** Bytes as WebAuthn writes them in JSON. */
const base64url = (maxLength: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'mustBeBase64Url')
    .max(maxLength);
const userVerification = z.literal('required');
const timeout = z.int().meta({ description: 'Milliseconds.' });

/** The request to a browser: `navigator.credentials.get`. */
export const passkeyRequest = z.object({
  token: z.string().meta({ description: 'Send it back with the answer. Valid for ten minutes and one answer.' }),
  options: z.object({ challenge: z.string(), rpId: z.string(), timeout, userVerification }),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** The browser's answer; other fields of it are not read. */
export const passkeyAnswer = z.object({
  token: stepToken,
  credential: z.object({
    id: base64url(1_400),
    response: z.object({
      clientDataJSON: base64url(3_000),
      authenticatorData: base64url(3_000),
      signature: base64url(3_000),
      userHandle: base64url(100).optional(),
    }),
  }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** The proof that is needed to change one's own second factor. */
export const ownProof = z.object({
  currentPassword: z.string().max(1000),
  code: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'If there is a second factor: a code of the app or a recovery code.' }),
  passkey: passkeyAnswer
    .optional()
    .meta({ description: 'Instead of a code. Request a challenge with /api/auth/login/passkey/options.' }),
});
export type OwnProof = z.infer<typeof ownProof>;

const credential = z.object({ id: z.string(), type: z.literal('public-key') });

/** Creating a passkey: `navigator.credentials.create`. */
export const newPasskeyStep = z.object({
  token: z.string(),
  options: z.object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout,
    excludeCredentials: z.array(credential),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
    attestation: z.literal('none'),
  }),
});
export type NewPasskeyStep = z.infer<typeof newPasskeyStep>;

export const passkeyCreate = z.object({
  token: stepToken,
  name: name(100),
  credential: z.object({
    id: base64url(1_400),
    response: z.object({ clientDataJSON: base64url(3_000), attestationObject: base64url(9_000) }),
  }),
});
export type PasskeyCreate = z.infer<typeof passkeyCreate>;
/** For an account that needs a second factor and has none, in the second step of signing in. */
export const firstPasskey = z.object({ token: stepToken });
export const addedPasskey = z.object({
  recoveryCodes: recoveryCodes
    .nullable()
    .meta({ description: 'With the first second factor of the account. Shown once.' }),
});

export const listedPasskey = z.object({
  id: guid,
  name: z.string(),
  host: z.string().meta({ description: 'The host that it was created for. It works at no other.' }),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export type ListedPasskey = z.infer<typeof listedPasskey>;

/** `GET /api/auth/me/second-factor`. */
export const ownSecondFactor = z.object({
  appAddedAt: instant.nullable().meta({ description: 'null without an authenticator app.' }),
  passkeys: z.array(listedPasskey),
  recoveryCodesLeft: z.int(),
  isRequired: z.boolean().meta({ description: 'Whether the account must have a second factor.' }),
});
export type OwnSecondFactor = z.infer<typeof ownSecondFactor>;
