import { z } from 'zod';
import { bucket, bucketLimits, errorBody, guid } from '../../shared/primitives.ts';
import {
  type BucketedRow,
  bucketedRow,
  limits,
  type RawMeasurementsPage,
  rawMeasurementsPage,
} from '../../shared/measurements.ts';
import { type RawIntervalsPage, rawIntervalsPage } from '../../shared/intervals.ts';
import { listRawIntervals } from './raw-intervals.ts';
import { listRawMeasurements } from './raw-readings.ts';
import { type DeviceBuckets, readBuckets } from '../energy/read-buckets.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { lengthOf, rangesOf } from '../base/ranges.ts';
import { countBuckets, refuseTooManyBuckets, siteEdges } from '../base/buckets.ts';
import { limiterOf } from '../base/budgets.ts';
import { notFound } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { averagesAt } from '../energy/statistics.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { waitForPlace } from '../http/protection/answers.ts';
import {
  badParameter,
  askedQuery,
  rangeQuery,
  readAsked,
  readByHand,
  readCount,
  readOption,
  readRange,
  readWholeNumber,
} from '../http/ranges.ts';
import type { App } from '../http/guard.ts';

const bucketedQuery = rangeQuery.extend({ bucket, deviceId: guid });
// Rule 4: unusable numbers fall back to the default, so nothing is refused here.
const pageNumber = z.unknown().optional();
const rawQuery = askedQuery.extend({
  limit: pageNumber.meta({ type: 'integer', minimum: 1, maximum: limits.rawPageMax, default: limits.rawPageDefault }),
  offset: pageNumber.meta({ type: 'integer', minimum: 0, default: 0 }),
});

/** Queries of measurements: specification, "Measurements and dashboard", rules 1 to 4. */
export async function measurementRoutes(app: App, { guard, readings }: ClientParts): Promise<void> {
  const { path, onRequest } = readings;
  app.get(
    `${path}/measurements`,
    {
      onRequest,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Measurements'],
        operationId: readings.operationId('listBucketedMeasurements'),
        summary: 'List averages, minimum, maximum and energy of one device by bucket',
        description:
          'hour and day are full local hours and days of the site. Buckets without samples and energy are left out.',
        querystring: bucketedQuery,
        response: { 200: z.array(bucketedRow), 404: errorBody },
        ...readings.schema,
      },
    },
    async (request, reply): Promise<BucketedRow[]> => {
      const { database } = await readings.open(request);
      const size = readOption('bucket', bucket.options, request.query.bucket);
      const range = readRange(request.query);
      refuseTooManyBuckets(size, range, bucketLimits);
      const scope = { devices: [readDeviceId(request.query.deviceId)] };
      const { accountId } = guard.current(request);
      await waitForPlace(reply, accountId, countBuckets(lengthOf(range), size) * valuesOfRow);
      return readEnergy(database.until(clientGone(reply)), { scope, range, accountId }, async (snapshot) => {
        const [device] = snapshot.devices;
        if (device === undefined) throw notFound('device');
        const ranges = rangesOf(range, [device.timeZone]);
        const edgesOf = siteEdges(ranges, size, device.timeZone);
        const found = await Array.fromAsync(readBuckets(snapshot, { ranges, size, edgesOf, depth: 'all' }));
        return presentBuckets(snapshot, edgesOf(device.timeZone), found[0]);
      });
    },
  );

  app.get(
    `${path}/measurements/raw`,
    {
      onRequest,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Measurements'],
        operationId: readings.operationId('listRawMeasurements'),
        summary: 'List raw measurements, newest first, one page at a time',
        querystring: rawQuery,
        response: { 200: rawMeasurementsPage },
        ...readings.schema,
      },
    },
    async (request, reply): Promise<RawMeasurementsPage> => {
      const { database } = await readings.open(request);
      const asked = readAsked(guard, request);
      const page = readPage(request.query);
      const asking = database.until(clientGone(reply));
      const { totalCount, rows } = await listRawMeasurements(asking, asked, page.limit, page.offset);
      return { totalCount, ...page, rows };
    },
  );

  app.get(
    `${path}/measurements/intervals`,
    {
      onRequest,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Measurements'],
        operationId: readings.operationId('listRawIntervals'),
        summary: 'List the energy of intervals as it was sent, newest first, one page at a time',
        description: 'Of the intervals that begin in the range.',
        querystring: rawQuery,
        response: { 200: rawIntervalsPage },
        ...readings.schema,
      },
    },
    async (request, reply): Promise<RawIntervalsPage> => {
      const { database } = await readings.open(request);
      const asked = readAsked(guard, request);
      const page = readPage(request.query);
      const key = { key: asked.accountId };
      return limiterOf('reads').run(() => listRawIntervals(database.until(clientGone(reply)), asked, page), key);
    },
  );
}

const readPage = (query: { limit?: unknown; offset?: unknown }) => ({
  limit: readCount(query.limit, limits.rawPageDefault, limits.rawPageMax),
  offset: Math.min(readWholeNumber(query.offset) ?? 0, Number.MAX_SAFE_INTEGER),
});

const valuesOfRow = Object.keys(bucketedRow.shape).length;
/** Rows that are formatted before other requests get their turn: a few milliseconds. */
const bucketsAtOnce = 1_000;

/** Leaves out buckets with neither samples nor energy (decisions.md 4). */
async function presentBuckets(
  snapshot: EnergyReader,
  edges: readonly number[],
  buckets: DeviceBuckets | undefined,
): Promise<BucketedRow[]> {
  if (buckets === undefined) return [];
  const { energy, statistics } = buckets;
  const rows: BucketedRow[] = [];
  for (const [at, start] of edges.slice(0, -1).entries()) {
    if (at % bucketsAtOnce === bucketsAtOnce - 1) await snapshot.yieldOrAbort();
    const [energyImportedKwh = 0, energyExportedKwh = 0] = [energy.importedKwh[at], energy.exportedKwh[at]];
    if (statistics.samples[at] === 0 && energyImportedKwh === 0 && energyExportedKwh === 0) continue;
    rows.push({ time: formatInstant(start), ...averagesAt(statistics, at), energyImportedKwh, energyExportedKwh });
  }
  return rows;
}

/** Required; a text that is not a GUID is an unknown device (decisions.md 1). */
function readDeviceId(deviceId: unknown): string {
  if (deviceId === undefined || deviceId === '') {
    throw badParameter('deviceId', deviceId, 'the GUID of a device');
  }
  const parsed = guid.safeParse(typeof deviceId === 'string' ? deviceId.trim() : deviceId);
  if (!parsed.success) throw notFound('device');
  return parsed.data;
}
