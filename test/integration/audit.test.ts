import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditActions, auditPage, auditSubjectKinds } from '../../shared/audit.ts';
import { applyAuditRetention, makeChange } from '../../server/accounts/audit.ts';
import { maxDetailsLength } from '../../server/accounts/audit.rules.ts';
import { adminAccount, createUser, logIn, resetTokenOf } from '../support/accounts.ts';
import { createAdminApp, type TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { addPasskey } from '../support/passkeys.ts';
import { createBrowserKeys } from '../support/push-service.ts';
import { png } from '../support/images.ts';
import { headersOf, proveSecond, secondFactorOf, turnOn } from '../support/second-factor.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
let now = start;
const pushing = {
  FleetIngest__Enabled: 'true',
  FleetIngest__Url: 'https://fleet.example.com/api/fleet/ingest',
  FleetIngest__Token: 'a'.repeat(64),
  Mail__Host: 'localhost',
  Mail__From: 'portal@example.com',
};
const portal = appOfFile({
  now: () => now,
  environment: { Application__TrustedProxies: '10.0.0.0/8', ...pushing },
});
let admin: { cookie: string };

beforeEach(async () => {
  // Another window of failed sign-ins.
  now += 2 * 3_600_000;
  admin = await portal.signIn();
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: object = admin) =>
  portal.app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const idOf = async (method: 'POST', url: string, payload: object) => {
  const answer = await ask(method, url, payload);
  expect(answer.statusCode, answer.body).toBe(201);
  return z.object({ id: z.string() }).parse(answer.json()).id;
};
const list = async (query = '', of: TestApp = portal, headers: object = admin) => {
  const answer = await of.app.inject({ method: 'GET', url: `/api/admin/audit?${query}`, headers: { ...headers } });
  expect(answer.statusCode, answer.body).toBe(200);
  return auditPage.parse(answer.json());
};
const newest = async (query = '') => (await list(`${query}&limit=1`)).events[0];
const uploadLogo = async () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png(4, 4))], { type: 'image/png' }), 'logo.png');
  const { headers, body } = new Request('http://localhost', { method: 'POST', body: form });
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/branding/logo',
    headers: { ...admin, 'content-type': headers.get('content-type') ?? '' },
    payload: body === null ? '' : Buffer.from(await new Response(body).arrayBuffer()),
  });
  expect(answer.statusCode, answer.body).toBe(201);
};

describe('Recorded events', () => {
  const password = 'Secret-Pass-1';

  /** Makes a Client write every kind of event, and returns the texts that no event may contain. */
  async function walk(): Promise<string[]> {
    await logIn(portal, { ...adminAccount, password: 'Typed-Wrong-1' });
    await logIn(portal, { email: 'Typed-As-Email-1', password: 'Typed-Wrong-2' });
    const { id, email } = await createUser(portal, { email: 'walker@example.com', password });
    const own = await portal.signIn({ email, password });
    await ask('PUT', `/api/users/${id}`, { email, displayName: 'Walker', roles: ['Admin'], isActive: true });
    const back = await portal.signIn({ email, password });
    const ownAnswers = [
      await ask('PUT', '/api/auth/me', { displayName: 'Wanderer', timeZone: 'Asia/Tokyo' }, back),
      await ask('DELETE', '/api/auth/sessions', undefined, back),
      await ask('POST', '/api/auth/me/change-password', { currentPassword: 'Typed-Wrong-3', newPassword: 'x' }, back),
      await ask(
        'POST',
        '/api/auth/me/change-password',
        { currentPassword: password, newPassword: 'Secret-Pass-2' },
        back,
      ),
    ];
    expect(ownAnswers.map(({ statusCode }) => statusCode)).toEqual([200, 204, 400, 204]);
    expect((await ask('GET', '/api/auth/me', undefined, own)).statusCode).toBe(401);
    const { secret, recoveryCodes } = await walkSecondFactor({ id, email, password: 'Secret-Pass-2' });
    await ask('POST', `/api/users/${id}/invite`);
    const token = await resetTokenOf(portal, id, now);
    await ask('POST', '/api/auth/reset-password', { token, newPassword: 'Secret-Pass-9' }, {});
    await ask('POST', `/api/users/${id}/reset-password`, { newPassword: 'Secret-Pass-3' });
    await ask('POST', `/api/users/${id}/unlock`);
    await ask('POST', '/api/auth/logout', undefined, await portal.signIn({ email, password: 'Secret-Pass-3' }));
    const hashes = await portal.database.query<{ secret: string }>({
      text: `SELECT password_hash AS secret FROM portal.accounts UNION ALL SELECT security_stamp::text FROM portal.accounts`,
    });
    await ask('DELETE', `/api/users/${id}`);
    const { id: keyId, key } = z
      .object({ id: z.string(), key: z.string() })
      .parse((await ask('POST', '/api/api-keys', { name: 'Gateway' })).json());
    const keyHashes = await portal.database.query<{ secret: string }>({
      text: `SELECT encode(key_hash, 'hex') AS secret FROM monitoring.api_keys`,
    });
    await ask('DELETE', `/api/api-keys/${keyId}`);
    await ask('PUT', '/api/branding', { applicationName: 'Acme' });
    await ask('PUT', '/api/admin/time-zone', { timeZone: 'Europe/Berlin' });
    await uploadLogo();
    await ask('DELETE', '/api/branding/logo');
    const embedded = { title: 'Ours', path: '/dash/dashboards/overview' };
    const embeddedId = await idOf('POST', '/api/embedded-dashboards', embedded);
    await ask('PUT', `/api/embedded-dashboards/${embeddedId}`, { ...embedded, title: 'Mine' });
    await ask('DELETE', `/api/embedded-dashboards/${embeddedId}`);
    const rule = { name: 'Offline', kind: 'offline', condition: {} };
    const ruleId = await idOf('POST', '/api/admin/alarm-rules', rule);
    await ask('PUT', `/api/admin/alarm-rules/${ruleId}`, { ...rule, severity: 'info' });
    await ask('DELETE', `/api/admin/alarm-rules/${ruleId}`);
    await portal.database.query(
      {
        text: `INSERT INTO portal.alarms (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at)
               VALUES ($1, $1, 'Offline', 'offline', 'info', 'device', $1, 'Meter', now(), now())`,
      },
      [ruleId],
    );
    await ask('POST', `/api/alarms/${ruleId}/snooze`, { until: new Date(now + 3_600_000).toISOString() });
    await ask('POST', `/api/alarms/${ruleId}/acknowledge`);
    const hook = { name: 'Hook', url: 'https://hooks.example.com/secret-path' };
    const made = await ask('POST', '/api/admin/webhooks', hook);
    const hookId = made.json<{ webhook: { id: string } }>().webhook.id;
    await ask('PUT', `/api/admin/webhooks/${hookId}`, { ...hook, name: 'Other' });
    await ask('DELETE', `/api/admin/webhooks/${hookId}`);
    const browser = { endpoint: 'https://push.example.com/capability', keys: createBrowserKeys().keys };
    const added = (await ask('POST', '/api/me/browsers', browser)).json<{ id: string }>();
    await ask('DELETE', `/api/me/browsers/${added.id}`);
    const byMail = { name: 'Weekly', period: 'week' };
    const reports = '/api/admin/report-subscriptions';
    const reportId = await idOf('POST', reports, byMail);
    await ask('PUT', `${reports}/${reportId}`, { ...byMail, name: 'Each week' });
    await ask('DELETE', `${reports}/${reportId}`);
    const municipalities = '/api/admin/rates/municipalities';
    const municipalityId = await idOf('POST', municipalities, { name: 'Pune', timeZone: 'Asia/Kolkata' });
    await ask('PUT', `${municipalities}/${municipalityId}`, { name: 'Graz', timeZone: 'Europe/Vienna' });
    const tariff = {
      municipalityId,
      name: 'Day and night',
      currency: 'EUR',
      effectiveFrom: '2026-01-01',
      defaultRatePerKwh: 0.3,
      periods: [{ name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.2 }],
    };
    const tariffId = await idOf('POST', '/api/admin/rates/tariffs', tariff);
    await ask('PUT', `/api/admin/rates/tariffs/${tariffId}`, { ...tariff, defaultRatePerKwh: 0.31 });
    await ask('DELETE', `/api/admin/rates/tariffs/${tariffId}`);
    const siteId = await idOf('POST', '/api/admin/sites', { name: 'Works', municipalityId });
    await ask('PUT', `/api/admin/sites/${siteId}`, { name: 'Mill', municipalityId });
    const device = { siteId, name: 'Main meter', externalId: 'main' };
    const deviceId = await idOf('POST', '/api/admin/devices', device);
    await ask('PUT', `/api/admin/devices/${deviceId}`, { ...device, ratedPowerKw: 50 });
    const time = '2026-03-10T10:00:00Z';
    await ask('POST', '/api/ingest/measurements', [{ externalId: 'main', time, activePowerKw: 1 }]);
    const range = { from: time, to: '2026-03-10T10:00:01Z' };
    await ask('POST', `/api/admin/devices/${deviceId}/removals`, { kind: 'readings', ...range, count: 1 });
    await ask('DELETE', `/api/admin/devices/${deviceId}`);
    await ask('DELETE', `/api/admin/sites/${siteId}`);
    await ask('DELETE', `${municipalities}/${municipalityId}`);
    await ask('PUT', '/api/report/remark?period=2026-03', { remark: 'The press stood still.' });
    await ask('POST', '/api/admin/push/run');
    await ask('POST', '/api/admin/push/reconcile');
    return [
      'capability',
      browser.keys.auth,
      'Typed-',
      'Secret-Pass',
      key,
      token,
      secret,
      ...recoveryCodes,
      ...[...hashes.rows, ...keyHashes.rows].map(({ secret }) => secret),
    ];
  }

  async function walkSecondFactor({ id, ...account }: { id: string; email: string; password: string }) {
    const { secret, recoveryCodes } = await turnOn(portal, account, now);
    const { token } = (await logIn(portal, account)).json<{ token: string }>();
    await proveSecond(portal, token, '000000');
    expect(await newest('action=sign-in.fail')).toMatchObject({
      subjectName: account.email,
      after: { secondFactor: true },
    });
    const own = secondFactorOf(portal, headersOf(await proveSecond(portal, token, recoveryCodes[0] ?? '')));
    const renewed = await own.renew(account.password, { code: recoveryCodes[1] });
    const [code, ...left] = renewed.json<{ recoveryCodes: string[] }>().recoveryCodes;
    const { headers } = await addPasskey(portal, {
      headers: own.headers,
      proof: { currentPassword: account.password, code },
      origin: 'http://localhost:8080',
    });
    const { passkeys } = await secondFactorOf(portal, headers).read();
    const remove = `/api/auth/me/second-factor/passkeys/${passkeys[0]?.id}/remove`;
    const removed = await ask('POST', remove, { currentPassword: account.password, code: left[0] }, headers);
    expect(removed.statusCode).toBe(204);
    const last = secondFactorOf(portal, headersOf(removed));
    expect((await last.turnOff(account.password, { code: left[1] })).statusCode).toBe(204);
    const again = await turnOn(portal, account, now);
    const policy = '/api/admin/sign-in-policy';
    expect((await ask('PUT', policy, { adminsNeedSecondFactor: true }, again.headers)).statusCode).toBe(200);
    expect((await ask('PUT', policy, { adminsNeedSecondFactor: false }, again.headers)).statusCode).toBe(200);
    admin = await portal.signIn();
    expect((await ask('POST', `/api/users/${id}/reset-second-factor`)).statusCode).toBe(204);
    return { secret, recoveryCodes: [...recoveryCodes, ...left] };
  }

  /** The same for the events that only an Admin has. */
  async function walkFleet(fleet: TestApp): Promise<string[]> {
    const headers = await fleet.signIn();
    const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
      const answer = await fleet.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
      return answer;
    };
    const customers = '/api/admin/customers';
    const user = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
    const { customer, token } = z
      .object({ customer: z.object({ id: z.string() }), token: z.string() })
      .parse((await send('POST', customers, { code: 'acme', name: 'Acme' })).json());
    await send('PUT', `${customers}/${customer.id}`, { name: 'Acme Ltd', isActive: true });
    await send('PUT', `/api/users/${user.id}/customers`, { customerIds: [customer.id] });
    expect((await list('limit=1', fleet, headers)).events[0]).toMatchObject({
      subjectName: user.email,
      before: { customers: [] },
      after: { customers: ['acme'] },
    });
    const rotated = (await send('POST', `${customers}/${customer.id}/rotate-token`, {})).json<{ token: string }>();
    const hashes = await fleet.database.query<{ hash: string }>({
      text: `SELECT encode(unnest(ARRAY[token_hash, previous_token_hash]), 'hex') AS hash FROM fleet.customers`,
    });
    await send('DELETE', `${customers}/${customer.id}`);
    return [token, rotated.token, ...hashes.rows.map(({ hash }) => hash)];
  }

  test('every action of every command, each with author, time, source and subject; never a secret or its hash', async () => {
    await using fleet = await createAdminApp();
    const secrets = [...(await walk()), ...(await walkFleet(fleet))];
    // The dashboard tool adds these itself (dashboard-tool.test.ts).
    for (const what of ['create', 'change', 'delete']) {
      const text = `SELECT portal.record_dashboard_change(gen_random_uuid(), (SELECT id FROM portal.accounts ORDER BY created_at LIMIT 1), $1, 'Load', '{}', '{}')`;
      await portal.database.query({ text }, [what]);
    }
    const events = (await list('limit=200')).events;
    const ofFleet = (await list('limit=200', fleet, await fleet.signIn())).events;
    const all = [...events, ...ofFleet];
    expect(new Set(all.map(({ action }) => action))).toEqual(new Set(auditActions));
    expect(new Set(all.map(({ subjectKind }) => subjectKind))).toEqual(new Set(auditSubjectKinds));
    for (const { occurredAt } of all) expect(occurredAt).toMatch(/Z$/);
    const rows = { text: 'SELECT * FROM portal.audit_events' };
    const everything = JSON.stringify([
      (await portal.database.query(rows)).rows,
      (await fleet.database.query(rows)).rows,
      [...portal.log, ...fleet.log].filter(({ msg }) => msg === 'audited'),
    ]);
    expect(secrets.length).toBeGreaterThan(10);
    for (const secret of secrets) expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/password_?hash|security_?stamp|token_?hash|argon2|pmk_/i);
    const own = events.filter(({ actorKind }) => actorKind === 'account');
    expect(new Set(own.map(({ accountEmail }) => accountEmail))).toEqual(
      new Set([adminAccount.email, 'walker@example.com']),
    );
  });

  test('tariffs that go with their municipality have an event each, with what they were', async () => {
    const id = await idOf('POST', '/api/admin/rates/municipalities', { name: 'Gone town', timeZone: 'Asia/Kolkata' });
    const tariffId = await idOf('POST', '/api/admin/rates/tariffs', {
      municipalityId: id,
      name: 'Gone tariff',
      currency: 'INR',
      effectiveFrom: '2026-01-01',
      defaultRatePerKwh: 7.5,
    });
    await ask('DELETE', `/api/admin/rates/municipalities/${id}`);
    expect((await list(`subjectId=${tariffId}&action=tariff.delete`)).events).toMatchObject([
      { subjectName: 'Gone tariff', before: { currency: 'INR' }, after: null },
    ]);
  });

  test('a change has only what differs, before and after, under the name that it had', async () => {
    const id = await idOf('POST', '/api/admin/rates/municipalities', { name: 'Old town', timeZone: 'Asia/Kolkata' });
    await ask('PUT', `/api/admin/rates/municipalities/${id}`, { name: 'New town', timeZone: 'Asia/Kolkata' });
    await ask('DELETE', `/api/admin/rates/municipalities/${id}`);
    const events = (await list(`subjectId=${id}`)).events;
    expect(events.map(({ action, subjectName, before, after }) => ({ action, subjectName, before, after }))).toEqual([
      {
        action: 'municipality.delete',
        subjectName: 'New town',
        before: { name: 'New town', timeZone: 'Asia/Kolkata' },
        after: null,
      },
      {
        action: 'municipality.change',
        subjectName: 'Old town',
        before: { name: 'Old town' },
        after: { name: 'New town' },
      },
      {
        action: 'municipality.create',
        subjectName: 'Old town',
        before: null,
        after: { name: 'Old town', timeZone: 'Asia/Kolkata' },
      },
    ]);
  });

  test('a tariff shows its periods as people read them; saving it unchanged leaves no event', async () => {
    const municipalityId = await idOf('POST', '/api/admin/rates/municipalities', { name: 'Lyon', timeZone: 'UTC' });
    const period = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.2 };
    const tariff = { municipalityId, name: 'T', currency: 'EUR', effectiveFrom: '2026-01-01', defaultRatePerKwh: 0.3 };
    const id = await idOf('POST', '/api/admin/rates/tariffs', { ...tariff, periods: [period] });
    await ask('PUT', `/api/admin/rates/tariffs/${id}`, { ...tariff, periods: [period] });
    expect(await newest()).toMatchObject({ action: 'tariff.create' });
    await ask('PUT', `/api/admin/rates/tariffs/${id}`, { ...tariff, periods: [{ ...period, ratePerKwh: 0.21 }] });
    expect((await newest())?.after).toEqual({ periods: [{ ...period, ratePerKwh: '0.21' }] });
  });

  test('a PUT without a change leaves no event, for any resource', async () => {
    const municipality = { name: 'Oslo', timeZone: 'UTC' };
    const municipalityId = await idOf('POST', '/api/admin/rates/municipalities', municipality);
    const site = { name: 'Quay', municipalityId };
    const siteId = await idOf('POST', '/api/admin/sites', site);
    const device = { siteId, name: 'Crane', externalId: 'crane' };
    const deviceId = await idOf('POST', '/api/admin/devices', device);
    const { id: userId, email } = await createUser(portal, { email: 'unchanged@example.com' });
    const user = { email, displayName: email, roles: [], isActive: true };
    await ask('PUT', '/api/auth/me', { displayName: 'The same' });
    await ask('PUT', '/api/branding', { applicationName: 'Same' });
    const last = await newest();
    const answers = [
      await ask('PUT', `/api/admin/rates/municipalities/${municipalityId}`, municipality),
      await ask('PUT', `/api/admin/sites/${siteId}`, site),
      await ask('PUT', `/api/admin/devices/${deviceId}`, device),
      await ask('PUT', `/api/users/${userId}`, user),
      await ask('PUT', '/api/auth/me', { displayName: 'The same' }),
      await ask('PUT', '/api/branding', { applicationName: 'Same' }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await newest()).toEqual(last);
  });

  test('the email is the one that the account had then, also once it is gone', async () => {
    const account = await createUser(portal, { email: 'before@example.com', roles: ['Admin'] });
    const theirs = await portal.signIn(account);
    const values = { email: 'renamed@example.com', displayName: 'R', roles: ['Admin'], isActive: true };
    await ask('POST', '/api/api-keys', { name: 'Theirs' }, theirs);
    await ask('PUT', `/api/users/${account.id}`, values);
    await ask('DELETE', `/api/users/${account.id}`);
    expect(await newest(`accountId=${account.id}`)).toMatchObject({
      action: 'api-key.create',
      accountEmail: 'before@example.com',
      actorKind: 'account',
      sourceAddress: '127.0.0.1',
    });
  });

  test('the log has the event with the same id', async () => {
    await ask('PUT', '/api/auth/me', { displayName: 'Logged' });
    const event = await newest();
    expect(portal.log.filter(({ eventId }) => eventId === event?.id)).toEqual([
      expect.objectContaining({ msg: 'audited', action: 'user.change-own-name', subjectId: event?.subjectId }),
    ]);
  });

  test('a rejected change leaves no event; a change that cannot be recorded is undone, and is not logged', async () => {
    const before = await newest();
    const wrong = await ask('PUT', '/api/branding', { logoUrl: '/etc/passwd' });
    expect(wrong.statusCode).toBe(400);
    expect(await newest()).toEqual(before);
    const lines = portal.log.length;
    const by = { actor: { kind: 'system' }, log: portal.app.log } as const;
    const failing = makeChange({ database: portal.database, by }, async (tx, recordChange) => {
      await tx.query({ text: `UPDATE portal.branding SET footer_text = 'half done'` });
      await recordChange('branding.change', { id: 'no GUID' });
    });
    await expect(failing).rejects.toThrow(/uuid/);
    expect((await ask('GET', '/api/branding')).json()).not.toMatchObject({ footerText: 'half done' });
    expect(await newest()).toEqual(before);
    expect(portal.log.slice(lines).filter(({ msg }) => msg === 'audited')).toEqual([]);
  });

  test('before and after are bounded: long texts are cut, and what does not fit is an ellipsis', async () => {
    const by = { actor: { kind: 'system' }, log: portal.app.log } as const;
    const fields = Array.from({ length: 100 }, (_, n) => [`field${n}`, 'x\u0000\uD800'.repeat(10_000)]);
    await makeChange({ database: portal.database, by }, async (_, recordChange) =>
      recordChange('branding.change', { id: null, name: 'x'.repeat(5_000), after: Object.fromEntries(fields) }),
    );
    const event = await newest();
    expect(JSON.stringify(event?.after).length).toBeLessThan(maxDetailsLength + 2_000);
    expect(event?.after).toMatchObject({ field0: expect.stringMatching(/^x.{498}…$/su), field49: '…' });
    expect(event?.subjectName?.length).toBe(300);
  });
});

describe('Failed sign-ins', () => {
  const from = (source: string, account: { email: string; password: string }) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: account,
      remoteAddress: '10.0.0.5',
      headers: { 'x-forwarded-for': source },
    });
  const failures = async () => (await list('action=sign-in.fail&limit=200')).events;
  const countOf = async () =>
    (
      await portal.database.query<{ count: number }>({
        text: 'SELECT count(*)::integer AS count FROM portal.audit_events',
      })
    ).rows[0]?.count ?? 0;

  test('of an account: each with its email and source, the last one with the lock; the lock bounds them', async () => {
    const account = await createUser(portal, { email: 'guessed@example.com' });
    const before = await countOf();
    for (let n = 0; n < 8; n += 1)
      await from('192.0.2.7', { ...account, email: 'Guessed@example.com', password: 'wrong' });
    expect(await countOf()).toBe(before + 5);
    const [last, ...others] = (await list(`subjectId=${account.id}&action=sign-in.fail`)).events;
    expect(last).toMatchObject({
      actorKind: 'anonymous',
      accountId: null,
      sourceAddress: '192.0.2.7',
      subjectName: 'guessed@example.com',
      after: { lockedUntil: new Date(now + 15 * 60_000).toISOString() },
    });
    expect(others.map(({ after }) => after)).toEqual([null, null, null, null]);
  });

  test('with invented emails: one event for each source and hour counts them, without the emails', async () => {
    for (let n = 0; n < 7; n += 1) await from('2001:db8:1:2::9', { email: `typed-${n}@example.com`, password: 'x' });
    await from('192.0.2.8', { email: 'typed@example.com', password: 'x' });
    expect((await failures()).slice(0, 2)).toMatchObject([
      { sourceAddress: '192.0.2.8', attempts: 1, subjectId: null, subjectName: null, before: null, after: null },
      { sourceAddress: '2001:db8:1:2::/64', attempts: 7 },
    ]);
    now += 3_600_000;
    await from('192.0.2.8', { email: 'typed@example.com', password: 'x' });
    expect((await failures()).slice(0, 2)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  });
});

test('beyond 30 an hour, sign-ins and sign-outs of an account are counted by source: few rows, none of them unseen', async () => {
  const account = await createUser(portal, { email: 'script@example.com' });
  const from = (address: string) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': address },
      payload: account,
    });
  for (let n = 0; n < 40; n += 1) {
    const [cookie] = (await from('192.0.2.20')).cookies;
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    expect((await ask('POST', '/api/auth/logout', undefined, headers)).statusCode).toBe(204);
  }
  await from('2001:db8:1:3::9');
  const { events } = await list(`accountId=${account.id}&limit=200`);
  const of = (action: string) => events.filter((event) => event.action === action);
  expect(of('session.begin').slice(0, 2)).toMatchObject([
    { sourceAddress: '2001:db8:1:3::/64', attempts: 1, subjectId: null },
    { sourceAddress: '192.0.2.20', attempts: 10, subjectId: null, accountEmail: 'script@example.com' },
  ]);
  expect(of('session.end')[0]).toMatchObject({ attempts: 10, subjectId: null });
  for (const own of [of('session.begin').slice(2), of('session.end').slice(1)]) {
    expect(own).toHaveLength(30);
    expect(own.every(({ attempts, subjectId }) => attempts === 1 && subjectId !== null)).toBe(true);
  }
  // Each is in the log anyway.
  expect(
    portal.log.filter(({ msg, action }) => msg === 'audited' && action === 'session.end').length,
  ).toBeGreaterThanOrEqual(40);
  now += 3_600_000;
  await from('192.0.2.20');
  expect(await newest(`accountId=${account.id}`)).toMatchObject({ attempts: 1, sourceAddress: '192.0.2.20' });
});

describe('Append-only', () => {
  const run = (text: string) => portal.database.query({ text });

  test.each([
    `UPDATE portal.audit_events SET account_email = 'other@example.com'`,
    `UPDATE portal.audit_events SET attempts = attempts + 1 WHERE summary_key IS NULL`,
    `UPDATE portal.audit_events SET attempts = attempts - 1`,
    `DELETE FROM portal.audit_events`,
    `TRUNCATE portal.audit_events`,
  ])("the portal's own account is refused: %s", async (text) => {
    await ask('PUT', '/api/auth/me', { displayName: 'Administrator' });
    await expect(run(text)).rejects.toThrow(/append-only/);
  });

  test('events older than two years are removed in bounded steps; younger ones stay', async () => {
    await run(`INSERT INTO portal.audit_events (id, occurred_at, actor_kind, action, subject_kind)
               SELECT gen_random_uuid(), now() - interval '3 years' + n * interval '1 second', 'system', 'site.create', 'site'
               FROM generate_series(1, 12000) n`);
    await run(`INSERT INTO portal.audit_events (id, occurred_at, actor_kind, action, subject_kind, subject_name)
               VALUES (gen_random_uuid(), now() - interval '23 months', 'system', 'site.create', 'site', 'kept')`);
    await applyAuditRetention(portal.database, Date.now(), new AbortController().signal);
    const old = await list(`action=site.create&to=${new Date(Date.now() - 86_400_000).toISOString()}&limit=200`);
    expect(old.events.map(({ subjectName }) => subjectName)).toEqual(['kept']);
  });
});

describe('GET /api/admin/audit', () => {
  test('pages by a cursor, newest first: every event once, including concurrent ones and those of the same time', async () => {
    await portal.database.query({
      text: `INSERT INTO portal.audit_events (id, occurred_at, actor_kind, action, subject_kind, subject_name)
             SELECT gen_random_uuid(), '2026-01-01T00:00:00.123456Z', 'system', 'site.change', 'site', 'same time'
             FROM generate_series(1, 30) n`,
    });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: z.infer<typeof auditPage> = await list(
        `limit=7&text=same%20TIME${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(page.events.length).toBe(page.nextCursor === null ? 30 % 7 : 7);
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor;
      await ask('PUT', '/api/auth/me', { displayName: `Administrator ${seen.length}` });
    }
    expect(new Set(seen).size).toBe(30);
    expect(seen.length).toBe(30);
  });

  test('from is inclusive, to exclusive; a last page that is exactly full is the last', async () => {
    const micros = ['123455', '123456', '123457'];
    await portal.database.query(
      {
        text: `INSERT INTO portal.audit_events (id, occurred_at, actor_kind, action, subject_kind, subject_name)
               SELECT gen_random_uuid(), ('2026-01-02T00:00:00.' || micros || 'Z')::timestamptz, 'system', 'site.change', 'site',
                      'at ' || micros FROM unnest($1::text[]) AS micros`,
      },
      [micros],
    );
    const names = async (query: string) =>
      (await list(`text=at%2012345&${query}`)).events.map((one) => one.subjectName);
    const [first, second, third] = micros.map((one) => `2026-01-02T00:00:00.${one}Z`);
    expect(await names('')).toEqual(['at 123457', 'at 123456', 'at 123455']);
    expect(await names(`from=${second}`)).toEqual(['at 123457', 'at 123456']);
    expect(await names(`to=${second}`)).toEqual(['at 123455']);
    expect(await names(`from=${first}&to=${third}`)).toEqual(['at 123456', 'at 123455']);
    expect(await list('text=at%2012345&limit=3')).toMatchObject({ nextCursor: null });
    expect(await list('text=at%2012345&limit=2')).toMatchObject({ nextCursor: expect.any(String) });
  });

  test('filters by action, kind, account, subject, time and text, also together', async () => {
    const id = await idOf('POST', '/api/admin/rates/municipalities', { name: 'Filter 100%_', timeZone: 'UTC' });
    const me = await newest('action=session.begin');
    const found = async (query: string) => (await list(query)).events.map(({ subjectId }) => subjectId);
    for (const query of [
      'action=municipality.create&limit=1',
      'subjectKind=municipality&limit=1',
      `accountId=${me?.accountId}&subjectKind=municipality&limit=1`,
      `subjectId=${id.toUpperCase()}`,
      'text=100%25_',
      `text=filter&from=${new Date(Date.now() - 60_000).toISOString()}&to=2100-01-01T00:00:00%2B02:00`,
    ])
      expect(await found(query), query).toEqual([id]);
    expect(await found(`text=filter&to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
    expect(await found(`subjectId=${id}&action=municipality.delete`)).toEqual([]);
    expect((await list(`text=${adminAccount.email.toUpperCase()}&limit=1`)).events).toHaveLength(1);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['action=site.paint', 'action'],
    ['subjectKind=cat', 'subjectKind'],
    ['accountId=1', 'accountId'],
    ['subjectId=1', 'subjectId'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30T00:00:00Z', 'to'],
    ['cursor=x', 'cursor'],
    ['cursor=2026-02-30T00:00:00Z%20019a0000-0000-7000-8000-000000000001', 'cursor'],
    ['cursor=2026-02-03T00:00:00%2B23:59%20019a0000-0000-7000-8000-000000000001', 'cursor'],
    ['cursor=2026-02-03T00:00:00,5Z%20019a0000-0000-7000-8000-000000000001', 'cursor'],
    ['text=', 'text'],
  ])('%s: 400 that names the field', async (query, field) => {
    const answer = await ask('GET', `/api/admin/audit?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(new RegExp(`^${field}\\b`));
  });

  test('Admin mode has it too', async () => {
    await using fleet = await createAdminApp();
    const headers = await fleet.signIn();
    await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
    expect((await list('', fleet, headers)).events.map(({ action }) => action)).toContain('user.create');
  });

  test('the default admin is made by the portal itself', async () => {
    const first = (await list('action=user.create&limit=200')).events.at(-1);
    expect(first).toMatchObject({
      actorKind: 'system',
      accountEmail: null,
      sourceAddress: null,
      subjectName: adminAccount.email,
    });
  });
});
