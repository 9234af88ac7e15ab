import { z } from 'zod';
import { guid, instant } from './primitives.ts';

const named = z.object({ id: guid, name: z.string() });

export const arrival = z.object({
  externalId: z.string().nullable().meta({ description: 'null where a rejected row had none' }),
  verdict: z
    .enum(['accepted', 'known', 'rejected'])
    .meta({ description: 'known: all rows of its delivery were stored already' }),
  field: z.string().nullable().meta({ description: 'for which it was rejected' }),
  reason: z.string().nullable(),
  receivedAt: instant,
  measuredAt: instant.nullable(),
  activePowerKw: z.number().nullable(),
  apiKey: named.nullable().meta({ description: 'null: an administrator, or a key that was revoked' }),
  device: named
    .extend({ siteId: guid, siteName: z.string(), timeZone: z.string() })
    .nullable()
    .meta({ description: 'the device that has the external id by now' }),
});
export type Arrival = z.infer<typeof arrival>;

/** `GET /api/incoming` */
export const incoming = z.object({
  at: instant.meta({ description: 'now, by the clock of the portal' }),
  rows: z
    .array(arrival)
    .meta({ description: 'the latest row of each external id, and of each field that was rejected' }),
});
export type Incoming = z.infer<typeof incoming>;

/** `GET /api/api-keys/{id}/deliveries` */
export const keyDeliveries = z.object({
  deliveries: z.int(),
  accepted: z.int().meta({ description: 'valid rows, stored or known already' }),
  duplicates: z.int().meta({ description: 'how many of the accepted rows were known already' }),
  rejected: z.int(),
  problems: z
    .array(arrival)
    .meta({ description: 'the latest rejected row of each external id and field, at most 200' }),
});
export type KeyDeliveries = z.infer<typeof keyDeliveries>;
