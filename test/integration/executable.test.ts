import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureExecutable, executable as built } from '../../scripts/executable.mjs';
import { gateHeaders } from '../../server/dashboards/gate-proof.ts';
import { createAdministrator } from '../support/chaos/settings.ts';
import { dashboardsConnection } from '../support/dashboard-role.ts';
import { gateSecret, somebody } from '../support/dashboard-tool.ts';
import { pictures } from '../support/images.ts';
import { findFreePort } from '../support/ports.ts';
import { makePortalFolder, type PortalOptions, runPortalToItsEnd, signInAt, startPortal } from '../support/portal.ts';
import { findExtendedBinaries } from '../support/postgres-cluster.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { onlyIf } from '../support/only-if.ts';

const extended = await findExtendedBinaries();
const start = Date.UTC(2026, 2, 10);
const minute = (at: number) => new Date(start + at * 60_000).toISOString();

describe('the executable, alone in a folder', onlyIf(process.platform === 'linux', 'it is built for Linux'), () => {
  const resources = new AsyncDisposableStack();
  let executable = '';
  /** An empty folder to run in. */
  let folder = '';

  beforeAll(async () => {
    await ensureExecutable();
    const home = await makePortalFolder();
    resources.defer(() => rm(home, { recursive: true, force: true }));
    executable = join(home, 'portal');
    folder = join(home, 'run');
    await mkdir(folder);
    await copyFile(built, executable);
  }, 300_000);
  afterAll(() => resources.disposeAsync());

  const openPortal = async (options: PortalOptions) => {
    const portal = await startPortal({ executable, folder, ...options });
    const ask = createAdministrator(() => portal.url);
    /** The body of a successful call. */
    const get = async (method: string, path: string, payload?: object): Promise<unknown> => {
      const answer = await ask(method, path, payload);
      if (answer === null || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer.body;
    };
    const cookie = await signInAt(portal.url);
    const load = (path: string, init: RequestInit = {}) =>
      fetch(`${portal.url}${path}`, { headers: { cookie }, ...init });
    return Object.assign(portal, { ask, get, load });
  };

  /** The page with all files that it names. */
  const loadPage = async ({ load }: Awaited<ReturnType<typeof openPortal>>) => {
    const page = await (await load('/')).text();
    const named = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(2);
    for (const path of [...named, '/api/docs/static/swagger-ui.css', '/third-party-notices.txt'])
      expect([path, (await load(path)).status]).toEqual([path, 200]);
  };

  const idOf = (body: unknown) => Object.assign({ id: '' }, body).id;

  test('the licences of its contents are beside it: Node, libraries of server and pages, the font, the decoder of logos', async () => {
    const notices = await readFile(join(dirname(built), 'third-party-notices.txt'), 'utf8');
    const names = ['node-linux-', 'fastify', 'pg', 'swagger-ui-dist', 'sharp', '@img/sharp-libvips-linux', 'react'];
    for (const name of [...names, '@mantine/core', '@fontsource-variable/inter', '@perses-dev/core', 'echarts']) {
      expect(notices).toMatch(new RegExp(`^${RegExp.escape(name)}[\\w-]* \\d+\\.\\d+\\.\\d+\\S* \\(`, 'm'));
    }
    for (const text of [
      'GNU LESSER GENERAL PUBLIC LICENSE',
      'SIL OPEN FONT LICENSE',
      'Permission is hereby granted',
      'Apache License',
    ]) {
      expect(notices).toContain(text);
    }
  });

  test('is a Client: the page, readings, exports and a logo; then backup, restore and rebuild-energy', async () => {
    await using database = await createTestDatabase();
    const environment = {
      Database__ConnectionString: database.connectionString,
      Authentication__RefuseCommonPasswords: 'true',
    };
    {
      await using portal = await openPortal({ environment });
      const { get, load } = portal;
      await loadPage(portal);
      const municipalityId = idOf(
        await get('POST', '/api/admin/rates/municipalities', { name: 'Town', timeZone: 'Europe/Berlin' }),
      );
      const siteId = idOf(await get('POST', '/api/admin/sites', { name: 'Site', municipalityId }));
      await get('POST', '/api/admin/devices', { siteId, name: 'Meter', externalId: 'meter' });
      const rows = Array.from({ length: 60 }, (_, at) => ({ externalId: 'meter', time: minute(at), activePowerKw: 6 }));
      expect(await get('POST', '/api/ingest/measurements', rows)).toMatchObject({ accepted: 60 });
      for (const path of ['/api/dashboard/summary/export.xlsx', '/api/measurements/raw/export.xlsx']) {
        const exported = await (await load(`${path}?from=${minute(0)}&to=${minute(60)}`)).bytes();
        expect([path, String.fromCodePoint(...exported.subarray(0, 2))]).toEqual([path, 'PK']);
      }
      const form = new FormData();
      form.append('logo', new Blob([pictures.jpeg]), 'logo.jpg');
      const uploaded = Object.assign(
        { logoUrl: '' },
        await (await load('/api/branding/logo', { method: 'POST', body: form })).json(),
      );
      expect((await load(uploaded.logoUrl)).headers.get('content-type')).toBe('image/jpeg');
      const common = { email: 'a@example.com', displayName: 'A', password: '!Qaz2wsx#edc' };
      expect(await portal.ask('POST', '/api/users', common)).toMatchObject({ status: 400 });
      const proof = { currentPassword: 'ChangeMe123!' };
      expect(await portal.ask('POST', '/api/auth/me/second-factor/app', proof)).toMatchObject({ status: 200 });
      expect(await portal.stop()).toBe(0);
    }

    const run = (words: string[], settings: Record<string, string> = environment) =>
      runPortalToItsEnd({ executable, folder, words, environment: settings });
    expect(await run(['backup', '--to', 'portal.backup'])).toMatchObject({ ending: 0 });
    await using second = await createTestDatabase('empty');
    const restored = { Database__ConnectionString: second.connectionString, Storage__DataPath: join(folder, 'second') };
    expect(await run(['restore', '--from', 'portal.backup'], restored)).toMatchObject({ ending: 0 });
    expect(await run(['rebuild-energy'], restored)).toMatchObject({ ending: 0 });
    await using again = await openPortal({ environment: restored });
    expect(await again.get('GET', `/api/dashboard/summary?from=${minute(0)}&to=${minute(60)}`)).toMatchObject({
      peakPowerKw: expect.closeTo(6),
    });
    expect(await again.get('GET', '/api/branding')).toMatchObject({
      logoUrl: expect.stringMatching(/^\/uploads\/logo-/),
    });
  }, 240_000);

  test('starts as the dashboard tool by its command', async () => {
    await using database = await createTestDatabase();
    const { connectionString } = database;
    const port = await findFreePort();
    const tool = spawn(executable, ['dashboards'], {
      cwd: folder,
      env: {
        Database__ConnectionString: await dashboardsConnection(connectionString),
        Dashboard__GateSecret: gateSecret,
        Dashboard__ListenAddress: `127.0.0.1:${port}`,
      },
      stdio: 'ignore',
    });
    const ending = once(tool, 'exit');
    try {
      const ask = (path: string, headers: Record<string, string> = {}) =>
        fetch(`http://127.0.0.1:${port}/dash${path}`, { headers }).then(
          (answer) => answer.status,
          () => 0,
        );
      await expect.poll(() => ask('/health')).toBe(200);
      const known = gateHeaders(somebody, { secret: gateSecret, nowMs: Date.now() });
      for (const path of ['/api/me', '/dashboards/overview', '/api/dashboards/overview']) {
        expect([path, await ask(path), await ask(path, known)]).toEqual([path, 401, 200]);
      }
      tool.kill('SIGTERM');
      expect(await ending).toEqual([0, null]);
    } finally {
      tool.kill('SIGKILL');
      await ending;
    }
  }, 120_000);

  test(
    'starts a PostgreSQL of the machine and the dashboard tool, like the sources',
    { timeout: 180_000, ...onlyIf(extended !== undefined, 'no PostgreSQL on this machine has TimescaleDB') },
    async () => {
      const environment = { Dashboard__Start: 'true', Demo__Enabled: 'false', Storage__DataPath: join(folder, 'own') };
      await using portal = await openPortal({ environment });
      const stateOf = async () =>
        Object.assign({ state: '' }, await portal.get('GET', '/api/embedded-dashboards/status')).state;
      await expect.poll(stateOf, { timeout: 60_000 }).toBe('running');
      expect(await portal.get('GET', '/dash/api/me')).toMatchObject({ role: 'Admin', canEdit: true });
    },
  );

  test('is an Admin: the page and a customer', async () => {
    await using database = await createTestDatabase('admin');
    await using portal = await openPortal({
      environment: { Application__RunMode: 'Admin', Database__ConnectionString: database.connectionString },
    });
    await loadPage(portal);
    expect(await portal.get('POST', '/api/admin/customers', { code: 'acme', name: 'Acme' })).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  }, 120_000);
});
