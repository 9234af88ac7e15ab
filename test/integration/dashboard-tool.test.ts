import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readToolSettings } from '../../dashboards/server/settings.ts';
import { gateHeaders } from '../../server/dashboards/gate-proof.ts';
import { auditPage } from '../../shared/audit.ts';
import {
  dashboardVersions,
  listedDashboards,
  storedDashboard,
  toolLimits,
  toolUser,
} from '../../shared/dashboard-tool.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { dashboardsConnection } from '../support/dashboard-role.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { gateSecret, openTestTool, somebody, type TestTool, viewer } from '../support/dashboard-tool.ts';

const spec = (name: string) => ({
  display: { name },
  duration: '1h',
  panels: {
    load: {
      kind: 'Panel' as const,
      spec: {
        display: { name: 'Load' },
        plugin: { kind: 'TimeSeriesChart' as const, spec: { b: 1, a: { deep: 'NUL \u0000 and \uD83D\uDE00' } } },
        queries: [
          {
            kind: 'TimeSeriesQuery' as const,
            spec: { plugin: { kind: 'PortalQuery' as const, spec: { measure: 'power' as const } } },
          },
        ],
      },
    },
  },
});
const nowMs = Date.parse('2026-03-29T12:00:00Z');
let clock = nowMs;
let portal: TestApp;
let tool: TestTool;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tool-page-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><base href="%PREFIX%/" /><title>Tool</title>');
  await writeFile(join(folder, 'assets/page-1a2b.js'), 'export const one = 1;');
  portal = await createTestApp({
    environment: { WhiteLabel__ApplicationName: 'Nordstrom', Application__TimeZone: 'Asia/Tokyo' },
  });
  tool = await openTestTool(portal, {
    now: () => clock,
    pageFolder: folder,
    environment: { Dashboard__EmbedPathPrefix: '/boards/live', WhiteLabel__PrimaryColor: '#123456' },
    provisioned: { overview: { ...spec('Overview'), display: { name: 'Overview', description: 'As it is' } } },
  });
});
afterAll(async () => {
  await tool[Symbol.asyncDispose]();
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});

describe('Who asks', () => {
  const paths = [
    '',
    '/',
    '/dashboards/overview',
    '/assets/page-1a2b.js',
    '/api/me',
    '/api/dashboards',
    '/api/nothing',
    '/healthy',
  ];

  test.each(paths)(
    '401 for %s without a proof, with one that ran out, of another secret, or of other values',
    async (path) => {
      const url = `/boards/live${path}`;
      const good = gateHeaders(somebody, { secret: gateSecret, nowMs });
      const bad = [
        {},
        { ...good, 'x-portal-proof': '' },
        gateHeaders(somebody, { secret: gateSecret, nowMs: nowMs - 61_000 }),
        gateHeaders(somebody, { secret: gateSecret.toUpperCase(), nowMs }),
        { ...gateHeaders(viewer, { secret: gateSecret, nowMs }), 'x-portal-role': 'Admin' },
      ];
      for (const headers of bad) {
        const answer = await tool.app.inject({ url, headers });
        expect(answer.statusCode, JSON.stringify(headers)).toBe(401);
      }
      expect((await tool.app.inject({ url, headers: good })).statusCode).not.toBe(401);
    },
  );

  test('The health check needs no session, and neither it nor the files of the page are logged', async () => {
    const before = tool.log.length;
    const answer = await tool.app.inject({ url: '/boards/live/health' });
    expect([answer.statusCode, answer.body]).toEqual([200, 'Healthy']);
    await tool.ask('/assets/page-1a2b.js');
    expect(tool.log.slice(before)).toEqual([]);
    await tool.ask('/api/me');
    expect(tool.log.slice(before)).toHaveLength(1);
  });

  test('`me` has name, role, brand, run mode and zone; only an Admin may edit', async () => {
    const me = async (as = somebody) => toolUser.parse((await tool.ask('/api/me', { as })).json());
    expect(await me()).toEqual({
      name: 'Ada Jörgensen',
      email: 'ada@example.com',
      role: 'Admin',
      canEdit: true,
      brand: { applicationName: 'Nordstrom', logoUrl: '', primaryColor: '#0b7285', accentColor: '#e8590c' },
      runMode: 'Client',
      timeZone: 'Asia/Tokyo',
    });
    expect(await me(viewer)).toMatchObject({ role: 'User', canEdit: false });
    expect(await tool.ask('/api/customers')).toMatchObject({ status: 404 });
  });

  test('A write that another website sent is refused', async () => {
    const headers = { ...gateHeaders(somebody, { secret: gateSecret, nowMs }), origin: 'https://evil.example' };
    const url = '/boards/live/api/dashboards';
    const answer = await tool.app.inject({
      method: 'POST',
      url,
      headers,
      payload: { name: 'mine', spec: spec('Mine') },
    });
    expect(answer.statusCode).toBe(403);
  });
});

describe('The page', () => {
  test('is served for every path below its prefix, and never cached without revalidation', async () => {
    for (const path of ['', '/', '/dashboards/overview']) {
      const answer = await tool.ask(path, { as: viewer });
      expect(answer, path).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
      expect(answer.body).toContain('<base href="/boards/live/" />');
    }
    expect(await tool.ask('/api/nothing')).toMatchObject({ status: 404 });
    expect(await tool.ask('/assets/other.js')).toMatchObject({ status: 404 });
    expect(await tool.ask('/../etc/passwd')).toMatchObject({ status: 404 });
  });

  test('a page rebuilt under a running tool is served at once with its new files', async () => {
    const asBuilt = await readFile(join(folder, 'index.html'), 'utf8');
    await writeFile(join(folder, 'index.html'), asBuilt.replace('Tool', 'Tool anew'));
    await writeFile(join(folder, 'assets/page-3c4d.js'), 'export const two = 2;');
    expect((await tool.ask('/')).body).toContain('<title>Tool anew</title>');
    expect(await tool.ask('/assets/page-3c4d.js')).toMatchObject({ status: 200 });
    expect(await tool.ask('/index.html')).toMatchObject({ status: 404 });
    await rm(join(folder, 'index.html'));
    expect(await tool.ask('/')).toMatchObject({ status: 503 });
    await writeFile(join(folder, 'index.html'), asBuilt);
  });

  test('the browser caches its hashed files forever, and its policy allows no foreign scripts and no foreign frame', async () => {
    const answer = await tool.ask('/assets/page-1a2b.js');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'private, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
    });
    for (const path of ['/', '/assets/page-1a2b.js', '/api/me']) {
      const { headers } = await tool.ask(path);
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
      const policy = String(headers['content-security-policy']).split(';');
      expect(policy).toEqual(
        expect.arrayContaining(["script-src 'self'", "frame-ancestors 'self'", "object-src 'none'"]),
      );
    }
  });
});

describe('Dashboards', () => {
  const put = (name: string, version: number, title: string, as = somebody) =>
    tool.ask(`/api/dashboards/${name}`, { method: 'PUT', payload: { version, spec: spec(title) }, as });
  const versionsOf = async (name: string) =>
    dashboardVersions.parse((await tool.ask(`/api/dashboards/${name}/versions`)).json());

  test('the audit trail records who creates, changes and deletes a dashboard, in the transaction of the change', async () => {
    await tool.ask('/api/dashboards', { payload: { name: 'audited', spec: spec('First') } });
    await put('audited', 1, 'Second');
    expect(await put('audited', 1, 'Stale')).toMatchObject({ status: 412 });
    await tool.ask('/api/dashboards/audited', { method: 'DELETE' });
    const answer = await portal.app.inject({
      method: 'GET',
      url: '/api/admin/audit?subjectKind=dashboard',
      headers: await portal.signIn(),
    });
    const { events } = auditPage.parse(answer.json());
    expect(
      events.map(({ action, accountId, subjectName, before, after }) => [
        action,
        accountId,
        subjectName,
        before,
        after,
      ]),
    ).toEqual([
      ['dashboard.delete', somebody.user, 'Second', { name: 'audited', version: 2, title: 'Second' }, null],
      ['dashboard.change', somebody.user, 'Second', { version: 1, title: 'First' }, { version: 2, title: 'Second' }],
      ['dashboard.create', somebody.user, 'First', null, { name: 'audited', version: 1, title: 'First' }],
    ]);
  });

  test('built-in dashboards exist without being stored, can be changed, and return when the change is deleted', async () => {
    const listed = async () => (await tool.ask('/api/dashboards', { as: viewer })).json();
    const shipped = { name: 'overview', title: 'Overview', isProvisioned: true };
    expect(await listed()).toEqual([
      { ...shipped, description: 'As it is', version: 0, updatedAt: null, updatedBy: null },
    ]);
    expect(await put('overview', 0, 'Ours')).toMatchObject({ status: 200 });
    const updated = { updatedAt: '2026-03-29T12:00:00Z', updatedBy: 'Ada Jörgensen' };
    expect(await listed()).toEqual([{ ...shipped, title: 'Ours', version: 1, ...updated }]);
    expect(await tool.ask('/api/dashboards/overview', { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await listed()).toEqual([{ ...shipped, description: 'As it is', version: 2, ...updated }]);
    expect(storedDashboard.parse((await tool.ask('/api/dashboards/overview')).json())).toMatchObject({
      title: 'Overview',
      version: 2,
      spec: spec('Overview'),
    });
    expect(await tool.ask('/api/dashboards/overview', { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await versionsOf('overview')).toMatchObject([
      { version: 2, savedBy: 'Ada Jörgensen', isReset: true },
      { version: 1, isReset: false },
    ]);
    const before = storedDashboard.parse((await tool.ask('/api/dashboards/overview?version=1')).json());
    expect(before).toMatchObject({ version: 1, title: 'Ours', spec: spec('Ours') });
    expect(await tool.ask('/api/dashboards/overview?version=9')).toMatchObject({ status: 404 });
    const tooMany = await tool.ask('/api/dashboards/overview?version=99999999999');
    expect(tooMany).toMatchObject({ status: 400, body: expect.stringContaining('version') });
  });

  test('one that was made keeps its spec as it was sent, and goes with all its versions', async () => {
    const payload = { name: 'mine', spec: spec('Mine') };
    const made = await tool.ask('/api/dashboards', { payload });
    expect(made).toMatchObject({ status: 201 });
    const stored = storedDashboard.parse((await tool.ask('/api/dashboards/mine', { as: viewer })).json());
    expect(stored).toMatchObject({ name: 'mine', title: 'Mine', version: 1, isProvisioned: false, spec: spec('Mine') });
    expect(JSON.stringify(stored.spec.panels['load']?.spec.plugin)).toContain('"b":1,"a"');
    expect(await tool.ask('/api/dashboards', { payload })).toMatchObject({ status: 409 });
    expect(await tool.ask('/api/dashboards', { payload: { ...payload, name: 'overview' } })).toMatchObject({
      status: 409,
    });
    expect(await tool.ask('/api/dashboards/mine', { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await tool.ask('/api/dashboards/mine')).toMatchObject({ status: 404 });
    expect(await tool.ask('/api/dashboards/mine', { method: 'DELETE' })).toMatchObject({ status: 404 });
    expect(await tool.ask('/api/dashboards/mine/versions')).toMatchObject({ status: 404 });
    expect(await put('mine', 1, 'Mine')).toMatchObject({ status: 404 });
  });

  test('the list has the saved description, and works with any characters', async () => {
    const saved = { described: {}, hostile: spec('Hostile') };
    for (const [name, own] of Object.entries(saved)) {
      const payload = { name, spec: { ...own, display: { name, description: `What ${name} is for` } } };
      expect(await tool.ask('/api/dashboards', { payload })).toMatchObject({ status: 201 });
    }
    const listed = listedDashboards.parse((await tool.ask('/api/dashboards', { as: viewer })).json());
    for (const name of Object.keys(saved)) await tool.ask(`/api/dashboards/${name}`, { method: 'DELETE' });
    const found = new Map(listed.map(({ name, description }) => [name, description]));
    expect([found.get('described'), found.has('hostile')]).toEqual(['What described is for', true]);
  });

  test('saving over an unseen version is 412; of two at the same moment one succeeds', async () => {
    await tool.ask('/api/dashboards', { payload: { name: 'shared', spec: spec('Shared') } });
    const both = await Promise.all([put('shared', 1, 'One'), put('shared', 1, 'Two')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await put('shared', 1, 'Late')).body).toContain('someone else saved version 2');
    expect(await put('shared', 3, 'Early')).toMatchObject({ status: 412 });
    const first = await Promise.all([put('shared', 2, 'A'), put('shared', 2, 'B'), put('shared', 2, 'C')]);
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  test('fifty versions are kept', async () => {
    await tool.ask('/api/dashboards', { payload: { name: 'busy', spec: spec('Busy') } });
    for (let version = 1; version <= toolLimits.versions; version += 1) {
      clock += 1000;
      expect(await put('busy', version, `Busy ${version}`)).toMatchObject({ status: 200 });
    }
    clock = nowMs;
    const versions = await versionsOf('busy');
    expect([versions.length, versions[0]?.version, versions.at(-1)?.version]).toEqual([50, 51, 2]);
  });

  test('there are five hundred dashboards at most: one more is 409, and the list is answered', async () => {
    await using own = await createTestApp();
    await own.database.query(
      {
        text: `INSERT INTO dashboards.dashboards (name, version, title, updated_at, updated_by)
               SELECT 'many-' || n, 1, 'Many', now(), 'Ada' FROM generate_series(1, $1) n`,
      },
      [toolLimits.dashboards],
    );
    await using full = await openTestTool(own);
    const payload = { name: 'one-more', spec: spec('One more') };
    const refused = await full.ask('/api/dashboards', { payload });
    expect(refused).toMatchObject({ status: 409, body: expect.stringContaining('There are already 500 dashboards') });
    expect((await full.ask('/api/dashboards')).json()).toHaveLength(toolLimits.dashboards);
  });

  test('users without the role Admin may not write, and their bodies are not read', async () => {
    for (const as of [viewer, { ...viewer, role: 'RestrictedAdmin' as const }]) {
      const payload = { name: 'theirs', spec: { nonsense: true } };
      expect(await tool.ask('/api/dashboards', { payload, as })).toMatchObject({ status: 403 });
      expect(await put('overview', 2, 'Theirs', as)).toMatchObject({ status: 403 });
      expect(await tool.ask('/api/dashboards/overview', { method: 'DELETE', as })).toMatchObject({ status: 403 });
    }
  });

  test('an invalid dashboard is rejected with the field, and so is one that is too large or too deep', async () => {
    const create = (payload: object) => tool.ask('/api/dashboards', { payload });
    const refused = await create({ name: 'bad', spec: { ...spec('Bad'), datasources: { sql: {} } } });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body).toContain('spec.datasources');
    expect((await create({ name: 'Bad Name', spec: spec('Bad') })).body).toContain('lower-case letters');
    const large = { ...spec('Large'), display: { name: 'Large', note: 'x'.repeat(toolLimits.specBytes + 2048) } };
    expect(await create({ name: 'large', spec: large })).toMatchObject({ status: 413 });
    let deep: unknown = 1;
    for (let at = 0; at < 20_000; at += 1) deep = [deep];
    const answer = await create({ name: 'deep', spec: { ...spec('Deep'), display: { name: 'Deep', deep } } });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).toContain('at most 50 deep');
  });
});

describe('The process', () => {
  const settingsOf = async () => ({
    Database__ConnectionString: await dashboardsConnection(portal.config.database.connectionString ?? ''),
    Dashboard__GateSecret: gateSecret,
    Dashboard__ListenAddress: '127.0.0.1:0',
  });
  const start = (env: Record<string, string>, ipc = true): ChildProcess =>
    spawn(process.execPath, [join(import.meta.dirname, '../../dashboards/server/main.mjs')], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    });

  test('reports where it listens, answers, and ends when the portal has ended', async () => {
    const child = start(await settingsOf());
    const exit = once(child, 'exit');
    try {
      const [{ listening }] = (await once(child, 'message')) as [{ listening: number }];
      const health = await fetch(`http://127.0.0.1:${listening}/dash/health`);
      expect([health.status, await health.text()]).toEqual([200, 'Healthy']);
      expect((await fetch(`http://127.0.0.1:${listening}/dash/api/me`)).status).toBe(401);
      child.disconnect();
      expect(await exit).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('says all that is wrong with its settings', async () => {
    const child = start({ Dashboard__ListenAddress: 'nowhere' }, false);
    const chunks: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(await once(child, 'close')).toEqual([1, null]);
    const said = Buffer.concat(chunks).toString();
    for (const name of ['Database__ConnectionString', 'Dashboard__GateSecret', 'Dashboard__ListenAddress']) {
      expect(said).toContain(name);
    }
  });

  test('takes secrets from files, and bears the settings that are the portal’s alone', async () => {
    const secretFile = join(folder, 'secret');
    await writeFile(secretFile, `${gateSecret}\n`);
    const { Dashboard__GateSecret: _given, ...others } = await settingsOf();
    const environment = {
      ...others,
      Dashboard__GateSecret_FILE: secretFile,
      Demo__Enabled: 'false',
      Storage__DataPath: '/x',
    };
    expect(readToolSettings(environment, '/')).toMatchObject({
      settings: { gateSecret, prefix: '/dash', runMode: 'Client' },
    });
  });
});

describe('While the database is slow', () => {
  const question = { measure: 'power', from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  let slow: TestTool;

  beforeAll(async () => {
    const session = { app: portal.app, headers: await portal.signIn() };
    await createDevice(session, await createSite(session), { externalId: 'meter' });
    slow = await openTestTool(portal);
  });
  afterAll(() => slow[Symbol.asyncDispose]());

  /** Locks what every query waits for; `waiting` returns how many wait. */
  const holding = (work: (waiting: () => Promise<number | undefined>) => Promise<void>) =>
    portal.database.session(async (holder) => {
      await holder.query({ text: 'BEGIN' });
      await holder.query({ text: 'LOCK TABLE monitoring.retention IN ACCESS EXCLUSIVE MODE' });
      await work(async () => {
        const { rows } = await portal.database.query<{ count: number }>({
          text: `SELECT count(*) AS count FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'LOCK TABLE monitoring.retention%'`,
        });
        return rows[0]?.count;
      });
      await holder.query({ text: 'ROLLBACK' });
    });

  test('a client that disconnects ends its query on the server', async () => {
    const address = await slow.app.listen({ host: '127.0.0.1', port: 0 });
    await holding(async (waiting) => {
      const gone = new AbortController();
      const proof = gateHeaders(somebody, { secret: gateSecret, nowMs: Date.now() });
      const asking = fetch(`${address}/dash/api/totals`, {
        method: 'POST',
        headers: { ...proof, 'content-type': 'application/json' },
        body: JSON.stringify(question),
        signal: gone.signal,
      });
      await expect.poll(waiting).toBe(1);
      gone.abort();
      await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
      await expect.poll(waiting).toBe(0);
    });
  });

  test('two queries of an account run, forty wait, further ones are 503; another account has its turn', async () => {
    const refused: unknown[] = [];
    let days = 0;
    const ask = async (as = somebody) => {
      // Each with other parameters, so that none shares a read of another.
      days += 1;
      const to = new Date(Date.parse(question.to) + days * 86_400_000).toISOString();
      const { status, headers } = await slow.ask('/api/totals', { payload: { ...question, to }, as });
      if (status === 503) refused.push(headers['retry-after']);
    };
    let asked: Promise<void>[] = [];
    await holding(async (waiting) => {
      asked = Array.from({ length: 45 }, () => ask());
      await expect.poll(waiting).toBe(2);
      await expect.poll(() => refused).toEqual(['5', '5', '5']);
      asked.push(ask(viewer));
      await expect.poll(waiting).toBe(3);
    });
    await Promise.all(asked);
  });

  test('panels of one reader share a read; another reader gets nothing of it', async () => {
    const measures = ['energy', 'cost', 'demand', 'power', 'energy', 'cost'];
    const ask = (measure: string, as = somebody) => slow.ask('/api/totals', { payload: { ...question, measure }, as });
    let asked: ReturnType<typeof ask>[] = [];
    await holding(async (waiting) => {
      asked = measures.map((measure) => ask(measure));
      await expect.poll(waiting).toBe(1);
      asked.push(ask('energy', viewer));
      await expect.poll(waiting).toBe(2);
    });
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers[0]?.body).toBe(answers[4]?.body);
  });
});
