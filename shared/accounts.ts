import { z } from 'zod';
import { email, guid, instant, text, timeZone } from './primitives.ts';

export const role = z.enum(['Admin', 'RestrictedAdmin']);
export type Role = z.infer<typeof role>;

export const currentUser = z.object({
  email: z.string(),
  displayName: z.string(),
  roles: z.array(role),
  timeZone: z.string().nullable().meta({ description: 'The zone that this user has chosen.' }),
  displayTimeZone: z.string().meta({
    description: 'The zone in which this user sees times: their own, else that of the portal.',
  }),
});
export type CurrentUser = z.infer<typeof currentUser>;

/** A session as its own account sees it. */
export const listedSession = z.object({
  id: guid,
  signedInAt: instant,
  /** Accurate to a few minutes. */
  lastUsedAt: instant,
  sourceAddress: z.string(),
  /** Such as `Firefox 130`; null if the browser did not send it. */
  browser: z.string().nullable(),
  /** Such as `Windows`; null if the browser did not send it. */
  system: z.string().nullable(),
  /** The session that asks. */
  isCurrent: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSession>;

export const loginRequest = z.object({ email: z.string().max(1000), password: z.string().max(1000) });

/** An authenticator app that is being added. */
export const newApp = z.object({
  secret: z.string().meta({ description: 'Base32, for typing into the app.' }),
  uri: z.string().meta({ description: '`otpauth://…`, for a QR code.' }),
});
export type NewApp = z.infer<typeof newApp>;
export const stepToken = z
  .string()
  .max(2_000)
  .meta({ description: 'The token of the previous answer. Valid for ten minutes.' });

/** The password was right, but another step is missing. Nobody is signed in yet. */
export const signInStep = z.object({
  token: z.string().meta({ description: 'For POST /api/auth/login/second-factor.' }),
  hasApp: z.boolean().meta({ description: 'Whether a code of an app is accepted. Recovery codes always are.' }),
  hasPasskey: z.boolean().meta({ description: 'Whether POST /api/auth/login/passkey works, too.' }),
  newApp: newApp.nullable().meta({
    description:
      'The app to add, if the account must have a second factor and has none. Or add a passkey with POST /api/auth/login/first-passkey/options.',
  }),
});
export type SignInStep = z.infer<typeof signInStep>;
/** The body of `POST /api/auth/login`, with status 202 or 200. */
export const signInAnswer = z.union([signInStep, currentUser]);
const typedCode = z.string().max(100).meta({ description: 'Six digits of the app, or a recovery code.' });
export const secondFactorProof = z.object({ token: stepToken, code: typedCode });
export const recoveryCodes = z.array(z.string()).meta({ description: 'Shown once, here.' });
export const secondFactorAnswer = currentUser.extend({
  recoveryCodes: recoveryCodes
    .nullable()
    .meta({ description: 'With an app or a passkey that was just added. Shown once.' }),
});

export const newAppStep = z.object({ token: z.string(), newApp });
export const renewedCodes = z.object({ recoveryCodes });

export const profileUpdate = z.object({
  displayName: text(1, 200),
  timeZone: timeZone.nullable().optional().meta({ description: 'null: that of the portal. Absent: as before.' }),
});

/** `/api/admin/time-zone`: the zone in which users see times if they have not chosen one. */
export const portalTimeZone = z.object({
  timeZone: z.string().nullable().meta({ description: 'null: that of the first site, else Application__TimeZone.' }),
});
export const portalTimeZoneUpdate = z.object({ timeZone: timeZone.nullable() });
export const passwordChange = z.object({ currentPassword: z.string().max(1000), newPassword: z.string().max(1000) });

export const user = z.object({
  id: guid,
  email: z.string(),
  displayName: z.string(),
  roles: z.array(role),
  isActive: z.boolean(),
  hasSecondFactor: z.boolean(),
  lockedUntil: instant.nullable(),
  lastLoginAt: instant.nullable(),
  createdAt: instant,
});
export type User = z.infer<typeof user>;

const roles = z.array(role).transform((given) => [...new Set(given)]);
export const userCreate = z.object({
  email,
  displayName: text(1, 200),
  password: z.string().max(1000),
  roles: roles.default([]),
  isActive: z.boolean().default(true),
});

export const userUpdate = z.object({
  email,
  displayName: text(1, 200),
  roles,
  isActive: z.boolean(),
  /** Required when users change their own email or roles. */
  currentPassword: z.string().max(1000).optional(),
});
export type UserUpdate = z.infer<typeof userUpdate>;

/** `/api/admin/sign-in-policy`. */
export const signInPolicy = z.object({
  adminsNeedSecondFactor: z
    .boolean()
    .meta({ description: 'Users with a role and without a second factor must add one at their next sign-in.' }),
});

/** `POST /api/users/{id}/reset-password`. */
export const passwordReset = z.object({ newPassword: z.string().max(1000) });

/** The password policy. While a new password is typed, the page ticks its rules off. */
export const passwordRules: readonly { message: string; isMet: (password: string) => boolean }[] = [
  { message: 'at least 8 characters', isMet: (password) => [...password].length >= 8 },
  { message: 'an upper-case letter', isMet: (password) => /\p{Lu}/u.test(password) },
  { message: 'a lower-case letter', isMet: (password) => /\p{Ll}/u.test(password) },
  { message: 'a digit', isMet: (password) => /\p{Nd}/u.test(password) },
];

/** The rules that a new password breaks, such as `a digit`. */
export function violatedPasswordRules(password: string): string[] {
  return passwordRules.filter((rule) => !rule.isMet(password)).map((rule) => rule.message);
}

export const apiKeyScope = z.enum(['ingest']);
export const apiKey = z.object({
  id: guid,
  name: z.string(),
  scope: apiKeyScope,
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyCreate = z.object({ name: text(1, 200), scope: apiKeyScope.default('ingest') });
/** Only this answer contains the plaintext `key`. */
export const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
