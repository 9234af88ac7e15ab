import {
  baseLoad,
  type BaseLoad,
  usualBucket,
  usualDaysMax,
  usualLoad,
  type UsualLoad,
} from '../../shared/dashboard.ts';
import { readBaseLoad, readUsual } from './read-usual.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { rangesOf, refuseTooLong, zonesOf, presentRange } from '../base/ranges.ts';
import { baseLoadDays } from './base-load.rules.ts';
import { formatInstant } from '../base/instants.ts';
import { daysBeforeRange, type UsualBand } from './usual.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { askedQuery, question, readAsked, readOption, readRangeUntil, untilQuery } from '../http/ranges.ts';
import type { App } from '../http/typed-app.ts';

const usualQuery = askedQuery.extend({
  ...untilQuery.shape,
  bucket: usualBucket,
});

/** `GET /api/dashboard/usual`: whether a load is as usual. */
export async function usualRoutes(app: App, { guard, database, timeZone, now }: ClientParts): Promise<void> {
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
      const before = { fromMicros: daysBeforeRange(range).fromMicros, toMicros: range.toMicros };
      return readEnergy(database.until(clientGone(reply)), { ...asked, range: before }, async (snapshot) => {
        const usual = await readUsual(snapshot, range, { bucket, timeZone, untilMicros });
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
      querystring: askedQuery,
      answer: baseLoad,
    }),
    async (request, reply): Promise<BaseLoad> => {
      const asked = readAsked(guard, request);
      const nowMicros = now() * 1000;
      const range = baseLoadDays(Math.min(asked.range.toMicros, nowMicros));
      return readEnergy(database.until(clientGone(reply)), { ...asked, range }, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        const { kw, nightCount, costs, unpricedKw, leftOut } = await readBaseLoad(snapshot, ranges, nowMicros);
        const perYear = [...costs].map(([currency, cost]) => ({ currency, perYear: cost.toNumber() }));
        return {
          ...presentRange(ranges),
          baseLoadKw: kw,
          nightCount,
          costs: perYear,
          unpricedKw,
          devicesLeftOut: leftOut.map(({ id }) => id),
        };
      });
    },
  );
}

const presentEnergy = (band: UsualBand | null) =>
  band === null ? null : { lowKwh: band.low, medianKwh: band.median, highKwh: band.high, weekCount: band.weekCount };
