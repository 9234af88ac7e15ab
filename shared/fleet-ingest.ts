import { z } from 'zod';
import { messageShape } from './messages.ts';
import { ingestRow } from './measurements.ts';
import { guid, text } from './primitives.ts';
import { tariffPeriodWrite, tariffWrite } from './rates.ts';
import { deviceWrite, municipalityWrite, siteWrite } from './sites.ts';

export const fleetIngestLimits = {
  /** Decoded bytes of one batch. */
  bodyBytes: 32 * 1024 * 1024,
  /** Of one batch of measurements. */
  rows: 250_000,
  /** Of one full set, or one part of it. */
  records: 20_000,
  /** Of all tariffs of one batch. */
  periods: 20_000,
  parts: 1_000,
  listedErrors: 100,
  cursorLength: 200,
} as const;

/** Of `X-Batch-Type`; in the order in which a Client pushes them. */
export const batchType = z.enum(['sites', 'devices', 'municipalities', 'tariffs', 'measurements']);
export type BatchType = z.infer<typeof batchType>;

export const fleetIngestHeaders = z.looseObject({
  'x-batch-type': z
    .enum(batchType.options)
    .meta({ description: 'The content of the body. All but measurements are full sets.' }),
  'x-push-cursor': z
    .string()
    .max(fleetIngestLimits.cursorLength)
    .optional()
    .meta({ description: 'Any text. Stored with the batch, never parsed.' }),
  'x-batch-part': z
    .string()
    .optional()
    .meta({
      description: `i/n, such as 1/3: part i of a full set in n parts (at most ${fleetIngestLimits.parts}). Missing records are removed once all parts have arrived.`,
    }),
  'x-batch-mode': z.literal('correct').optional().meta({
    description: 'Overwrites stored measurements that have other values. Without it, they stay.',
  }),
});

/** Also names that a Client would refuse today: a record is not lost for its name, which the page shows without harm. */
const sentName = text(1, 200);

/** The records of full sets: the Client's own resources with their ids. */
export const fleetRecords = {
  municipalities: municipalityWrite.extend({ id: guid, name: sentName }),
  sites: siteWrite.extend({ id: guid, name: sentName }),
  devices: deviceWrite.omit({ endUse: true }).extend({ id: guid, name: sentName }),
  tariffs: tariffWrite.extend({
    id: guid,
    name: sentName,
    periods: z
      .array(tariffPeriodWrite.extend({ id: guid, name: text(1, 100) }))
      .max(200)
      .default([]),
  }),
};
export type FleetTariff = z.infer<typeof fleetRecords.tariffs>;

/** A measurement: that of the Client's ingest, with the id of the device. */
export const fleetMeasurement = ingestRow.omit({ externalId: true }).extend({ deviceId: guid });

/** The records of any batch. */
export const fleetRecord = z.union([
  fleetRecords.sites,
  fleetRecords.devices,
  fleetRecords.municipalities,
  fleetRecords.tariffs,
  fleetMeasurement,
]);

export const fleetIngestResult = z.object({
  accepted: z.int().meta({ description: 'Valid records, new or known.' }),
  rejected: z.int(),
  errors: z
    .array(z.object({ index: z.int(), id: z.string().nullable(), reason: z.string(), refusal: messageShape }))
    .meta({ description: `The first ${fleetIngestLimits.listedErrors} rejected records, ascending by index.` }),
});
export type FleetIngestResult = z.infer<typeof fleetIngestResult>;
