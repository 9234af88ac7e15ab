import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyAlarmRetention } from '../../server/alarms/alarms.ts';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import type { Alarm, PendingAlarm } from '../../shared/alarms.ts';
import { createUser } from '../support/accounts.ts';
import type { TestApp } from '../support/app.ts';
import { adminAppOfFile, appOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';
import { createDevice, createSite, post } from '../support/sites.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
// Readings get the time of the database at which they arrive, so the clock of the tests runs on from now.
const start = Math.floor(Date.now() / minute) * minute;
let nowMs = start;
const now = () => nowMs;
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

const evaluationOf = ({ database, config }: TestApp, more: object = {}) =>
  createEvaluation({ database, runMode: config.runMode, timeZone: 'UTC', pushes: false, now, ...more });

const actions = (portal: TestApp) => {
  let headers: { cookie: string };
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, by = headers) =>
    portal.app.inject({ method, url, headers: by, ...(payload === undefined ? {} : { payload }) });
  return {
    async signIn() {
      headers = await portal.signIn();
      return headers;
    },
    ask,
    list: async (query = '', by = headers) => (await ask('GET', `/api/alarms${query}`, undefined, by)).json<Alarm[]>(),
    pending: async (by = headers) => (await ask('GET', '/api/alarms/pending', undefined, by)).json<PendingAlarm[]>(),
    rule: async (rule: object) =>
      (await post({ app: portal.app, headers }, '/api/admin/alarm-rules', { name: 'Rule', ...rule })).json<{
        id: string;
      }>().id,
    clear: async () => {
      for (const table of ['alarm_events', 'alarms', 'alarm_rules']) {
        await portal.database.query({ text: `DELETE FROM portal.${table}` });
      }
    },
    events: async () =>
      (
        await portal.database.query<{ event: string }>({
          text: 'SELECT event FROM portal.alarm_events ORDER BY occurred_at, event',
        })
      ).rows.map(({ event }) => event),
  };
};

const at = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const shown = (alarms: readonly Alarm[]) =>
  alarms.map(({ state, subject, firingAt, resolvedAt, value }) => ({
    state,
    name: subject.name,
    firingAt: (Date.parse(firingAt) - start) / minute,
    resolvedAt: resolvedAt === null ? null : (Date.parse(resolvedAt) - start) / minute,
    value,
  }));

describe('the alarms of a Client', () => {
  const portal = appOfFile({ now });
  const { signIn, ask, list, pending, rule, clear, events } = actions(portal);
  let headers: { cookie: string };
  let siteId: string;
  let deviceId: string;
  let made = 0;
  let externalId: string;

  beforeAll(async () => {
    headers = await signIn();
    siteId = await createSite({ app: portal.app, headers });
  });
  beforeEach(async () => {
    await clear();
    nowMs = start;
    await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
    externalId = `freezer-${(made += 1)}`;
    deviceId = await createDevice({ app: portal.app, headers }, siteId, { externalId });
  });

  /** Readings at minutes from the start of the tests. */
  const send = async (...readings: [atMinute: number, activePowerKw: number][]) => {
    const rows = readings.map(([n, activePowerKw]) => ({ externalId, time: at(start + n * minute), activePowerKw }));
    await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
  };
  const evaluateAt = async (n: number, evaluate = evaluationOf(portal)) => {
    nowMs = start + n * minute;
    return evaluate();
  };

  test('with no rule, no device and no reading there is nothing to do', async () => {
    expect(await evaluateAt(0)).toBe(0);
    await rule({ kind: 'offline', condition: {} });
    await rule({ kind: 'limit', condition: { quantity: 'voltageV', above: 253 } });
    expect(await evaluateAt(60)).toBe(0);
    await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
    expect(await evaluateAt(120)).toBe(0);
    expect(await list()).toEqual([]);
  });

  test('an offline device fires once its own limit has passed, and resolves with its next reading', async () => {
    await rule({ kind: 'offline', condition: {} });
    await send([0, 1]);
    const evaluate = evaluationOf(portal);
    expect(await evaluateAt(15, evaluate)).toBe(0);
    expect(await evaluateAt(20, evaluate)).toBe(1);
    expect(await evaluateAt(25, evaluate)).toBe(0);
    expect(shown(await list())).toEqual([
      { state: 'firing', name: externalId, firingAt: 15, resolvedAt: null, value: 900 },
    ]);
    expect((await list())[0]).toMatchObject({ unit: 's', text: `${externalId}: no reading for 15 min` });
    nowMs = start + 30 * minute;
    await send([28, 1], [29, 1]);
    await evaluateAt(30, evaluate);
    expect(shown(await list())).toMatchObject([{ state: 'resolved', firingAt: 15, resolvedAt: 28 }]);
    expect(await events()).toEqual(['firing', 'resolved']);
    expect(await evaluateAt(31, evaluationOf(portal))).toBe(0);
  });

  test('a late reading from before the alarm ends it all the same', async () => {
    await rule({ kind: 'offline', condition: { afterSeconds: 600 } });
    await send([0, 1]);
    await evaluateAt(11);
    await send([9, 1]);
    await evaluateAt(12);
    expect(shown(await list())).toMatchObject([{ state: 'resolved', firingAt: 10, resolvedAt: 10 }]);
  });

  test('a limit fires after its duration, by the times of the readings, and continues within its hysteresis', async () => {
    await rule({
      kind: 'limit',
      durationSeconds: 120,
      condition: { quantity: 'activePowerKw', above: 10, hysteresis: 2 },
    });
    const evaluate = evaluationOf(portal);
    await send([0, 9], [1, 11], [2, 12]);
    expect(await evaluateAt(2, evaluate)).toBe(0);
    expect([await pending(), await list()]).toMatchObject([[{ since: at(start + minute), ruleName: 'Rule' }], []]);
    await send([3, 13]);
    expect(await evaluateAt(3, evaluate)).toBe(1);
    expect([await pending(), await list('?state=open')]).toMatchObject([[], [{ state: 'firing' }]]);
    await send([4, 9]);
    expect(await evaluateAt(4, evaluate)).toBe(0);
    await send([5, 8]);
    expect(await evaluateAt(5, evaluate)).toBe(1);
    expect(shown(await list())).toMatchObject([{ state: 'resolved', firingAt: 3, resolvedAt: 5, value: 12 }]);
    expect((await list())[0]?.text).toBe(`${externalId}: Rule, 12 kW`);
    expect(await list('?state=open')).toEqual([]);
  });

  test('two portals in turn write what one would', async () => {
    await rule({ kind: 'limit', durationSeconds: 120, condition: { quantity: 'activePowerKw', above: 10 } });
    const portals = [evaluationOf(portal), evaluationOf(portal)];
    for (const [n, power] of [5, 11, 12, 13, 14, 5, 5, 11, 11, 11, 5].entries()) {
      await send([n, power]);
      nowMs = start + n * minute;
      await portals[n % 2]?.();
      if (n % 3 === 0) await Promise.all(portals.map((evaluate) => evaluate()));
    }
    expect(shown(await list())).toMatchObject([
      { state: 'resolved', firingAt: 9, resolvedAt: 10 },
      { state: 'resolved', firingAt: 3, resolvedAt: 5 },
    ]);
    expect(await events()).toEqual(['firing', 'resolved', 'firing', 'resolved']);
  });

  test('a year of history and a thousand late rows tell nobody', async () => {
    await rule({ kind: 'offline', condition: {} });
    await rule({ kind: 'limit', condition: { quantity: 'activePowerKw', above: 10 } });
    const rows = Array.from({ length: 365 }, (_, n) => ({
      externalId,
      time: at(start - 366 * day + n * day),
      activePowerKw: 99,
    }));
    await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
    expect(await evaluateAt(0)).toBe(0);
    await send([1, 1]);
    const evaluate = evaluationOf(portal);
    await evaluateAt(1, evaluate);
    const late = Array.from({ length: 1_000 }, (_, n) => [-2_000 + n, 99] satisfies [number, number]);
    await send(...late);
    expect(await evaluateAt(2, evaluate)).toBe(0);
    expect(await list()).toEqual([]);
  });

  test('a preview says what happened live, event for event', { timeout: 60_000 }, async () => {
    const rules = [
      { name: 'A', kind: 'offline', condition: {}, durationSeconds: 120 },
      {
        name: 'B',
        kind: 'limit',
        condition: { quantity: 'activePowerKw', above: 10, hysteresis: 2 },
        durationSeconds: 180,
      },
      { name: 'C', kind: 'limit', condition: { quantity: 'activePowerKw', below: 3 }, severity: 'info' },
    ];
    for (const one of rules) await rule(one);
    const evaluate = evaluationOf(portal);
    let seed = 7;
    for (let n = 0; n < 240; n += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      nowMs = start + n * minute;
      const isSilent = (n > 60 && n < 85) || (n > 150 && n < 190) || n > 220;
      if (!isSilent) await send([n, 6 + 6 * Math.sin(n / 9) + (seed % 3)]);
      await evaluate();
    }
    const preview = async (one: object, from: number, to: number) =>
      (
        await ask('POST', '/api/admin/alarm-rules/preview', {
          rule: one,
          from: at(start + from * minute),
          to: at(start + to * minute),
        })
      ).json<object[]>();
    for (const one of rules) {
      const live = (await list()).filter(({ ruleName }) => ruleName === one.name).toReversed();
      expect(live.length, one.name).toBeGreaterThan(1);
      const events = live.map(({ subject, firingAt, resolvedAt, value, unit }) => ({
        subject,
        firingAt,
        resolvedAt,
        value,
        unit,
      }));
      expect(await preview(one, 0, 240), one.name).toEqual(events);
      expect(await preview(one, 100, 240), one.name).toEqual(
        events.filter(({ firingAt }) => firingAt >= at(start + 100 * minute)),
      );
    }
    expect(await preview({ ...rules[0], scope: { deviceIds: [unknownId] } }, 0, 240)).toEqual([]);
  });

  test('a preview refuses what it cannot look at', async () => {
    const preview = async (one: object, from: number, to: number) => {
      const answer = await ask('POST', '/api/admin/alarm-rules/preview', {
        rule: { name: 'R', ...one },
        from: at(from),
        to: at(to),
      });
      return `${answer.statusCode} ${answer.json<{ error?: string }>().error ?? answer.body}`;
    };
    const offline = { kind: 'offline', condition: {} };
    expect(await preview(offline, start - day, start)).toBe('200 []');
    expect(await preview(offline, start + day, start + 2 * day)).toBe('200 []');
    expect(await preview(offline, start, start - day)).toMatch(/^400 to/);
    expect(await preview(offline, start - 91 * day, start)).toMatch(/^400 to: the range may have at most 90 days/i);
    expect(await preview({ kind: 'push', condition: { failingSeconds: 1 } }, start - day, start)).toMatch(
      /^400 rule.kind/,
    );
    expect(await preview({ kind: 'offline', condition: { afterSeconds: 1 } }, start - day, start)).toMatch(
      /^400 rule.condition.afterSeconds/,
    );
  });

  test('readings from the future are judged when their time has come', async () => {
    await rule({ kind: 'limit', condition: { quantity: 'activePowerKw', above: 10 } });
    const evaluate = evaluationOf(portal);
    await send([0, 1], [30, 11]);
    expect(await evaluateAt(1, evaluate)).toBe(0);
    expect(await evaluateAt(30, evaluate)).toBe(1);
  });

  test('an alarm resolves when its rule is deactivated, deleted or given another scope, and its history stays', async () => {
    const ids = [
      await rule({ kind: 'offline', condition: {} }),
      await rule({ kind: 'offline', condition: { afterSeconds: 60 } }),
      await rule({ kind: 'offline', condition: { afterSeconds: 120 } }),
    ];
    await send([0, 1]);
    await evaluateAt(20);
    expect((await list('?state=firing')).length).toBe(3);
    const url = '/api/admin/alarm-rules';
    await ask('PUT', `${url}/${ids[0]}`, { name: 'Off', kind: 'offline', condition: {}, isActive: false });
    await ask('DELETE', `${url}/${ids[1]}`);
    const limit = { quantity: 'activePowerKw', above: 1 };
    await ask('PUT', `${url}/${ids[2]}`, { name: 'Limit', kind: 'limit', condition: limit });
    await evaluateAt(21);
    expect(shown(await list('?state=resolved')).map(({ resolvedAt }) => resolvedAt)).toEqual([21, 21, 21]);
    expect(await list('?state=firing')).toEqual([]);
  });

  test('an inactive device raises none, and its open one ends', async () => {
    await rule({ kind: 'offline', condition: {} });
    await send([0, 1]);
    await evaluateAt(20);
    await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
    await evaluateAt(21);
    expect(shown(await list())).toMatchObject([{ state: 'resolved', resolvedAt: 21 }]);
  });

  test('a rule is about the devices that are in each of its lists', async () => {
    const other = await createSite({ app: portal.app, headers });
    await portal.database.query({ text: `UPDATE monitoring.devices SET end_use = 'Cooling' WHERE id = $1` }, [
      deviceId,
    ]);
    await rule({ name: 'A', kind: 'offline', condition: {}, scope: { siteIds: [other] } });
    await rule({ name: 'B', kind: 'offline', condition: {}, scope: { siteIds: [siteId], endUses: ['lighting'] } });
    await rule({ name: 'C', kind: 'offline', condition: {}, scope: { siteIds: [siteId], endUses: ['COOLING'] } });
    await send([0, 1]);
    await evaluateAt(20);
    expect((await list()).map(({ ruleName }) => ruleName)).toEqual(['C']);
  });

  test('2,000 devices that fall silent at once fire, and end when they come back', { timeout: 60_000 }, async () => {
    await rule({ kind: 'offline', condition: {} });
    await portal.database.query(
      {
        text: `WITH made AS (INSERT INTO monitoring.devices (id, site_id, name, external_id)
                 SELECT gen_random_uuid(), $1, 'D' || n, 'many-' || n FROM generate_series(1, 2000) n RETURNING number)
               INSERT INTO monitoring.energy_state (device_number) SELECT number FROM made`,
      },
      [siteId],
    );
    const all = (n: number) =>
      post(
        { app: portal.app, headers },
        '/api/ingest/measurements',
        Array.from({ length: 2_000 }, (_, d) => ({
          externalId: `many-${d + 1}`,
          time: at(start + n * minute),
          activePowerKw: 1,
        })),
      );
    await all(0);
    const evaluate = evaluationOf(portal);
    expect(await evaluateAt(20, evaluate)).toBe(2_000);
    const older = `INSERT INTO portal.alarms
        (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at)
      VALUES ($1, $1, 'Older', 'limit', 'critical', 'site', $1, 'Site', $2, $2)`;
    await portal.database.query({ text: older }, [unknownId, new Date(start - day)]);
    const open = await list('?state=open');
    expect([open.length, open.at(-1)?.severity]).toEqual([1_000, 'critical']);
    await portal.database.query({ text: 'DELETE FROM portal.alarms WHERE id = $1' }, [unknownId]);
    nowMs = start + 30 * minute;
    await all(30);
    expect(await evaluateAt(30, evaluate)).toBe(2_000);
    expect((await list('?state=firing')).length).toBe(0);
    expect((await list()).length).toBe(1_000);
    await portal.database.query({ text: `DELETE FROM monitoring.devices WHERE external_id LIKE 'many-%'` });
  });

  test('the push fires once it has failed for long enough, and not where there is none', async () => {
    await rule({ kind: 'push', condition: { failingSeconds: 600 } });
    const set = (failures: number) =>
      portal.database.query(
        {
          text: `INSERT INTO monitoring.push_state (resource, failures) VALUES ('sites', $1)
                 ON CONFLICT (resource) DO UPDATE SET failures = $1`,
        },
        [failures],
      );
    await set(3);
    expect(await evaluateAt(0)).toBe(0);
    const evaluate = evaluationOf(portal, { pushes: true });
    expect(await evaluateAt(1, evaluate)).toBe(0);
    expect(await evaluateAt(11, evaluate)).toBe(1);
    expect((await list())[0]).toMatchObject({
      subject: { kind: 'portal', id: null },
      firingAt: at(start + 11 * minute),
    });
    await set(0);
    expect(await evaluateAt(12, evaluate)).toBe(1);
    await portal.database.query({ text: 'DELETE FROM monitoring.push_state' });
  });

  describe('for whoever is signed in', () => {
    let plain: { cookie: string };
    beforeAll(async () => {
      plain = await portal.signIn(await createUser(portal, { email: 'anybody@example.com' }));
    });
    beforeEach(async () => {
      await rule({ kind: 'offline', condition: {} });
      await send([0, 1]);
      await evaluateAt(20);
    });

    test('acknowledging says who, once', async () => {
      const id = (await list('', plain))[0]?.id ?? '';
      const answer = await ask('POST', `/api/alarms/${id}/acknowledge`, undefined, plain);
      expect(answer.json()).toMatchObject({ state: 'acknowledged', acknowledgedAt: at(nowMs) });
      const { acknowledgedBy } = answer.json<Alarm>();
      nowMs += minute;
      const again = await ask('POST', `/api/alarms/${id}/acknowledge`);
      expect(again.json()).toMatchObject({ acknowledgedAt: at(nowMs - minute), acknowledgedBy });
      const audit = await ask('GET', `/api/admin/audit?subjectId=${id}`);
      expect(audit.json<{ events: unknown[] }>().events.length).toBe(1);
      expect((await list('?state=acknowledged')).length).toBe(1);
      expect((await list('?state=open')).length).toBe(1);
      const metrics = await ask('GET', '/metrics');
      expect(metrics.body).toContain('portal_alarms{severity="warning",state="acknowledged"} 1');
      expect(metrics.body).toContain('portal_alarms{severity="warning",state="firing"} 0');
    });

    test('snoozing holds for the alarms that follow, and takes an instant ahead', async () => {
      const id = (await list())[0]?.id ?? '';
      const snooze = (until: unknown) => ask('POST', `/api/alarms/${id}/snooze`, { until });
      expect((await snooze(at(nowMs - 1))).statusCode).toBe(400);
      expect((await snooze(at(nowMs + 31 * day))).statusCode).toBe(400);
      expect((await snooze('tomorrow')).statusCode).toBe(400);
      expect((await snooze(null)).statusCode).toBe(400);
      const until = at(nowMs + 5 * hour);
      expect((await snooze(until)).json()).toMatchObject({ state: 'firing', snoozedUntil: until });
      nowMs = start + 30 * minute;
      await send([30, 1]);
      await evaluateAt(30);
      expect((await snooze(until)).statusCode).toBe(409);
      await evaluateAt(60);
      expect((await list('?state=firing'))[0]).toMatchObject({ snoozedUntil: until });
    });

    test('filters are by state, severity and time', async () => {
      expect((await list('?severity=warning')).length).toBe(1);
      expect(await list('?severity=critical')).toEqual([]);
      expect((await list(`?from=${at(nowMs)}&to=${at(nowMs + hour)}`)).length).toBe(1);
      expect(await list(`?to=${at(start)}`)).toEqual([]);
      expect((await ask('GET', '/api/alarms?state=gone')).statusCode).toBe(400);
      expect((await ask('GET', '/api/alarms?from=yesterday')).statusCode).toBe(400);
    });

    test('what is not there is 404, nobody 401', async () => {
      for (const what of ['acknowledge', 'snooze']) {
        const payload = { until: at(nowMs + hour) };
        expect((await ask('POST', `/api/alarms/${unknownId}/${what}`, payload)).statusCode).toBe(404);
        expect((await ask('POST', `/api/alarms/x/${what}`, payload)).statusCode).toBe(404);
        expect((await portal.app.inject({ method: 'POST', url: `/api/alarms/${unknownId}/${what}` })).statusCode).toBe(
          401,
        );
      }
      expect((await portal.app.inject('/api/alarms')).statusCode).toBe(401);
    });

    test('resolved alarms go after two years, open ones never', async () => {
      await rule({ kind: 'offline', condition: { afterSeconds: 60 } });
      await evaluateAt(20);
      await portal.database.query({
        text: `UPDATE portal.alarms SET resolved_at = firing_at WHERE id = (SELECT min(id::text)::uuid FROM portal.alarms)`,
      });
      const { signal } = new AbortController();
      await applyAlarmRetention(portal.database, start + 729 * day, signal);
      expect((await list()).length).toBe(2);
      await applyAlarmRetention(portal.database, start + 733 * day, signal);
      expect((await list()).map(({ state }) => state)).toEqual(['firing']);
    });
  });
});

describe('the alarms of an Admin', () => {
  const fleet = adminAppOfFile({ now });
  const { signIn, ask, list, pending, rule, clear } = actions(fleet);
  let headers: { cookie: string };
  let made = 0;
  let customer: { id: string; token: string };

  beforeAll(async () => {
    headers = await signIn();
  });
  beforeEach(async () => {
    await clear();
    nowMs = start;
    await fleet.database.query({ text: 'UPDATE fleet.customers SET is_active = false' });
    customer = await createCustomer(fleet, `alarmed-${(made += 1)}`, { headers });
  });
  const push = (payload: object, token = customer.token) =>
    fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': token, 'x-batch-type': 'measurements' },
      payload,
    });
  const readings = (n: number) => [{ deviceId: unknownId, time: at(start + n * minute), activePowerKw: 1 }];
  const pushAt = async (n: number, token?: string) => {
    nowMs = start + n * minute;
    expect((await push(readings(n), token)).statusCode).toBe(200);
  };
  const evaluateAt = async (n: number) => {
    nowMs = start + n * minute;
    return evaluationOf(fleet)();
  };

  test('an empty fleet has nothing to do', async () => {
    await rule({ kind: 'customerSilent', condition: { factor: 3 } });
    await fleet.database.query({ text: 'UPDATE fleet.customers SET is_active = false' });
    expect(await evaluateAt(0)).toBe(0);
    expect(await list()).toEqual([]);
  });

  test('a customer is silent after its usual intervals, and ends with its next batch', async () => {
    await rule({ kind: 'customerSilent', condition: { factor: 4 } });
    for (const n of [0, 10, 20, 30]) await pushAt(n);
    expect(await evaluateAt(70)).toBe(0);
    expect(await evaluateAt(71)).toBe(1);
    expect(await evaluateAt(160)).toBe(0);
    const [alarm] = await list();
    expect(alarm).toMatchObject({ subject: { kind: 'customer', id: customer.id }, firingAt: at(start + 70 * minute) });
    await pushAt(170);
    expect(await evaluateAt(171)).toBe(1);
    const [resolved] = await list();
    expect(resolved).toMatchObject({ state: 'resolved', resolvedAt: at(start + 170 * minute), value: 2_400 });
    const asked = { name: 'Rule', kind: 'customerSilent', condition: { factor: 4 } };
    const range = { from: at(start - hour), to: at(nowMs) };
    const preview = (await ask('POST', '/api/admin/alarm-rules/preview', { rule: asked, ...range })).json<object[]>();
    expect(preview.length).toBe(1);
    expect(resolved).toMatchObject(preview[0] ?? {});
  });

  test('a rule of groups is about the customers of these groups alone', async () => {
    await ask('PUT', `/api/admin/customers/${customer.id}`, { name: 'Grouped', isActive: true, group: 'North' });
    for (const group of ['North', 'South']) {
      await rule({ name: group, kind: 'customerNeverSent', condition: { afterHours: 1 }, scope: { groups: [group] } });
    }
    await createCustomer(fleet, `ungrouped-${made}`, { headers });
    await evaluateAt(90);
    expect((await list()).map(({ ruleName, subject }) => [ruleName, subject.id])).toEqual([['North', customer.id]]);
  });

  test('a customer whose batches are rejected is failing, one that never sent is told once', async () => {
    await rule({ name: 'Failing', kind: 'customerFailing', condition: {} });
    await rule({ name: 'Never', kind: 'customerNeverSent', condition: { afterHours: 2 } });
    expect(await evaluateAt(119)).toBe(0);
    expect(await evaluateAt(121)).toBe(1);
    expect((await list())[0]).toMatchObject({ ruleName: 'Never', value: 7_200 });
    await pushAt(125);
    expect((await push([{ deviceId: 'x' }])).statusCode).toBe(200);
    await evaluateAt(126);
    expect((await list('?state=firing')).map(({ ruleName }) => ruleName)).toEqual(['Failing']);
    expect((await list('?state=resolved')).map(({ ruleName }) => ruleName)).toEqual(['Never']);
  });

  test('the end of a previous token is told while it is used, and not once the new one is', async () => {
    await rule({ kind: 'tokenGraceEnds', condition: { hours: 1 } });
    await pushAt(0);
    const rotated = await ask('POST', `/api/admin/customers/${customer.id}/rotate-token`, { graceHours: 2 });
    const { token } = rotated.json<{ token: string }>();
    await pushAt(61);
    await expect.poll(() => evaluateAt(62)).toBe(1);
    expect((await list())[0]).toMatchObject({ firingAt: at(start + 60 * minute), value: 3_600 });
    await pushAt(65, token);
    expect(await evaluateAt(66)).toBe(1);
    expect((await list())[0]).toMatchObject({ state: 'resolved' });
  });

  test('a RestrictedAdmin sees, acknowledges and snoozes those of their customers alone', async () => {
    const other = await createCustomer(fleet, `other-${made}`, { headers });
    await rule({ kind: 'customerNeverSent', condition: { afterHours: 1 } });
    await rule({ kind: 'customerNeverSent', condition: { afterHours: 1 }, durationSeconds: 86_400 });
    await evaluateAt(90);
    const all = await list();
    expect([all.length, (await pending()).length]).toEqual([2, 2]);
    const account = await createUser(fleet, { email: `limited-${made}@example.com`, roles: ['RestrictedAdmin'] });
    const limited = await fleet.signIn(account);
    expect(await list('', limited)).toEqual([]);
    await ask('PUT', `/api/users/${account.id}/customers`, { customerIds: [customer.id] });
    for (const seen of [await list('', limited), await list('?state=open', limited), await pending(limited)]) {
      expect(seen.map(({ subject }) => subject.id)).toEqual([customer.id]);
    }
    const idOf = (customerId: string) => all.find(({ subject }) => subject.id === customerId)?.id ?? '';
    const until = { until: at(nowMs + hour) };
    for (const [id, status] of [
      [idOf(customer.id), 200],
      [idOf(other.id), 404],
    ] as const) {
      expect((await ask('POST', `/api/alarms/${id}/snooze`, until, limited)).statusCode).toBe(status);
      expect((await ask('POST', `/api/alarms/${id}/acknowledge`, undefined, limited)).statusCode).toBe(status);
    }
    const plain = await fleet.signIn(await createUser(fleet, { email: `plain-${made}@example.com` }));
    expect((await ask('GET', '/api/alarms', undefined, plain)).statusCode).toBe(403);
    expect((await ask('GET', '/api/alarms/pending', undefined, plain)).statusCode).toBe(403);
  });

  test('a deleted customer leaves its history', async () => {
    await rule({ kind: 'customerNeverSent', condition: { afterHours: 1 } });
    await evaluateAt(90);
    await ask('DELETE', `/api/admin/customers/${customer.id}`);
    await evaluateAt(91);
    expect(await list()).toMatchObject([{ state: 'resolved', resolvedAt: at(start + 91 * minute) }]);
  });
});
