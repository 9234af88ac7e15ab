import { z } from 'zod';
import { guid, instant } from './primitives.ts';
import { costPreview } from './rates.ts';

export const removalLimits = {
  /** Rows of one removal: they are removed in one transaction, which takes some tenths of a second. */
  rows: 100_000,
  days: 366,
} as const;

export const removedKind = z.enum(['readings', 'intervals']);
export type RemovedKind = z.infer<typeof removedKind>;

const bound = z.string().meta({ format: 'date-time', description: 'ISO 8601 with an offset or Z.' });

/** `POST /api/admin/devices/{id}/removals/preview` */
export const removalQuestion = z.object({
  kind: removedKind.meta({ description: 'Readings, or the intervals that begin in the range.' }),
  from: bound,
  to: bound.meta({ description: `Exclusive, at most ${removalLimits.days} days after from.` }),
});
export type RemovalQuestion = z.infer<typeof removalQuestion>;

/** `POST /api/admin/devices/{id}/removals` */
export const removalOrder = removalQuestion.extend({
  count: z
    .int()
    .min(1)
    .max(removalLimits.rows)
    .meta({ description: 'How many rows the preview counted; 409 if there are more or fewer by now.' }),
});
export type RemovalOrder = z.infer<typeof removalOrder>;

const beforeAndAfter = z.object({ before: z.number(), after: z.number() });

/** The effect of a removal. Energy and cost are those of the device alone. */
export const removalPreview = z.object({
  count: z.int().meta({ description: `At most ${removalLimits.rows} rows are removed at once.` }),
  firstAt: instant.nullable().meta({ description: 'Of the rows; null if there are none.' }),
  lastAt: instant.nullable().meta({ description: 'The last reading, or the end of the last interval.' }),
  energyImportedKwh: beforeAndAfter.meta({ description: 'In the months whose energy can change.' }),
  energyExportedKwh: beforeAndAfter,
  costs: costPreview,
});
export type RemovalPreview = z.infer<typeof removalPreview>;

/** A removal that a Client sends to its fleet. */
export const fleetRemoval = removalQuestion.extend({ deviceId: guid });
export type FleetRemoval = z.infer<typeof fleetRemoval>;
