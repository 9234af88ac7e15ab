import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailer } from '../../server/notifications/mail-client.ts';
import { sendMessages } from '../../server/notifications/messages.ts';
import { makeDueReports, reportChannel } from '../../server/subscriptions/send.ts';
import { createFormat } from '../../shared/format.ts';
import type { DashboardSummary } from '../../shared/dashboard.ts';
import type { KeptReport, ReportChanges } from '../../shared/report-subscriptions.ts';
import { adminAccount, createUser } from '../support/accounts.ts';
import { adminAppOfFile, appOfFile } from '../support/app-of-file.ts';
import type { TestApp } from '../support/app.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { onlyIf } from '../support/only-if.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';
import { filesOf, headerOf, partOf, startSmtpServer, trustTestAuthority } from '../support/smtp-server.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const hour = 3_600_000;
const week = 7 * 24 * hour;
const timeZone = 'Europe/Berlin';
/** In the reported week, and some hours after its end. */
const before = Date.parse('2026-03-04T12:00:00Z');
const due = Date.parse('2026-03-09T05:01:00Z');
const range = 'fromDate=2026-03-02&toDate=2026-03-09';
let nowMs = before;
const now = () => nowMs;
const smtp = await startSmtpServer();
const environment = {
  Mail__Host: 'localhost',
  Mail__Port: String(smtp.port),
  Mail__From: 'portal@example.com',
  Application__TimeZone: timeZone,
};
const portal = appOfFile({ now, environment });
const empty = appOfFile({ now, environment });
const fleet = adminAppOfFile({ now, environment });
const { signal } = new AbortController();
const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined;

let distrust = () => {};
let headers: { cookie: string };
let fleetHeaders: { cookie: string };
let siteId: string;
let [first, second] = ['', ''];

const readings = (fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / hour }, (_, at) => {
    const activePowerKw = 2 + Math.sin(at / 4);
    return { externalId: 'meter', time: new Date(fromMs + at * hour).toISOString(), activePowerKw };
  });

beforeAll(async () => {
  distrust = trustTestAuthority();
  [headers, fleetHeaders] = await Promise.all([portal.signIn(), fleet.signIn()]);
  const session = { app: portal.app, headers };
  siteId = await createSite(session, { name: 'Łódź <b>' });
  await createTariff(session, siteId);
  await createDevice(session, siteId, { externalId: 'meter', name: 'Main meter', expectedIntervalSeconds: 3600 });
  // The last hours come later.
  await post(session, '/api/ingest/measurements', readings(before - 3 * week, due - 24 * hour));
  first = (await createCustomer(fleet, 'first', { name: 'First', headers: fleetHeaders })).id;
  second = (await createCustomer(fleet, 'second', { name: 'Second', headers: fleetHeaders })).id;
  await copyToFleet(portal, fleet, first, new Date(before).toISOString());
});
afterAll(async () => {
  distrust();
  await smtp.stop();
});
beforeEach(async () => {
  nowMs = before;
  smtp.received.length = 0;
  for (const { database } of [portal, empty, fleet]) {
    for (const table of ['messages', 'kept_reports', 'report_subscriptions'])
      await database.query({ text: `DELETE FROM portal.${table}` });
    await database.query({ text: `DELETE FROM portal.accounts WHERE email <> '${adminAccount.email}'` });
  }
});

const partsOf = (of: TestApp) => {
  const { database, config } = of;
  const branding = async () => ({ ...config.whiteLabel, applicationName: 'Acme', primaryColor: '#123456' });
  const { language } = config.notifications;
  const publicUrl = 'https://portal.example.com';
  const mail = { database, mailer: createMailer(config.mail), branding, publicUrl, language };
  return { database, runMode: config.runMode, timeZone, branding, now, mail };
};
const make = (of: TestApp = portal) => makeDueReports(partsOf(of), signal);
function send(of: TestApp = portal): Promise<number> {
  const parts = partsOf(of);
  const channels = { report: reportChannel(parts.mail, parts) };
  return sendMessages({ database: of.database, channels, now, random: () => 0 }, signal);
}
const path = '/api/admin/report-subscriptions';
const subscribe = async (recipients: object[], more: object = {}, of: TestApp = portal) => {
  const session = { app: of.app, headers: await of.signIn() };
  const values = { name: 'Weekly', period: 'week', recipients, ...more };
  return (await post(session, path, values)).json<{ id: string }>().id;
};
// Sessions end while the clock is moved, so each question begins one.
const get = async <Answer>(url: string, of: TestApp = portal, as?: { email: string; password: string }) => {
  const answer = await of.app.inject({ url, headers: await of.signIn(as) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
};
const eva = { email: 'eva@example.com', language: 'de' };
const pdfText = (pdf: Buffer) => spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).stdout.toString();

/** The figures of a summary, as a German report has them. */
function shownOf({ energyImportedKwh, peakPowerKw, costs, periods }: DashboardSummary): string[] {
  const format = createFormat('de');
  return [
    format.energy(energyImportedKwh),
    format.power(peakPowerKw),
    ...costs.map(({ total, currency }) => format.money(total, currency)),
    ...periods.map(({ cost, currency }) => format.money(cost, currency)),
  ];
}

describe('a report of a week', () => {
  test('is kept and sent once, by one of two portals, in the language of its reader', async () => {
    const person = await createUser(portal, { email: 'kim@example.com' });
    await subscribe([eva, { userId: person.id }]);
    nowMs = due - 2 * hour;
    expect(await make()).toBe(0);
    nowMs = due;
    expect((await Promise.all([make(), make()])).toSorted()).toEqual([0, 1]);
    expect(await make()).toBe(0);
    expect(await send()).toBe(2);
    expect(await send()).toBe(0);
    const titleOf = (raw: string) => partOf(raw, 'text/plain').split('\r\n')[0]?.replaceAll('\u2009', ' ');
    expect(smtp.received.map(({ raw, to }) => [to[0], titleOf(raw)]).toSorted()).toEqual([
      ['eva@example.com', 'Weekly · 2.–8. März 2026'],
      ['kim@example.com', 'Weekly · Mar 2 – 8, 2026'],
    ]);
    expect(await get('/api/reports')).toMatchObject([
      { fromDate: '2026-03-02', toDate: '2026-03-09', recipientCount: 2 },
    ]);
  });

  test('an account gets it once and in its own language; an address in that of the report', async () => {
    const [french, silent] = [
      await createUser(portal, { email: 'kim@example.com' }),
      await createUser(portal, { email: 'lee@example.com' }),
    ];
    const payload = { language: 'fr' };
    const cookie = await portal.signIn(french);
    await portal.app.inject({ method: 'PUT', url: '/api/me/notifications', headers: cookie, payload });
    const address = (email: string) => ({ email, language: 'de' });
    const endOfTitle = (raw: string) => partOf(raw, 'text/plain').split('\r\n')[0]?.slice(-9);
    await subscribe([address('KIM@example.com'), { userId: french.id }, address(silent.email), eva]);
    nowMs = due;
    await make();
    await send();
    expect(smtp.received.map(({ raw, to }) => [to[0], endOfTitle(raw)]).toSorted()).toEqual([
      ['eva@example.com', 'März 2026'],
      ['kim@example.com', 'mars 2026'],
      ['lee@example.com', 'März 2026'],
    ]);
  });

  test('a report that cannot be made does not hold up the others', async () => {
    await subscribe([eva], { name: 'First' });
    await subscribe([eva], { name: 'Second' });
    nowMs = due;
    let asked = 0;
    const parts = partsOf(portal);
    const branding = async () => {
      if ((asked += 1) === 1) throw new Error('not now');
      return parts.branding();
    };
    await expect(makeDueReports({ ...parts, branding }, signal)).rejects.toThrow('not now');
    expect((await get<KeptReport[]>('/api/reports')).length).toBe(1);
    expect(await make()).toBe(1);
  });

  test('counts the alarms of its sites, however many there are', async () => {
    const text = `INSERT INTO portal.alarms (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name,
        pending_since, firing_at, resolved_at)
      SELECT gen_random_uuid(), $1, 'Limit', 'limit', 'info', 'site', CASE WHEN n <= 1050 THEN $1::uuid ELSE gen_random_uuid() END,
        'Łódź <b>', $2, $2, $2 FROM generate_series(1, 2200) n`;
    await portal.database.query({ text }, [siteId, new Date(before)]);
    await subscribe([eva], { subjectIds: [siteId] });
    nowMs = due;
    await make();
    await send();
    await portal.database.query({ text: 'DELETE FROM portal.alarms' });
    const shown = partOf(smtp.received[0]?.raw ?? '', 'text/plain');
    expect(shown.split('Łódź <b>: Limit').length).toBe(31);
    expect(shown).toContain('1020 weitere im Portal.');
  });

  test('a mail that is not accepted is repeated with its Message-ID', async () => {
    await subscribe([eva]);
    nowMs = due;
    await make();
    smtp.state.refuse = 'try later';
    await send();
    smtp.state.refuse = null;
    const { rows } = await portal.database.query<{ id: string }>({ text: 'SELECT id FROM portal.messages' });
    nowMs += hour;
    await send();
    expect(smtp.received.map(({ raw }) => headerOf(raw, 'Message-ID'))).toEqual([`<${rows[0]?.id}@example.com>`]);
  });

  test('has the figures of the API in mail, workbook and charts', async () => {
    await subscribe([eva], { hasWorkbook: true });
    nowMs = due;
    await make();
    await send();
    const summary = await get<DashboardSummary>(`/api/dashboard/summary?${range}`);
    const [{ raw } = { raw: '' }] = smtp.received;
    for (const type of ['text/plain', 'text/html'] as const) {
      for (const figure of shownOf(summary)) expect(partOf(raw, type)).toContain(figure);
    }
    expect(partOf(raw, 'text/html')).not.toContain('<b>');
    const files = filesOf(raw);
    expect([...files.keys()].toSorted()).toEqual([
      'chart-1.png',
      'chart-2.png',
      'report-week-2026-03-02.pdf',
      'report-week-2026-03-02.xlsx',
    ]);
    const png = files.get('chart-1.png') ?? Buffer.alloc(0);
    expect([png.subarray(1, 4).toString('latin1'), png.readUInt32BE(16)]).toEqual(['PNG', 1360]);
    const sheetsOf = (bytes: Buffer) =>
      openWorkbook(bytes)
        .sheets.filter(({ name }) => name !== 'Über diese Datei')
        .map(({ name, rows }) => [name, rows.map((row) => row.map((cell) => cell?.value ?? null))]);
    const own = sheetsOf(files.get('report-week-2026-03-02.xlsx') ?? Buffer.alloc(0));
    const url = `/api/dashboard/summary/export.xlsx?${range}&language=de`;
    const asked = sheetsOf((await portal.app.inject({ url, headers: await portal.signIn() })).rawPayload);
    expect(own.slice(0, -1)).toEqual(asked.slice(0, -1));
  });

  test('has the figures of the API in its PDF', onlyIf(hasPdftotext, 'pdftotext is not installed'), async () => {
    await subscribe([eva]);
    nowMs = due;
    await make();
    const [kept] = await get<KeptReport[]>('/api/reports');
    const url = `/api/reports/${kept?.id}/report.pdf?language=de`;
    const text = pdfText((await portal.app.inject({ url, headers: await portal.signIn() })).rawPayload);
    for (const figure of shownOf(await get<DashboardSummary>(`/api/dashboard/summary?${range}`))) {
      expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(figure.replaceAll(/[\u00a0\u202f]/g, ' '));
    }
    expect(text).toContain('Alle Standorte');
  });

  test('is the same PDF each time it is written, in its language', async () => {
    await subscribe([eva]);
    nowMs = due;
    await make();
    const [kept] = await get<KeptReport[]>('/api/reports');
    const url = `/api/reports/${kept?.id}/report.pdf?language=de`;
    const write = async () => (await portal.app.inject({ url, headers: await portal.signIn() })).rawPayload;
    const [pdf, again] = [await write(), await write()];
    expect(pdf.toString('latin1')).toContain('/Lang (de)');
    expect(again.equals(pdf)).toBe(true);
  });

  test('stays as it was; the list says what later readings and tariffs would change', async () => {
    await subscribe([eva]);
    nowMs = due;
    await make();
    const [kept] = await get<KeptReport[]>('/api/reports');
    const changes = () => get<ReportChanges>(`/api/reports/${kept?.id}/changes`);
    expect((await changes()).changes).toEqual([]);
    const was = await get<DashboardSummary>(`/api/dashboard/summary?${range}`);
    expect(kept?.figures).toMatchObject({
      energyImportedKwh: was.energyImportedKwh,
      costs: [{ currency: 'EUR', total: was.costs[0]?.total }],
    });
    const session = { app: portal.app, headers: await portal.signIn() };
    await post(session, '/api/ingest/measurements', readings(due - 24 * hour, due));
    const is = await get<DashboardSummary>(`/api/dashboard/summary?${range}`);
    expect(is.energyImportedKwh).toBeGreaterThan(was.energyImportedKwh + 20);
    expect((await changes()).changes).toEqual([
      { figure: 'energyImportedKwh', currency: null, kept: was.energyImportedKwh, now: is.energyImportedKwh },
      { figure: 'cost', currency: 'EUR', kept: was.costs[0]?.total, now: is.costs[0]?.total },
    ]);
    expect(await get('/api/reports')).toEqual([kept]);
  });

  test('after a downtime the last week is sent, and no earlier one', async () => {
    await subscribe([eva]);
    nowMs = due + 3 * week;
    expect(await make()).toBe(1);
    expect(await get('/api/reports')).toMatchObject([{ fromDate: '2026-03-23' }]);
  });

  test('about nothing: no device, no reading, no tariff', async () => {
    await subscribe([eva], { hasWorkbook: true }, empty);
    nowMs = due;
    expect(await make(empty)).toBe(1);
    await send(empty);
    const [{ raw } = { raw: '' }] = smtp.received;
    expect(partOf(raw, 'text/plain')).toContain('Keine Messwerte in diesem Zeitraum.');
    expect(filesOf(raw).size).toBe(2);
  });

  test('whose access ended gets nothing, neither by account nor by address', async () => {
    const person = await createUser(portal, { email: 'kim@example.com' });
    await subscribe([{ userId: person.id }, { email: 'lee@example.com' }]);
    await createUser(portal, { email: 'lee@example.com', isActive: false });
    nowMs = due;
    await make();
    await portal.database.query({ text: `UPDATE portal.accounts SET is_active = false WHERE id = '${person.id}'` });
    expect(await send()).toBe(2);
    expect(smtp.received).toEqual([]);
  });

  test('comes at once to who asks for it, and is not kept', async () => {
    const id = await subscribe([eva]);
    nowMs = due;
    const url = `${path}/${id}/test`;
    const answer = await portal.app.inject({ method: 'POST', url, headers: await portal.signIn() });
    expect(answer.json()).toEqual({ isSent: true, to: adminAccount.email, error: null });
    expect(smtp.received.map(({ to }) => to)).toEqual([[adminAccount.email]]);
    expect(await get('/api/reports')).toEqual([]);
  });

  test('is subscribed to by administrators, with sites and accounts that exist', async () => {
    const values = { name: 'Weekly', period: 'week', recipients: [eva] };
    const admin = await portal.signIn();
    const ask = (payload: object, as = admin) => portal.app.inject({ method: 'POST', url: path, headers: as, payload });
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect((await ask({ ...values, subjectIds: [unknown] })).statusCode).toBe(400);
    expect((await ask({ ...values, recipients: [{ userId: unknown }] })).statusCode).toBe(400);
    expect((await ask({ ...values, recipients: [{ email: 'a@b.example\r\nBcc: c@d.example' }] })).statusCode).toBe(400);
    expect((await ask({ ...values, recipients: [] })).json()).toMatchObject({ recipients: [{}] });
    const plain = await createUser(portal, { email: 'kim@example.com' });
    const cookie = await portal.signIn(plain);
    expect((await ask(values, cookie)).statusCode).toBe(403);
    expect((await portal.app.inject({ url: '/api/reports', headers: cookie })).statusCode).toBe(200);
    expect((await portal.app.inject({ url: '/api/reports', headers: {} })).statusCode).toBe(401);
    expect((await ask({ ...values, subjectIds: [siteId] })).statusCode).toBe(201);
  });
});

describe('a report of the fleet', () => {
  const assign = async (userId: string, customerIds: string[]) =>
    fleet.app.inject({
      method: 'PUT',
      url: `/api/users/${userId}/customers`,
      headers: await fleet.signIn(),
      payload: { customerIds },
    });

  test('has every customer for an administrator; a RestrictedAdmin gets theirs, judged when it is sent', async () => {
    const person = await createUser(fleet, { email: 'kim@example.com', roles: ['RestrictedAdmin'] });
    await assign(person.id, [first]);
    await subscribe([{ userId: person.id }, eva], { hasWorkbook: true }, fleet);
    nowMs = due;
    expect(await make(fleet)).toBe(1);
    const [kept] = await get<KeptReport[]>('/api/reports', fleet);
    expect(kept?.figures.energyImportedKwh).toBeGreaterThan(100);
    expect(await get('/api/reports', fleet, person)).toEqual([kept]);
    expect(await get(`/api/reports/${kept?.id}/changes`, fleet, person)).toMatchObject({ changes: [] });
    await assign(person.id, [second]);
    expect(await get<KeptReport[]>('/api/reports', fleet, person)).toMatchObject([
      { figures: { energyImportedKwh: 0 } },
    ]);
    await send(fleet);
    const textOf = (to: string) => partOf(smtp.received.find((one) => one.to[0] === to)?.raw ?? '', 'text/plain');
    expect(textOf('eva@example.com')).toMatch(/First \|[^\n]*\nSecond \|/);
    expect(textOf('kim@example.com')).toContain('Second |');
    expect(textOf('kim@example.com')).not.toContain('First');
    await assign(person.id, []);
    expect(await get('/api/reports', fleet, person)).toEqual([]);
  });

  test('a RestrictedAdmin subscribes themself, to their customers', async () => {
    const person = await createUser(fleet, { email: 'kim@example.com', roles: ['RestrictedAdmin'] });
    await assign(person.id, [first]);
    const others = await subscribe([eva], {}, fleet);
    const cookie = await fleet.signIn(person);
    const values = { name: 'Mine', period: 'month', recipients: [{ userId: person.id }] };
    const ask = (payload: object) => fleet.app.inject({ method: 'POST', url: path, headers: cookie, payload });
    expect((await ask({ ...values, recipients: [eva] })).json()).toMatchObject({ code: 'onlyYourself' });
    expect((await ask({ ...values, subjectIds: [second] })).statusCode).toBe(400);
    expect((await ask({ ...values, subjectIds: [first] })).statusCode).toBe(201);
    expect(await get(path, fleet, person)).toMatchObject([{ name: 'Mine' }]);
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await ask(values)).statusCode);
    expect(statuses).toEqual([201, 201, 201, 201, 409]);
    for (const [method, url] of [
      ['DELETE', `${path}/${others}`],
      ['POST', `${path}/${others}/test`],
    ] as const) {
      expect((await fleet.app.inject({ method, url, headers: cookie })).statusCode).toBe(404);
    }
  });

  test('about no customer', async () => {
    await fleet.database.query({ text: 'DELETE FROM fleet.customers' });
    await subscribe([eva], { hasWorkbook: true }, fleet);
    nowMs = due;
    expect(await make(fleet)).toBe(1);
    await send(fleet);
    expect(filesOf(smtp.received[0]?.raw ?? '').size).toBe(2);
  });
});
