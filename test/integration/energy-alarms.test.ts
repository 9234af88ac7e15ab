import { beforeAll, beforeEach, expect, test } from 'vitest';
import { previewAlarmRule } from '../../server/alarms/alarm-previews.ts';
import { createEnergyFigures } from '../../server/alarms/energy-figures.ts';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { type Alarm, clientAlarmRuleWrite } from '../../shared/alarms.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';

const minute = 60_000;
const quarter = 15 * minute;
const hour = 60 * minute;
const day = 24 * hour;
/** In the middle of a quarter-hour, some time after a full hour. */
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
/** A reading each quarter-hour, between two times before now. */
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
    'Quiet: nothing delivered for 1 hr',
    'Rejected: 90% of its rows rejected',
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

test('the past of report figures is judged as live, event for event, also on both days on which clocks change', async () => {
  const timeZone = 'Africa/Casablanca';
  // The clocks go back on 10 March and forward on 14 April.
  const [firstMs, fromMs, toMs] = ['2024-01-20', '2024-02-24', '2024-04-24'].map((text) =>
    Date.parse(`${text}T00:00Z`),
  );
  if (firstMs === undefined || fromMs === undefined || toMs === undefined) throw new Error('no range');
  const changes = ['2024-03-10', '2024-04-14'].map((text) => Date.parse(`${text}T00:00Z`));
  const [works, office] = [
    await createSite({ app: portal.app, headers }, { name: 'Works', timeZone }),
    await createSite({ app: portal.app, headers }, { name: 'Office', timeZone }),
  ];
  for (const id of [works, office]) {
    const tariff = { effectiveFrom: '2020-01-01', defaultRatePerKwh: 0.25, fixedChargePerMonth: 10, vatPercent: 19 };
    await createTariff({ app: portal.app, headers }, id, { ...tariff, periods: [] });
  }
  await device(works, 'replayed-1');
  await device(works, 'replayed-2');
  await device(office, 'replayed-3', { energySource: 'register' });
  let register = 0;
  const rows: { externalId: string; time: string; activePowerKw: number; energyImportedKwh?: number; ms: number }[] =
    [];
  for (let ms = firstMs; ms < toMs; ms += quarter) {
    const [date, hours] = [Math.floor(ms / day), Math.floor((ms % day) / hour)];
    const isOdd = date % 11 === 3 || changes.some((at) => ms >= at + 3 * hour && ms < at + 9 * hour);
    const kw = (hours > 6 && hours < 18 ? 6 : 2 + (date % 56 > 27 ? 1 : 0)) * (isOdd ? 2 : 1);
    const time = new Date(ms).toISOString();
    rows.push({ externalId: 'replayed-1', time, activePowerKw: kw, ms });
    // Silent for some hours before the clocks change.
    if (!changes.some((at) => ms > at - 8 * hour && ms < at - 2 * hour)) {
      rows.push({ externalId: 'replayed-2', time, activePowerKw: kw / 2, ms });
    }
    register = changes.some((at) => ms === at + hour) ? 0 : register + kw / 4;
    rows.push({ externalId: 'replayed-3', time, activePowerKw: kw, energyImportedKwh: register, ms });
  }
  let sent = 0;
  const sendUntil = async (ms: number) => {
    const end = rows.findIndex((row, at) => at >= sent && row.ms > ms);
    const own = rows.slice(sent, end === -1 ? undefined : end);
    sent += own.length;
    const payload = own.map(({ ms: _ms, ...row }) => row);
    if (payload.length > 0) await post({ app: portal.app, headers }, '/api/ingest/measurements', payload);
    while ((await materializeSome(portal.database, { within: null, skip: false })) > 0);
  };
  const scope = { siteIds: [works, office].toSorted() };
  const daily = [
    { kind: 'baseLoad', condition: { limitKw: 3.4 } },
    { kind: 'unusual', condition: { percent: 40, per: 'day' } },
    { kind: 'unusual', condition: { percent: 15, per: 'day' }, durationSeconds: 86_400 },
    { kind: 'budget', condition: { currency: 'EUR', amount: 2_400 } },
    { kind: 'budget', condition: { currency: 'EUR', amount: 980 }, scope: { siteIds: [office] } },
  ];
  const hourly = [
    { kind: 'dataQuality', condition: { missingPercent: 15, anomalies: [] } },
    { kind: 'dataQuality', condition: { missingPercent: null, anomalies: ['reset'] }, durationSeconds: 3_600 },
    { kind: 'unusual', condition: { percent: 60, per: 'hour' } },
  ];
  const add = async (rules: readonly object[], name: string) => {
    for (const [at, one] of rules.entries()) {
      await post({ app: portal.app, headers }, '/api/admin/alarm-rules', { scope, name: `${name} ${at}`, ...one });
    }
  };
  const figures = createEnergyFigures({ ...parts(), timeZone });
  const evaluateAt = async (ms: number) => {
    nowMs = ms + 6 * minute;
    await sendUntil(nowMs);
    await figures.refresh();
    await evaluationOf(figures)();
  };
  await add(daily, 'Daily');
  const spans = changes.map((at) => [at - 12 * hour, at + 20 * hour] as const);
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone).startOfDay();
  for (; at.epochMilliseconds < toMs; at = at.add({ hours: 1 })) {
    const ms = at.epochMilliseconds;
    const span = spans.findIndex(([begin, end]) => ms > begin && ms < end);
    if (spans.some(([begin]) => ms === begin)) await add(hourly, `Around ${ms / hour}`);
    if (span === -1 && at.hour !== 0) continue;
    await evaluateAt(ms);
    for (const [begin] of spans.filter(([, end]) => ms >= end)) {
      const text = `UPDATE portal.alarm_rules SET is_active = false WHERE name LIKE $1`;
      await portal.database.query({ text }, [`Around ${begin / hour} %`]);
    }
  }
  nowMs = start;
  const live = (await list()).toReversed();
  const preview = async (one: object, [begin, end]: readonly [number, number]) =>
    previewAlarmRule(
      { database: portal.database, timeZone },
      { rule: clientAlarmRuleWrite.parse({ name: 'R', scope, ...one }), fromMs: begin, toMs: end },
    );
  const shownOf = (alarms: readonly Alarm[], end: number) =>
    alarms
      .map(({ subject, firingAt, resolvedAt, value }) => ({
        name: subject.name,
        firingAt,
        resolvedAt: resolvedAt !== null && Date.parse(resolvedAt) < end ? resolvedAt : null,
        value,
      }))
      .toSorted((a, b) => (a.firingAt + a.name < b.firingAt + b.name ? -1 : 1));
  const compare = async (one: object, name: string, [begin, end]: readonly [number, number]) => {
    const events = (await preview(one, [begin, end])).map(({ subject, firingAt, resolvedAt, value }) => ({
      name: subject.name,
      firingAt,
      resolvedAt,
      value,
    }));
    const sorted = events.toSorted((a, b) => (a.firingAt + a.name < b.firingAt + b.name ? -1 : 1));
    expect(sorted, name).toEqual(
      shownOf(
        live.filter(({ ruleName, firingAt }) => ruleName === name && Date.parse(firingAt) >= begin),
        end,
      ),
    );
    expect(sorted.length, name).toBeGreaterThan(0);
  };
  for (const [place, one] of daily.entries()) await compare(one, `Daily ${place}`, [fromMs + 2 * day, toMs]);
  for (const [begin, end] of spans) {
    for (const [place, one] of hourly.entries()) await compare(one, `Around ${begin / hour} ${place}`, [begin, end]);
  }
}, 120_000);
