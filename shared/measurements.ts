import { z } from 'zod';
import { messageShape } from './messages.ts';
import { instant } from './primitives.ts';
import { byName, optionalQuantities, type Quantity, quantitiesWith, requiredQuantities } from './quantities.ts';

export const limits = {
  /** Decoded bytes of one ingest body. */
  ingestBodyBytes: 32 * 1024 * 1024,
  /** Rows of one ingest body; a body of real rows reaches its size limit earlier. */
  ingestRows: 250_000,
  ingestListedErrors: 100,
  rawPageDefault: 200,
  rawPageMax: 1000,
} as const;

function accepted({ limits }: Quantity): z.ZodNumber {
  const [min, max] = [limits?.[0], limits?.[1]];
  const number = min === undefined ? z.number() : z.number().min(min);
  return max === undefined ? number : number.max(max);
}
const described = <Schema extends z.ZodType>(schema: Schema, { description }: Quantity): Schema =>
  description === undefined ? schema : schema.meta({ description });

/** One row of `POST /api/ingest/measurements`, as documented; rows are judged one by one, so this schema never refuses a request. */
export const ingestRow = z.object({
  externalId: z.string().meta({ description: 'External id of the device.' }),
  time: z.string().meta({ format: 'date-time', description: 'With an offset or Z. From 2000 to 24 h from now.' }),
  ...byName(requiredQuantities, (quantity) => described(accepted(quantity), quantity)),
  ...byName(optionalQuantities, (quantity) => described(accepted(quantity).nullable().optional(), quantity)),
});

export const ingestResult = z.object({
  accepted: z.int().meta({ description: 'Valid rows, new or known.' }),
  rejected: z.int(),
  duplicates: z.int().meta({ description: 'Accepted rows that were stored already.' }),
  errors: z
    .array(z.object({ index: z.int(), externalId: z.string().nullable(), reason: z.string(), refusal: messageShape }))
    .meta({ description: `The first ${limits.ingestListedErrors} rejected rows, ascending by index.` }),
});
export type IngestResult = z.infer<typeof ingestResult>;

const known = z.number().nullable();
export const rawMeasurementRow = z.object({
  time: instant,
  deviceName: z.string(),
  siteName: z.string().nullable(),
  ...byName(requiredQuantities, () => z.number()),
  ...byName(optionalQuantities, () => known),
});
export type RawMeasurementRow = z.infer<typeof rawMeasurementRow>;

export const rawMeasurementsPage = z.object({
  totalCount: z.int(),
  limit: z.int(),
  offset: z.int(),
  rows: z.array(rawMeasurementRow),
});
export type RawMeasurementsPage = z.infer<typeof rawMeasurementsPage>;

/** Averages, minimum and maximum over the samples of a bucket (null without any), and its energy. */
export const bucketedRow = z.object({
  time: instant,
  samples: z.int(),
  activePowerKw: known,
  activePowerKwMin: known,
  activePowerKwMax: known,
  ...byName(quantitiesWith('mean', 'factor'), () => known),
  energyImportedKwh: z.number(),
  energyExportedKwh: z.number(),
});
export type BucketedRow = z.infer<typeof bucketedRow>;
