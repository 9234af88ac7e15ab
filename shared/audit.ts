import { z } from 'zod';
import { guid, instant, text } from './primitives.ts';

/** What the audit trail records, as `subject.what`. */
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
  'user.unlock',
  'user.change-own-name',
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
  'report.change-remark',
  'push.run',
  'push.reconcile',
] as const;

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
] as const;
export type AuditSubjectKind = (typeof auditSubjectKinds)[number];

const details = z.record(z.string(), z.unknown()).nullable();

export const auditEvent = z.object({
  id: guid.meta({ description: 'also `eventId` of its line in the log' }),
  occurredAt: instant,
  /** `anonymous` has not signed in; `system` is the portal itself. */
  actorKind: z.enum(['account', 'anonymous', 'system']),
  accountId: guid.nullable(),
  accountEmail: z.string().nullable().meta({ description: 'as it was then' }),
  sourceAddress: z
    .string()
    .nullable()
    .meta({ description: 'null for the portal itself, and for many sources together' }),
  /** One of `auditActions`; a newer portal on the same database may have written others. */
  action: z.string(),
  subjectKind: z.string(),
  subjectId: guid.nullable(),
  subjectName: z.string().nullable(),
  before: details.meta({ description: 'the changed fields as they were; null where nothing was there before' }),
  after: details.meta({ description: 'the changed fields as they are; null where nothing is there any more' }),
  attempts: z.int().meta({
    description:
      'more than 1 for what is counted by source and hour: failed sign-ins with unknown emails, and sign-ins and sign-outs of an account beyond 30 an hour',
  }),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** `GET /api/admin/audit`: the newest first. */
export const auditPage = z.object({
  events: z.array(auditEvent),
  nextCursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last one' }),
});

export const auditQuery = z.object({
  action: z.enum(auditActions).optional(),
  subjectKind: z.enum(auditSubjectKinds).optional(),
  accountId: guid.optional().meta({ description: 'whoever did it' }),
  subjectId: guid.optional(),
  from: z.string().optional().meta({ format: 'date-time', description: 'inclusive; ISO 8601 with an offset or Z' }),
  to: z.string().optional().meta({ format: 'date-time', description: 'exclusive' }),
  text: text(1, 200).optional().meta({ description: 'part of an email, of the name of a subject, or of an address' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(100).optional().meta({ description: 'nextCursor of the page before, with the same filters' }),
});
