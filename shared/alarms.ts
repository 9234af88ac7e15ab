import { z } from 'zod';
import { encodeIssue } from './messages.ts';
import { email, guid, instant, name } from './primitives.ts';
import { qualityFlagKind } from './data-quality.ts';
import type { Format } from './format.ts';
import { quantities } from './quantities.ts';
import { keptBatchDays } from './states.rules.ts';
import { daysOfWeek, endOfPeriod, timeOfDay } from './rates.ts';

export const alarmSeverity = z.enum(['info', 'warning', 'critical']);
export type AlarmSeverity = z.infer<typeof alarmSeverity>;

/** The maximum number of alarm rules, because nobody would read more. */
export const maxAlarmRules = 1_000;
const maxScope = 5_000;
const maxSeconds = 7 * 86_400;
const seconds = z.int().min(0).max(maxSeconds);
const figure = z.number().min(-1e12).max(1e12);

/** When a rule may begin to fire, in the time zone of the site. If the subject has no site, in that of the portal. */
export const alarmWindow = z.object({
  daysOfWeek,
  startTime: timeOfDay,
  endTime: endOfPeriod,
});
export type AlarmWindow = z.infer<typeof alarmWindow>;

const recipient = z.union([
  z.strictObject({ userId: guid }),
  z.strictObject({ email }),
  z.strictObject({ webhookId: guid }),
  z.strictObject({ role: z.literal('Admin') }).meta({ description: 'All active administrators, also later ones.' }),
]);
export type AlarmRecipient = z.infer<typeof recipient>;

const escalation = z
  .object({
    afterSeconds: z.int().min(60).max(maxSeconds),
    recipients: z.array(recipient).min(1).max(50),
  })
  .nullable()
  .default(null)
  .meta({ description: 'Others who are notified if nobody acknowledges the alarm in this time; null: nobody.' });

const common = {
  name: name(200),
  isActive: z.boolean().default(true),
  severity: alarmSeverity.default('warning'),
  durationSeconds: seconds.default(0).meta({ description: 'How long the condition must last before the alarm fires.' }),
  schedule: z.array(alarmWindow).min(1).max(50).nullable().default(null).meta({
    description: 'Weekly windows in which the alarm may begin to fire; null: always. Past midnight as tariff periods.',
  }),
  recipients: z
    .array(recipient)
    .max(50)
    .default([])
    .meta({
      description:
        'Webhooks get a delivery; accounts and addresses get a mail. An account gets the alarms that it may see and has chosen under ' +
        '/api/me/notifications; an address without an account gets all. A person gets at most three mails in ten minutes.',
    }),
  escalation,
};

const ids = (what: string) =>
  z
    .array(guid)
    .max(maxScope)
    .transform((given) => [...new Set(given)].toSorted())
    .optional()
    .meta({ description: `Empty or absent: all ${what}.` });
const clientScope = z
  .object({ siteIds: ids('sites'), deviceIds: ids('devices'), endUses: z.array(name(60)).max(200).optional() })
  .default({})
  .meta({ description: 'Devices that are in each of the lists given. Empty: all.' });
const fleetScope = z
  .object({
    customerIds: ids('customers'),
    groups: z.array(name(60)).max(200).optional(),
  })
  .default({})
  .meta({ description: 'Customers that are in each of the lists given. Empty: all.' });

const quantityNames = quantities.map(({ name: quantity }) => quantity);
const limit = z
  .object({
    quantity: z.enum(quantityNames),
    above: figure.nullable().default(null),
    below: figure.nullable().default(null),
    hysteresis: z.number().min(0).max(1e12).default(0).meta({
      description: 'How far the value must come back behind the limit before the alarm is resolved.',
    }),
  })
  .refine(({ above, below }) => above !== null || below !== null, { path: ['above'], message: 'mustHaveLimit' })
  .refine(({ above, below }) => above === null || below === null || below < above, {
    path: ['below'],
    message: 'mustBeBelowAbove',
  });

const limitKw = (description: string) => z.number().positive().max(1e9).meta({ description });
const percent = z.number().positive().max(100);
/** Conditions on a device in the last 24 hours. */
const dataQuality = z
  .object({
    missingPercent: percent.nullable().default(null).meta({ description: 'Of the quarter-hours that were due.' }),
    anomalies: z
      .array(qualityFlagKind)
      .max(10)
      .default([])
      .meta({ description: 'Each of these in the last 24 hours is reason enough.' }),
  })
  .refine(({ missingPercent, anomalies }) => missingPercent !== null || anomalies.length > 0, {
    path: ['missingPercent'],
    message: 'mustHaveOneLimit',
  });
/** Conditions on an API key that has been used. */
const delivery = z
  .object({
    silentSeconds: seconds.min(600).nullable().default(null).meta({ description: 'No request for longer than this.' }),
    rejectedPercent: percent.nullable().default(null).meta({ description: 'Of the rows of the last two hours.' }),
  })
  .refine(({ silentSeconds, rejectedPercent }) => silentSeconds !== null || rejectedPercent !== null, {
    path: ['silentSeconds'],
    message: 'mustHaveOneLimit',
  });
const hours = z.number().positive().max(720);
const rule = <Kind extends string, Condition extends z.ZodType, More extends z.ZodRawShape>(
  kind: Kind,
  condition: Condition,
  more: More,
) => z.object({ ...common, kind: z.literal(kind), condition, ...more });

/** The rules of a Client, distinguished by their kind. */
const clientRules = <More extends z.ZodRawShape>(more: More) => {
  const all = { scope: clientScope, ...more };
  return [
    rule(
      'offline',
      z.object({
        afterSeconds: seconds.min(60).nullable().default(null).meta({
          description: 'Without a reading for longer than this; null: max(15 min, 2 × expectedIntervalSeconds).',
        }),
      }),
      all,
    ),
    rule('limit', limit, all),
    rule('push', z.object({ failingSeconds: seconds }), all),
    rule('demandForecast', z.object({ limitKw: limitKw('Demand of a site in the running quarter-hour.') }), all),
    rule(
      'unusual',
      z.object({
        percent: z.number().min(5).max(10_000).meta({
          description:
            'How far the energy of the last whole hour or day of a site may be from the median of eight weeks.',
        }),
        per: z.enum(['hour', 'day']),
      }),
      all,
    ),
    rule('baseLoad', z.object({ limitKw: limitKw('Base load of a site.') }), all),
    rule(
      'budget',
      z.object({
        currency: z.string().regex(/^[A-Z]{3}$/, 'mustBeCurrency'),
        amount: z.number().positive().max(1e12).meta({ description: 'Of the forecast total of the running month.' }),
        per: z.literal('month').default('month'),
      }),
      all,
    ),
    rule('dataQuality', dataQuality, all),
    rule('delivery', delivery, all),
  ] as const;
};

/** The rules of an Admin. */
const fleetRules = <More extends z.ZodRawShape>(more: More) => {
  const all = { scope: fleetScope, ...more };
  return [
    rule(
      'customerSilent',
      z.object({
        factor: z.number().min(1).max(1_000).meta({
          description: 'No batch for this many of its usual intervals, and for at least 10 min.',
        }),
      }),
      all,
    ),
    rule('customerFailing', z.object({}), all),
    rule('customerNeverSent', z.object({ afterHours: hours.meta({ description: 'Since it was created.' }) }), all),
    rule(
      'tokenGraceEnds',
      z.object({ hours: hours.meta({ description: 'Before its previous token ends, while it still uses that.' }) }),
      all,
    ),
  ] as const;
};

const oneOf = (kinds: readonly { shape: { kind: { value: string } } }[]) => ({
  error: ({ code }: { code?: string }) =>
    code === 'invalid_union'
      ? encodeIssue('mustBeOneOf', { choices: kinds.map(({ shape }) => shape.kind.value).join(', ') })
      : undefined,
});

/** `POST` and `PUT` of a rule: always with all fields. */
const [clientWrites, fleetWrites] = [clientRules({}), fleetRules({})];
export const clientAlarmRuleWrite = z.discriminatedUnion('kind', clientWrites, oneOf(clientWrites));
export const fleetAlarmRuleWrite = z.discriminatedUnion('kind', fleetWrites, oneOf(fleetWrites));
export type AlarmRuleWrite = z.infer<typeof clientAlarmRuleWrite> | z.infer<typeof fleetAlarmRuleWrite>;
export type AlarmKind = AlarmRuleWrite['kind'];
export const clientAlarmKind = z.enum(clientWrites.map(({ shape }) => shape.kind.value));
export const fleetAlarmKind = z.enum(fleetWrites.map(({ shape }) => shape.kind.value));

export const clientAlarmRule = z.discriminatedUnion('kind', clientRules({ id: guid }));
export const fleetAlarmRule = z.discriminatedUnion('kind', fleetRules({ id: guid }));
export type AlarmRule = z.infer<typeof clientAlarmRule> | z.infer<typeof fleetAlarmRule>;

const subject = z.object({
  kind: z.enum(['device', 'site', 'customer', 'apiKey', 'portal']),
  id: guid.nullable().meta({ description: 'null of the portal.' }),
  name: z.string(),
});
export type AlarmSubject = z.infer<typeof subject>;
export const alarmState = z.enum(['firing', 'acknowledged', 'resolved']);

export const alarm = z.object({
  id: guid,
  ruleId: guid,
  ruleName: z.string(),
  kind: z.string(),
  severity: alarmSeverity,
  state: alarmState,
  subject,
  firingAt: instant,
  acknowledgedAt: instant.nullable(),
  acknowledgedBy: z.string().nullable().meta({ description: 'Display name.' }),
  snoozedUntil: instant.nullable().meta({ description: 'No notification is sent before this instant.' }),
  resolvedAt: instant.nullable(),
  value: z.number().nullable().meta({ description: 'The figure that caused it, in `unit`.' }),
  unit: z.string().nullable(),
  text: z.string().meta({ description: 'In English.' }),
});
export type Alarm = z.infer<typeof alarm>;

/** The code of an alarm's text in `messages/`. Two kinds have two texts, one for each of their figures. */
export function alarmTextCode({ kind, unit }: Pick<Alarm, 'kind' | 'unit'>): string {
  if (kind === 'delivery' && unit === '%') return 'rejected';
  return kind === 'dataQuality' && unit === null ? 'anomalies' : kind;
}

/** An alarm whose condition has not yet lasted for the duration of its rule. Nobody has been notified. */
export const pendingAlarm = alarm
  .pick({ id: true, ruleId: true, ruleName: true, kind: true, severity: true, subject: true })
  .extend({ since: instant.meta({ description: 'Since when the condition holds.' }) });
export type PendingAlarm = z.infer<typeof pendingAlarm>;

export const maxPreviewDays = 90;
/** The kinds with a preview. For the other kinds the portal does not store the past. */
export const kindsWithPreview: readonly string[] = [
  'offline',
  'limit',
  'demandForecast',
  'unusual',
  'baseLoad',
  'budget',
  'dataQuality',
  'customerSilent',
  'customerFailing',
  'customerNeverSent',
];
/** How far back the portal keeps what decides about a kind. */
export const previewDaysOf = (kind: string): number =>
  kind === 'customerSilent' || kind === 'customerFailing' ? keptBatchDays : maxPreviewDays;
const previewRange = {
  from: z.string().meta({ format: 'date-time', description: 'ISO 8601 with an offset or Z.' }),
  to: z.string().meta({ format: 'date-time', description: `Exclusive; at most ${maxPreviewDays} days after from.` }),
};
/** `POST /api/admin/alarm-rules/preview`. */
export const clientAlarmPreviewQuestion = z.object({ rule: clientAlarmRuleWrite, ...previewRange });
export const fleetAlarmPreviewQuestion = z.object({ rule: fleetAlarmRuleWrite, ...previewRange });
export const alarmPreviewEvent = z.object({
  subject,
  firingAt: instant,
  resolvedAt: instant.nullable().meta({ description: 'null: not before to.' }),
  value: z.number().nullable(),
  unit: z.string().nullable(),
});
export type AlarmPreviewEvent = z.infer<typeof alarmPreviewEvent>;

export const maxWebhooks = 50;
const isWebhookUrl = (value: string) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};
export const webhookWrite = z.object({
  name: name(200),
  url: z.string().trim().max(2_000).refine(isWebhookUrl, 'mustBeWebhookUrl'),
  isActive: z.boolean().default(true),
});
export type WebhookWrite = z.infer<typeof webhookWrite>;
export const webhook = z.object({ id: guid, name: z.string(), url: z.string(), isActive: z.boolean() });
export type Webhook = z.infer<typeof webhook>;
export const createdWebhook = z.object({
  webhook,
  secret: z.string().meta({ description: '`whsec_` and base64. Shown once, here.' }),
});
export const webhookTest = z.object({
  isDelivered: z.boolean(),
  status: z.int().nullable().meta({ description: 'null without an answer.' }),
  error: z.string().nullable(),
});

export const maxListedAlarms = 1_000;
export const alarmsQuery = z.object({
  state: z
    .enum([...alarmState.options, 'open'])
    .optional()
    .meta({ description: 'open: firing or acknowledged.' }),
  severity: alarmSeverity.optional(),
  from: z
    .string()
    .optional()
    .meta({ format: 'date-time', description: 'Not resolved before. ISO 8601 with an offset or Z.' }),
  to: z.string().optional().meta({ format: 'date-time', description: 'Began to fire before.' }),
});
export const alarmSnooze = z.object({
  until: z.string().meta({ format: 'date-time', description: 'At most 30 days ahead. ISO 8601 with an offset or Z.' }),
});

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** As exact as people need: to the minute, from two hours on to the hour, from three days on to the day. */
export function readableSeconds(seconds: number): number {
  const unit = seconds < 1.5 * minute ? 1 : seconds < 2 * hour ? minute : seconds < 3 * day ? hour : day;
  return Math.round(seconds / unit) * unit;
}

export const alarmDuration = (format: Format, seconds: number): string =>
  format.duration(readableSeconds(seconds), 'short');

/** A limit, or the figure of an alarm, with its unit (or its currency) and the precision of limits. */
export function alarmFigure(format: Format, value: number | null, unit: string | null): string {
  if (value === null) return '';
  if (unit === 's') return alarmDuration(format, value);
  if (unit === '%') return format.percent(value / 100, 1);
  if (unit !== null && /^[A-Z]{3}$/.test(unit)) return format.money(value, unit);
  const number = format.decimal(value, 3);
  return unit === null || unit === '' ? number : `${number}\u00A0${unit}`;
}
