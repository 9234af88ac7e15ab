import { beforeAll, describe, expect, test } from 'vitest';
import { costBreakdown, dashboardSummary } from '../../shared/dashboard.ts';
import { costPreview, simulationResult } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';
import { bills } from '../support/vectors.ts';

const portal = appOfFile({ now: () => Date.parse('2026-06-03T12:00:00Z') });
let admin: { cookie: string };
beforeAll(async () => {
  admin = await portal.signIn();
});

const ask = async (
  method: 'GET' | 'POST',
  url: string,
  options: { payload?: object; query?: Record<string, string> },
) => {
  const answer = await portal.app.inject({ method, url, headers: admin, ...options });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
};
const create = async (url: string, payload: object): Promise<string> => (await ask('POST', url, { payload })).id;

describe('energy-and-cost.md 7: a bill is the same wherever kWh become money', () => {
  test.each(bills)('$id $rule', async ({ id, timeZone, tariff, readings, from, to, expect: wanted }) => {
    const municipalityId = await create('/api/admin/rates/municipalities', { name: id, timeZone });
    const terms = { ...tariff, municipalityId, name: id, effectiveFrom: '2020-01-01' };
    const tariffId = await create('/api/admin/rates/tariffs', terms);
    const siteId = await create('/api/admin/sites', { name: id, municipalityId });
    const deviceId = await createDevice({ app: portal.app, headers: admin }, siteId, { externalId: id });
    const payload = readings.map(([time, energyImportedKwh, energyExportedKwh]) => ({
      externalId: id,
      time,
      activePowerKw: 0,
      energyImportedKwh,
      energyExportedKwh,
    }));
    expect(await ask('POST', '/api/ingest/measurements', { payload })).toMatchObject({ rejected: 0 });
    const query = { from, to, deviceIds: deviceId };
    const lines = wanted.lines.map(({ name, cost }) => [name, cost]);

    const summary = dashboardSummary.parse(await ask('GET', '/api/dashboard/summary', { query }));
    const [cost] = summary.costs;
    expect(summary.costs).toHaveLength(1);
    expect(cost?.total).toBe(wanted.total);
    expect(summary.periods.map((line) => [line.name, line.cost])).toEqual(lines);
    for (const [at, { energyKwh }] of wanted.lines.entries()) {
      expect(summary.periods[at]?.energyKwh).toBeCloseTo(energyKwh, 8);
    }
    expect(summary.sites.map(({ costs }) => costs)).toEqual([summary.costs]);
    expect(summary.devices[0]?.costs).toEqual([{ currency: cost?.currency, energyCost: cost?.energyCost }]);

    for (const group of ['period', 'day', 'month']) {
      const breakdown = costBreakdown.parse(
        await ask('GET', '/api/dashboard/cost-breakdown', { query: { ...query, group } }),
      );
      const energy = breakdown.lines.filter(({ kind }) => kind === 'energy' || kind === 'export');
      expect(breakdown.costs).toEqual(summary.costs);
      // A day counts in two bills if one runs past midnight.
      if (group === 'period') expect(energy.map((line) => [line.name, line.cost])).toEqual(lines);
      expect(energy.reduce((sum, line) => sum + (line.cost ?? 0), 0)).toBeCloseTo(cost?.energyCost ?? NaN, 9);
    }

    const load = { kind: 'devices', deviceIds: [deviceId] };
    const simulated = simulationResult.parse(
      await ask('POST', '/api/rates/simulate', { payload: { tariff, timeZone, from, to, load } }),
    );
    expect(simulated).toMatchObject({ ...cost, total: wanted.total });
    expect(simulated.periods.map((line) => [line.name, line.cost]).toSorted()).toEqual(lines.toSorted());

    // Without the tariff nothing is to be paid: the cost of the month before is the bill, if the range contains all of its
    // readings.
    const preview = costPreview.parse(
      await ask('POST', '/api/admin/rates/tariffs/preview', { payload: { changes: [{ id: tariffId, tariff: null }] } }),
    );
    if (readings.at(-1)?.[0] === to && wanted.total !== 0) {
      expect(preview.months.map(({ before, after }) => [before.costs, after.costs])).toEqual([[summary.costs, []]]);
    }
  });
});
