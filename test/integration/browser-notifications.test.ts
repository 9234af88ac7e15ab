import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSessionKeys } from '../../server/accounts/session-keys.ts';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import { makeMessages } from '../../server/alarms/notifications.ts';
import { peopleChannel } from '../../server/alarms/people.ts';
import { sendMessages } from '../../server/notifications/messages.ts';
import { postPublicly, postTo } from '../../server/notifications/webhook-client.ts';
import { adminAccount, createUser } from '../support/accounts.ts';
import { adminAppOfFile, appOfFile } from '../support/app-of-file.ts';
import type { TestApp, TestAppOptions } from '../support/app.ts';
import { createBrowserKeys, startPushService, verifyVapid } from '../support/push-service.ts';
import { createDevice, createSite, post } from '../support/sites.ts';
import { trustTestAuthority } from '../support/smtp-server.ts';

const minute = 60_000;
const url = '/api/me/browsers';
// Readings get the time of the database at which they arrive, so the clock of the tests runs on from now.
const start = Math.floor(Date.now() / minute) * minute;
let nowMs = start;
const now = () => nowMs;
const environment = { Notifications__AllowPrivateTargets: 'true' };
/** Its push service is on this machine. */
const postToBrowsers: NonNullable<TestAppOptions['postToBrowsers']> = (request, signal) =>
  postTo(request, { allowPrivate: true, signal });
const portal = appOfFile({ now, postToBrowsers });
const fleet = adminAppOfFile({ now, environment });
const service = await startPushService();
let distrust = () => {};
let headers: { cookie: string };
let made = 0;

beforeAll(async () => {
  distrust = trustTestAuthority();
  headers = await portal.signIn();
});
afterAll(() => {
  distrust();
  service.stop();
});
const tables = ['messages', 'alarm_outbox', 'alarm_events', 'alarms', 'alarm_rules', 'browser_subscriptions'];
beforeEach(async () => {
  nowMs = start;
  service.received.length = 0;
  service.state.status = 201;
  for (const { database } of [portal, fleet]) {
    for (const table of tables) await database.query({ text: `DELETE FROM portal.${table}` });
    await database.query({ text: `DELETE FROM portal.accounts WHERE email <> '${adminAccount.email}'` });
  }
  await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
});

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { by = headers, of = portal, payload }: { by?: { cookie: string }; of?: TestApp; payload?: object } = {},
) => of.app.inject({ method, url: path, headers: by, ...(payload === undefined ? {} : { payload }) });

/** A browser of a person that takes notifications. */
async function add(by = headers, { of = portal, endpoint = `${service.origin}/${(made += 1)}` } = {}) {
  const { keys, open } = createBrowserKeys();
  const answer = await ask('POST', url, { by, of, payload: { endpoint, keys } });
  return { answer, id: answer.json<{ id: string }>().id, endpoint, open };
}
async function newPerson(email: string, of: TestApp = portal, more: object = {}) {
  const account = await createUser(of, { email, ...more });
  return { ...account, headers: await of.signIn(account) };
}
/** A round of the worker, without a mail server. */
async function send(of: TestApp = portal, post = postToBrowsers): Promise<number> {
  const { database, config } = of;
  const keys = await openSessionKeys({ folder: config.storage.keysPath, now, onProblem: () => undefined });
  const mail = {
    database,
    mailer: null,
    branding: async () => ({ ...config.whiteLabel, applicationName: 'Acme' }),
    publicUrl: config.publicUrl,
    language: config.notifications.language,
  };
  const push = { database, keys, publicUrl: config.publicUrl, post };
  const browser = peopleChannel({ database, mail, push, runMode: config.runMode, timeZone: 'Europe/Berlin' });
  await makeMessages(database, { nowMs: now(), timeZone: 'Europe/Berlin', sendsMail: false });
  return sendMessages({ database, channels: { browser }, now, random: () => 0 }, new AbortController().signal);
}
const tell = (recipients: object[]) =>
  post({ app: portal.app, headers }, '/api/admin/alarm-rules', {
    name: 'Offline',
    kind: 'offline',
    condition: {},
    recipients,
  });
/** Devices that have gone offline, at their own site. */
async function silence(count = 1, name = 'Freezer'): Promise<string> {
  const session = { app: portal.app, headers };
  const siteId = await createSite(session);
  const ids = Array.from({ length: count }, () => `shown-${(made += 1)}`);
  for (const [at, externalId] of ids.entries())
    await createDevice(session, siteId, { externalId, name: `${name} ${at + 1}` });
  const rows = ids.map((externalId) => ({ externalId, time: new Date(nowMs).toISOString(), activePowerKw: 1 }));
  await post(session, '/api/ingest/measurements', rows);
  nowMs += 20 * minute;
  await createEvaluation({ database: portal.database, runMode: 'Client', timeZone: 'UTC', pushes: false, now })();
  return siteId;
}
const countBrowsers = async () =>
  (await portal.database.query({ text: 'SELECT FROM portal.browser_subscriptions' })).rows.length;
const onePush = () => {
  const [push] = service.received;
  if (push === undefined) throw new Error('no push');
  return push;
};

test('an alarm reaches a browser once, encrypted for it, signed, in the language of its person', async () => {
  const person = await newPerson('eva@example.com');
  await ask('PUT', '/api/me/notifications', { by: person.headers, payload: { language: 'de' } });
  const { open } = await add(person.headers);
  await tell([{ userId: person.id }]);
  const siteId = await silence();
  expect([await send(), await send()]).toEqual([1, 0]);
  expect(service.received.length).toBe(1);
  const push = onePush();
  expect(push.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
  expect(push.body.length).toBeLessThanOrEqual(4_096);
  const notice = open(push.body);
  expect(notice).toMatchObject({ title: 'Neu: Freezer 1: keine Messwerte seit 15 Min.', language: 'de' });
  expect(notice).toHaveProperty('path', expect.stringContaining(`/sites/${siteId}/devices/`));
  const { publicKey } = (await ask('GET', url)).json<{ publicKey: string }>();
  expect(await verifyVapid(push, publicKey)).toMatchObject({ aud: service.origin, sub: portal.config.publicUrl });
  expect((await stat(join(portal.config.storage.keysPath, 'push.key'))).mode & 0o777).toBe(0o600);
});

test('people who do not want push, who are inactive or without a browser get nothing', async () => {
  const [without, unwilling, inactive] = [
    await newPerson('a@example.com'),
    await newPerson('b@example.com'),
    await newPerson('c@example.com'),
  ];
  await add(unwilling.headers);
  await ask('PUT', '/api/me/notifications', { by: unwilling.headers, payload: { channels: ['mail'] } });
  await add(inactive.headers);
  await tell([{ userId: without.id }, { userId: unwilling.id }, { userId: inactive.id }]);
  await silence();
  await portal.database.query({ text: `UPDATE portal.accounts SET is_active = false WHERE email = 'c@example.com'` });
  await send();
  expect(service.received).toEqual([]);
});

test('at most three in ten minutes a browser; the next one has all in between, and fits', async () => {
  const person = await newPerson('eva@example.com');
  const { open } = await add(person.headers);
  await tell([{ userId: person.id }]);
  for (let at = 0; at < 6; at += 1) {
    await silence(8, `Group ${at} "${'ß'.repeat(80)}`);
    nowMs -= 19 * minute;
    await send();
  }
  expect(service.received.length).toBe(3);
  nowMs += 10 * minute;
  await send();
  expect(service.received.length).toBe(4);
  const all = service.received.map(({ body }) => open(body));
  expect(all[3]).toMatchObject({ title: 'Alarms: New 24', path: '/' });
  expect(all[3]).toHaveProperty('body', expect.stringMatching(/^Group 3 .*\n19 more in the portal\.$/s));
});

test.each([404, 410])('an answer %i of the push service removes the browser', async (status) => {
  const person = await newPerson('eva@example.com');
  await add(person.headers);
  await tell([{ userId: person.id }]);
  await silence();
  service.state.status = status;
  expect([await send(), await countBrowsers()]).toEqual([1, 0]);
  nowMs += 60 * minute;
  expect(await send()).toBe(0);
});

test('any other answer is repeated with the same topic, a redirect is not followed, and administrators see it', async () => {
  const person = await newPerson('eva@example.com');
  await add(person.headers);
  await tell([{ userId: person.id }]);
  await silence();
  for (const status of [302, 500]) {
    service.state.status = status;
    await send();
    nowMs += minute;
  }
  expect(new Set(service.received.map(({ headers: sent }) => sent['topic'])).size).toBe(1);
  expect(service.received.map(({ path }) => path)).not.toContain('/elsewhere');
  const failed = (await ask('GET', '/api/admin/mail')).json<{ failedMessages: object[] }>().failedMessages;
  expect(failed).toMatchObject([{ purpose: 'browser', recipient: 'eva@example.com', error: 'The answer was 500.' }]);
});

test('a private address gets nothing, even if the settings allow private targets', async () => {
  const ofFleet = await fleet.signIn();
  const { id } = await add(ofFleet, { of: fleet });
  const refused = { isSent: false, error: 'Its push service did not accept it.' };
  expect((await ask('POST', `${url}/${id}/test`, { by: ofFleet, of: fleet })).json()).toEqual(refused);
  const person = await newPerson('eva@example.com');
  await add(person.headers);
  await tell([{ userId: person.id }]);
  await silence();
  await send(portal, postPublicly);
  expect(service.received).toEqual([]);
  const { rows } = await portal.database.query<{ error: string }>({ text: 'SELECT error FROM portal.messages' });
  expect(rows[0]?.error).toBe('localhost is not a public address.');
});

test('an account has at most ten browsers; the same one again is not another one', async () => {
  const person = await newPerson('eva@example.com');
  const added = [];
  for (let at = 0; at < 10; at += 1) added.push(await add(person.headers));
  const eleventh = await add(person.headers);
  expect([eleventh.answer.statusCode, eleventh.answer.json<{ error: string }>().error]).toEqual([
    409,
    '10 browsers already show you alarms; remove one of them first.',
  ]);
  const again = await add(person.headers, { endpoint: added[0]?.endpoint ?? '' });
  expect([again.answer.statusCode, again.id]).toEqual([201, added[0]?.id]);
  expect(await countBrowsers()).toBe(10);
});

test('a browser ends with the session that asked for it, and with its account', async () => {
  const person = await newPerson('eva@example.com');
  await add(person.headers);
  const second = await portal.signIn(person);
  await add(second);
  const left = async () => (await ask('GET', url)).statusCode === 200 && (await countBrowsers());
  await ask('POST', '/api/auth/logout', { by: second });
  expect(await left()).toBe(1);
  const third = await portal.signIn(person);
  await add(third);
  await ask('DELETE', '/api/auth/sessions', { by: third });
  expect(await left()).toBe(1);
  await ask('DELETE', `/api/users/${person.id}`);
  expect(await left()).toBe(0);
});

test('a test shows a notification in an own browser; nobody tests, lists or removes those of others', async () => {
  const [eva, ada] = [await newPerson('eva@example.com'), await newPerson('ada@example.com')];
  const { id, open, endpoint } = await add(eva.headers);
  expect((await ask('POST', `${url}/${id}/test`, { by: eva.headers })).json()).toEqual({ isSent: true, error: null });
  expect(open(onePush().body)).toMatchObject({ body: 'Alarms appear here.', path: '/settings/notifications' });
  expect((await ask('POST', `${url}/${id}/test`, { by: ada.headers })).statusCode).toBe(404);
  expect((await ask('DELETE', `${url}/${id}`, { by: ada.headers })).statusCode).toBe(404);
  expect((await ask('GET', url, { by: ada.headers })).json()).toMatchObject({ browsers: [] });
  expect((await ask('GET', url, { by: eva.headers })).json()).toMatchObject({ browsers: [{ id, endpoint }] });
  service.state.status = 418;
  expect((await ask('POST', `${url}/${id}/test`, { by: eva.headers })).json()).toEqual({
    isSent: false,
    error: 'Its push service did not accept it.',
  });
  service.state.status = 410;
  const gone = await ask('POST', `${url}/${id}/test`, { by: eva.headers });
  expect(gone.json()).toEqual({ isSent: false, error: 'The browser no longer takes notifications.' });
  expect((await ask('DELETE', `${url}/${id}`, { by: eva.headers })).statusCode).toBe(404);
  const other = await add(eva.headers);
  service.state.status = 500;
  const statuses = [];
  for (let at = 0; at < 8; at += 1) {
    statuses.push((await ask('POST', `${url}/${other.id}/test`, { by: eva.headers })).statusCode);
  }
  expect(statuses).toEqual([...Array<number>(7).fill(200), 429]);
  expect((await ask('DELETE', `${url}/${other.id}`, { by: eva.headers })).statusCode).toBe(204);
  const text = 'SELECT action FROM portal.audit_events WHERE subject_id = $1 ORDER BY occurred_at, id';
  const { rows } = await portal.database.query({ text }, [other.id]);
  expect(rows).toEqual([{ action: 'browser.add' }, { action: 'browser.remove' }]);
});

test('a RestrictedAdmin sees no alarms of customers that are not theirs, an administrator does', async () => {
  const restricted = await newPerson('restricted@example.com', fleet, { roles: ['RestrictedAdmin'] });
  await add(restricted.headers, { of: fleet });
  const { endpoint, open } = await add(await fleet.signIn(), { of: fleet });
  const text = `INSERT INTO portal.alarms
      (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at)
    VALUES ($1, $1, 'Silent', 'customerSilent', 'warning', 'customer', $1, 'Secret', $2, $2)`;
  const values = [crypto.randomUUID(), new Date(nowMs)];
  await fleet.database.query({ text }, values);
  await fleet.database.query(
    {
      text: `INSERT INTO portal.alarm_outbox (recipient, alarm_id, event, occurred_at)
             SELECT 'browser:' || id, $1, 'firing', $2 FROM portal.browser_subscriptions`,
    },
    values,
  );
  expect(await send(fleet)).toBe(2);
  expect(service.received.map(({ path }) => path)).toEqual([new URL(endpoint).pathname]);
  expect(open(onePush().body)).toHaveProperty('title', expect.stringContaining('Secret'));
});

test.each([
  ['http://push.example.com/x', undefined, 'https'],
  ['https://user:pass@push.example.com/x', undefined, 'https'],
  ['x', undefined, 'https'],
  ['https://push.example.com/x', { p256dh: `B${'A'.repeat(86)}` }, 'P-256'],
  ['https://push.example.com/x', { auth: 'short' }, 'keys.auth'],
])('%s with keys %j is refused', async (endpoint, wrong, reason) => {
  const keys = { ...createBrowserKeys().keys, ...wrong };
  const answer = await ask('POST', url, { payload: { endpoint, keys } });
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, expect.stringContaining(reason)]);
});
