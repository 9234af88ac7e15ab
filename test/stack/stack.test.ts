import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/project.mjs';
import { ensureDashboardsPackages } from '../../scripts/web-page.mjs';
import { customer } from '../../shared/fleet.ts';
import { type BaseImages, buildPortalImage, ensureBaseImages, podman, run, whyNoStacks } from './images.ts';
import { type Machine, openMachine } from './stacks.ts';

const reason = whyNoStacks();

const patience = { timeout: 120_000, interval: 500 };
const image = `localhost/stack-test/portal:${process.pid}`;
const imageBefore = `localhost/stack-test/portal-before:${process.pid}`;
const readings = [0, 15, 30, 45, 60].map((minute) => ({
  externalId: 'meter-1',
  time: new Date(Date.UTC(2026, 2, 10, 8, minute)).toISOString(),
  activePowerKw: 4,
  energyImportedKwh: 100 + minute / 15,
}));
const day = 'from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z';

let machine: Machine;
let deploy: ReturnType<Machine['scriptsOf']>;
let base: BaseImages;

interface Before {
  /** What the commit before has, or undefined where it cannot be run. */
  folder: string | undefined;
  reason: string;
}

/** The commit before: its image, and a folder with its scripts. */
async function buildBefore(folder: string, pages: string): Promise<Before> {
  const tar = join(folder, 'before.tar');
  const isThere = await run('git', ['-C', root, 'archive', '--output', tar, 'HEAD^']).then(
    () => true,
    () => false,
  );
  if (!isThere) return { folder: undefined, reason: 'this clone has one commit only' };
  await run('tar', ['-C', folder, '-xf', tar]);
  if (!existsSync(join(folder, 'deploy', 'new-customer'))) return { folder: undefined, reason: 'it has no deploy/' };
  const changed = globSync('*/*.sql', { cwd: join(folder, 'migrations') }).find((file) => {
    const [then, now] = [folder, root].map((place) => join(place, 'migrations', file));
    return !existsSync(now ?? '') || !readFileSync(now ?? '').equals(readFileSync(then ?? ''));
  });
  // Allowed before the first release only (test/lint/migrations.test.ts).
  if (changed !== undefined) return { folder: undefined, reason: `its migration ${changed} was written anew` };
  await buildPortalImage(imageBefore, { context: folder, pages, base });
  return { folder, reason: '' };
}

/** A database that is found by its name only after a while is told as one that is away. */
const signInOnceReachable = (name: string) => vi.waitFor(() => machine.signIn(name), patience);

/** A site with a meter, and readings that a gateway delivers with a key of its own, all through the proxy. */
async function measure(name: string): Promise<void> {
  const cookie = await signInOnceReachable(name);
  // What was answered 503, as while names lead nowhere, is asked for again.
  const create = (path: string, payload: object) =>
    vi.waitFor(async () => {
      const { status, body } = await machine.ask(name, path, { method: 'POST', cookie, payload });
      expect(status, body).toBe(201);
      return z.looseObject({ id: z.string().optional(), key: z.string().optional() }).parse(JSON.parse(body));
    }, patience);
  const town = await create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'Europe/Berlin' });
  const site = await create('/api/admin/sites', { name: `Works of ${name}`, municipalityId: town.id });
  await create('/api/admin/devices', { siteId: site.id, name: 'Meter', externalId: 'meter-1' });
  const { key = '' } = await create('/api/api-keys', { name: 'Gateway' });
  // A gateway sends again what was answered 503.
  await vi.waitFor(async () => {
    const headers = { authorization: `Bearer ${key}` };
    const { status, body } = await machine.ask(name, '/api/ingest/measurements', {
      method: 'POST',
      headers,
      payload: readings,
    });
    expect(status, body).toBe(200);
    expect(body).toContain('"accepted":5');
  }, patience);
}

/** The names of containers that were made anew take a while to lead to them. */
const isReachable = (name: string) =>
  vi.waitFor(async () => expect((await machine.ask(name, '/health/ready')).status).toBe(200), patience);

/** What a stack says of the readings' day to its first administrator. */
async function energyOf(name: string, cookie: string): Promise<number | undefined> {
  const { body } = await machine.ask(name, `/api/dashboard/summary?${day}`, { cookie });
  return z.looseObject({ energyImportedKwh: z.number() }).safeParse(JSON.parse(body)).data?.energyImportedKwh;
}

const inside = (name: string, service: string, ...words: string[]) =>
  podman('exec', machine.container(name, service), ...words);

/** Whether a container of a stack can open a connection. */
async function reaches(name: string, service: string, host: string, port: number): Promise<boolean> {
  const words = ['timeout', '3', 'bash', '-c', `exec 3<>/dev/tcp/${host}/${port}`];
  return inside(name, service, ...words).then(
    () => true,
    () => false,
  );
}

async function addressesOf(name: string, service: string): Promise<string[]> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  return (await podman('inspect', '--format', format, machine.container(name, service))).trim().split(' ');
}

async function kill(name: string, service: string): Promise<void> {
  process.kill(
    Number(await podman('inspect', '--format', '{{.State.Pid}}', machine.container(name, service))),
    'SIGKILL',
  );
}

describe('stacks', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'stack-before-'));
  const pages = mkdtempSync(join(tmpdir(), 'stack-pages-'));
  let before: Before;

  beforeAll(async () => {
    if (reason !== undefined) return;
    base = await ensureBaseImages();
    // Else each build would install them.
    await ensureDashboardsPackages();
    // Taken by a build whose sources are the same.
    for (const page of ['web/dist', 'dashboards/page/dist']) {
      if (existsSync(join(root, page))) cpSync(join(root, page), join(pages, page), { recursive: true });
    }
    await buildPortalImage(image, { context: root, pages, base });
    machine = await openMachine(base);
    const url = (name: string) => ['--url', `http://${machine.codeOf(name)}.test`];
    const fleet = ['--fleet', machine.codeOf('fleet')];
    deploy = machine.scriptsOf(root, image);
    const startFirst = async () => {
      await deploy('new-customer', machine.codeOf('fleet'), ...url('fleet'), '--admin');
      await deploy('new-customer', machine.codeOf('acme'), ...url('acme'), ...fleet, '--name', 'Acme Works');
    };
    // Starting waits for most of its time, building computes.
    [before] = await Promise.all([buildBefore(scratch, pages), startFirst()]);
    const deployBefore = before.folder === undefined ? deploy : machine.scriptsOf(before.folder, imageBefore);
    await deployBefore('new-customer', machine.codeOf('beta'), ...url('beta'), ...fleet);
    await Promise.all([measure('acme'), measure('beta'), signInOnceReachable('fleet')]);
  }, 1_200_000);

  beforeEach(({ skip }) => skip(reason !== undefined, reason));

  afterAll(async () => {
    for (const folder of [scratch, pages]) rmSync(folder, { recursive: true, force: true });
    if (reason !== undefined) return;
    await machine?.[Symbol.asyncDispose]();
    for (const one of [image, imageBefore]) await podman('rmi', '--force', one).catch(() => undefined);
  }, 120_000);

  test('the proxy leads each host name to its own stack', async () => {
    const infos = await Promise.all(['fleet', 'acme', 'beta'].map((name) => machine.ask(name, '/api/app/info')));
    expect(infos.map(({ body }) => JSON.parse(body))).toMatchObject([
      { runMode: 'Admin' },
      { runMode: 'Client', applicationName: 'Acme Works' },
      { runMode: 'Client', applicationName: machine.codeOf('beta') },
    ]);
    const page = await machine.ask('acme', '/');
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<div id="root">') });
  });

  test('readings that a gateway delivered with its key are on the pages', async () => {
    expect(await energyOf('acme', await machine.signIn('acme'))).toBe(4);
  });

  test('both customers push to the fleet', async () => {
    for (const name of ['acme', 'beta']) {
      await machine.ask(name, '/api/admin/push/run', {
        method: 'POST',
        cookie: await machine.signIn(name),
        payload: {},
      });
    }
    const cookie = await machine.signIn('fleet');
    await vi.waitFor(async () => {
      const { body } = await machine.ask('fleet', '/api/admin/customers', { cookie });
      const customers = z.array(customer).parse(JSON.parse(body));
      expect(customers.map(({ code }) => code).toSorted()).toEqual(['acme', 'beta'].map(machine.codeOf));
      for (const { id } of customers) {
        const answer = await machine.ask('fleet', `/api/fleet/customers/${id}/measurements/raw?${day}`, { cookie });
        expect(JSON.parse(answer.body)).toMatchObject({ totalCount: readings.length });
      }
    }, patience);
  });

  test('the dashboard tool knows only users signed in to its own portal', async () => {
    const own = await machine.ask('acme', '/dash/api/me', { cookie: await machine.signIn('acme') });
    expect(own).toMatchObject({ status: 200, body: expect.stringContaining('"canEdit":true') });
    expect((await machine.ask('acme', '/dash/api/me')).status).toBe(401);
    const other = await machine.ask('acme', '/dash/api/me', { cookie: await machine.signIn('beta') });
    expect(other.status).toBe(401);
    const forged = { 'x-portal-user': 'x', 'x-portal-role': 'Admin', 'x-portal-proof': 'v1.99999999999.x' };
    expect((await machine.ask('acme', '/dash/api/me', { headers: forged })).status).toBe(401);
  });

  test('no container of a customer reaches another customer’s, and no database reaches anything', async () => {
    const [own = ''] = await addressesOf('acme', 'database');
    expect(await reaches('acme', 'portal', own, 5432)).toBe(true);
    const addresses = await Promise.all(
      ['portal', 'dashboards', 'database'].map((service) => addressesOf('beta', service)),
    );
    expect(addresses.flat().length).toBe(5);
    const tries = addresses
      .flat()
      .flatMap((address) => [5432, 8080, 8081].map((port) => ({ address, port })))
      .flatMap((target) => ['portal', 'database'].map((from) => ({ from, ...target })));
    const found = await Promise.all(
      tries.map(async (one) => ({ ...one, isReached: await reaches('acme', one.from, one.address, one.port) })),
    );
    expect(found.filter(({ isReached }) => isReached)).toEqual([]);
    expect(await reaches('acme', 'portal', `${machine.codeOf('beta')}-portal`, 8080)).toBe(false);
    const [proxy = ''] = await addressesOf('caddy', 'caddy');
    expect(await reaches('acme', 'database', proxy, 80)).toBe(false);
  });

  test('every container is without privileges on a read-only file system', async () => {
    const services = ['portal', 'dashboards', 'database'].map((service) => ['acme', service] as const);
    for (const [name, service] of [...services, ['caddy', 'caddy'] as const]) {
      expect(await inside(name, service, 'id', '-u')).not.toBe('0');
      const status = await inside(name, service, 'cat', '/proc/1/status');
      // The proxy may take ports below 1024, and nothing else.
      expect(status).toMatch(service === 'caddy' ? /^CapBnd:\s+0+400$/m : /^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      await expect(inside(name, service, 'touch', '/usr/x')).rejects.toThrow('Read-only file system');
    }
    const superuser = 'SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = ';
    for (const role of ['portal', 'portal_dashboards']) {
      const sql = `${superuser}'${role}'`;
      expect(await inside('acme', 'database', 'psql', '-XAtq', '-U', 'postgres', '-d', 'portal', '-c', sql)).toBe('f');
    }
  });

  test('secrets are in files that others on the machine cannot read, and in no setting of a container', async () => {
    const folder = join(machine.home, machine.codeOf('acme'));
    for (const path of [folder, join(folder, 'secrets')]) expect(statSync(path).mode & 0o077).toBe(0);
    const settings = await podman(
      'inspect',
      machine.container('acme', 'portal'),
      machine.container('acme', 'database'),
    );
    const compose = readFileSync(join(folder, '.env'), 'utf8');
    for (const secret of ['admin_password', 'gate_secret', 'portal_database', 'push_token', 'postgres_password']) {
      expect(settings + compose).not.toContain(machine.secret('acme', secret));
    }
  });

  test.each(['portal', 'database'])('a killed %s restarts automatically, with all its data', async (service) => {
    const cookie = await machine.signIn('acme');
    await kill('acme', service);
    await vi.waitFor(async () => {
      expect((await machine.ask('acme', '/health/ready')).status).toBe(200);
      expect(await energyOf('acme', cookie)).toBe(4);
    }, patience);
  });

  test('a backup is restored into a third stack, and never over existing data', async () => {
    const file = join(machine.home, 'acme.tar');
    await deploy('backup', machine.codeOf('acme'), '--to', file);
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(deploy('backup', machine.codeOf('acme'), '--to', file)).rejects.toThrow('already exists');
    await expect(deploy('restore', machine.codeOf('beta'), '--from', file)).rejects.toThrow('Nothing was restored');
    const third = machine.codeOf('third');
    await deploy('new-customer', third, '--url', `http://${third}.test`, '--portals', '2', '--no-start');
    await deploy('restore', third, '--from', file);
    await isReachable('third');
    expect(await energyOf('third', await machine.signIn('third', 'acme'))).toBe(4);
    // While its second portal joins the network of the proxy, names of others may lead nowhere for a moment.
    await vi.waitFor(async () => expect(await energyOf('beta', await machine.signIn('beta'))).toBe(4), patience);
  });

  test('with two portals nobody notices a killed one, and a sign-in on one is valid on the other', async () => {
    // As above: its names may lead nowhere for a moment after it was started.
    const cookie = await vi.waitFor(() => machine.signIn('third', 'acme'), patience);
    const pairs = [
      ['portal', 'portal-2'],
      ['portal-2', 'portal'],
    ] as const;
    for (const [killed, other] of pairs) {
      const isThere = () => reaches('third', other, `${machine.codeOf('third')}-${killed}`, 8080);
      await vi.waitFor(async () => expect(await isThere()).toBe(true), patience);
      await kill('third', killed);
      for (let ask = 0; ask < 20; ask += 1) expect(await energyOf('third', cookie)).toBe(4);
      await vi.waitFor(async () => expect(await isThere()).toBe(true), patience);
    }
  });

  test('an upgrade from the previous commit keeps all data', async (context) => {
    if (before.folder === undefined) context.skip(`There is no commit before to upgrade from: ${before.reason}.`);
    await deploy('upgrade', machine.codeOf('beta'));
    await isReachable('beta');
    expect(await energyOf('beta', await machine.signIn('beta'))).toBe(4);
    const settings = readFileSync(join(machine.home, machine.codeOf('beta'), '.env'), 'utf8');
    expect(settings).toContain(`PORTAL_IMAGE=${image}`);
    expect(await podman('inspect', '--format', '{{.ImageName}}', machine.container('beta', 'dashboards'))).toBe(image);
  });

  test('a removed stack leaves only its backups', async () => {
    const third = machine.codeOf('third');
    await deploy('backup', third);
    await expect(deploy('remove-customer', third)).rejects.toThrow('--delete-data');
    await deploy('remove-customer', third, '--delete-data');
    await vi.waitFor(async () => expect((await machine.ask('third', '/')).body).toBe(''), patience);
    expect(existsSync(join(machine.home, third))).toBe(false);
    const left = await Promise.all([podman('ps', '-a'), podman('volume', 'ls'), podman('network', 'ls')]);
    expect(left.join('\n')).not.toContain(third);
    expect(await run('ls', [join(machine.home, 'removed')])).toContain(third);
    await isReachable('acme');
  });

  test('new-customer rejects invalid project and host names, and existing ones', async () => {
    for (const code of ['Acme', 'a', '-acme', 'acme-', 'ac_me', 'a'.repeat(40), 'caddy', 'removed', '../x']) {
      await expect(deploy('new-customer', code, '--domain', 'example.com'), code).rejects.toThrow(`The code "${code}"`);
    }
    const acme = machine.codeOf('acme');
    const before = readFileSync(join(machine.home, acme, '.env'), 'utf8');
    await expect(deploy('new-customer', acme, '--domain', 'example.com')).rejects.toThrow('already exists');
    const sameAddress = ['--url', `http://${acme}.test`];
    await expect(deploy('new-customer', 'other', ...sameAddress)).rejects.toThrow('has the address');
    expect(readFileSync(join(machine.home, acme, '.env'), 'utf8')).toBe(before);
    expect(existsSync(join(machine.home, 'other'))).toBe(false);
  });
});
