import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBackup, restore } from '../../server/backup/restore.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { migrate, type Migration, readMigrations } from '../../server/database/migrator.ts';
import { readBackup } from '../../server/backup/archive.ts';
import { createUser, logIn, statusOfMe } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import {
  backUp,
  digestTables,
  type Environment,
  fillWithMeasurements,
  onDatabase,
  restoreFrom,
  settingsOf,
} from '../support/backup.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { png } from '../support/images.ts';
import { signInAt, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createDevice, createSite } from '../support/sites.ts';

const range = 'from=2026-02-20T00:00:00Z&to=2026-04-10T00:00:00Z';
const silent = { info: () => undefined, warn: () => undefined };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tariff = (municipalityId: string) => ({
  municipalityId,
  name: 'Day and night',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: 0.3015,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  exportRatePerKwh: null,
  periods: [{ name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1234567891 }],
});

describe('a backup restored into an empty database', () => {
  const resources = new AsyncDisposableStack();
  let source: TestApp;
  let restored: TestApp;
  let session: { cookie: string };
  let deviceId: string;
  const user = { email: 'reader@example.com', password: 'Reader-Pass-1' };
  const file = () => join(folder, 'whole.tar');
  const digests = { before: {}, after: {} };

  beforeAll(async () => {
    const made = resources.use(await createTestDatabase());
    source = resources.use(await createTestApp({ connectionString: made.connectionString }));
    session = await source.signIn();
    const { app, config } = source;
    const siteId = await createSite({ app, headers: session }, { name: 'Übersee' });
    deviceId = await createDevice({ app, headers: session }, siteId, { externalId: 'a' });
    await createDevice({ app, headers: session }, siteId, { externalId: 'b', isActive: false });
    const ask = async (method: 'GET' | 'POST', url: string, payload: object, headers = {}) => {
      const answer = await app.inject({ method, url, payload, headers: { ...session, ...headers } });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
      return answer;
    };
    await createUser(source, user);
    const municipalities = (await app.inject({ url: '/api/rates', headers: session })).json<{ id: string }[]>();
    await ask('POST', '/api/admin/rates/tariffs', tariff(municipalities[0]?.id ?? ''));
    // A name that was stored before such names were rejected.
    await source.database.query({ text: 'UPDATE monitoring.tariffs SET name = $1' }, [
      'Tab\there, back\\slash, line\nbreak, "quotes" and ä€😀',
    ]);
    await ask('POST', '/api/api-keys', { name: 'Gateway', scope: 'ingest' });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(png(8, 8))], { type: 'image/png' }), 'logo.png');
    const logo = new Response(form);
    await ask('POST', '/api/branding/logo', Buffer.from(await logo.arrayBuffer()), {
      'content-type': logo.headers.get('content-type') ?? '',
    });
    // Across the ends of months, with a register reset and values of both signs.
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      externalId: at % 2 === 0 ? 'a' : 'b',
      time: new Date(Date.UTC(2026, 1, 25) + at * 17 * 60_000).toISOString(),
      activePowerKw: (at % 13) - 4.123456,
      voltageV: at % 5 === 0 ? null : 229.9 + (at % 7) / 10,
      energyImportedKwh: at > 2_000 ? at / 3 : 100_000.5 + at / 3,
    }));
    for (let at = 0; at < rows.length; at += 500) {
      await ask('POST', '/api/ingest/measurements', rows.slice(at, at + 500));
    }
    const settings = {
      ...settingsOf(made.connectionString, folder),
      Storage__KeysPath: config.storage.keysPath,
      Storage__UploadsPath: config.storage.uploadsPath,
    };
    const taken = await backUp(file(), settings);
    expect(taken.ending, taken.output).toBe(0);
    digests.before = await digestTables(source.database);

    const target = resources.use(await createTestDatabase('empty'));
    const targetSettings = settingsOf(target.connectionString, join(folder, 'restored'));
    const done = await restoreFrom(file(), targetSettings);
    expect(done.ending, done.output).toBe(0);
    expect(done.output).toContain('The portal can be started.');
    const again = await backUp(join(folder, 'again.tar'), targetSettings);
    expect(again.ending, again.output).toBe(0);
    restored = resources.use(
      await createTestApp({ connectionString: target.connectionString, environment: targetSettings }),
    );
    digests.after = await digestTables(restored.database);
  });
  afterAll(() => resources.disposeAsync());

  it('has every row of every table, to the last digit', () => {
    expect(digests.before).toMatchObject({ 'monitoring.measurements': expect.stringMatching(/^3000 /) });
    expect(digests.after).toEqual(digests.before);
  });

  it.each([
    `dashboard/summary?${range}`,
    `dashboard/cost-breakdown?${range}&group=day`,
    `dashboard/load-curve?${range}&bucket=hour&groupBy=device`,
    `data-quality?${range}`,
    'rates',
    'users',
    'api-keys',
    'sites',
    'branding',
  ])('answers %s as before', async (path) => {
    const [expected, answer] = await Promise.all(
      [source, restored].map(({ app }) => app.inject({ url: `/api/${path}`, headers: session })),
    );
    expect(expected?.statusCode).toBe(200);
    expect(answer?.json()).toEqual(expected?.json());
  });

  it('answers raw readings and buckets of a device as before', async () => {
    for (const path of [`measurements/raw?${range}`, `measurements?${range}&deviceId=${deviceId}&bucket=day`]) {
      const [expected, answer] = await Promise.all(
        [source, restored].map(({ app }) => app.inject({ url: `/api/${path}`, headers: session })),
      );
      expect(expected?.statusCode, expected?.body).toBe(200);
      expect(answer?.body).toBe(expected?.body);
    }
  });

  it('lets the same people in, keeps the sessions, and shows the logo', async () => {
    expect((await logIn(restored, user)).statusCode).toBe(200);
    expect(await statusOfMe(restored, session)).toBe(200);
    const { logoUrl } = (await restored.app.inject({ url: '/api/branding' })).json<{ logoUrl: string }>();
    const [before, logo] = await Promise.all([source, restored].map(({ app }) => app.inject({ url: logoUrl })));
    expect([before?.statusCode, logo?.rawPayload.equals(before?.rawPayload ?? png(1, 1))]).toEqual([200, true]);
    const { mode } = await stat(join(folder, 'restored/keys'));
    expect(mode & 0o777).toBe(0o700);
  });

  it('continues the numbers of devices, and accepts readings', async () => {
    const headers = session;
    const app = restored.app;
    await createDevice({ app, headers }, await createSite({ app, headers }, { name: 'New' }), { externalId: 'new' });
    const { rows } = await restored.database.query<{ number: number }>({
      text: `SELECT number FROM monitoring.devices WHERE external_id = 'new'`,
    });
    expect(rows[0]?.number).toBe(3);
    const payload = [{ externalId: 'new', time: '2026-03-01T00:00:00Z', activePowerKw: 1 }];
    const answer = await app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers });
    expect(answer.json()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('gives the same backup again, digest by digest, readable only by its owner', async () => {
    const { signal } = new AbortController();
    const [first, second] = await Promise.all(
      [file(), join(folder, 'again.tar')].map((path) => readBackup(path, { signal })),
    );
    expect(second?.manifest).toEqual({ ...first?.manifest, takenAt: second?.manifest.takenAt });
    expect(first?.manifest.months).toEqual(['2026-02', '2026-03', '2026-04']);
    expect(first?.files).toEqual(second?.files);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
});

it('a backup of an older version is restored with its migrations, and then migrated on', async () => {
  await using old = await createTestDatabase();
  await fillWithMeasurements(old, 1_000);
  const path = join(folder, 'old.tar');
  expect((await backUp(path, settingsOf(old.connectionString, folder))).ending).toBe(0);
  const known = await readMigrations(join(import.meta.dirname, '../../migrations'), 'Client');
  // The effect of a later migration on existing rows.
  const later: Migration = {
    stream: 'client',
    name: '9999_count_measurements',
    checksum: 'c'.repeat(64),
    statements: ['CREATE TABLE monitoring.counted AS SELECT count(*) AS rows FROM monitoring.measurements'],
  };
  const migrations = [...known, later];
  const folders = { keys: join(folder, 'old/keys'), uploads: join(folder, 'old/uploads') };
  const { signal } = new AbortController();
  await using target = await createTestDatabase('empty');
  await onDatabase(target, async (database) => {
    const backup = await checkBackup({ folders, migrations, path, runMode: 'Client', signal });
    const applied: string[] = [];
    await restore({
      database,
      openEngine: () => chooseEngine(database, { compressAfterDays: 7, now: Date.now, log: silent }),
      folders,
      migrations,
      path,
      backup,
      signal,
      onMigrated: ({ name }) => applied.push(name),
      onTable: () => undefined,
    });
    expect(applied).toEqual(migrations.map(({ name }) => name));
    await migrate(database, migrations, ({ name }) => expect.unreachable(`${name} was still to be applied`));
    const { rows } = await database.query({ text: 'SELECT rows FROM monitoring.counted' });
    expect(rows).toEqual([{ rows: 1_000 }]);
  });
});

describe('a backup while the portal runs', () => {
  it('is one instant: concurrent requests are in it completely or not at all, and none waits for it', async () => {
    await using resources = new AsyncDisposableStack();
    const made: TestDatabase = resources.use(await createTestDatabase());
    const settings: Environment = settingsOf(made.connectionString, join(folder, 'busy'));
    const portal = resources.use(await startPortal({ environment: settings }));
    const headers = { 'content-type': 'application/json', cookie: await signInAt(portal.url) };
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${portal.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const idOf = (value: unknown) => String(new Map(Object.entries(Object(value))).get('id'));
    const municipalityId = idOf(
      await post('/api/admin/rates/municipalities', { name: 'Here', timeZone: 'Europe/Berlin' }),
    );
    const siteId = idOf(await post('/api/admin/sites', { name: 'Here', municipalityId }));
    for (const externalId of ['a', 'b']) await post('/api/admin/devices', { siteId, name: externalId, externalId });

    const rowsEach = 400;
    const state = { isRunning: true, stored: 0 };
    const load = (async () => {
      for (; state.isRunning; state.stored += 1) {
        // Each request has its own minutes, in both devices and both months.
        const rows = Array.from({ length: rowsEach }, (_, at) => ({
          externalId: at % 2 === 0 ? 'a' : 'b',
          time: new Date(Date.UTC(2026, at < 200 ? 1 : 2, 1) + (state.stored * 200 + (at % 200)) * 5_000).toISOString(),
          activePowerKw: state.stored,
        }));
        await post('/api/ingest/measurements', rows);
      }
    })();
    while (state.stored < 20) await new Promise((resolve) => setTimeout(resolve, 20));
    const storedBefore = state.stored;
    const taken = await backUp(join(folder, 'busy.tar'), settings);
    const storedAfter = state.stored;
    state.isRunning = false;
    await load;
    expect(taken.ending, taken.output).toBe(0);
    expect(storedAfter).toBeGreaterThan(storedBefore + 5);

    const target = resources.use(await createTestDatabase('empty'));
    const targetSettings = settingsOf(target.connectionString, join(folder, 'busy-restored'));
    const done = await restoreFrom(join(folder, 'busy.tar'), targetSettings);
    expect(done.ending, done.output).toBe(0);
    const restored = resources.use(
      await createTestApp({ connectionString: target.connectionString, environment: targetSettings }),
    );
    const { rows } = await restored.database.query<{ request: number; rows: number }>({
      text: `SELECT active_power_milliwatts / 1000000 AS request, count(*) AS rows
             FROM monitoring.measurements GROUP BY 1 ORDER BY 1`,
    });
    expect(rows).toEqual(rows.map((_, request) => ({ request, rows: rowsEach })));
    expect(rows.length).toBeGreaterThanOrEqual(storedBefore);
    expect(rows.length).toBeLessThanOrEqual(storedAfter + 1);
    // Slots and dirty ranges are of the same instant: an answer now counts every reading of it.
    const session = await restored.signIn();
    const answer = await restored.app.inject({
      url: '/api/data-quality?from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z',
      headers: session,
    });
    expect(answer.statusCode, answer.body).toBe(200);
  }, 120_000);

  it('of an Admin contains every customer with its token and its pushed data, on the engine of the run', async () => {
    await using resources = new AsyncDisposableStack();
    const client = resources.use(await createTestApp());
    const session = { app: client.app, headers: await client.signIn() };
    const siteId = await createSite(session);
    await createDevice(session, siteId, { externalId: 'far' });
    const rows = Array.from({ length: 500 }, (_, at) => ({
      externalId: 'far',
      time: new Date(Date.UTC(2024, 1, 1) + at * 6 * 3_600_000).toISOString(),
      activePowerKw: at / 7,
      energyImportedKwh: at,
    }));
    await client.app.inject({
      method: 'POST',
      url: '/api/ingest/measurements',
      payload: rows,
      headers: session.headers,
    });
    const made = resources.use(await createTestDatabase('admin'));
    const fleet = resources.use(await createAdminApp({ connectionString: made.connectionString }));
    const customers = [await createCustomer(fleet, 'first'), await createCustomer(fleet, 'second')];
    for (const { id } of customers) await copyToFleet(client, fleet, id, '2026-03-10T12:00:00Z');
    const admin = { Application__RunMode: 'Admin' };
    const file = join(folder, 'fleet.tar');
    const taken = await backUp(file, { ...settingsOf(made.connectionString, folder), ...admin });
    expect(taken.ending, taken.output).toBe(0);

    const target = resources.use(await createTestDatabase('empty'));
    const settings = { ...settingsOf(target.connectionString, join(folder, 'restored-fleet')), ...admin };
    const done = await restoreFrom(file, settings);
    expect(done.ending, done.output).toBe(0);
    const restored = resources.use(
      await createAdminApp({ connectionString: target.connectionString, environment: settings }),
    );
    const digests = await digestTables(fleet.database);
    expect(digests).toMatchObject({ 'fleet.measurements': expect.stringMatching(/^1000 /) });
    expect(await digestTables(restored.database)).toEqual(digests);
    const { rows: tables } = await restored.database.query<{ chunks: number }>({
      text: `SELECT count(*)::integer AS chunks FROM pg_inherits WHERE inhparent = 'fleet.measurements'::regclass`,
    });
    expect(tables[0]?.chunks).toBeGreaterThan(3);
    const answer = await restored.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': customers[1]?.token ?? '', 'x-batch-type': 'sites' },
      payload: [],
    });
    expect(answer.statusCode, answer.body).toBe(200);
  }, 120_000);
});
