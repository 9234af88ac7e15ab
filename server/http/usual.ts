import { z } from 'zod';
import { baseLoad, type BaseLoad } from '../../shared/base-load.ts';
import { usualBucket, usualDaysMax, usualLoad, type UsualLoad } from '../../shared/usual.ts';
import { readBaseLoad } from '../commands/read-base-load.ts';
import { readEnergy } from '../commands/read-energy.ts';
import { readUsual } from '../commands/read-usual.ts';
import { rangesOf, refuseTooLong, sharedZone, zonesOf } from '../domain/asked-range.ts';
import { baseLoadDays } from '../domain/base-load.ts';
import { siteEdges } from '../domain/buckets.ts';
import { formatInstant, overlapOf } from '../domain/instants.ts';
import { daysBeforeRange, type UsualBand, usualEnergy, usualPower } from '../domain/usual.ts';
import { clientGone } from './client-gone.ts';
import type { ClientParts } from './client-parts.ts';
import { presentRange } from './energy-answers.ts';
import { askedQuery, question, readAsked, readOption, readRangeUntil, untilQuery } from './ranges.ts';
import type { App } from './typed-app.ts';

const usualQuery = askedQuery.extend({
  ...untilQuery.shape,
  bucket: z.string().meta({ description: `one of ${usualBucket.options.join(', ')}` }),
});

/** `GET /api/dashboard/usual`: whether a load is as usual. */
export async function usualRoutes(app: App, { guard, database, timeZone, now }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/usual',
    question(guard, {
      summary: 'What is usual: the same weekday and time of day in the eight weeks before the range',
      description:
        'The 10th, 50th and 90th percentile of the weeks, without gaps and odd days such as holidays. At most 35 days.',
      querystring: usualQuery,
      answer: usualLoad,
    }),
    async (request, reply): Promise<UsualLoad> => {
      const bucket = readOption('bucket', usualBucket.options, request.query.bucket);
      const limit = 'what is usual is told for';
      const { untilMicros, ...range } = refuseTooLong(readRangeUntil(request.query), usualDaysMax, limit);
      const asked = readAsked(guard, request, range);
      const before = { fromMicros: daysBeforeRange(range).fromMicros, toMicros: range.toMicros };
      return readEnergy(database.until(clientGone(reply)), { ...asked, range: before }, async (snapshot) => {
        const rangesUntil = (cut?: number) =>
          rangesOf(cut === undefined ? range : { ...range, untilMicros: cut }, zonesOf(snapshot.devices));
        const ranges = rangesUntil();
        const zone = sharedZone(snapshot.devices, timeZone);
        const edgesOf = siteEdges(ranges, bucket, zone);
        const { profiles, withoutUsual } = await readUsual(snapshot, ranges);
        const [zones, all] = [[...profiles.keys()], [...profiles.values()]];
        const energyIn = (cut: ReturnType<typeof rangesUntil>) =>
          presentEnergy(usualEnergy(all, (at) => cut.of(zones[at] ?? 'UTC')));
        const edges = new Map(zones.map((one) => [one, edgesOf(one)]));
        const starts = edgesOf(zone).slice(0, -1);
        const bands = starts.map((_, index) =>
          usualPower(all, (at) => {
            const own = zones[at] ?? 'UTC';
            const [from = 0, to = 0] = edges.get(own)?.slice(index, index + 2) ?? [];
            return overlapOf({ fromMicros: from, toMicros: to }, ranges.of(own));
          }),
        );
        return {
          ...presentRange(ranges),
          bucket,
          times: starts.map(formatInstant),
          lowPowerKw: bands.map((band) => band?.low ?? null),
          medianPowerKw: bands.map((band) => band?.median ?? null),
          highPowerKw: bands.map((band) => band?.high ?? null),
          weekCounts: bands.map((band) => band?.weekCount ?? 0),
          energy: energyIn(ranges),
          energyUntil: untilMicros === undefined ? null : energyIn(rangesUntil(untilMicros)),
          devicesWithoutUsual: withoutUsual,
        };
      });
    },
  );

  app.get(
    '/api/dashboard/base-load',
    question(guard, {
      summary: 'The base load: what runs when nobody is there, in kW and its cost per year',
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
        const { kw, nightCount, costs, leftOut } = await readBaseLoad(snapshot, ranges, nowMicros);
        const perYear = [...costs].map(([currency, cost]) => ({ currency, perYear: cost.toNumber() }));
        return {
          ...presentRange(ranges),
          baseLoadKw: kw,
          nightCount,
          costs: perYear,
          devicesLeftOut: leftOut.map(({ id }) => id),
        };
      });
    },
  );
}

const presentEnergy = (band: UsualBand | null) =>
  band === null ? null : { lowKwh: band.low, medianKwh: band.median, highKwh: band.high, weekCount: band.weekCount };
