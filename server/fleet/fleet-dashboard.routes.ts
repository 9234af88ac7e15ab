import {
  type FleetDashboard,
  fleetDashboard,
  fleetDashboardQuery,
  type FleetDashboardQuery,
  sparklineHours,
} from '../../shared/fleet.ts';
import { createFleetActivity, type Today } from './fleet-activity.ts';
import type { Repeating } from '../database/turns.ts';
import { countByState } from './fleet-trouble.rules.ts';
import { chooseCustomers } from './choose-customers.rules.ts';
import { allDevices, type FleetScope } from '../base/scopes.ts';
import { answerExport, workbookRoute } from '../reports/answer-export.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { fleetSheets } from './fleet-sheets.ts';
import { guarded, type App } from '../http/guard.ts';
import { languageQuery } from '../http/ranges.ts';
const tags = ['Fleet'];

/** `GET /api/fleet/dashboard` and its export. */
export async function fleetDashboardRoutes(app: App, parts: ClientParts, zoneOfToday: string): Promise<void> {
  const { guard, database, now } = parts;
  const onProblem = (error: unknown) =>
    app.log.warn({ err: error }, 'could not compute the energy of a customer; shown as pending');
  const activity = createFleetActivity({ database, timeZone: zoneOfToday, now, onProblem });
  let keeping: Repeating | undefined;
  app.addHook('onListen', async () => {
    keeping = activity.keepFresh(sparklineHours);
  });
  app.addHook('onClose', async () => keeping?.stop());

  async function readDashboard(
    scope: FleetScope,
    question: FleetDashboardQuery = {},
  ): Promise<{ dashboard: FleetDashboard; today: Today }> {
    const { today, customers, describe } = await activity.read(scope, sparklineHours);
    const { foundCount, chosen } = chooseCustomers(customers, question);
    const dashboard = {
      today: today.date,
      customerCount: customers.length,
      activeCustomerCount: customers.filter(({ customer }) => customer.isActive).length,
      totalMeasurements: sum(customers.map(({ totalMeasurements }) => totalMeasurements)),
      todayMeasurements: sum(customers.map(({ measurementsToday }) => measurementsToday)),
      todayEnergyKwh: sum(customers.map(({ energyTodayKwh }) => energyTodayKwh)),
      isEnergyPending: customers.some(({ isEnergyPending }) => isEnergyPending),
      stateCounts: countByState(customers),
      foundCount,
      customers: chosen.map(describe),
    };
    return { dashboard, today };
  }

  app.get(
    '/api/fleet/dashboard',
    guarded(guard.fleetReader, {
      tags,
      operationId: 'getFleetDashboard',
      summary: 'Get totals of the fleet and the state of each customer',
      description:
        'For the customers that the account may see, at one instant. If computing the newest readings would take too long, isEnergyPending marks the customers whose figures, except totalMeasurements, lack them.',
      querystring: fleetDashboardQuery,
      response: { 200: fleetDashboard },
    }),
    async (request) => (await readDashboard(guard.fleetScope(request), request.query)).dashboard,
  );

  app.get(
    '/api/fleet/dashboard/export.xlsx',
    workbookRoute(guard.fleetReader, {
      tags,
      operationId: 'exportFleetDashboard',
      summary: 'Export the fleet dashboard as an Excel workbook',
      querystring: languageQuery,
    }),
    async (request, reply) => {
      const { dashboard, today } = await readDashboard(guard.fleetScope(request));
      const dates = { fromDate: today.date, toDate: today.nextDate };
      const file = {
        format: 'xlsx',
        title: 'Fleet',
        subject: null,
        range: { ...today, dates },
        scope: allDevices,
      } as const;
      return answerExport(parts, request, reply, file, async ({ open, send, sendAbout, say, timeZone }) => {
        open();
        for (const part of fleetSheets(say, dashboard, timeZone)) await send(part);
        await sendAbout({ content: 'Fleet overview by customer', devices: null, notes: [] });
      });
    },
  );
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
