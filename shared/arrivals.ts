import { z } from 'zod';
import { storedRefusal } from './messages.ts';
import { guid, instant } from './primitives.ts';

const named = z.object({ id: guid, name: z.string() });

export const arrival = z.object({
  externalId: z.string().nullable().meta({ description: 'null if a rejected row had none.' }),
  verdict: z
    .enum(['accepted', 'known', 'rejected'])
    .meta({ description: 'known: all rows of its request were stored already.' }),
  field: z.string().nullable().meta({ description: 'The field that caused the rejection.' }),
  reason: z.string().nullable(),
  refusal: storedRefusal,
  receivedAt: instant,
  measuredAt: instant.nullable(),
  activePowerKw: z.number().nullable(),
  apiKey: named.nullable().meta({ description: 'null for an administrator or a revoked key.' }),
  device: named
    .extend({ siteId: guid, siteName: z.string(), timeZone: z.string() })
    .nullable()
    .meta({ description: 'The device that has the external id now.' }),
});
export type Arrival = z.infer<typeof arrival>;

/** `GET /api/incoming` */
export const incoming = z.object({
  at: instant.meta({ description: 'The present time of the portal.' }),
  rows: z.array(arrival).meta({ description: 'The latest row of each external id, and of each rejected field.' }),
});
export type Incoming = z.infer<typeof incoming>;

/** `GET /api/api-keys/{id}/deliveries` */
export const keyDeliveries = z.object({
  deliveries: z.int(),
  accepted: z.int().meta({ description: 'Valid rows, new or known.' }),
  duplicates: z.int().meta({ description: 'Accepted rows that were stored already.' }),
  rejected: z.int(),
  problems: z
    .array(arrival)
    .meta({ description: 'The latest rejected row of each external id and field, at most 200.' }),
});
export type KeyDeliveries = z.infer<typeof keyDeliveries>;
