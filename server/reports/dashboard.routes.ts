import { z } from 'zod';
import {
  costBreakdown,
  type CostBreakdown,
  costGroup,
  type CostGroup,
  dashboardSummary,
  type DashboardSummary,
} from '../../shared/dashboard.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { refuseTooManyParts } from '../rates/cost-statement.rules.ts';
import type { TotalsGroup } from '../rates/energy-totals.rules.ts';
import { rangesOf, refuseTooLong, zonesOf } from '../base/ranges.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { presentBreakdown, presentSummary } from './energy-answers.ts';
import { askedQuery, question, readAsked, readOption, readRangeUntil, untilQuery } from '../http/ranges.ts';
import type { App } from '../http/guard.ts';

const breakdownQuery = askedQuery.extend({
  ...untilQuery.shape,
  group: z.enum(costGroup.options).meta({ description: 'period: the range as a whole' }),
});
const groupOf = { day: 'day', month: 'month', period: null } as const satisfies Record<CostGroup, TotalsGroup>;

export async function dashboardRoutes(app: App, { guard, database, now }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/summary',
    question(guard, {
      operationId: 'getDashboardSummary',
      summary: 'Get energy, cost, peak demand and power of a range, by device and site',
      description:
        'Peaks are block demand over quarter-hours that lie wholly in the range. Amounts are rounded to the minor unit of the currency and add up.',
      querystring: askedQuery.extend(untilQuery.shape),
      answer: dashboardSummary,
    }),
    async (request, reply): Promise<DashboardSummary> => {
      const asked = readAsked(guard, request, refuseTooLong(readRangeUntil(request.query)));
      return readEnergy(database.until(clientGone(reply)), asked, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        return presentSummary(ranges, snapshot, await totalEnergy(snapshot, ranges), now() * 1000);
      });
    },
  );

  app.get(
    '/api/dashboard/cost-breakdown',
    question(guard, {
      operationId: 'getCostBreakdown',
      summary: 'Get the lines that make up the cost of a range',
      description: 'By local day or month of each site, or for the range as a whole. The lines add up to the total.',
      querystring: breakdownQuery,
      answer: costBreakdown,
    }),
    async (request, reply): Promise<CostBreakdown> => {
      const group = readOption('group', costGroup.options, request.query.group);
      const asked = readAsked(guard, request, refuseTooLong(readRangeUntil(request.query)));
      return readEnergy(database.until(clientGone(reply)), asked, async (snapshot) => {
        refuseTooManyParts(asked.range, group, new Set(snapshot.devices.map((device) => device.siteId)).size);
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        return presentBreakdown(ranges, group, snapshot, await totalEnergy(snapshot, ranges, groupOf[group]));
      });
    },
  );
}
