import { type Arrival, incoming, keyDeliveries } from '../../shared/arrivals.ts';
import { idParams } from '../../shared/primitives.ts';
import { type ArrivalLog, arrivalsKeptMs } from './arrivals.ts';
import { getApiKey } from '../accounts/api-keys.ts';
import { listLatestArrivals, listRejectedArrivals, type StoredArrival, sumDeliveries } from './arrivals.sql.ts';
import { readStored } from '../base/errors.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';

/** What arrived within the last 24 hours, for people who connect meters: docs/adr/0061. */
export async function arrivalRoutes(
  app: App,
  { database, guard, now, arrivals }: ClientParts & { arrivals: ArrivalLog },
): Promise<void> {
  const oldest = () => new Date(now() - arrivalsKeptMs);
  app.get(
    '/api/incoming',
    guarded(guard.admin, {
      tags: ['Measurements'],
      operationId: 'listArrivals',
      summary: 'List the latest rows that arrived, accepted or rejected, newest first',
      description: 'At most 200 of the last 24 hours; accepted rows of up to 200 external ids per API key.',
      response: { 200: incoming },
    }),
    async () => {
      await arrivals.watch();
      const rows = await listLatestArrivals(database, oldest());
      return { at: new Date(now()).toISOString(), rows: rows.map(onWire) };
    },
  );

  app.get(
    '/api/api-keys/:id/deliveries',
    guarded(guard.admin, {
      tags: ['API keys'],
      operationId: 'getDeliveriesOfApiKey',
      summary: 'Get what arrived with an API key in the last 24 hours, with rejected rows',
      description: 'A few seconds behind. A portal that was killed loses its last few seconds.',
      params: idParams,
      response: { 200: keyDeliveries },
    }),
    async (request) => {
      const { id } = await getApiKey(database, request.params.id);
      await arrivals.write();
      const totals = await sumDeliveries(database, id, oldest());
      const problems = await listRejectedArrivals(database, id, oldest());
      return { ...totals, problems: problems.map(onWire) };
    },
  );
}

function onWire(stored: StoredArrival): Arrival {
  const { apiKeyId, apiKeyName, deviceId, deviceName, siteId, siteName, timeZone, isKnown, ...rest } = stored;
  const { text: reason, refusal } = readStored(rest.reason);
  const hasDevice =
    deviceId !== null && deviceName !== null && siteId !== null && siteName !== null && timeZone !== null;
  return {
    ...rest,
    reason,
    refusal,
    verdict: rest.field === null ? (isKnown === true ? 'known' : 'accepted') : 'rejected',
    apiKey: apiKeyId === null || apiKeyName === null ? null : { id: apiKeyId, name: apiKeyName },
    device: hasDevice ? { id: deviceId, name: deviceName, siteId, siteName, timeZone } : null,
  };
}
