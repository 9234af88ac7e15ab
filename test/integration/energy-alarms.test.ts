import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createEnergyFigures } from '../../server/alarms/energy-figures.ts';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import type { Alarm } from '../../shared/alarms.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';

const minute = 60_000;
const quarter = 15 * minute;
const hour = 60 * minute;
const day = 24 * hour;
/** In the middle of a quarter-hour, some time after a whole hour. */
const start = Math.floor(Date.now() / hour) * hour + 22 * minute;
let nowMs = start;
const now = () => nowMs;
const portal = appOfFile({ now });

let headers: { cookie: string };
let [even, peaky, silent] = ['', '', ''];
const site = (name: string) => createSite({ app: portal.app, headers }, { name });
const device = (siteId: string, externalId: string, more: object = {}) =>
  createDevice({ app: portal.app, headers }, siteId, { externalId, expectedIntervalSeconds: 900, ...more });
const send = (externalId: string, powers: readonly (readonly [ms: number, kw: number])[]) =>
  post(
    { app: portal.app, headers },
    '/api/ingest/measurements',
    powers.map(([ms, activePowerKw]) => ({ externalId, time: new Date(ms).toISOString(), activePowerKw })),
  );
/** A reading each quarter-hour, from so long ago to so long ago. */
const steady = (fromMs: number, toMs: number, kw: number) =>
  Array.from({ length: Math.round((fromMs - toMs) / quarter) + 1 }, (_, at) => {
    const first = Math.floor((start - fromMs) / quarter) * quarter;
    return [first + at * quarter, kw] as const;
  });

beforeAll(async () => {
  headers = await portal.signIn();
  [even, peaky, silent] = [await site('Even'), await site('Peaky'), await site('Silent')];
  for (const id of [even, peaky]) {
    await createTariff({ app: portal.app, headers }, id, {
      effectiveFrom: '2020-01-01',
      defaultRatePerKwh: 0.25,
      fixedChargePerMonth: 10,
      vatPercent: 19,
      periods: [],
    });
  }
  await device(even, 'even');
  await device(peaky, 'peaky');
  await device(silent, 'silent');
  await send('even', steady(62 * day, 0, 2));
  await send('peaky', [...steady(62 * day, 3 * hour, 2), ...steady(2.75 * hour, 0, 10)]);
  await send('silent', steady(24 * hour, 12 * hour, 1));
});
beforeEach(async () => {
  nowMs = start;
  for (const table of ['alarm_outbox', 'alarm_events', 'alarms', 'alarm_rules', 'messages']) {
    await portal.database.query({ text: `DELETE FROM portal.${table}` });
  }
});

const rule = (kind: string, condition: object, scope: object = {}) =>
  post({ app: portal.app, headers }, '/api/admin/alarm-rules', { name: kind, kind, condition, scope });
const parts = () => ({ database: portal.database, timeZone: 'Europe/Berlin', now });
const evaluationOf = (figures: ReturnType<typeof createEnergyFigures>) =>
  createEvaluation({ ...parts(), runMode: 'Client', pushes: false, figures });
async function evaluate(figures = createEnergyFigures(parts()), rules = 1) {
  for (let at = 0; at < rules; at += 1) await figures.refresh();
  await evaluationOf(figures)();
}
const list = async () => (await portal.app.inject({ url: '/api/alarms', headers })).json<Alarm[]>();
const shown = async () =>
  (await list()).map(({ subject, state, unit }) => [subject.kind, subject.name, state, unit].join(' ')).toSorted();

test('base load: of each site, above the limit', async () => {
  await rule('baseLoad', { limitKw: 1.5 }, { siteIds: [even, peaky] });
  await evaluate();
  expect(await shown()).toEqual(['site Even firing kW', 'site Peaky firing kW']);
  expect((await list())[0]?.value).toBeCloseTo(2);
  expect((await list()).map(({ text }) => text)).toContain('Even: base load of 2 kW');
  await portal.database.query({ text: 'DELETE FROM portal.alarm_rules' });
  await evaluate();
  await rule('baseLoad', { limitKw: 2.5 }, { siteIds: [even, peaky] });
  await evaluate();
  expect((await list()).filter(({ state }) => state === 'firing')).toEqual([]);
});

test('unusual: the last whole hour of a site against the same hour of eight weeks', async () => {
  await rule('unusual', { percent: 50, per: 'hour' }, { siteIds: [even, peaky] });
  await evaluate();
  expect(await shown()).toEqual(['site Peaky firing %']);
  const [alarm] = await list();
  expect(alarm?.value).toBeCloseTo(400);
  expect(Date.parse(alarm?.firingAt ?? '')).toBe(Math.floor(start / hour) * hour);
});

test('budget: the cost of the month so far and the usual for the rest', async () => {
  const today = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('Europe/Berlin');
  const total = (2 * 24 * today.daysInMonth * 0.25 + 10) * 1.19;
  await rule('budget', { currency: 'EUR', amount: total * 0.95 }, { siteIds: [even] });
  await rule('budget', { currency: 'EUR', amount: total * 1.06 }, { siteIds: [even] });
  await rule('budget', { currency: 'CHF', amount: 1 }, { siteIds: [even] });
  await evaluate(createEnergyFigures(parts()), 3);
  expect(await shown()).toEqual(['site Even firing EUR']);
  const [alarm] = await list();
  expect(Math.abs((alarm?.value ?? 0) / total - 1)).toBeLessThan(0.02);
});

test('data quality: missing quarter-hours of the last day', async () => {
  await rule('dataQuality', { missingPercent: 40, anomalies: [] });
  await evaluate();
  expect(await shown()).toEqual(['device silent firing %']);
  const [alarm] = await list();
  expect(alarm?.value).toBeGreaterThan(45);
  expect(alarm?.value).toBeLessThan(55);
});

test('figures stay until they are computed again, so that an alarm does not end in between', async () => {
  await rule('dataQuality', { missingPercent: 40, anomalies: [] });
  const figures = createEnergyFigures(parts());
  await evaluate(figures);
  nowMs += minute;
  await evaluate(figures);
  expect(await shown()).toEqual(['device silent firing %']);
});

test('demand forecast: before the quarter-hour ends, of the main meters of a site', async () => {
  const id = await site('Demand');
  const mainId = await device(id, 'main', { expectedIntervalSeconds: 60 });
  await device(id, 'part', { expectedIntervalSeconds: 60, parentDeviceId: mainId });
  await rule('demandForecast', { limitKw: 50 }, { siteIds: [id] });
  await rule('demandForecast', { limitKw: 45 }, { siteIds: [id] });
  const minutes = (kw: number) => Array.from({ length: 8 }, (_, at) => [nowMs - (7 - at) * minute, kw] as const);
  await send('main', minutes(48));
  await send('part', minutes(40));
  await evaluate();
  expect(await shown()).toEqual(['site Demand firing kW']);
  expect((await list())[0]?.value).toBeCloseTo(48);
  nowMs += 3 * minute;
  await send('main', [
    [nowMs - minute, 1],
    [nowMs, 1],
  ]);
  await send('part', [
    [nowMs - minute, 1],
    [nowMs, 1],
  ]);
  await evaluate();
  expect((await list()).map(({ state }) => state)).toEqual(['resolved']);
});

test('delivery: an API key without requests, or whose rows are rejected', async () => {
  const keyOf = async (name: string) =>
    (await post({ app: portal.app, headers }, '/api/api-keys', { name })).json<{ id: string }>().id;
  const [quiet, rejected, fine] = [await keyOf('Quiet'), await keyOf('Rejected'), await keyOf('Fine')];
  await keyOf('Never used');
  const use = (id: string, ms: number) =>
    portal.database.query({ text: 'UPDATE monitoring.api_keys SET last_used_at = $2 WHERE id = $1' }, [
      id,
      new Date(ms),
    ]);
  await use(quiet, nowMs - 2 * hour);
  for (const [id, count] of [
    [rejected, 90],
    [fine, 1],
  ] as const) {
    await use(id, nowMs);
    await portal.database.query(
      {
        text: `INSERT INTO monitoring.delivery_hours (sender, hour, deliveries, accepted, duplicates, rejected)
               VALUES ($1, $2, 10, 10, 0, $3)`,
      },
      [id, new Date(nowMs - hour), count],
    );
  }
  await rule('delivery', { silentSeconds: 3_600, rejectedPercent: 50 });
  await evaluate();
  expect(await shown()).toEqual(['apiKey Quiet firing s', 'apiKey Rejected firing %']);
  expect((await list()).map(({ text }) => text).toSorted()).toEqual([
    'Quiet: nothing delivered for 1 h',
    'Rejected: 90 % of its rows rejected',
  ]);
  nowMs += minute;
  await use(quiet, nowMs);
  await evaluate();
  expect((await list()).filter(({ state }) => state === 'resolved').map(({ subject }) => subject.name)).toEqual([
    'Quiet',
  ]);
});

test.each([
  ['dataQuality', {}],
  ['delivery', {}],
  ['budget', { currency: 'euro', amount: 1 }],
  ['unusual', { percent: 50, per: 'week' }],
  ['baseLoad', { limitKw: 0 }],
])('%s refuses %j', async (kind, condition) => {
  const payload = { name: 'Rule', kind, condition };
  expect(
    (await portal.app.inject({ method: 'POST', url: '/api/admin/alarm-rules', headers, payload })).statusCode,
  ).toBe(400);
});

test('a rule about nothing finds nothing', async () => {
  await rule('baseLoad', { limitKw: 1 }, { endUses: ['nothing'] });
  await rule('budget', { currency: 'EUR', amount: 1 }, { endUses: ['nothing'] });
  await evaluate(createEnergyFigures(parts()), 2);
  expect(await list()).toEqual([]);
});
