import { z } from 'zod';
import {
  type BucketedRow,
  bucketedRow,
  limits,
  type RawMeasurementsPage,
  rawMeasurementsPage,
} from '../../shared/measurements.ts';
import { guid } from '../../shared/primitives.ts';
import { listBuckets, listChosenDevices, listRawMeasurements } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { bucketEdges } from '../domain/buckets.ts';
import { notFound } from '../domain/errors.ts';
import { formatInstant } from '../domain/instants.ts';
import type { App } from './app.ts';
import type { Guard } from './guard.ts';
import {
  bucketQuery,
  deviceIdsQuery,
  rangeQuery,
  readBucket,
  readByHand,
  readDeviceIds,
  readGuid,
  readRange,
} from './ranges.ts';

const bucketedQuery = rangeQuery.extend({
  ...bucketQuery.shape,
  deviceId: guid,
});
// Rule 4: what is no usable number falls back, so nothing is refused here.
const pageNumber = z.unknown().optional();
const rawQuery = rangeQuery.extend({
  ...deviceIdsQuery.shape,
  limit: pageNumber.meta({ type: 'integer', minimum: 1, maximum: limits.rawPageMax, default: limits.rawPageDefault }),
  offset: pageNumber.meta({ type: 'integer', minimum: 0, default: 0 }),
});

export interface MeasurementRoutesParts {
  guard: Guard;
  database: Database;
}

/** The questions about measurements: specification, "Measurements and dashboard", rules 1 to 4. */
export async function measurementRoutes(app: App, { guard, database }: MeasurementRoutesParts): Promise<void> {
  app.get(
    '/api/measurements',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Measurements'],
        summary: 'Averages, minimum, maximum and energy of one device by bucket',
        description: 'hour and day are full local hours and days of the site; a bucket without samples is left out.',
        querystring: bucketedQuery,
        response: { 200: z.array(bucketedRow) },
      },
    },
    async (request): Promise<BucketedRow[]> => {
      const range = readRange(request.query);
      const bucket = readBucket(request.query.bucket, range);
      const [device] = await listChosenDevices(database, [readGuid('deviceId', request.query.deviceId)]);
      if (device === undefined) throw notFound('device');
      const edges = bucketEdges(range.fromMicros, range.toMicros, bucket, device.timeZone).map(formatInstant);
      const rows = await listBuckets(database, device.number, range, edges);
      return rows.map(({ bucket: position, ...averages }) => ({
        time: edges[position] ?? range.from,
        ...averages,
        energyImportedKwh: null,
        energyExportedKwh: null,
      }));
    },
  );

  app.get(
    '/api/measurements/raw',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Measurements'],
        summary: 'Measurements as they came, newest first, a page at a time',
        querystring: rawQuery,
        response: { 200: rawMeasurementsPage },
      },
    },
    async (request): Promise<RawMeasurementsPage> => {
      const range = readRange(request.query);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      const limit = limitOf(request.query.limit);
      const offset = Math.min(wholeNumber(request.query.offset) ?? 0, Number.MAX_SAFE_INTEGER);
      const { totalCount, rows } = await listRawMeasurements(database, { ...range, deviceIds }, limit, offset);
      return { totalCount, limit, offset, rows };
    },
  );
}

function limitOf(text: unknown): number {
  const limit = wholeNumber(text) ?? 0;
  return limit >= 1 && limit <= limits.rawPageMax ? limit : limits.rawPageDefault;
}

/** A whole number of 0 or more, or null for anything else. */
function wholeNumber(text: unknown): number | null {
  return typeof text === 'string' && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
