import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import { makeMessages, webhookChannel } from '../../server/alarms/notifications.ts';
import { sendMessages } from '../../server/notifications/messages.ts';
import { createSecretBox } from '../../server/accounts/sealed.ts';
import { openSessionKeys } from '../../server/accounts/session-keys.ts';
import { createUser } from '../support/accounts.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite, post } from '../support/sites.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const url = '/api/admin/webhooks';
// Readings get the time of the database at which they arrive, so the clock of the tests runs on from now.
const start = Math.floor(Date.now() / minute) * minute;
let nowMs = start;
const now = () => nowMs;
const portal = appOfFile({ now, environment: { Notifications__AllowPrivateTargets: 'true' } });
const strict = appOfFile();

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}
let received: Received[] = [];
let react: () => { status: number; location?: string } = () => ({ status: 204 });
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    const { status, location } = react();
    response.writeHead(status, location === undefined ? {} : { location }).end('x'.repeat(100_000));
  });
});
let target = '';
let headers: { cookie: string };
let siteId: string;
let made = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const address = receiver.address();
  target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
  headers = await portal.signIn();
  siteId = await createSite({ app: portal.app, headers });
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(async () => {
  nowMs = start;
  received = [];
  react = () => ({ status: 204 });
  for (const table of ['messages', 'alarm_outbox', 'alarm_events', 'alarms', 'alarm_rules', 'webhooks']) {
    await portal.database.query({ text: `DELETE FROM portal.${table}` });
  }
  await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  portal.app.inject({ method, url: path, headers, ...(payload === undefined ? {} : { payload }) });
const create = async (more: object = {}) =>
  (await post({ app: portal.app, headers }, url, { name: 'Hook', url: target, ...more })).json<{
    webhook: { id: string };
    secret: string;
  }>();
const send = async (database = portal.database) => {
  const keys = await openSessionKeys({ folder: portal.config.storage.keysPath, now, onProblem: () => undefined });
  const webhook = webhookChannel({ database, box: createSecretBox(keys), allowPrivate: true, now });
  await makeMessages(database, { nowMs: now(), timeZone: 'UTC', sendsMail: true });
  const parts = { database, channels: { webhook }, now, random: () => 0 };
  return sendMessages(parts, new AbortController().signal);
};
const evaluate = () =>
  createEvaluation({ database: portal.database, runMode: 'Client', timeZone: 'UTC', pushes: false, now })();

/** A rule that notifies a webhook, and devices that have gone offline. */
async function silence(webhookId: string, count = 1): Promise<void> {
  const rule = { name: 'Offline', kind: 'offline', condition: {}, recipients: [{ webhookId }] };
  await post({ app: portal.app, headers }, '/api/admin/alarm-rules', rule);
  const ids = Array.from({ length: count }, () => `hooked-${(made += 1)}`);
  for (const externalId of ids) await createDevice({ app: portal.app, headers }, siteId, { externalId });
  const time = new Date(nowMs).toISOString();
  const rows = ids.map((externalId) => ({ externalId, time, activePowerKw: 1 }));
  await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
  nowMs += 20 * minute;
  await evaluate();
}

test('the secret is shown once, and sealed in the database', async () => {
  const { webhook, secret } = await create();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await ask('GET', url);
  expect(listed.json()).toEqual([webhook]);
  const { rows } = await portal.database.query<{ row: string }>({
    text: 'SELECT w::text AS row FROM portal.webhooks w',
  });
  expect(rows[0]?.row).not.toContain(secret.slice(6, 30));
});

test('an alarm is posted once, signed, with its id; what is sent is not sent again', async () => {
  const { webhook, secret } = await create();
  await silence(webhook.id);
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  expect(received.length).toBe(1);
  const [{ headers: sent, body } = { headers: {}, body: '' }] = received;
  const [id, timestamp] = [String(sent['webhook-id']), String(sent['webhook-timestamp'])];
  const key = Buffer.from(secret.slice(6), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  expect(sent['webhook-signature']).toBe(`v1,${signature}`);
  expect(JSON.parse(body)).toMatchObject({
    id,
    event: 'firing',
    alarm: { kind: 'offline', state: 'firing', value: 900 },
  });
});

test('many at once are one delivery that lists them all', async () => {
  const { webhook } = await create();
  await silence(webhook.id, 30);
  await send();
  expect(received.length).toBe(1);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ events: { length: 30 } });
});

test('a failed delivery is repeated with its id and backoff, and given up after a day', async () => {
  const { webhook } = await create();
  await silence(webhook.id);
  react = () => ({ status: 500 });
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  nowMs += 31_000;
  expect(await send()).toBe(1);
  nowMs += 31_000;
  expect(await send()).toBe(0);
  expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
  nowMs += day;
  expect(await send()).toBe(1);
  nowMs += day;
  expect(await send()).toBe(0);
  const { rows } = await portal.database.query({
    text: 'SELECT error FROM portal.messages WHERE failed_at IS NOT NULL',
  });
  expect(rows).toEqual([{ error: 'The answer was 500.' }]);
});

test('a portal that died in between is taken over, with the same id', async () => {
  const { webhook } = await create();
  await silence(webhook.id);
  react = () => ({ status: 204 });
  const broken = new Proxy(portal.database, {
    get(database, name) {
      if (name === 'transaction' && received.length > 0) throw new Error('killed');
      const value: unknown = Reflect.get(database, name, database);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
  await expect(send(broken)).rejects.toThrow('killed');
  expect(await send()).toBe(0);
  nowMs += 61_000;
  expect(await send()).toBe(1);
  expect(received.length).toBe(2);
  expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
});

test('a redirect is not followed', async () => {
  const { webhook } = await create();
  react = () => ({ status: 302, location: target });
  const answer = await ask('POST', `${url}/${webhook.id}/test`);
  expect(answer.json()).toEqual({ isDelivered: false, status: 302, error: 'The answer was 302.' });
  expect(received.length).toBe(1);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event: 'test', alarm: null });
});

test('a snoozed alarm tells nobody of its end, an acknowledged one is told', async () => {
  const { webhook } = await create();
  await silence(webhook.id);
  await send();
  const [{ id } = { id: '' }] = (await ask('GET', '/api/alarms')).json<{ id: string }[]>();
  await ask('POST', `/api/alarms/${id}/acknowledge`);
  await send();
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ event: 'acknowledged' });
  await ask('POST', `/api/alarms/${id}/snooze`, { until: new Date(nowMs + day).toISOString() });
  await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
  await evaluate();
  expect(await send()).toBe(0);
});

test('the end of an alarm is told, also where its device is inactive', async () => {
  const { webhook } = await create();
  await silence(webhook.id);
  await send();
  await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
  await evaluate();
  await send();
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ event: 'resolved', alarm: { state: 'resolved' } });
});

test('without a webhook, or one that is inactive, nothing is posted', async () => {
  expect(await send()).toBe(0);
  const { webhook } = await create({ isActive: false });
  await silence(webhook.id);
  await send();
  await ask('DELETE', `${url}/${webhook.id}`);
  await send();
  expect(received).toEqual([]);
});

test('a rule names webhooks that exist', async () => {
  const rule = {
    name: 'R',
    kind: 'offline',
    condition: {},
    recipients: [{ webhookId: '01890a5d-ac96-774b-bcce-b302099a8057' }],
  };
  const answer = await ask('POST', '/api/admin/alarm-rules', rule);
  expect(answer.statusCode).toBe(400);
  expect(answer.json<{ error: string }>().error).toMatch(/^recipients: webhook .* does not exist/);
});

test('only http and https, without a user name', async () => {
  for (const one of [
    'ftp://example.com',
    'file:///etc/passwd',
    'https://user:pass@example.com',
    'javascript:1',
    'x',
    '',
  ]) {
    expect((await ask('POST', url, { name: 'Hook', url: one })).statusCode, one).toBe(400);
  }
});

test('administrators alone see and write them', async () => {
  const plain = await portal.signIn(await createUser(portal, { email: 'plain@example.com' }));
  for (const method of ['GET', 'POST'] as const) {
    expect((await portal.app.inject({ method, url, headers: plain, payload: {} })).statusCode).toBe(403);
  }
});

describe('private targets', () => {
  test.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://127.1:1/',
    'http://0177.0.0.1:1/',
    'http://017700000001:1/',
    'http://0x7f000001:1/',
    'http://[::ffff:7f00:1]:1/',
    'http://[::7f00:1]:1/',
    'http://[64:ff9b::a9fe:a9fe]:1/',
    'http://0xa9.0376.43518/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://[fe80::1]/',
    'http://0/',
  ])('%s is refused unless the setting allows it', async (one) => {
    const by = await strict.signIn();
    const session = { app: strict.app, headers: by };
    const { webhook } = (await post(session, url, { name: 'Hook', url: one })).json<{ webhook: { id: string } }>();
    const answer = await strict.app.inject({ method: 'POST', url: `${url}/${webhook.id}/test`, headers: by });
    expect(answer.json()).toMatchObject({ isDelivered: false, status: null });
    expect(answer.json<{ error: string }>().error).toMatch(/is not a public address/);
    await strict.app.inject({ method: 'DELETE', url: `${url}/${webhook.id}`, headers: by });
  });
});
