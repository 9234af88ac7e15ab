import { costComparison, type CostComparison } from '../../shared/comparison.ts';
import { totalCompared } from '../rates/compare-costs.ts';
import { type EnergySnapshot, readEnergy } from '../energy/read-energy.ts';
import { lengthOf, rangesOf, refuseTooLong, type SiteRanges, spanOf, zonesOf, presentRange } from '../base/ranges.ts';
import { compareCosts, type ComparedTotals } from '../rates/cost-comparison.rules.ts';
import { unpricedKwhOf } from '../rates/costs.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import {
  askedQuery,
  otherRangeQuery,
  question,
  readAsked,
  readOtherRange,
  readRangeUntil,
  untilQuery,
} from '../http/ranges.ts';
import type { App } from '../http/typed-app.ts';

/** `GET /api/dashboard/cost-comparison`: why a cost differs from that of another range. */
export async function costComparisonRoutes(app: App, { guard, database }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/cost-comparison',
    question(guard, {
      operationId: 'getCostComparison',
      summary: 'Explain the difference in cost between two ranges by quantities and prices',
      description:
        'The effects of tariff periods, of fixed charges and VAT by site, and of devices. They add up to the difference.',
      querystring: askedQuery.extend({ ...untilQuery.shape, ...otherRangeQuery.shape }),
      answer: costComparison,
    }),
    async (request, reply): Promise<CostComparison> => {
      const range = refuseTooLong(readRangeUntil(request.query));
      const other = refuseTooLong(readOtherRange(request.query));
      const asked = readAsked(guard, request, spanOf(range, other));
      const longestMicros = Math.max(lengthOf(range), lengthOf(other));
      return readEnergy(database.until(clientGone(reply)), { ...asked, longestMicros }, async (snapshot) => {
        const zones = zonesOf(snapshot.devices);
        const [ranges, otherRanges] = [rangesOf(range, zones), rangesOf(other, zones)];
        return present(snapshot, ranges, otherRanges, await totalCompared(snapshot, ranges, otherRanges));
      });
    },
  );
}

function present(
  { devices }: EnergySnapshot,
  ranges: SiteRanges,
  otherRanges: SiteRanges,
  totals: ComparedTotals,
): CostComparison {
  const siteNames = new Map(devices.map((device) => [device.siteId, device.siteName]));
  const byNumber = new Map(devices.map((device) => [device.number, device]));
  const compared = compareCosts(totals);
  return {
    ...presentRange(ranges),
    other: presentRange(otherRanges),
    unpricedEnergyKwh: unpricedKwhOf(totals.current),
    otherUnpricedEnergyKwh: unpricedKwhOf(totals.other),
    totals: compared.totals,
    lines: compared.lines.map((line) => ({ ...line, siteName: siteNames.get(line.siteId) ?? '' })),
    devices: compared.devices.flatMap(({ number, ...amounts }) => {
      const device = byNumber.get(number);
      if (device === undefined) return [];
      const { id: deviceId, name: deviceName, siteId, siteName, countedIn } = device;
      return [{ deviceId, deviceName, siteId, siteName, countedIn, ...amounts }];
    }),
  };
}
