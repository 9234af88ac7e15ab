import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { seriesAnswer, toolLimits, totalsAnswer } from '../../shared/dashboard-tool.ts';
import { dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { answerOf, openTestTool, type TestTool } from '../support/dashboard-tool.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';

const questionsTo = (tool: TestTool) => ({
  totals: async (payload: object) => totalsAnswer.parse(await answerOf(tool, 'totals', payload)).totals,
  series: async (payload: object) => seriesAnswer.parse(await answerOf(tool, 'query', payload)),
});

test('A period of a tariff that is called VAT or Fixed charge stays apart from these, and a sub-meter has its own cost', async () => {
  await using own = await createTestApp();
  const session = { app: own.app, headers: await own.signIn() };
  const siteId = await createSite(session);
  const period = { daysOfWeek: 127, ratePerKwh: 1 };
  await createTariff(session, siteId, {
    defaultRatePerKwh: 1,
    fixedChargePerMonth: 31,
    vatPercent: 10,
    exportRatePerKwh: null,
    periods: [
      { ...period, name: 'VAT', startTime: '00:00', endTime: '12:00' },
      { ...period, name: 'Fixed charge', startTime: '12:00', endTime: '23:00' },
    ],
  });
  const main = await createDevice(session, siteId, { externalId: 'odd' });
  await createDevice(session, siteId, { externalId: 'part', parentDeviceId: main });
  const rows = Array.from({ length: 25 }, (_, hour) => ({
    externalId: 'odd',
    time: new Date(Date.parse('2026-03-10T00:00:00Z') + hour * 3_600_000).toISOString(),
    activePowerKw: 1,
    energyImportedKwh: hour,
  }));
  await post(session, '/api/ingest/measurements', rows);
  const ofPart = rows.map((row) => ({ ...row, externalId: 'part', energyImportedKwh: row.energyImportedKwh / 2 }));
  await post(session, '/api/ingest/measurements', ofPart);
  await using reader = await openTestTool(own);
  const { totals, series } = questionsTo(reader);
  const day = { fromDate: '2026-03-10', toDate: '2026-03-11', measure: 'cost', split: 'period' };
  const inTotal = await totals(day);
  const byLine = (all: readonly { labels: Record<string, string> }[]) =>
    all.map(({ labels }) => `${labels['line']}: ${labels['period']}`).toSorted();
  const lines = ['energy: Default', 'energy: Fixed charge', 'energy: VAT', 'fixedCharge: Fixed charge', 'vat: VAT'];
  expect(byLine(inTotal)).toEqual(lines);
  expect(byLine((await series({ ...day, step: 86_400 })).series)).toEqual(lines);
  const valueOf = (line: string) => inTotal.find(({ labels }) => labels['line'] === line)?.value;
  expect([valueOf('fixedCharge'), valueOf('vat')]).toEqual([1, 2.4]);
  const byDevice = await totals({ ...day, split: 'device' });
  expect(byDevice.map(({ name, value }) => [name, value])).toEqual([
    ['odd', 23],
    ['part', 11.5],
  ]);
  const overTime = await series({ ...day, split: 'device', step: 86_400 });
  expect(overTime.series.map(({ name, points }) => [name, points[0]?.[1]])).toEqual([
    ['odd', 23],
    ['part', 11.5],
  ]);
});

describe('A reader that may not write', () => {
  const day = { from: '2025-01-05T00:00:00Z', to: '2025-01-06T00:00:00Z' };
  let own: TestApp;
  let reader: TestTool;
  let questions: ReturnType<typeof questionsTo>;
  let cookie: { cookie: string };
  let device: string;

  beforeAll(async () => {
    own = await createTestApp();
    cookie = await own.signIn();
    const session = { app: own.app, headers: cookie };
    device = await createDevice(session, await createSite(session), { externalId: 'late' });
    // Before there is a partition or a chunk.
    reader = await openTestTool(own);
    questions = questionsTo(reader);
    const payload = Array.from({ length: 300 }, (_, row) => ({
      externalId: 'late',
      time: new Date(Date.parse(day.from) + row * 300_000).toISOString(),
      activePowerKw: 1 + (row % 7),
      voltageV: 230,
    }));
    const answer = await own.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: cookie });
    expect(answer.json()).toMatchObject({ accepted: 300 });
  });
  afterAll(async () => {
    await reader[Symbol.asyncDispose]();
    await own.close();
  });

  test('reads what came after it was granted, also where it is compressed', async () => {
    if (inject('postgres').engine === 'timescale') {
      const text = `SELECT compress_chunk(c) FROM show_chunks('monitoring.measurements') c`;
      await own.database.query({ text });
    }
    const query = { ...day, bucket: '5min', groupBy: 'total' };
    const url = '/api/dashboard/load-curve';
    const curve = loadCurve.parse((await own.app.inject({ url, query, headers: cookie })).json());
    const found = await questions.series({ measure: 'power', step: 300, ...day });
    expect(found.series[0]?.points.map(([, value]) => value)).toEqual(curve.series[0]?.averagePowerKw);
    expect(await questions.totals({ measure: 'voltage', ...day })).toMatchObject([{ value: 230 }]);
  });

  test('leaves large materialization to the portal: 503 until then, and nothing is written', async () => {
    const count = async () => {
      const { rows } = await own.database.query<{ dirty: number; sums: number }>({
        text: `SELECT (SELECT count(*) FROM monitoring.energy_dirty_ranges) AS dirty, (SELECT count(*) FROM monitoring.energy_sums) AS sums`,
      });
      return rows[0];
    };
    await own.database.query(
      {
        text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
               SELECT number, '2017-01-01Z', '2024-12-31Z' FROM monitoring.devices WHERE id = $1`,
      },
      [device],
    );
    const before = await count();
    const years = { measure: 'energy', from: '2017-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' };
    const refused = await reader.ask('/api/totals', { payload: years });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true]);
    expect(refused.body).toContain('are still being processed');
    expect(await count()).toEqual(before);
    const { from, to } = years;
    const portals = await own.app.inject({ url: '/api/dashboard/summary', query: { from, to }, headers: cookie });
    const { energyImportedKwh } = dashboardSummary.parse(portals.json());
    expect(await questions.totals(years)).toMatchObject([{ value: energyImportedKwh }]);
    expect(energyImportedKwh).toBeGreaterThan(0);
  });

  test('gives many devices longer steps, so that an answer stays small', async () => {
    const session = { app: own.app, headers: cookie };
    const siteId = await createSite(session);
    for (let at = 0; at < toolLimits.series; at += 1)
      await createDevice(session, siteId, { externalId: `of many ${at}` });
    const byMinute = { measure: 'power', step: 60, ...day };
    const many = await questions.series({ ...byMinute, split: 'device' });
    expect([many.bucket, many.series.length]).toEqual(['5min', 51]);
    const one = await questions.series(byMinute);
    expect([one.bucket, one.series.length]).toEqual(['minute', 1]);
    expect(await questions.totals({ measure: 'energy', split: 'device', ...day })).toHaveLength(51);
  });
});
