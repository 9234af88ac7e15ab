import { z } from 'zod';
import { loadCurve, type LoadCurve, loadCurveGroup, type LoadCurveGroup } from '../../shared/dashboard.ts';
import { readBuckets } from '../commands/read-buckets.ts';
import { readEnergy } from '../commands/read-energy.ts';
import { type ChosenDevice, listChosenDevices } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { rangesOf } from '../domain/asked-range.ts';
import { siteEdges } from '../domain/buckets.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant } from '../domain/instants.ts';
import { type CurveMember, createLoadCurve } from '../domain/load-curve.ts';
import type { App } from './typed-app.ts';
import { clientGone } from './client-gone.ts';
import type { Guard } from './guard.ts';
import {
  bucketQuery,
  came,
  deviceIdsQuery,
  rangeQuery,
  readBucket,
  readByHand,
  readDeviceScope,
  readRange,
  refuseTooManyBuckets,
  sharedZone,
  zonesOf,
} from './ranges.ts';

const loadCurveQuery = rangeQuery.extend({
  ...deviceIdsQuery.shape,
  ...bucketQuery.shape,
  groupBy: z
    .string()
    .optional()
    .meta({ description: `one of ${loadCurveGroup.options.join(', ')}; required` }),
});

export interface LoadCurveRoutesParts {
  guard: Guard;
  database: Database;
  /** Zone of `hour` and `day` if the chosen devices have several. */
  timeZone: string;
}

/** `GET /api/dashboard/load-curve`: decisions.md 3. */
export async function loadCurveRoutes(app: App, { guard, database, timeZone }: LoadCurveRoutesParts): Promise<void> {
  app.get(
    '/api/dashboard/load-curve',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Average power and energy over time by device, by site or in total',
        description:
          "hour and day are those of the zone that the devices share, else of Application__TimeZone. From fromDate to toDate each device counts in the days of its own site, and a day is each site's own.",
        querystring: loadCurveQuery,
        response: { 200: loadCurve },
      },
    },
    async (request, reply): Promise<LoadCurve> => {
      const size = readBucket(request.query.bucket);
      const range = readRange(request.query);
      const groupBy = readGroup(request.query.groupBy);
      const scope = readDeviceScope(request.query.deviceIds);
      const asked = database.until(clientGone(reply));
      const chosen = await listChosenDevices(asked, scope);
      const bucket = refuseTooManyBuckets(
        size,
        range,
        new Set(membersBy(groupBy, chosen).map((one) => one.seriesId)).size,
      );
      const { accountId } = guard.current(request);
      return readEnergy(asked, { scope, range, accountId }, async (snapshot) => {
        const ranges = rangesOf(range, zonesOf(snapshot.devices));
        const zone = sharedZone(snapshot.devices, timeZone);
        const edgesOf = siteEdges(ranges, bucket, zone);
        const times = edgesOf(zone).slice(0, -1).map(formatInstant);
        const curve = createLoadCurve(membersBy(groupBy, snapshot.devices), times.length);
        for await (const device of readBuckets(snapshot, { ranges, size: bucket, edgesOf, depth: 'power' })) {
          curve.addDevice(device.deviceNumber, device);
        }
        return { bucket, times, series: [...curve.series] };
      });
    },
  );
}

function readGroup(groupBy: unknown): LoadCurveGroup {
  const parsed = loadCurveGroup.safeParse(groupBy);
  if (parsed.success) return parsed.data;
  throw new DomainError(
    'invalid',
    `groupBy must be one of ${loadCurveGroup.options.join(', ')}; got ${came(groupBy)}.`,
  );
}

function membersBy(groupBy: LoadCurveGroup, devices: readonly ChosenDevice[]): CurveMember[] {
  return devices.map((device) => {
    if (groupBy === 'device') return { number: device.number, seriesId: device.id, seriesName: device.name };
    if (groupBy === 'site') return { number: device.number, seriesId: device.siteId, seriesName: device.siteName };
    return { number: device.number, seriesId: 'total', seriesName: 'Total' };
  });
}
