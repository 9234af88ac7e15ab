import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedAlarmRules } from '../../server/alarms/alarm-rules.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { createCustomer } from '../support/fleet.ts';
import { createDevice, createSite } from '../support/sites.ts';

const url = '/api/admin/alarm-rules';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

interface Listed {
  id: string;
  name: string;
  kind: string;
}

const offline = { name: 'Freezers', kind: 'offline', condition: { afterSeconds: 600 } };
const silent = { name: 'Silent', kind: 'customerSilent', condition: { factor: 5 } };

describe.each([
  ['Client', createTestApp, offline],
  ['Admin', createAdminApp, silent],
] as const)('the alarm rules of a %s', (runMode, create, valid) => {
  let portal: TestApp;
  let admin: { cookie: string };
  beforeAll(async () => {
    portal = await create();
    admin = await portal.signIn();
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.database.query({ text: 'DELETE FROM portal.alarm_rules' }));

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: object = admin) =>
    portal.app.inject({ method, url: path, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
  const list = async () => (await ask('GET', url)).json<Listed[]>();
  const errorOf = async (payload: object) => {
    const answer = await ask('POST', url, { ...valid, ...payload });
    return `${answer.statusCode} ${answer.json<{ error?: string }>().error ?? ''}`;
  };

  test('the standard rules are there once: deleted ones do not come back', async () => {
    await seedAlarmRules(portal.database, runMode);
    expect(await list()).toEqual([]);
    await portal.database.query({ text: 'DELETE FROM portal.alarm_rules_seeded' });
    await seedAlarmRules(portal.database, runMode);
    await seedAlarmRules(portal.database, runMode);
    expect((await list()).map(({ kind }) => kind)).toEqual(
      runMode === 'Client' ? ['offline', 'push'] : ['customerSilent'],
    );
  });

  test('a rule is written whole, with defaults, and read back as it was answered', async () => {
    const made = await ask('POST', url, valid);
    expect(made.statusCode, made.body).toBe(201);
    const rule = made.json<Listed>();
    expect(rule).toEqual({
      ...valid,
      id: rule.id,
      isActive: true,
      severity: 'warning',
      scope: {},
      durationSeconds: 0,
      schedule: null,
      recipients: [],
      escalation: null,
    });
    expect(await list()).toEqual([rule]);
    const schedule = [{ daysOfWeek: 31, startTime: '22:00', endTime: '06:00' }];
    const changed = await ask('PUT', `${url}/${rule.id}`, { ...valid, name: 'Night', severity: 'critical', schedule });
    expect(changed.json()).toMatchObject({ name: 'Night', severity: 'critical', schedule, id: rule.id });
    expect((await ask('DELETE', `${url}/${rule.id}`)).statusCode).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('a stale version is refused, the right one is taken', async () => {
    const made = await ask('POST', url, valid);
    const { id } = made.json<Listed>();
    const etag = String(made.headers.etag);
    const put = (version: string) =>
      ask('PUT', `${url}/${id}`, { ...valid, name: 'New' }, { ...admin, 'if-match': version });
    expect((await put(etag)).statusCode).toBe(200);
    expect((await put(etag)).statusCode).toBe(412);
  });

  test('the audit trail has each change with its fields', async () => {
    const { id } = (await ask('POST', url, valid)).json<Listed>();
    await ask('PUT', `${url}/${id}`, { ...valid, severity: 'info' });
    await ask('DELETE', `${url}/${id}`);
    const { events } = (await ask('GET', `/api/admin/audit?subjectId=${id}`)).json<{
      events: { action: string; after: object | null }[];
    }>();
    expect(events.map(({ action }) => action)).toEqual(['alarm-rule.delete', 'alarm-rule.change', 'alarm-rule.create']);
    expect(events[1]?.after).toEqual({ severity: 'info' });
  });

  test('what is unknown is 404, what names something unknown 400', async () => {
    expect((await ask('PUT', `${url}/${unknownId}`, valid)).statusCode).toBe(404);
    expect((await ask('DELETE', `${url}/x`)).statusCode).toBe(404);
    expect(await errorOf({ recipients: [{ userId: unknownId }] })).toBe(
      `400 recipients: user ${unknownId} does not exist; expected the id of an existing user.`,
    );
    const named = runMode === 'Client' ? ['siteIds', 'deviceIds'] : ['customerIds'];
    for (const field of named) {
      expect(await errorOf({ scope: { [field]: [unknownId] } })).toMatch(
        new RegExp(`^400 scope.${field}: (?:site|device|customer) ${unknownId} does not exist; expected `),
      );
    }
  });

  test('a rule keeps the id of a site or customer that was deleted later, and can still be changed', async () => {
    const session = { app: portal.app, headers: admin };
    const isClient = runMode === 'Client';
    const named = isClient ? await createSite(session) : (await createCustomer(portal, 'gone')).id;
    const payload = { ...valid, scope: isClient ? { siteIds: [named] } : { customerIds: [named] } };
    const { id } = (await ask('POST', url, payload)).json<Listed>();
    const where = isClient ? `/api/admin/sites/${named}` : `/api/admin/customers/${named}`;
    expect((await ask('DELETE', where)).statusCode).toBe(204);
    expect((await ask('PUT', `${url}/${id}`, { ...payload, name: 'Still' })).statusCode).toBe(200);
  });

  test('wrong input names the field', async () => {
    expect(await errorOf({ escalation: { afterSeconds: 600, recipients: [] } })).toMatch(/^400 escalation.recipients/);
    expect(await errorOf({ escalation: { afterSeconds: 1, recipients: [{ role: 'Admin' }] } })).toMatch(
      /^400 escalation.afterSeconds/,
    );
    expect(await errorOf({ escalation: { afterSeconds: 600, recipients: [{ userId: unknownId }] } })).toMatch(
      /^400 recipients: user .* does not exist/,
    );
    expect(await errorOf({ kind: runMode === 'Client' ? 'customerFailing' : 'offline' })).toMatch(
      /^400 kind: must be one of /,
    );
    expect(await errorOf({ name: ' ' })).toMatch(/^400 name: must not be empty/);
    expect(await errorOf({ name: 'a\r\nBcc: x@example.com' })).toMatch(
      /^400 name: must not contain control characters/,
    );
    expect(await errorOf({ severity: 'fatal' })).toMatch(/^400 severity: must be one of info, warning, critical/);
    expect(await errorOf({ durationSeconds: -1 })).toMatch(/^400 durationSeconds: /);
    expect(await errorOf({ durationSeconds: 1e9 })).toMatch(/^400 durationSeconds: /);
    expect(await errorOf({ schedule: [] })).toMatch(/^400 schedule: /);
    expect(await errorOf({ schedule: [{ daysOfWeek: 0, startTime: '08:00', endTime: '09:00' }] })).toMatch(
      /^400 schedule.0.daysOfWeek: must be 1 to 127/,
    );
    expect(await errorOf({ recipients: [{ email: 'a@example.com\r\nBcc: b@example.com' }] })).toMatch(
      /^400 recipients/,
    );
    expect(await errorOf({ recipients: [{ email: 'a@example.com', userId: unknownId }] })).toMatch(/^400 recipients/);
    expect(await errorOf({ condition: null })).toMatch(/^400 condition/);
    expect(await errorOf({ scope: runMode === 'Client' ? { siteIds: ['x'] } : { groups: [''] } })).toMatch(
      /^400 scope/,
    );
  });

  test('a limit has one side at least, and they do not cross', async () => {
    if (runMode === 'Admin') return;
    const limit = (condition: object) => errorOf({ kind: 'limit', condition: { quantity: 'voltageV', ...condition } });
    expect(await limit({})).toMatch(/^400 condition.above: must be a number, unless below is one/);
    expect(await limit({ above: 200, below: 250 })).toMatch(/^400 condition.below: must be less than above/);
    expect(await limit({ above: 253, hysteresis: -1 })).toMatch(/^400 condition.hysteresis: /);
    expect(await limit({ quantity: 'password', above: 1 })).toMatch(/^400 condition.quantity: must be one of /);
    expect(await limit({ above: 253 })).toMatch(/^201/);
  });

  test('a device is named with its site', async () => {
    if (runMode === 'Admin') return;
    const session = { app: portal.app, headers: admin };
    const siteId = await createSite(session);
    const deviceId = await createDevice(session, siteId, { externalId: 'scoped' });
    expect(
      await errorOf({ scope: { siteIds: [siteId], deviceIds: [deviceId, deviceId], endUses: ['Cooling'] } }),
    ).toMatch(/^201/);
    expect(await list()).toMatchObject([{ scope: { deviceIds: [deviceId] } }]);
  });

  test('beyond the limit there are no more rules', async () => {
    await portal.database.query({
      text: `INSERT INTO portal.alarm_rules (id, name, kind, is_active, severity, scope, condition, duration_seconds, recipients)
             SELECT gen_random_uuid(), 'R', 'x', false, 'info', '{}', '{}', 0, '[]' FROM generate_series(1, 1000)`,
    });
    expect(await errorOf({})).toMatch(/^409 There are 1000 alarm rules already/);
    await portal.database.query({ text: 'DELETE FROM portal.alarm_rules' });
  });

  test('only administrators read and write them', async () => {
    const plain = await portal.signIn(await createUser(portal, { email: `plain-${runMode}@example.com` }));
    expect((await ask('GET', url, undefined, plain)).statusCode).toBe(403);
    expect((await ask('POST', url, valid, plain)).statusCode).toBe(403);
    expect((await ask('GET', url, undefined, {})).statusCode).toBe(401);
    if (runMode === 'Client') return;
    const restricted = await createUser(portal, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
    const headers = await portal.signIn(restricted);
    expect((await ask('GET', url, undefined, headers)).statusCode).toBe(403);
    expect((await ask('POST', url, valid, headers)).statusCode).toBe(403);
  });
});
