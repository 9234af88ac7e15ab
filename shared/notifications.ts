import { z } from 'zod';
import { alarmSeverity, clientAlarmKind, fleetAlarmKind } from './alarms.ts';
import { languages } from './messages.ts';
import { guid, instant } from './primitives.ts';
import { endOfPeriod, timeOfDay } from './rates.ts';

const maxSubjects = 5_000;
const ids = (what: string) =>
  z
    .array(guid)
    .max(maxSubjects)
    .transform((given) => [...new Set(given)].toSorted())
    .default([])
    .meta({ description: `Only alarms of these ${what}; empty: all.` });

const channel = z.enum(['mail', 'push']);
const common = {
  channels: z
    .array(channel)
    .max(2)
    .transform((given) => [...new Set(given)].toSorted())
    .default(['mail', 'push'])
    .meta({
      description: 'push: the browsers of `/api/me/browsers`. Empty: nothing; the page shows all alarms anyway.',
    }),
  minimumSeverity: alarmSeverity.default('info'),
  quietHours: z
    .object({ startTime: timeOfDay, endTime: endOfPeriod })
    .refine(({ startTime, endTime }) => startTime !== endTime, { path: ['endTime'], message: 'mustDifferFromStart' })
    .nullable()
    .default(null)
    .meta({
      description:
        'Each day from startTime to endTime, also past midnight, in the time zone of the portal (Application__TimeZone). ' +
        'Mails wait until these hours end; critical alarms are sent at once.',
    }),
  language: z.enum(languages).nullable().default(null).meta({
    description: 'Of mails; null: that of the portal (Notifications__Language).',
  }),
};
const kinds = <Kind extends z.ZodType<string>>(kind: Kind) =>
  z.array(kind).max(50).default([]).meta({ description: 'Only alarms of these kinds of rules; empty: all.' });

/** `PUT /api/me/notifications`: always all fields. */
export const clientNotificationChoicesWrite = z.object({
  ...common,
  kinds: kinds(clientAlarmKind),
  siteIds: ids('sites'),
});
export const fleetNotificationChoicesWrite = z.object({
  ...common,
  kinds: kinds(fleetAlarmKind),
  customerIds: ids('customers'),
});

const answered = {
  channels: z.array(channel),
  minimumSeverity: alarmSeverity,
  kinds: z.array(z.string()),
  quietHours: z.object({ startTime: z.string(), endTime: z.string() }).nullable(),
  language: z.enum(languages).nullable(),
};
export const clientNotificationChoices = z.object({ ...answered, siteIds: z.array(guid) });
export const fleetNotificationChoices = z.object({ ...answered, customerIds: z.array(guid) });
export type NotificationChoices = Omit<z.infer<typeof clientNotificationChoices>, 'siteIds'>;

/** Of an account. */
export const maxBrowsers = 10;

const isPushEndpoint = (value: string) => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && /^[!-~]+$/.test(value);
};

/** `POST /api/me/browsers`: `PushSubscription.toJSON()` of the browser. */
export const browserWrite = z.object({
  endpoint: z
    .string()
    .max(1_000)
    .refine(isPushEndpoint, 'mustBeHttps')
    .meta({ description: 'Where the push service of the browser takes notifications; https and a public address.' }),
  keys: z.object({
    p256dh: z
      .string()
      .regex(/^[\w-]{87}=?$/, 'mustBeBase64Url')
      .meta({ description: 'Public key of the browser: an uncompressed point of P-256 in base64url.' }),
    auth: z
      .string()
      .regex(/^[\w-]{22}={0,2}$/, 'mustBeBase64Url')
      .meta({ description: 'Secret of the browser: 16 bytes in base64url.' }),
  }),
});

/** A browser that shows notifications of alarms. */
export const browser = z.object({
  id: guid,
  endpoint: z.string(),
  browser: z.string().nullable().meta({ description: 'Such as Firefox 140; null: unknown.' }),
  system: z.string().nullable(),
  createdAt: instant,
});
export type Browser = z.infer<typeof browser>;

/** `GET /api/me/browsers`. */
export const browserList = z.object({
  publicKey: z.string().meta({ description: 'applicationServerKey for PushManager.subscribe, in base64url.' }),
  browsers: z.array(browser).meta({ description: `At most ${maxBrowsers}, newest first.` }),
});

/** `POST /api/me/browsers/{id}/test`. */
export const browserTest = z.object({
  isSent: z.boolean().meta({ description: 'Whether the push service accepted it.' }),
  error: z.string().nullable().meta({ description: 'Why not.' }),
});

/** `POST /api/auth/forgot-password`. */
export const forgottenPassword = z.object({ email: z.string().max(1000) });
export const forgottenPasswordReset = z.object({
  token: z.string().max(2_000).meta({ description: 'Of the link in the mail.' }),
  newPassword: z.string().max(1000),
});

/** A message whose last attempt failed. */
export const failedMessage = z.object({
  id: guid,
  purpose: z.enum(['user', 'email', 'browser', 'webhook', 'reset', 'invite', 'report']).meta({
    description:
      'user and email: a mail about alarms; browser: a notification in a browser; webhook: a delivery; reset and invite: a link for a password; report: a report.',
  }),
  recipient: z
    .string()
    .meta({ description: 'The email, of a browser that of its person, or the name of the webhook.' }),
  createdAt: instant,
  isGivenUp: z.boolean().meta({ description: 'True: it is not repeated any more. False: it is, for a day.' }),
  error: z.string().meta({ description: 'What the server answered to the last attempt.' }),
});
export type FailedMessage = z.infer<typeof failedMessage>;

export const maxFailedMessages = 50;

/** `GET /api/admin/mail`. */
export const mailState = z.object({
  from: z.string().nullable().meta({ description: 'The address that mails come from; null without a mail server.' }),
  failedMessages: z
    .array(failedMessage)
    .meta({ description: `Of the last seven days, at most ${maxFailedMessages}, newest first.` }),
});

/** `POST /api/admin/mail/test`. */
export const mailTest = z.object({
  isSent: z.boolean().meta({ description: 'Whether the mail server accepted it.' }),
  to: z.string(),
  error: z.string().nullable().meta({ description: 'Why not.' }),
});
