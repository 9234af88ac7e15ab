import { z } from 'zod';
import { guid, instant, localDate } from './primitives.ts';

const errorKind = z
  .enum(['unreachable', 'busy', 'unauthorized', 'refused', 'broken', 'rejected'])
  .nullable()
  .meta({ description: 'of the last error, which stays after it is over' });

/** How pushing one resource to the fleet goes. */
export const pushResourceState = z.object({
  resource: z.enum(['sites', 'devices', 'municipalities', 'tariffs', 'measurements']),
  cursor: z.string().nullable().meta({ description: 'of the last batch that was acknowledged' }),
  backlogRows: z.int().nullable().meta({ description: 'rows that are not sent yet, or about; null for sets' }),
  batchSize: z.int().meta({ description: 'rows of the next batch; less than configured after a 413' }),
  failures: z.int().meta({ description: 'in a row; 0 while all goes well' }),
  nextAttemptAt: instant.nullable().meta({ description: 'null: at the next tick' }),
  lastSuccessAt: instant.nullable(),
  lastErrorKind: errorKind,
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
  rejectedRows: z.int().meta({ description: 'that the fleet did not take, ever' }),
});

/** How comparing what is stored here with what the fleet has goes. */
export const reconciliationState = z.object({
  inStepUpTo: instant.nullable().meta({
    description:
      'what was measured before has been compared, and is the same but for differingDays; null until all was, once',
  }),
  isRunning: z.boolean(),
  comparedDays: z.int().meta({ description: 'days of devices, of the comparison that is under way; 0 without one' }),
  resentDays: z.int().meta({ description: 'of them, those that differed and are sent again' }),
  finishedAt: instant.nullable().meta({ description: 'of the last one that came to its end' }),
  finishedComparedDays: z.int().nullable(),
  finishedResentDays: z.int().nullable(),
  differingDays: z.int().meta({ description: 'days of devices that differ still, although they were sent again' }),
  differences: z
    .array(
      z.object({
        deviceId: guid,
        deviceName: z.string(),
        day: localDate.meta({ description: 'of UTC' }),
        ownCount: z.int(),
        fleetCount: z.int(),
      }),
    )
    .meta({ description: 'the newest of them, at most 20' }),
  failures: z.int().meta({ description: 'in a row' }),
  nextAttemptAt: instant.nullable().meta({ description: 'null: at the next tick, where one is under way or due' }),
  lastErrorKind: errorKind,
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
});
export type ReconciliationState = z.infer<typeof reconciliationState>;

/** `GET /api/admin/push`: decisions.md 3. */
export const pushOverview = z.object({
  isEnabled: z.boolean(),
  intervalSeconds: z.number(),
  resources: z.array(pushResourceState),
  reconciliation: reconciliationState,
});
export type PushOverview = z.infer<typeof pushOverview>;
