import { z } from 'zod';
import { guid, instant, localDate } from './primitives.ts';

const errorKind = z
  .enum(['unreachable', 'busy', 'unauthorized', 'refused', 'broken', 'rejected'])
  .nullable()
  .meta({ description: 'Of the last error; stays after a success.' });

/** How pushing one resource to the fleet goes. */
export const pushResourceState = z.object({
  resource: z.enum(['sites', 'devices', 'municipalities', 'tariffs', 'measurements']),
  cursor: z
    .string()
    .nullable()
    .meta({
      description:
        'What the last acknowledged batch was: the hash of a set, or the last row of the measurements. For comparing with the fleet; nothing is continued from it.',
    }),
  backlogRows: z.int().nullable().meta({ description: 'Approximate number of unsent rows; null for sets.' }),
  batchSize: z.int().meta({ description: 'Rows of the next batch. Smaller than configured after a 413.' }),
  failures: z.int().meta({ description: 'Consecutive failures.' }),
  nextAttemptAt: instant.nullable().meta({ description: 'null: at the next tick.' }),
  lastSuccessAt: instant.nullable(),
  lastErrorKind: errorKind,
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
  rejectedRows: z.int().meta({ description: 'Rows that the fleet has rejected so far.' }),
});

/** How comparing what is stored here with what the fleet has goes. */
export const reconciliationState = z.object({
  inStepUpTo: instant.nullable().meta({
    description:
      'Earlier measurements are compared and in sync, except differingDays. null before the first full reconciliation.',
  }),
  isRunning: z.boolean(),
  comparedDays: z.int().meta({ description: 'Device days of the running reconciliation; 0 without one.' }),
  resentDays: z.int().meta({ description: 'Those of them that differed and are sent again.' }),
  finishedAt: instant.nullable().meta({ description: 'End of the last completed reconciliation.' }),
  finishedComparedDays: z.int().nullable(),
  finishedResentDays: z.int().nullable(),
  differingDays: z.int().meta({ description: 'Device days that still differ after sending them again.' }),
  differences: z
    .array(
      z.object({
        deviceId: guid,
        deviceName: z.string(),
        day: localDate.meta({ description: 'Day of UTC.' }),
        ownCount: z.int(),
        fleetCount: z.int(),
      }),
    )
    .meta({ description: 'The newest of them, at most 20.' }),
  failures: z.int().meta({ description: 'Consecutive failures.' }),
  nextAttemptAt: instant.nullable().meta({ description: 'null: at the next tick, if one is running or due.' }),
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
