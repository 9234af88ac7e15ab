import { z } from 'zod';
import { instant } from './primitives.ts';

/** How pushing one resource to the fleet goes. */
export const pushResourceState = z.object({
  resource: z.enum(['sites', 'devices', 'municipalities', 'tariffs', 'measurements']),
  cursor: z.string().nullable().meta({ description: 'of the last batch that was acknowledged' }),
  backlogRows: z.int().nullable().meta({ description: 'rows that are not sent yet, or about; null for sets' }),
  batchSize: z.int().meta({ description: 'rows of the next batch; less than configured after a 413' }),
  failures: z.int().meta({ description: 'in a row; 0 while all goes well' }),
  nextAttemptAt: instant.nullable().meta({ description: 'null: at the next tick' }),
  lastSuccessAt: instant.nullable(),
  lastErrorKind: z
    .enum(['unreachable', 'busy', 'unauthorized', 'refused', 'broken', 'rejected'])
    .nullable()
    .meta({ description: 'of the last error, which stays after it is over' }),
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
  rejectedRows: z.int().meta({ description: 'that the fleet did not take, ever' }),
});

/** `GET /api/admin/push`: decisions.md 3. */
export const pushOverview = z.object({
  isEnabled: z.boolean(),
  intervalSeconds: z.number(),
  resources: z.array(pushResourceState),
});
export type PushOverview = z.infer<typeof pushOverview>;
