import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountChannels } from '../../server/notifications/account-mails.ts';
import { createEvaluation } from '../../server/alarms/evaluate.ts';
import { makeMessages } from '../../server/alarms/notifications.ts';
import { peopleChannel } from '../../server/alarms/people.ts';
import { accountPartsOf } from '../../server/accounts/open.ts';
import { openSessionKeys } from '../../server/accounts/session-keys.ts';
import { createMailer } from '../../server/notifications/mail-client.ts';
import { sendMessages } from '../../server/notifications/messages.ts';
import { postPublicly } from '../../server/notifications/webhook-client.ts';
import { adminAccount, createUser, logIn, statusOfMe } from '../support/accounts.ts';
import { appOfFile, adminAppOfFile } from '../support/app-of-file.ts';
import type { TestApp } from '../support/app.ts';
import { createDevice, createSite, post } from '../support/sites.ts';
import { headerOf, partOf, startSmtpServer, trustTestAuthority } from '../support/smtp-server.ts';

const minute = 60_000;
const hour = 60 * minute;
// Readings get the time of the database at which they arrive, so the clock of the tests runs on from now.
const start = Math.floor(Date.now() / minute) * minute;
let nowMs = start;
const now = () => nowMs;
const smtp = await startSmtpServer();
const environment = { Mail__Host: 'localhost', Mail__Port: String(smtp.port), Mail__From: 'portal@example.com' };
const portal = appOfFile({ now, environment });
const fleet = adminAppOfFile({ now, environment });
const withoutMail = appOfFile({ now });
const signal = new AbortController().signal;

let distrust = () => {};
let headers: { cookie: string };
let made = 0;

beforeAll(async () => {
  distrust = trustTestAuthority();
  headers = await portal.signIn();
});
afterAll(async () => {
  distrust();
  await smtp.stop();
});
const tables = ['messages', 'alarm_outbox', 'alarm_events', 'alarms', 'alarm_rules', 'notification_choices'];
beforeEach(async () => {
  nowMs = start;
  smtp.received.length = 0;
  smtp.state.refuse = null;
  for (const { database } of [portal, fleet]) {
    for (const table of tables) await database.query({ text: `DELETE FROM portal.${table}` });
    await database.query({ text: `DELETE FROM portal.accounts WHERE email <> '${adminAccount.email}'` });
  }
  await portal.database.query({ text: 'UPDATE monitoring.devices SET is_active = false' });
});

const partsOf = (of: TestApp) => ({
  database: of.database,
  mailer: createMailer(of.config.mail),
  branding: async () => ({ ...of.config.whiteLabel, applicationName: 'Acme', primaryColor: '#123456' }),
  publicUrl: 'https://portal.example.com',
  language: of.config.notifications.language,
});
/** A round of the worker. */
async function send(of: TestApp = portal, more: { language?: 'nl' } = {}): Promise<number> {
  const { database, config } = of;
  const keys = await openSessionKeys({ folder: config.storage.keysPath, now, onProblem: () => undefined });
  const push = { database, keys, publicUrl: config.publicUrl, post: postPublicly };
  const mail = { ...partsOf(of), ...more };
  const people = peopleChannel({ database, mail, push, runMode: config.runMode, timeZone: 'Europe/Berlin' });
  const accounts = accountPartsOf({ config, database, now, hashCost: { memoryKib: 8, passes: 1, parallelism: 1 } });
  const channels = { ...accountChannels({ ...mail, accounts, keys, now }), user: people, email: people };
  await makeMessages(database, { nowMs: now(), timeZone: 'Europe/Berlin', sendsMail: true });
  return sendMessages({ database, channels, now, random: () => 0 }, signal);
}
const evaluate = (database = portal.database) =>
  createEvaluation({ database, runMode: 'Client', timeZone: 'UTC', pushes: false, now })();
const tell = (recipients: object[], more: object = {}) =>
  post({ app: portal.app, headers }, '/api/admin/alarm-rules', {
    name: 'Offline',
    kind: 'offline',
    condition: {},
    recipients,
    ...more,
  });
const sendReadings = async (ids: readonly string[]) => {
  const rows = ids.map((externalId) => ({ externalId, time: new Date(nowMs).toISOString(), activePowerKw: 1 }));
  await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
};

/** Devices that have gone offline, at their own site. */
async function silence(count = 1, name = 'Freezer'): Promise<{ siteId: string; ids: string[] }> {
  const siteId = await createSite({ app: portal.app, headers });
  const ids = Array.from({ length: count }, () => `mailed-${(made += 1)}`);
  for (const [at, externalId] of ids.entries()) {
    await createDevice({ app: portal.app, headers }, siteId, { externalId, name: `${name} ${at + 1}` });
  }
  await sendReadings(ids);
  nowMs += 20 * minute;
  await evaluate();
  return { siteId, ids };
}
const newUser = (email: string, more: object = {}, of: TestApp = portal) => createUser(of, { email, ...more });
const choose = async (account: { email: string; password: string }, choices: object) => {
  const cookie = await portal.signIn(account);
  return portal.app.inject({ method: 'PUT', url: '/api/me/notifications', headers: cookie, payload: choices });
};
const texts = () => smtp.received.map(({ raw }) => partOf(raw, 'text/plain'));

describe('people are told of alarms by mail', () => {
  test('once, in their language, with a link to the device', async () => {
    const person = await newUser('eva@example.com');
    expect((await choose(person, { language: 'de' })).statusCode).toBe(200);
    await tell([{ userId: person.id }]);
    const { siteId } = await silence();
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(smtp.received).toMatchObject([{ to: ['eva@example.com'], isSecure: true }]);
    const [{ raw } = { raw: '' }] = smtp.received;
    expect(headerOf(raw, 'Subject')).toBe('Neu: Freezer 1: keine Messwerte seit 15 Min.');
    expect(headerOf(raw, 'From')).toBe('Acme <portal@example.com>');
    expect(partOf(raw, 'text/html')).toContain('background:#123456');
    expect(partOf(raw, 'text/html')).toContain(`https://portal.example.com/sites/${siteId}/devices/`);
  });

  test('without a choice in the language of the portal, also an address without an account', async () => {
    const person = await newUser('eva@example.com');
    await tell([{ userId: person.id }, { email: 'other@example.com' }]);
    await silence();
    await send(portal, { language: 'nl' });
    expect(smtp.received.map(({ raw }) => headerOf(raw, 'Subject')?.split(':')[0])).toEqual(['Nieuw', 'Nieuw']);
  });

  test('a person named by account and by address gets one mail', async () => {
    const person = await newUser('eva@example.com');
    await tell([{ userId: person.id }, { email: 'EVA@example.com' }, { email: 'other@example.com' }]);
    await silence();
    await send();
    expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(['eva@example.com', 'other@example.com']);
  });

  test('the standard rules tell the administrators, also later ones, and each once', async () => {
    const { rows } = await withoutMail.database.query<{ recipients: object[] }>({
      text: 'SELECT recipients FROM portal.alarm_rules',
    });
    const [standard] = rows;
    expect(rows).toEqual([{ recipients: [{ role: 'Admin' }] }, standard]);
    const later = await newUser('later@example.com', { roles: ['Admin'] });
    await newUser('off@example.com', { roles: ['Admin'], isActive: false });
    await newUser('plain@example.com');
    await tell([...(standard?.recipients ?? []), { userId: later.id }]);
    await silence();
    await send();
    expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual([adminAccount.email, 'later@example.com']);
  });

  test('a rejected mail is repeated with its Message-ID; alarms in between wait for the next mail', async () => {
    await tell([{ email: 'eva@example.com' }]);
    await silence();
    smtp.state.refuse = 'try later';
    await send();
    const { rows } = await portal.database.query<{ id: string; error: string }>({
      text: 'SELECT id, error FROM portal.messages',
    });
    expect(rows[0]?.error).toContain('try later');
    await silence();
    expect(await send()).toBe(1);
    smtp.state.refuse = null;
    nowMs += hour;
    await send();
    expect(smtp.received.map(({ raw }) => headerOf(raw, 'Message-ID'))).toEqual([`<${rows[0]?.id}@example.com>`]);
    await send();
    expect(smtp.received.length).toBe(2);
  });

  test('at most three in ten minutes, and each lists all it stands for', async () => {
    await tell([{ email: 'eva@example.com' }]);
    const groups = [];
    for (let at = 0; at < 6; at += 1) {
      groups.push(await silence(2, `Group ${at}`));
      nowMs -= 20 * minute;
      nowMs += minute;
      await send();
    }
    expect(smtp.received.length).toBe(3);
    nowMs += 10 * minute;
    await send();
    expect(smtp.received.length).toBe(4);
    const all = texts().join('\n');
    for (const at of groups.keys()) {
      for (const device of [1, 2]) expect(all.split(`Group ${at} ${device}: no reading`).length).toBe(2);
    }
  });

  test('2,000 devices fall silent, and come back: at most three mails each way, which name them all', async () => {
    await tell([{ email: 'eva@example.com' }]);
    const siteId = await createSite({ app: portal.app, headers });
    const text = `WITH made AS (INSERT INTO monitoring.devices (id, site_id, name, external_id)
        SELECT gen_random_uuid(), $1, 'Device ' || n || '.', 'storm-' || n FROM generate_series(1, 2000) n RETURNING number)
      INSERT INTO monitoring.energy_state (device_number) SELECT number FROM made`;
    await portal.database.query({ text }, [siteId]);
    const ids = Array.from({ length: 2_000 }, (_, n) => `storm-${n + 1}`);
    const parts = [0, 500, 1_000, 1_500].map((from) => ids.slice(from, from + 500));
    // All within two minutes, so that the portal learns it in several rounds.
    for (const [at, some] of parts.entries()) {
      nowMs = start + at * 40_000;
      await sendReadings(some);
    }
    const rounds = async (work: (at: number) => Promise<void>) => {
      smtp.received.length = 0;
      for (let at = 0; at < 9; at += 1) {
        await work(at);
        await evaluate();
        while ((await send()) > 0);
        nowMs += minute;
      }
      expect(smtp.received.length).toBeGreaterThan(0);
      expect(smtp.received.length).toBeLessThanOrEqual(3);
      // Those that a fourth mail would have told wait until it is allowed.
      nowMs += 10 * minute;
      await send();
      const named = texts().flatMap((mail) => [...(mail ?? '').matchAll(/Device (\d+)\./g)].map(([, n]) => Number(n)));
      expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, n) => n + 1));
    };
    nowMs = start + 15 * minute;
    await rounds(async () => {});
    await rounds(async (at) => sendReadings(parts[at] ?? ids));
    await portal.database.query({ text: `UPDATE monitoring.devices SET is_active = false` });
  }, 60_000);

  test('a year of history and a thousand late rows are no message', async () => {
    await tell([{ email: 'eva@example.com' }]);
    await tell([{ email: 'eva@example.com' }], { kind: 'limit', condition: { quantity: 'activePowerKw', above: 5 } });
    const siteId = await createSite({ app: portal.app, headers });
    await createDevice({ app: portal.app, headers }, siteId, { externalId: 'imported' });
    const rowsOf = (count: number, fromMs: number, stepMs: number) =>
      Array.from({ length: count }, (_, n) => {
        return { externalId: 'imported', time: new Date(fromMs + n * stepMs).toISOString(), activePowerKw: 9 };
      });
    const yearMs = 365 * 24 * hour;
    for (const rows of [rowsOf(8_760, start - yearMs, hour), rowsOf(1_000, start - 30 * hour, minute)]) {
      await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
      await evaluate();
      await send();
    }
    expect(smtp.received).toEqual([]);
  });

  test('names from devices add no header and no markup', async () => {
    await tell([{ email: 'eva@example.com' }]);
    await silence(1, '<b>{subject}</b>');
    await send();
    const [{ raw } = { raw: '' }] = smtp.received;
    expect(partOf(raw, 'text/html')).toContain('&lt;b&gt;{subject}&lt;/b&gt; 1');
  });

  test.each([
    '\r\nBcc: victim@example.com',
    '\n.\r\nRCPT TO:<victim@example.com>\r\n',
    '{figure}{rule} ${1337*7331} {{1337*7331}} <%= 1337*7331 %>',
  ])('a name %j that got past the checks stays a text of the mail', async (hostile) => {
    await tell([{ email: 'eva@example.com' }]);
    await silence();
    await portal.database.query({ text: 'UPDATE portal.alarms SET subject_name = $1, rule_name = $1' }, [hostile]);
    await send();
    expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.com']]);
    const [{ raw } = { raw: '' }] = smtp.received;
    expect(headerOf(raw, 'Bcc')).toBeUndefined();
    expect(partOf(raw, 'text/plain')).toContain(hostile.replaceAll(/[\r\n]+/g, ' ').trim());
    expect(partOf(raw, 'text/plain')).not.toContain('9801547');
  });

  test('a user without roles cannot make the portal send mails', async () => {
    const plain = await newUser('plain@example.com');
    await tell([{ email: 'eva@example.com' }]);
    await silence();
    await send();
    smtp.received.length = 0;
    const cookie = await portal.signIn(plain);
    const ask = (url: string, payload?: object) =>
      portal.app.inject({ method: 'POST', url, headers: cookie, ...(payload !== undefined && { payload }) });
    const [{ id } = { id: '' }] = (await portal.app.inject({ url: '/api/alarms', headers })).json<{ id: string }[]>();
    for (let at = 0; at < 20; at += 1) {
      expect((await ask(`/api/alarms/${id}/acknowledge`)).statusCode).toBe(200);
      await ask(`/api/alarms/${id}/snooze`, { until: new Date(nowMs + hour).toISOString() });
    }
    for (const url of ['/api/admin/mail/test', `/api/users/${plain.id}/invite`, '/api/admin/alarm-rules']) {
      expect((await ask(url, {})).statusCode, url).toBe(403);
    }
    await send();
    // The one acknowledgement.
    expect(smtp.received.length).toBe(1);
  });

  test('without a mail server nothing piles up, and nothing counts as failed', async () => {
    await tell([{ email: 'eva@example.com' }]);
    await silence();
    await makeMessages(portal.database, { nowMs, timeZone: 'UTC', sendsMail: false });
    for (const table of ['messages', 'alarm_outbox']) {
      expect((await portal.database.query({ text: `SELECT FROM portal.${table}` })).rows).toEqual([]);
    }
    await send();
    expect(smtp.received).toEqual([]);
  });

  test('others are told once if nobody acknowledges in time, and then of the end', async () => {
    const escalation = { afterSeconds: 600, recipients: [{ email: 'boss@example.com' }, { email: 'eva@example.com' }] };
    await tell([{ email: 'eva@example.com' }], { escalation });
    const { ids } = await silence();
    const told = () =>
      smtp.received.splice(0).map(({ to, raw }) => `${to[0]} ${headerOf(raw, 'Subject')?.split(':')[0] ?? ''}`);
    await send();
    expect(told()).toEqual(['eva@example.com New']);
    nowMs += 4 * minute;
    await evaluate();
    await send();
    expect(told()).toEqual([]);
    nowMs += 2 * minute;
    for (let at = 0; at < 2; at += 1) {
      await evaluate();
      await send();
    }
    expect(told().toSorted()).toEqual(['boss@example.com Not acknowledged', 'eva@example.com Not acknowledged']);
    await sendReadings(ids);
    await evaluate();
    await send();
    expect(told().toSorted()).toEqual(['boss@example.com Resolved', 'eva@example.com Resolved']);
  });

  test('nobody else is told of an alarm that was acknowledged or is snoozed', async () => {
    await tell([], { escalation: { afterSeconds: 600, recipients: [{ email: 'boss@example.com' }] } });
    await silence(2);
    const alarms = (await portal.app.inject({ url: '/api/alarms', headers })).json<{ id: string }[]>();
    const [first, second] = alarms.map(({ id }) => `/api/alarms/${id}`);
    await post({ app: portal.app, headers }, `${first}/acknowledge`, {});
    await post({ app: portal.app, headers }, `${second}/snooze`, { until: new Date(nowMs + hour).toISOString() });
    nowMs += 30 * minute;
    await evaluate();
    await send();
    expect(smtp.received).toEqual([]);
  });
});

describe('who may not see it or does not want it is not told, as of when it is sent', () => {
  const count = async () =>
    (await portal.database.query<{ count: number }>({ text: 'SELECT count(*)::integer FROM portal.messages' })).rows[0]
      ?.count;

  test('an account that was deactivated or deleted meanwhile', async () => {
    const [first, second] = [await newUser('one@example.com'), await newUser('two@example.com')];
    await tell([{ userId: first.id }, { email: 'two@example.com' }]);
    await silence();
    await portal.database.query({ text: `UPDATE portal.accounts SET is_active = false WHERE id = '${first.id}'` });
    await portal.database.query({ text: `DELETE FROM portal.accounts WHERE id = '${second.id}'` });
    await send();
    expect(smtp.received).toEqual([]);
    expect(await count()).toBe(0);
  });

  test('an address whose account was made inactive, deleted or renamed', async () => {
    const named = ['later@example.com', 'gone@example.com', 'old@example.com'];
    const escalation = { afterSeconds: 600, recipients: [{ email: 'GONE@example.com' }] };
    await tell([...named.map((email) => ({ email })), { email: 'other@example.com' }], { escalation });
    await silence();
    // Between the alarm and its mail.
    await newUser('later@example.com', { isActive: false });
    await send();
    const told = () => smtp.received.splice(0).map(({ to }) => to[0]);
    expect(told().toSorted()).toEqual(['gone@example.com', 'old@example.com', 'other@example.com']);
    const [gone, renamed] = [await newUser('gone@example.com'), await newUser('old@example.com')];
    const change = { email: 'new@example.com', displayName: 'New', roles: [], isActive: true };
    for (const [method, id, payload] of [
      ['DELETE', gone.id, {}],
      ['PUT', renamed.id, change],
    ] as const) {
      const answer = await portal.app.inject({ method, url: `/api/users/${id}`, headers, payload });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
    }
    expect((await portal.app.inject({ url: '/api/admin/alarm-rules', headers })).json()).toMatchObject([
      { recipients: [{ email: named[0] }, { userId: renamed.id }, { email: 'other@example.com' }], escalation: null },
    ]);
    await silence();
    await send();
    expect(told().toSorted()).toEqual(['new@example.com', 'other@example.com']);
  });

  test('choices: channel, severity, kinds and sites', async () => {
    const person = await newUser('eva@example.com');
    await tell([{ userId: person.id }], { severity: 'warning' });
    const { siteId } = await silence(1, 'First');
    await choose(person, { siteIds: [siteId] });
    await silence(1, 'Second');
    await send();
    expect(texts().join()).toContain('First 1');
    expect(texts().join()).not.toContain('Second 1');
    for (const choices of [{ channels: [] }, { minimumSeverity: 'critical' }, { kinds: ['limit'] }]) {
      await choose(person, choices);
      await silence();
      await send();
    }
    expect(smtp.received.length).toBe(1);
    await choose(person, { minimumSeverity: 'warning', kinds: ['offline', 'limit'] });
    await silence();
    await send();
    expect(smtp.received.length).toBe(2);
  });

  test('quiet hours hold back until they end what is not critical', async () => {
    const person = await newUser('eva@example.com');
    const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('Europe/Berlin');
    const timeOf = (hours: number) => local.add({ hours }).toPlainTime().toString().slice(0, 5);
    await choose(person, { quietHours: { startTime: timeOf(-2), endTime: timeOf(2) } });
    await tell([{ userId: person.id }]);
    await silence();
    await send();
    expect(smtp.received).toEqual([]);
    nowMs = start + 2 * hour + minute;
    await send();
    expect(smtp.received.length).toBe(1);
    await choose(person, { quietHours: { startTime: timeOf(-2), endTime: timeOf(12) } });
    await portal.database.query({ text: `UPDATE portal.alarm_rules SET severity = 'critical'` });
    await silence();
    await send();
    expect(smtp.received.length).toBe(2);
  });

  test('a RestrictedAdmin is told of their customers only, and a person without a role of none', async () => {
    const restricted = await newUser('restricted@example.com', { roles: ['RestrictedAdmin'] }, fleet);
    const plain = await newUser('plain@example.com', {}, fleet);
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [at, id] of ids.entries()) {
      await fleet.database.query(
        {
          text: `INSERT INTO portal.alarms (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at)
                 VALUES ($1, $1, 'Silent', 'customerSilent', 'warning', 'customer', $1, $2, $3, $3)`,
        },
        [id, `Customer ${at}`, new Date(nowMs)],
      );
      for (const { id: userId } of [restricted, plain]) {
        await fleet.database.query(
          {
            text: `INSERT INTO portal.alarm_outbox (recipient, alarm_id, event, occurred_at) VALUES ($1, $2, 'firing', $3)`,
          },
          [`user:${userId}`, id, new Date(nowMs)],
        );
      }
    }
    const admin = await fleet.signIn();
    const created = await post({ app: fleet.app, headers: admin }, '/api/admin/customers', {
      code: `mailed-${(made += 1)}`,
      name: 'Seen',
    });
    const customerId = created.json<{ customer: { id: string } }>().customer.id;
    await fleet.database.query({ text: `UPDATE portal.alarms SET subject_id = $1 WHERE subject_name = 'Customer 0'` }, [
      customerId,
    ]);
    const access = await fleet.app.inject({
      method: 'PUT',
      url: `/api/users/${restricted.id}/customers`,
      headers: admin,
      payload: { customerIds: [customerId] },
    });
    expect(access.statusCode).toBe(200);
    await send(fleet);
    expect(smtp.received.map(({ to }) => to)).toEqual([['restricted@example.com']]);
    expect(texts()[0]).toContain('Customer 0');
    expect(texts()[0]).not.toContain('Customer 1');
  });
});

describe('/api/admin/mail', () => {
  const url = '/api/admin/mail';
  const get = async (of: TestApp = portal) =>
    (await of.app.inject({ url, headers: await of.signIn() })).json<{ failedMessages: object[] }>();
  const sendTest = (of: TestApp, cookie: { cookie: string }) =>
    of.app.inject({ method: 'POST', url: `${url}/test`, headers: cookie });

  test('messages that failed are listed until they are sent, and whether they are given up', async () => {
    expect(await get()).toEqual({ from: 'portal@example.com', failedMessages: [] });
    const person = await newUser('eva@example.com');
    await tell([{ userId: person.id }]);
    await silence();
    smtp.state.refuse = 'mailbox full';
    await send();
    const failed = { purpose: 'user', recipient: 'eva@example.com', error: expect.stringContaining('mailbox full') };
    expect((await get()).failedMessages).toMatchObject([{ ...failed, isGivenUp: false }]);
    smtp.state.refuse = null;
    nowMs += hour;
    await send();
    expect((await get()).failedMessages).toEqual([]);
    await silence();
    smtp.state.refuse = 'mailbox full';
    await send();
    nowMs += 25 * hour;
    await send();
    expect((await get()).failedMessages).toMatchObject([{ ...failed, isGivenUp: true }]);
    expect(await get(withoutMail)).toEqual({ from: null, failedMessages: [] });
    nowMs = start;
    headers = await portal.signIn();
  });

  test('a message that cannot be made fails like one that is not accepted, and reports wait for others', async () => {
    const at = new Date(nowMs);
    const recipients = [...Array.from({ length: 9 }, (_, n) => `report:${n}/eva@example.com`), 'webhook:broken'];
    const text = `INSERT INTO portal.messages (id, recipient, created_at, next_attempt_at)
      SELECT gen_random_uuid(), one, $2, $2 FROM unnest($1::text[]) AS one`;
    await portal.database.query({ text }, [recipients, at]);
    const tried: string[] = [];
    const sendOne = async ({ recipient }: { recipient: string }) => {
      tried.push(recipient);
      if (recipient === 'webhook:broken') throw new Error('cannot\nbe drawn');
      return { as: 'sent' } as const;
    };
    const channels = { report: { send: sendOne }, webhook: { send: sendOne } };
    const round = () => sendMessages({ database: portal.database, channels, now, random: () => 0 }, signal);
    expect([await round(), tried.includes('webhook:broken')]).toEqual([8, true]);
    expect((await get()).failedMessages).toMatchObject([{ error: 'Error: cannot be drawn', isGivenUp: false }]);
    expect([await round(), tried.length]).toEqual([2, 10]);
  });

  test('a test mail goes to oneself, and the answer is that of the mail server', async () => {
    const other = await newUser('other@example.com', { roles: ['Admin'] });
    const cookie = await portal.signIn(other);
    await choose(other, { language: 'de' });
    const answer = await sendTest(portal, cookie);
    expect([answer.statusCode, answer.json()]).toEqual([200, { isSent: true, to: 'other@example.com', error: null }]);
    expect(smtp.received.map(({ to, raw }) => [to, headerOf(raw, 'Subject')])).toEqual([
      [['other@example.com'], expect.stringMatching(/^Testnachricht von /)],
    ]);
    smtp.state.refuse = 'not today';
    expect((await sendTest(portal, cookie)).json()).toEqual({
      isSent: false,
      to: 'other@example.com',
      error: expect.stringContaining('not today'),
    });
    const statuses = [];
    for (let at = 0; at < 9; at += 1) statuses.push((await sendTest(portal, cookie)).statusCode);
    expect(statuses).toEqual([...Array<number>(8).fill(200), 429]);
  });

  test('without a mail server the test says what to set', async () => {
    const answer = await sendTest(withoutMail, await withoutMail.signIn());
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringContaining('Mail__Host'),
    ]);
  });
});

describe('/api/me/notifications', () => {
  const url = '/api/me/notifications';
  const standard = { channels: ['mail', 'push'], minimumSeverity: 'info', kinds: [], quietHours: null, language: null };

  test('before somebody has chosen, everything; then what they chose, of the run mode', async () => {
    const get = () => portal.app.inject({ method: 'GET', url, headers });
    expect((await get()).json()).toEqual({ ...standard, siteIds: [] });
    const siteId = await createSite({ app: portal.app, headers });
    const chosen = {
      channels: [],
      minimumSeverity: 'critical',
      kinds: ['budget', 'offline'],
      siteIds: [siteId],
      quietHours: { startTime: '22:00', endTime: '06:00' },
      language: 'fr',
    };
    const put = await portal.app.inject({ method: 'PUT', url, headers, payload: chosen });
    expect([put.statusCode, put.json()]).toEqual([200, chosen]);
    expect((await get()).json()).toEqual(chosen);
    const ofFleet = await fleet.app.inject({ method: 'GET', url, headers: await fleet.signIn() });
    expect(ofFleet.json()).toEqual({ ...standard, customerIds: [] });
  });

  test.each([
    [{ channels: ['fax'] }],
    [{ minimumSeverity: 'high' }],
    [{ kinds: ['customerSilent'] }],
    [{ language: 'xx' }],
    [{ quietHours: { startTime: '22:00', endTime: '22:00' } }],
    [{ quietHours: { startTime: '25:00', endTime: '22:00' } }],
    [{ siteIds: ['x'] }],
  ])('refuses %j', async (payload) => {
    expect((await portal.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(400);
  });
});

describe('links for a password', () => {
  const ask = (path: string, payload?: object, cookie?: { cookie: string }, of: TestApp = portal) =>
    of.app.inject({
      method: 'POST',
      url: path,
      ...(payload === undefined ? {} : { payload }),
      ...(cookie === undefined ? {} : { headers: cookie }),
    });
  const forget = (email: string) => ask('/api/auth/forgot-password', { email });
  const reset = (token: string, newPassword = 'Brand-new-1') => ask('/api/auth/reset-password', { token, newPassword });
  const tokenOf = (at = 0) => decodeURIComponent(/#token=(\S+)/.exec(texts()[at] ?? '')?.[1] ?? '');

  test('a forgotten password is set once, and ends the sessions', async () => {
    const person = await newUser('eva@example.com');
    const session = await portal.signIn(person);
    expect((await forget(' EVA@example.com ')).statusCode).toBe(204);
    await send();
    expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.com']]);
    const weak = await reset(tokenOf(), 'short');
    expect([weak.statusCode, weak.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining('8 characters'),
    ]);
    expect(await statusOfMe(portal, session)).toBe(200);
    expect((await reset(tokenOf())).statusCode).toBe(204);
    expect(await statusOfMe(portal, session)).toBe(401);
    expect((await logIn(portal, { email: person.email, password: 'Brand-new-1' })).statusCode).toBe(200);
    expect((await logIn(portal, person)).statusCode).toBe(401);
    expect((await reset(tokenOf(), 'Another-one-2')).statusCode).toBe(400);
  });

  test('it is over after an hour, and once the account has changed', async () => {
    const person = await newUser('eva@example.com');
    await forget(person.email);
    await send();
    nowMs += hour + 1_000;
    expect((await reset(tokenOf())).statusCode).toBe(400);
    nowMs = start;
    await portal.database.query({
      text: `UPDATE portal.accounts SET security_stamp = gen_random_uuid() WHERE id = '${person.id}'`,
    });
    expect((await reset(tokenOf())).statusCode).toBe(400);
  });

  test('a link ends when its account gets another email', async () => {
    const person = await newUser('typo@example.com');
    await ask(`/api/users/${person.id}/invite`, undefined, headers);
    await send();
    const payload = { email: 'right@example.com', displayName: 'Right', roles: [], isActive: true };
    await portal.app.inject({ method: 'PUT', url: `/api/users/${person.id}`, headers, payload });
    expect((await reset(tokenOf())).statusCode).toBe(400);
  });

  test('neither the answer nor the database tells whether there is an account', async () => {
    await newUser('eva@example.com');
    const inactive = await newUser('gone@example.com', { isActive: false });
    const answers = [];
    for (const email of ['eva@example.com', 'nobody@example.com', inactive.email, 'no address', 'a@b.c, d@e.f']) {
      answers.push(await forget(email));
    }
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(() => [204, '']));
    await send();
    expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.com']]);
  });

  test('a mailbox is not filled: three in an hour, and a source may ask twenty times', async () => {
    await newUser('eva@example.com');
    for (let at = 0; at < 6; at += 1) {
      expect((await forget('eva@example.com')).statusCode).toBe(204);
      await send();
    }
    expect(smtp.received.length).toBe(3);
    const statuses = [];
    for (let at = 0; at < 21; at += 1) statuses.push((await forget(`x${at}@example.com`)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    nowMs += hour;
  });

  test.each(['', 'x', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c'])(
    'a guessed token %j sets nothing',
    async (token) => {
      expect((await reset(token)).statusCode).toBe(400);
    },
  );

  test('who guesses tokens is locked out', async () => {
    const statuses = [];
    for (let at = 0; at < 110; at += 1) {
      const token = `guess-${at}`;
      const payload = { token, newPassword: 'Brand-new-1' };
      const remoteAddress = '203.0.113.77';
      const answer = await portal.app.inject({
        method: 'POST',
        url: '/api/auth/reset-password',
        remoteAddress,
        payload,
      });
      statuses.push(answer.statusCode);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });

  test('an invitation is valid for seven days and by an administrator only', async () => {
    const person = await newUser('eva@example.com');
    const path = `/api/users/${person.id}/invite`;
    expect((await ask(path, undefined, await portal.signIn(person))).statusCode).toBe(403);
    expect((await ask(path, undefined, headers)).statusCode).toBe(204);
    await send();
    expect(headerOf(smtp.received[0]?.raw ?? '', 'Subject')).toBe('Your account for Acme');
    nowMs += 6 * 24 * hour;
    expect((await reset(tokenOf())).statusCode).toBe(204);
    expect((await logIn(portal, { email: person.email, password: 'Brand-new-1' })).statusCode).toBe(200);
  });

  test('whether links are sent is public, because the sign-in page offers them', async () => {
    const offerOf = async (of: TestApp) => (await of.app.inject('/api/auth/forgot-password')).json();
    expect([await offerOf(portal), await offerOf(withoutMail)]).toEqual([{ isOffered: true }, { isOffered: false }]);
  });

  test('no invitation without a mail server or for an inactive user; forgotten passwords answer the same', async () => {
    const admin = await withoutMail.signIn();
    const person = await newUser('eva@example.com', {}, withoutMail);
    const refused = await ask(`/api/users/${person.id}/invite`, undefined, admin, withoutMail);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringContaining('Mail__Host'),
    ]);
    expect((await ask('/api/auth/forgot-password', { email: person.email }, undefined, withoutMail)).statusCode).toBe(
      204,
    );
    const inactive = await newUser('off@example.com', { isActive: false });
    expect((await ask(`/api/users/${inactive.id}/invite`, undefined, await portal.signIn())).statusCode).toBe(409);
  });
});
