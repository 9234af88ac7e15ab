import { z } from 'zod';
import { alarmSeverity } from './alarms.ts';
import { languages } from './messages.ts';
import { guid } from './primitives.ts';
import { endOfPeriod, timeOfDay } from './rates.ts';

const maxSubjects = 5_000;
const ids = (what: string) =>
  z
    .array(guid)
    .max(maxSubjects)
    .transform((given) => [...new Set(given)].toSorted())
    .default([])
    .meta({ description: `Only alarms of these ${what}; empty: all.` });

const channel = z.enum(['mail']);
const common = {
  channels: z
    .array(channel)
    .max(1)
    .default(['mail'])
    .meta({ description: 'Empty: no mails. The page shows all alarms anyway.' }),
  minimumSeverity: alarmSeverity.default('info'),
  quietHours: z
    .object({ startTime: timeOfDay, endTime: endOfPeriod })
    .refine(({ startTime, endTime }) => startTime !== endTime, { path: ['endTime'], message: 'mustDifferFromStart' })
    .nullable()
    .default(null)
    .meta({
      description:
        'Each day from startTime to endTime, also past midnight, in the time zone of the portal (Application__TimeZone). ' +
        'What happens meanwhile is told at the end; what is critical at once.',
    }),
  language: z.enum(languages).default('en'),
};

/** `PUT /api/me/notifications`: always whole. */
export const clientNotificationChoicesWrite = z.object({ ...common, siteIds: ids('sites') });
export const fleetNotificationChoicesWrite = z.object({ ...common, customerIds: ids('customers') });

const answered = {
  channels: z.array(channel),
  minimumSeverity: alarmSeverity,
  quietHours: z.object({ startTime: z.string(), endTime: z.string() }).nullable(),
  language: z.enum(languages),
};
export const clientNotificationChoices = z.object({ ...answered, siteIds: z.array(guid) });
export const fleetNotificationChoices = z.object({ ...answered, customerIds: z.array(guid) });
export type NotificationChoices = Omit<z.infer<typeof clientNotificationChoices>, 'siteIds'>;

export const forgottenPassword = z.object({ email: z.string().max(1000) });
export const forgottenPasswordReset = z.object({
  token: z.string().max(2_000).meta({ description: 'Of the link in the mail.' }),
  newPassword: z.string().max(1000),
});
