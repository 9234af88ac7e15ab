import { z } from 'zod';
import { guid, instant, localDate } from './primitives.ts';

export const reconcileLimits = {
  /** Days of devices of one request: some million rows of one-minute meters, seconds of a database. */
  deviceDays: 1_000,
  /** Of one request. */
  devices: 500,
} as const;

const date = localDate.regex(/^\d{4}-\d{2}-\d{2}$/, 'mustBeDateForm');

/** `POST /api/fleet/reconcile`: what the Admin has of some devices of a customer on some days of UTC. */
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

/** The measurements of a device on a day of UTC. A day without any is left out. */
export const dayChecksum = z.object({
  deviceId: guid,
  day: localDate,
  count: z.int(),
  checksum: z.string().meta({
    description:
      'MD5 in hex of the rows in order of time, joined by semicolons. A row is its time in microseconds since 1970 and its eight quantities in fixed units, joined by commas, empty for null: mW, mvar, mVA, millionths, mV, 0.1 mHz, mWh imported, mWh exported.',
  }),
});
export type DayChecksum = z.infer<typeof dayChecksum>;

export const reconcileResult = z.object({ days: z.array(dayChecksum) });

const days = z.int().min(0).max(2_147_483_647);

/** `POST /api/fleet/reconcile/result`: what a Client found when it had compared. */
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
