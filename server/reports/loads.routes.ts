import {
  baseLoad,
  type BaseLoad,
  baseLoadGroup,
  usualBucket,
  usualDaysMax,
  usualLoad,
  type UsualLoad,
} from '../../shared/dashboard.ts';
import { readBaseLoad, readUsual } from './read-usual.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { arrivedUntil } from '../energy/power.rules.ts';
import { lengthOf, presentRange, rangesOf, refuseTooLong, sharedZone, zonesOf } from '../base/ranges.ts';
import { baseLoadDays, hoursPerYear } from './base-load.rules.ts';
import { formatInstant, microsPerSecond } from '../base/instants.ts';
import { daysBeforeRange, type UsualBand } from './usual.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import {
  askedQuery,
  idList,
  question,
  readAsked,
  readIds,
  readOption,
  readRangeUntil,
  untilQuery,
} from '../http/ranges.ts';
import type { App } from '../http/guard.ts';
import { loadCurve, type LoadCurve, loadCurveGroup } from '../../shared/dashboard.ts';
import { bucket, bucketLimits } from '../../shared/primitives.ts';
import { readCurve } from './read-curve.ts';
import { listChosenDevices } from '../energy/measurements.sql.ts';
import { countBuckets, refuseTooManyBuckets } from '../base/buckets.ts';
import { membersBy } from './load-curve.rules.ts';
import { waitForPlace } from '../http/protection/answers.ts';

const usualQuery = askedQuery.extend({
  ...untilQuery.shape,
  bucket: usualBucket,
});

const minuteMicros = 60 * microsPerSecond;

/** `GET /api/dashboard/usual`: whether a load is typical. */
export async function usualRoutes(app: App, { guard, database, displayZoneOf, now }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/usual',
    question(guard, {
      operationId: 'getUsualLoad',
      summary: 'Get the usual load at the same weekday and time of day in the eight weeks before',
      description:
        'The 10th, 50th and 90th percentile of the weeks, without gaps and unusual days such as holidays. At most 35 days.',
      querystring: usualQuery,
      answer: usualLoad,
    }),
    async (request, reply): Promise<UsualLoad> => {
      const bucket = readOption('bucket', usualBucket.options, request.query.bucket);
      const { untilMicros, ...range } = refuseTooLong(readRangeUntil(request.query), usualDaysMax, 'usualTooLong');
      const asked = readAsked(guard, request, range);
      const timeZone = await displayZoneOf(request);
      const before = { fromMicros: daysBeforeRange(range).fromMicros, toMicros: range.toMicros };
      return readEnergy(database.until(clientGone(reply)), { ...asked, range: before }, async (snapshot) => {
        const arrivedMicros = arrivedUntil(snapshot.devices, now() * 1000);
        const endMicros = untilMicros ?? arrivedMicros - (arrivedMicros % minuteMicros);
        const usual = await readUsual(snapshot, range, { bucket, timeZone, untilMicros: endMicros });
        const { ranges, starts, bands } = usual;
        return {
          ...presentRange(ranges),
          bucket,
          times: starts.map(formatInstant),
          lowPowerKw: bands.map((band) => band?.low ?? null),
          medianPowerKw: bands.map((band) => band?.median ?? null),
          highPowerKw: bands.map((band) => band?.high ?? null),
          weekCounts: bands.map((band) => band?.weekCount ?? 0),
          energy: presentEnergy(usual.energy),
          until: formatInstant(Math.min(ranges.all.toMicros, endMicros)),
          energyUntil: presentEnergy(usual.energyUntil),
          devicesWithoutUsual: usual.withoutUsual,
        };
      });
    },
  );

  app.get(
    '/api/dashboard/base-load',
    question(guard, {
      operationId: 'getBaseLoad',
      summary: 'Get the base load in kW and its cost per year',
      description: 'The median of the quietest hours of the last 28 nights of the range, up to now.',
      querystring: askedQuery.extend({ groupBy: baseLoadGroup.optional().meta({ default: 'total' }) }),
      answer: baseLoad,
    }),
    async (request, reply): Promise<BaseLoad> => {
      const asked = readAsked(guard, request);
      const isByDevice = readOption('groupBy', baseLoadGroup.options, request.query.groupBy ?? 'total') === 'device';
      const nowMicros = now() * 1000;
      const range = baseLoadDays(Math.min(asked.range.toMicros, nowMicros));
      return readEnergy(database.until(clientGone(reply)), { ...asked, range }, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        const load = await readBaseLoad(snapshot, ranges, { nowMicros, isByDevice });
        const { kw, nightCount, costs, unpricedKw, leftOut, firstNight = null, lastNight = null } = load;
        const perYear = [...costs].map(([currency, cost]) => ({ currency, perYear: cost.toNumber() }));
        return {
          ...presentRange(ranges),
          baseLoadKw: kw,
          nightCount,
          costs: perYear,
          unpricedKw,
          devicesLeftOut: leftOut.map(({ id }) => id),
          firstNight,
          lastNight,
          devices: load.byDevice.map(({ device, cost, ...own }) => ({
            deviceId: device.id,
            deviceName: device.name,
            siteId: device.siteId,
            siteName: device.siteName,
            countedIn: device.countedIn,
            baseLoadKw: own.kw,
            nightCount: own.nightCount,
            energyPerYearKwh: own.kw * hoursPerYear,
            cost: cost && { currency: cost.currency, perYear: cost.perYear.toNumber() },
          })),
        };
      });
    },
  );
}

const presentEnergy = (band: UsualBand | null) =>
  band === null ? null : { lowKwh: band.low, medianKwh: band.median, highKwh: band.high, weekCount: band.weekCount };

const loadCurveQuery = askedQuery.extend({
  ...untilQuery.shape,
  bucket,
  groupBy: loadCurveGroup,
  apartDeviceIds: idList('Devices that are one series of their own, with the id apart, the last.'),
});

/** Power and energy. */
const valuesOfBucket = 2;

/** `GET /api/dashboard/load-curve`: decisions.md 3. */
export async function loadCurveRoutes(app: App, { guard, database, displayZoneOf }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/load-curve',
    question(guard, {
      operationId: 'getLoadCurve',
      summary: 'Get power and energy over time by device, site, end use or in total',
      description:
        "hour and day are those of the zone that the devices share, else those in which the account sees times. From fromDate to toDate each device counts in the days of its own site, and a day is each site's own. Sub-meters are series of their own by device, and in no sum that has their main meter. By end use a sub-meter with an end use of its own is taken from its main meter, so that the series add up to the total; the id of a series is 'endUse:' and the end use in lower case, and without one, the last, 'endUse:' alone.",
      querystring: loadCurveQuery,
      answer: loadCurve,
    }),
    async (request, reply): Promise<LoadCurve> => {
      const size = readOption('bucket', bucket.options, request.query.bucket);
      const asked = readAsked(guard, request, readRangeUntil(request.query));
      const groupBy = readOption('groupBy', loadCurveGroup.options, request.query.groupBy);
      const asking = database.until(clientGone(reply));
      const apart = new Set(readIds('apartDeviceIds', 'devices', request.query.apartDeviceIds));
      const chosen = membersBy(groupBy, await listChosenDevices(asking, asked.scope), apart);
      const seriesCount = new Set(chosen.map((one) => one.seriesId)).size;
      refuseTooManyBuckets(size, asked.range, bucketLimits, seriesCount);
      const values = countBuckets(lengthOf(asked.range), size) * (1 + valuesOfBucket * seriesCount);
      await waitForPlace(reply, asked.accountId, values);
      const displayZone = await displayZoneOf(request);
      return readEnergy(asking, asked, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        const zone = sharedZone(snapshot.devices, displayZone);
        const members = membersBy(groupBy, snapshot.devices, apart);
        const { starts, series } = await readCurve(snapshot, { ranges, size, timeZone: zone, members });
        return { bucket: size, times: starts.map(formatInstant), series: [...series] };
      });
    },
  );
}
