import { loadCurve, type LoadCurve, loadCurveGroup } from '../../shared/dashboard.ts';
import { bucket, bucketLimits } from '../../shared/buckets.ts';
import { readCurve } from './read-curve.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { listChosenDevices } from '../energy/measurements.sql.ts';
import { lengthOf, rangesOf, sharedZone, zonesOf } from '../base/ranges.ts';
import { countBuckets, refuseTooManyBuckets } from '../base/buckets.ts';
import { formatInstant } from '../base/instants.ts';
import { membersBy } from './load-curve.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { waitForPlace } from '../http/protection/large-answers.ts';
import { askedQuery, question, readAsked, readOption, readRangeUntil, untilQuery } from '../http/ranges.ts';
import type { App } from '../http/typed-app.ts';

const loadCurveQuery = askedQuery.extend({
  ...untilQuery.shape,
  bucket,
  groupBy: loadCurveGroup,
});

/** Power and energy. */
const valuesOfBucket = 2;

/** `GET /api/dashboard/load-curve`: decisions.md 3. */
export async function loadCurveRoutes(app: App, { guard, database, timeZone }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/load-curve',
    question(guard, {
      operationId: 'getLoadCurve',
      summary: 'Get power and energy over time by device, site, end use or in total',
      description:
        "hour and day are those of the zone that the devices share, else of Application__TimeZone. From fromDate to toDate each device counts in the days of its own site, and a day is each site's own. Sub-meters are series of their own by device, and in no sum that has their main meter. By end use a sub-meter with an end use of its own is taken from its main meter, so that the series add up to the total; the id of a series is 'endUse:' and the end use in lower case, and without one, the last, 'endUse:' alone.",
      querystring: loadCurveQuery,
      answer: loadCurve,
    }),
    async (request, reply): Promise<LoadCurve> => {
      const size = readOption('bucket', bucket.options, request.query.bucket);
      const asked = readAsked(guard, request, readRangeUntil(request.query));
      const groupBy = readOption('groupBy', loadCurveGroup.options, request.query.groupBy);
      const asking = database.until(clientGone(reply));
      const chosen = membersBy(groupBy, await listChosenDevices(asking, asked.scope));
      const seriesCount = new Set(chosen.map((one) => one.seriesId)).size;
      refuseTooManyBuckets(size, asked.range, bucketLimits, seriesCount);
      const values = countBuckets(lengthOf(asked.range), size) * (1 + valuesOfBucket * seriesCount);
      await waitForPlace(reply, asked.accountId, values);
      return readEnergy(asking, asked, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        const zone = sharedZone(snapshot.devices, timeZone);
        const members = membersBy(groupBy, snapshot.devices);
        const { starts, series } = await readCurve(snapshot, { ranges, size, timeZone: zone, members });
        return { bucket: size, times: starts.map(formatInstant), series: [...series] };
      });
    },
  );
}
