import { z } from 'zod';
import { guid, instant, localDate, name, text, withoutDirections } from './primitives.ts';
import { messageShape } from './messages.ts';
import { ingestInterval } from './intervals.ts';
import { ingestRow } from './measurements.ts';
import { fleetRemoval } from './removals.ts';
import { tariffPeriodWrite, tariffWrite } from './rates.ts';
import { deviceWrite, municipalityWrite, siteWrite, unpushedOfDevice } from './sites.ts';

/** `broken`: the answer makes no sense; `rejected`: rows were rejected; the others name what the request met. */
const pushErrorKind = z.enum(['unreachable', 'busy', 'unauthorized', 'refused', 'broken', 'rejected']);
export type PushErrorKind = z.infer<typeof pushErrorKind>;
const errorKind = pushErrorKind.nullable().meta({ description: 'Of the last error; stays after a success.' });

/** Progress of pushing one resource to the fleet. */
export const pushResourceState = z.object({
  resource: z.enum(['sites', 'devices', 'municipalities', 'tariffs', 'removals', 'measurements', 'intervals']),
  cursor: z.string().nullable().meta({
    description:
      'What the last acknowledged batch was: the hash of a set, or the last row. For comparing with the fleet; nothing is continued from it.',
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

/** Progress of reconciliation with the fleet. */
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

export const fleetIngestLimits = {
  /** The maximum size of a decoded batch, in bytes. */
  bodyBytes: 32 * 1024 * 1024,
  /** The maximum number of measurements in a batch. */
  rows: 250_000,
  /** The maximum number of records in a full set, or in a part of it. */
  records: 20_000,
  /** The maximum number of periods of all tariffs in a batch. */
  periods: 20_000,
  parts: 1_000,
  /** The maximum number of removals in a batch. */
  removals: 100,
  listedErrors: 100,
  cursorLength: 200,
} as const;

export const clientReportLimits = { characters: 4_000, errorCharacters: 300 } as const;

/** One line of text from another portal, cut off. */
const foreignLine = z.string().overwrite((sent) =>
  withoutDirections(sent)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, clientReportLimits.errorCharacters)
    .toWellFormed()
    .trim(),
);

/** What a Client says of itself with each batch. Older and newer Clients say less, more, or something else. */
export const clientReport = z.object({
  version: name(60).nullable().catch(null),
  backlogRows: z.int().min(0).nullable().catch(null).meta({ description: 'Approximate number of unsent rows.' }),
  lastError: z
    .object({ kind: pushErrorKind.nullable().catch(null), text: foreignLine, at: z.iso.datetime() })
    .nullable()
    .catch(null)
    .meta({ description: 'Of its push; stays after a success.' }),
});
export type ClientReport = z.infer<typeof clientReport>;

/** The values of `X-Batch-Type`, in the order in which a Client pushes them. */
export const batchType = z.enum([
  'sites',
  'devices',
  'municipalities',
  'tariffs',
  'removals',
  'measurements',
  'intervals',
]);
export type BatchType = z.infer<typeof batchType>;

export const fleetIngestHeaders = z.looseObject({
  'x-batch-type': z
    .enum(batchType.options)
    .meta({ description: 'The content of the body. All but removals, measurements and intervals are full sets.' }),
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
  'x-client-report': z
    .string()
    .optional()
    .meta({
      description: `What the Client says of itself: ClientReport as JSON in ASCII, at most ${clientReportLimits.characters} characters. Unknown fields and what cannot be read are left out; a batch is never rejected for it.`,
    }),
  'x-batch-mode': z.literal('correct').optional().meta({
    description: 'Overwrites stored measurements that have other values. Without it, they stay.',
  }),
});

/** Accepts names that a Client would reject today: a record is not lost for its name, which the page shows without harm. */
const sentName = text(1, 200);

/** The records of full sets: the Client's own resources with their ids. */
export const fleetRecords = {
  municipalities: municipalityWrite.extend({ id: guid, name: sentName }),
  sites: siteWrite.extend({ id: guid, name: sentName }),
  devices: deviceWrite.omit(unpushedOfDevice).extend({ id: guid, name: sentName }),
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

/** A measurement, as in the Client's ingest but with the id of the device. */
export const fleetMeasurement = ingestRow.omit({ externalId: true }).extend({ deviceId: guid });

/** The energy of an interval, as in the Client's ingest but with the id of the device. */
export const fleetInterval = ingestInterval.omit({ externalId: true }).extend({ deviceId: guid });

/** The records of any batch. */
export const fleetRecord = z.union([
  fleetRecords.sites,
  fleetRecords.devices,
  fleetRecords.municipalities,
  fleetRecords.tariffs,
  fleetMeasurement,
  fleetInterval,
  fleetRemoval,
]);

export const fleetIngestResult = z.object({
  accepted: z.int().meta({ description: 'Valid records, new or known.' }),
  rejected: z.int(),
  errors: z
    .array(z.object({ index: z.int(), id: z.string().nullable(), reason: z.string(), refusal: messageShape }))
    .meta({ description: `The first ${fleetIngestLimits.listedErrors} rejected records, ascending by index.` }),
});
export type FleetIngestResult = z.infer<typeof fleetIngestResult>;

export const reconcileLimits = {
  /** The maximum number of device-days in a request: some million rows of one-minute meters, which take a database seconds. */
  deviceDays: 1_000,
  /** The maximum number of devices in a request. */
  devices: 500,
} as const;

const date = localDate.regex(/^\d{4}-\d{2}-\d{2}$/, 'mustBeDateForm');

/** `POST /api/fleet/reconcile`: what the Admin has for some devices of a customer on some UTC days. */
export const reconcileRequest = z.object({
  fromDate: date.meta({ description: 'First day of UTC.' }),
  toDate: date.meta({ description: 'The day of UTC after the last one, exclusive.' }),
  deviceIds: z
    .array(guid)
    .min(1)
    .max(reconcileLimits.devices)
    .meta({ description: `Devices times days may be at most ${reconcileLimits.deviceDays}.` }),
});
export type ReconcileRequest = z.infer<typeof reconcileRequest>;

/** The measurements of a device on a UTC day, and the intervals that begin on it. A day without any is left out. */
export const dayChecksum = z.object({
  deviceId: guid,
  day: localDate,
  count: z.int(),
  checksum: z.string().meta({
    description:
      'MD5 in hex of the rows in order of time, joined by semicolons. A row is its time in microseconds since 1970 and its eight quantities in fixed units, joined by commas, empty for null: mW, mvar, mVA, millionths, mV, 0.1 mHz, mWh imported, mWh exported. Where intervals begin on the day, their MD5 follows behind a slash: start and end in microseconds, mWh imported, mWh exported.',
  }),
});
export type DayChecksum = z.infer<typeof dayChecksum>;

export const reconcileResult = z.object({ days: z.array(dayChecksum) });

const days = z.int().min(0).max(2_147_483_647);

/** `POST /api/fleet/reconcile/result`: the result of a Client's comparison. */
export const reconcileReport = z.object({
  inStepUpTo: instant
    .nullable()
    .meta({ description: 'Earlier measurements are compared. null before the first full reconciliation.' }),
  comparedDays: days.meta({ description: 'Compared device days.' }),
  resentDays: days.meta({ description: 'Those of them that differed and were sent again.' }),
  differingDays: days.meta({ description: 'Device days that still differ.' }),
  intervalSeconds: z.number().min(1).max(86_400).meta({ description: 'Between two pushes.' }),
});
export type ReconcileReport = z.infer<typeof reconcileReport>;
