import {
  reconcileLimits,
  reconcileReport,
  reconcileRequest,
  type ReconcileRequest,
  reconcileResult,
} from '../../shared/push.ts';
import { z } from 'zod';
import { setReconciled } from './customers.sql.ts';
import { listDayChecksums } from '../energy/day-checksums.sql.ts';
import { daysIn, isDate } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { message, refuse, refuseField } from '../base/errors.ts';
import { formatInstant, type MicrosRange, dayMicros } from '../base/instants.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { readInstant } from '../http/ranges.ts';
import type { App } from '../http/guard.ts';

/** Enough for the maximum number of device ids. */
const maxBodyBytes = 64 * reconcileLimits.devices;

/** `/api/fleet/reconcile`: checksums of a customer's measurements, for the Client to compare with its own, and its result. */
export async function reconcileRoutes(app: App, { database, guard, now }: ClientParts): Promise<void> {
  const asked = limiterOf('comparisons');
  app.post(
    '/api/fleet/reconcile',
    {
      onRequest: guard.customer,
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Fleet'],
        operationId: 'listDayChecksums',
        summary: 'List counts and checksums of the measurements by device and UTC day',
        description: `Devices times days may be at most ${reconcileLimits.deviceDays}: ask page by page. Unknown devices and days without measurements are left out.`,
        body: reconcileRequest,
        response: { 200: reconcileResult },
      },
    },
    async (request, reply) => {
      const id = guard.pushingCustomer(request);
      const range = readDays(request.body);
      const signal = clientGone(reply);
      const own = database.forCustomer(id).until(signal);
      const days = await asked.run(() => listDayChecksums(own, request.body.deviceIds, range), { key: id, signal });
      return { days };
    },
  );

  app.post(
    '/api/fleet/reconcile/result',
    {
      onRequest: guard.customer,
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Fleet'],
        operationId: 'reportReconciliation',
        summary: 'Report the result of a reconciliation by a Client',
        body: reconcileReport,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const key = guard.pushingCustomer(request);
      const { inStepUpTo, ...others } = request.body;
      const instant = inStepUpTo === null ? null : formatInstant(readInstant('inStepUpTo', inStepUpTo));
      const found = { ...others, at: new Date(now()), inStepUpTo: instant };
      await asked.run(() => setReconciled(database, key, found), { key });
      return reply.code(204).send(null);
    },
  );
}

function readDays({ fromDate, toDate, deviceIds }: ReconcileRequest): MicrosRange {
  for (const [field, date] of Object.entries({ fromDate, toDate })) {
    if (!isDate(date)) throw refuseField(field, message('mustBeDate', { got: JSON.stringify(date) }));
  }
  if (toDate <= fromDate) {
    throw refuse('datesReversed', { from: fromDate, to: toDate }, { field: 'toDate' });
  }
  const range = daysIn({ fromDate, toDate }, 'UTC');
  const deviceDays = ((range.toMicros - range.fromMicros) / dayMicros) * deviceIds.length;
  if (deviceDays > reconcileLimits.deviceDays) {
    throw refuse(
      'manyDeviceDays',
      { devices: deviceIds.length, count: deviceDays, max: reconcileLimits.deviceDays },
      { field: 'deviceIds' },
    );
  }
  return range;
}
