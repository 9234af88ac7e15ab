import { z } from 'zod';
import { guid, instant, text } from './primitives.ts';

/** The actions that the audit trail records, as `subject.what`. They are never renamed, so that stored events stay readable. */
export const auditActions = [
  'session.begin',
  'sign-in.fail',
  'sign-in.change-policy',
  'session.end',
  'session.end-others',
  'user.create',
  'user.change',
  'user.delete',
  'user.reset-password',
  'user.reset-forgotten-password',
  'user.invite',
  'user.unlock',
  'user.change-own-name',
  'user.change-own-time-zone',
  'user.change-own-password',
  'user.change-customers',
  'user.turn-on-second-factor',
  'user.turn-off-second-factor',
  'user.add-passkey',
  'user.remove-passkey',
  'user.renew-recovery-codes',
  'user.use-recovery-code',
  'user.reset-second-factor',
  'customer.create',
  'customer.change',
  'customer.rotate-token',
  'customer.delete',
  'api-key.create',
  'api-key.revoke',
  'branding.change',
  'branding.replace-logo',
  'branding.remove-logo',
  'branding.change-time-zone',
  'embedded-dashboard.create',
  'embedded-dashboard.change',
  'embedded-dashboard.delete',
  'dashboard.create',
  'dashboard.change',
  'dashboard.delete',
  'municipality.create',
  'municipality.change',
  'municipality.delete',
  'tariff.create',
  'tariff.change',
  'tariff.delete',
  'site.create',
  'site.change',
  'site.delete',
  'device.create',
  'device.change',
  'device.delete',
  'device.remove-readings',
  'report.change-remark',
  'report.subscribe',
  'report.change-subscription',
  'report.unsubscribe',
  'push.run',
  'push.reconcile',
  'alarm-rule.create',
  'alarm-rule.change',
  'alarm-rule.delete',
  'alarm.acknowledge',
  'alarm.snooze',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'browser.add',
  'browser.remove',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The subject of an action, such as `user`. */
export const auditSubjectKinds = [
  'session',
  'sign-in',
  'user',
  'customer',
  'api-key',
  'branding',
  'embedded-dashboard',
  'dashboard',
  'municipality',
  'tariff',
  'site',
  'device',
  'report',
  'push',
  'alarm-rule',
  'alarm',
  'webhook',
  'browser',
] as const;
export type AuditSubjectKind = (typeof auditSubjectKinds)[number];

const details = z.record(z.string(), z.unknown()).nullable();

export const auditEvent = z.object({
  id: guid.meta({ description: 'Also `eventId` of its line in the log.' }),
  occurredAt: instant,
  /** `anonymous` is a client that has not signed in; `system` is the portal itself. */
  actorKind: z.enum(['account', 'anonymous', 'system']),
  accountId: guid.nullable(),
  accountEmail: z.string().nullable().meta({ description: 'At that time.' }),
  sourceAddress: z.string().nullable().meta({ description: 'null for the portal itself and for several sources.' }),
  /** One of `auditActions`. A newer portal on the same database may have written other actions. */
  action: z.string(),
  subjectKind: z.string(),
  subjectId: guid.nullable(),
  subjectName: z.string().nullable(),
  before: details.meta({ description: 'The changed fields before; null for a new subject.' }),
  after: details.meta({ description: 'The changed fields after; null for a deleted subject.' }),
  attempts: z.int().meta({
    description:
      'More than 1 for events counted by source and hour: failed sign-ins with unknown emails, and sign-ins and sign-outs of an account beyond 30 an hour.',
  }),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** `GET /api/admin/audit`: the newest first. */
export const auditPage = z.object({
  events: z.array(auditEvent),
  nextCursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last page.' }),
});

export const auditQuery = z.object({
  action: z.enum(auditActions).optional(),
  subjectKind: z.enum(auditSubjectKinds).optional(),
  accountId: guid.optional().meta({ description: 'The account that acted.' }),
  subjectId: guid.optional(),
  from: z.string().optional().meta({ format: 'date-time', description: 'Inclusive. ISO 8601 with an offset or Z.' }),
  to: z.string().optional().meta({ format: 'date-time', description: 'Exclusive.' }),
  text: text(1, 200).optional().meta({ description: 'Part of an email, a name of a subject or an address.' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'nextCursor of the previous page, with the same filters.' }),
});
