import { z } from 'zod';
import { encodeIssue } from './issues.ts';
import { guid, instant, name } from './primitives.ts';

export const customer = z.object({
  id: guid,
  code: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  tokenIssuedAt: instant,
  /** Until when the token before the current one is honoured, or was; null where there is none. */
  previousTokenExpiresAt: instant.nullable(),
  /** Of batches that were stored. */
  firstSeenAt: instant.nullable(),
  lastSeenAt: instant.nullable(),
  /** What the customer's stack says of its last comparison with what is here; null before the first. */
  reconciledAt: instant.nullable(),
  inStepUpTo: instant.nullable().meta({ description: 'Earlier measurements are the same on both sides.' }),
  differingDays: z.int().nullable().meta({ description: 'Device days that still differ.' }),
  pushIntervalSeconds: z.int().nullable(),
  createdAt: instant,
});
export type Customer = z.infer<typeof customer>;

/** Folders that `deploy/` has of its own beside those of the stacks. */
const takenCodes = ['caddy', 'removed'];

/** The rule of `check_code` in deploy/lib.sh. */
export const customerCode = z
  .string()
  .trim()
  .regex(/^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$/, 'mustBeCustomerCode')
  .refine((code) => !takenCodes.includes(code), encodeIssue('mustNotBeTaken', { codes: takenCodes.join(' or ') }));

export const customerCreate = z.object({
  code: customerCode.meta({
    description: 'Never changes. Also the compose project name and the subdomain of the customer.',
  }),
  name: name(200),
});
export const customerUpdate = z.object({ name: name(200), isActive: z.boolean() });
export type CustomerCreate = z.infer<typeof customerCreate>;
export type CustomerUpdate = z.infer<typeof customerUpdate>;

const token = z.string().meta({ description: '64 hex characters. Shown once, here.' });
export const createdCustomer = z.object({ customer, token });

export const maxGraceHours = 720;
export const tokenRotation = z
  .object({
    graceHours: z.number().min(0).max(maxGraceHours).optional().meta({
      description: 'How long the previous token stays valid. Default: FleetIngest__TokenGraceHours.',
    }),
  })
  .nullish();
export const rotatedToken = z.object({ token, previousTokenExpiresAt: instant.nullable() });

/** The customers that a RestrictedAdmin sees (AdminCustomerAccess). */
export const customerAccess = z.object({ customerIds: z.array(guid) });
export const customerAccessUpdate = z.object({
  customerIds: z
    .array(guid)
    .max(10_000)
    .transform((ids) => [...new Set(ids)].toSorted()),
});
export type CustomerAccess = z.infer<typeof customerAccess>;
