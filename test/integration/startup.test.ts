import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { layCable } from '../support/cable.ts';
import { makePortalFolder, runPortalToItsEnd, signInAt, startPortal } from '../support/portal.ts';
import { findFreePort } from '../support/ports.ts';
import { createTestDatabase } from '../support/postgres.ts';

const projectFolder = join(import.meta.dirname, '../..');

/** Runs `work` with a connection to the database, and closes it. */
async function inspect<T>(connectionString: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(connectionString, { maxConnections: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const run = (connectionString: string, text: string) =>
  inspect(connectionString, async (database) => (await database.query<Record<string, unknown>>({ text })).rows);

const listMigrations = (connectionString: string) =>
  run(connectionString, 'SELECT stream, name FROM portal.schema_migrations ORDER BY stream, name');

describe('settings and guards', () => {
  test('all violations are reported together on stderr, one per line, without a stack, and the process exits non-zero', async () => {
    const { ending, output, errors } = await runPortalToItsEnd({
      environment: {
        NODE_ENV: 'production',
        Application__RunMode: 'Both',
        Database__AutoProvisionLocalTimescaleDb: 'true',
        FleetIngest__Enabled: 'true',
      },
    });
    expect(ending).toBe(1);
    expect(output).toBe(errors);
    expect(errors.trimEnd().split('\n')).toEqual([
      'Application__RunMode takes Client or Admin; got "Both".',
      expect.stringMatching(/^Authentication__DefaultAdminPassword is the shipped default/),
      expect.stringMatching(/^Database__AutoProvisionLocalTimescaleDb is true, which is not allowed in Production/),
      'FleetIngest__Url is not set; FleetIngest__Enabled needs it.',
      'FleetIngest__Token is not set; FleetIngest__Enabled needs it.',
    ]);
  });

  test('Startup rule 8: Admin mode refuses to start without a connection string', async () => {
    const { ending, errors } = await runPortalToItsEnd({ environment: { Application__RunMode: 'Admin' } });
    expect([ending, errors]).toEqual([1, 'Database__ConnectionString is not set; the run mode Admin needs it.\n']);
  });

  test('a .env file in the working folder is read, and the environment wins', async () => {
    await using database = await createTestDatabase();
    const folder = await makePortalFolder();
    await writeFile(
      join(folder, '.env'),
      `Database__ConnectionString=${database.connectionString}\nWhiteLabel__ApplicationName=From the file\nApplication__TimeZone=Nowhere`,
    );
    const refused = await runPortalToItsEnd({ folder });
    expect(refused.errors).toMatch(/^Application__TimeZone \(in \.env\) takes an IANA time zone.*got "Nowhere"/);
    await using portal = await startPortal({ folder, environment: { Application__TimeZone: 'Asia/Tokyo' } });
    const info = await (await fetch(`${portal.url}/api/app/info`)).json();
    expect(info).toMatchObject({ applicationName: 'From the file' });
    await portal.stop();
    await rm(folder, { recursive: true });
  });
});

describe('a database with content', () => {
  test('the log says how long a start took, and each of its steps', async () => {
    await using database = await createTestDatabase();
    await using portal = await startPortal({ environment: { Database__ConnectionString: database.connectionString } });
    const said = /ready in (\d+) ms: ((?:\w+ \d+(?:, )?)+)/.exec(portal.output());
    const steps = (said?.[2] ?? '').split(', ').map((step) => step.split(' '));
    expect(steps.map(([name]) => name)).toEqual(['program', 'database', 'migrations', 'engine', 'portal', 'listen']);
    const sum = steps.reduce((total, [, milliseconds]) => total + Number(milliseconds), 0);
    expect(Math.abs(sum - Number(said?.[1]))).toBeLessThanOrEqual(steps.length);
  });

  test('Startup rule 6: Production rejects an account that still has the shipped password, whatever the setting says', async () => {
    await using database = await createTestDatabase();
    const trial = { Database__ConnectionString: database.connectionString };
    await using first = await startPortal({ environment: trial });
    const production = {
      ...trial,
      Application__Environment: 'Production',
      Authentication__DefaultAdminPassword: 'Another-Passw0rd',
    };
    const refused = await runPortalToItsEnd({ environment: production });
    expect(refused.ending).toBe(1);
    expect(refused.errors).toMatch(
      /The account admin@example\.com still has the password that ships.*Authentication__DefaultAdminPassword.*Settings → Password/,
    );

    const changed = await fetch(`${first.url}/api/auth/me/change-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: await signInAt(first.url) },
      body: JSON.stringify({ currentPassword: 'ChangeMe123!', newPassword: 'Changed-Passw0rd' }),
    });
    expect(changed.status).toBe(204);
    await first.stop();
    await using second = await startPortal({ environment: production });
    expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
  });

  test.each(['Storage__KeysPath', 'Storage__UploadsPath', 'Storage__DataPath'])(
    '%s that cannot be created, or is not a folder, stops the start with a message that names it',
    async (setting) => {
      await using database = await createTestDatabase();
      const environment: Record<string, string> =
        setting === 'Storage__DataPath' ? {} : { Database__ConnectionString: database.connectionString };
      const notPermitted = /ENOENT|EACCES|not permitted/;
      for (const [path, reason] of [
        ['/proc/nope/folder', notPermitted],
        ['/proc/nope', notPermitted],
        [import.meta.filename, /is not a folder/],
      ] as const) {
        const refused = await runPortalToItsEnd({ environment: { ...environment, [setting]: path } });
        expect(refused.ending).toBe(1);
        expect(refused.errors).toContain(setting);
        expect(refused.errors).toContain(path);
        expect(refused.errors).toMatch(reason);
      }
    },
  );
});

describe('start on an empty database', () => {
  test('Startup rule 1: migrations are applied before the portal accepts requests; Development shows how to sign in', async () => {
    await using database = await createTestDatabase('empty');
    await using portal = await startPortal({ environment: { Database__ConnectionString: database.connectionString } });
    expect(await listMigrations(database.connectionString)).toContainEqual({
      stream: 'client',
      name: '0001_create_monitoring',
    });
    const output = portal.output();
    expect(output.indexOf('client/0001_create_monitoring')).toBeLessThan(output.indexOf('Server listening'));
    expect(output).toContain(`  The Client portal is ready: ${portal.url}\n`);
    expect(output).toContain('Sign in as admin@example.com and ChangeMe123!');
  });

  test('Production does not show how to sign in, and a chosen password is never printed', async () => {
    await using database = await createTestDatabase('empty');
    const environment = {
      Database__ConnectionString: database.connectionString,
      Authentication__DefaultAdminPassword: 'An0wnPassword',
    };
    await using production = await startPortal({
      environment: { ...environment, Application__Environment: 'Production' },
    });
    expect(production.output()).not.toMatch(/Sign in|An0wnPassword/);
    await production.stop();
    await using development = await startPortal({ environment });
    expect(development.output()).toContain('Sign in as admin@example.com.');
    expect(development.output()).not.toContain('An0wnPassword');
  });

  test('two portals that start at once on one empty database both come up', async () => {
    await using database = await createTestDatabase('empty');
    const environment = { Database__ConnectionString: database.connectionString };
    const portals = await Promise.all([startPortal({ environment }), startPortal({ environment })]);
    const migrated = portals.flatMap((portal) => portal.output().match(/"migration":"[^"]+"/g) ?? []);
    const applied = await listMigrations(database.connectionString);
    for (const portal of portals) await portal[Symbol.asyncDispose]();
    expect(migrated).toHaveLength(applied.length);
    expect(new Set(migrated).size).toBe(applied.length);
    expect(await run(database.connectionString, 'SELECT count(*) AS accounts FROM portal.accounts')).toEqual([
      { accounts: 1 },
    ]);
  });

  test('Admin mode has the common routes and not those of a Client', async () => {
    await using database = await createTestDatabase('empty');
    await using portal = await startPortal({
      environment: { Database__ConnectionString: database.connectionString, Application__RunMode: 'Admin' },
    });
    expect(await (await fetch(`${portal.url}/api/app/info`)).json()).toMatchObject({ runMode: 'Admin' });
    expect((await fetch(`${portal.url}/api/sites`)).status).toBe(404);
    expect((await fetch(`${portal.url}/api/users`)).status).toBe(401);
    expect((await listMigrations(database.connectionString)).map(({ stream }) => stream)).not.toContain('client');
  });
});

describe('migrations', () => {
  let program: string;

  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'portal-program-'));
    for (const name of ['server', 'shared', 'messages', 'migrations', 'package.json']) {
      await cp(join(projectFolder, name), join(program, name), { recursive: true });
    }
    await symlink(join(projectFolder, 'node_modules'), join(program, 'node_modules'));
  });
  afterAll(() => rm(program, { recursive: true }));

  test('a failed one names its statement, exits non-zero, leaves nothing half-done, and can be fixed', async () => {
    await using database = await createTestDatabase('empty');
    const environment = { Database__ConnectionString: database.connectionString };
    const file = join(program, 'migrations/client/9999_break.sql');
    await writeFile(
      file,
      `CREATE TABLE monitoring.half_done (id int);\nSELECT 'a;b', no_such_column FROM portal.accounts;`,
    );

    const { ending, errors } = await runPortalToItsEnd({ program, environment });
    expect(ending).toBe(1);
    expect(errors).toBe(
      'The portal did not start. The migration client/9999_break failed and was rolled back: column "no_such_column" does ' +
        `not exist. Statement: SELECT 'a;b', no_such_column FROM portal.accounts\n`,
    );
    expect(await run(database.connectionString, `SELECT to_regclass('monitoring.half_done') AS half`)).toEqual([
      { half: null },
    ]);
    expect((await listMigrations(database.connectionString)).map(({ name }) => name)).not.toContain('9999_break');

    await writeFile(file, 'CREATE TABLE monitoring.half_done (id int);');
    await using mended = await startPortal({ program, environment });
    expect(mended.output()).toContain('client/9999_break');
    await rm(file);
  });

  test('during a long migration /health is Healthy, /health/ready is Unhealthy and names the step, browsers get a page, other requests 503; no connection is refused', async () => {
    await using database = await createTestDatabase();
    const file = join(program, 'migrations/client/9998_take_long.sql');
    await writeFile(file, 'SELECT pg_sleep(3);');
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const starting = startPortal({
      program,
      port,
      environment: { Database__ConnectionString: database.connectionString },
    });
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${path}`, { headers });
      const [retryAfter, waitingFor] = ['retry-after', 'x-waiting-for'].map((name) => answer.headers.get(name));
      const type = answer.headers.get('content-type');
      return { status: answer.status, retryAfter, waitingFor, type, text: await answer.text() };
    };
    const isListening = () => ask('/health').then(Boolean, () => false);
    while (!(await isListening())) await sleep(20);
    const waitingFor = 'the preparation of the database (migration client/9998_take_long)';
    const starting503 = { status: 503, retryAfter: '5', waitingFor };
    await vi.waitFor(
      async () =>
        expect(await ask('/health/ready')).toEqual({
          ...starting503,
          type: 'text/plain; charset=utf-8',
          text: 'Unhealthy',
        }),
      { timeout: 30_000, interval: 50 },
    );
    expect(await ask('/api/app/info')).toEqual({
      ...starting503,
      type: 'application/json; charset=utf-8',
      text: JSON.stringify({
        error: `The portal is starting and waits for ${waitingFor}; try again shortly.`,
        code: 'starting',
        params: { waitingFor },
      }),
    });
    const browser = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
    for (const path of ['/', '/dashboard?range=today', '/api/docs']) {
      const page = await ask(path, browser);
      expect(page).toMatchObject({ ...starting503, type: 'text/html; charset=utf-8' });
      expect(page.text).toContain('Die Datenbank wird vorbereitet…');
      expect(page.text).toContain('migration client/9998_take_long');
    }
    expect(await ask('/health/ready', browser)).toMatchObject({ ...starting503, text: 'Unhealthy' });
    const seen = new Set<string>();
    for (let status = 503; status !== 200; status = (await ask('/health/ready')).status) {
      const { status: health, text } = await ask('/health');
      seen.add(`${health} ${text}`);
    }
    expect([...seen]).toEqual(['200 Healthy']);
    await using portal = await starting;
    expect(portal.output()).toContain(`"waitingFor":"${waitingFor}","msg":"startup is waiting"`);
    expect((await ask('/api/app/info')).status).toBe(200);
    expect(await portal.stop()).toBe(0);
    await expect(ask('/health')).rejects.toThrow('fetch failed');
    await rm(file);
  }, 60_000);

  test('a database of a newer version stops the start', async () => {
    await using database = await createTestDatabase();
    await run(
      database.connectionString,
      `INSERT INTO portal.schema_migrations (stream, name, checksum) VALUES ('common', '9000_from_the_future', 'x')`,
    );
    const { ending, errors } = await runPortalToItsEnd({
      environment: { Database__ConnectionString: database.connectionString },
    });
    expect(ending).toBe(1);
    expect(errors).toMatch(/has the migration common\/9000_from_the_future, which this version does not know/);
  });

  test('a database from before they were merged stops the start, says what to do and stays unchanged', async () => {
    await using database = await createTestDatabase('empty');
    for (const text of [
      'CREATE SCHEMA portal',
      `CREATE TABLE portal.schema_migrations (stream text, name text, checksum text, applied_at timestamptz DEFAULT now())`,
      `INSERT INTO portal.schema_migrations VALUES ('common', '0001_create_accounts', 'x'), ('common', '0002_create_branding', 'x')`,
    ]) {
      await run(database.connectionString, text);
    }
    const { ending, errors } = await runPortalToItsEnd({
      environment: { Database__ConnectionString: database.connectionString },
    });
    expect(ending).toBe(1);
    expect(errors).toContain(
      'The database has the migration common/0001_create_accounts of a version before the first release, which this version ' +
        'cannot continue. Start this version with an empty database (another Database__ConnectionString',
    );
    expect(await listMigrations(database.connectionString)).toHaveLength(2);
    expect(await run(database.connectionString, `SELECT to_regclass('portal.accounts') AS accounts`)).toEqual([
      { accounts: null },
    ]);
  });

  test('one that was changed after it was applied stops the start', async () => {
    await using database = await createTestDatabase();
    await run(database.connectionString, `UPDATE portal.schema_migrations SET checksum = 'x' WHERE stream = 'client'`);
    const { ending, errors } = await runPortalToItsEnd({
      environment: { Database__ConnectionString: database.connectionString },
    });
    expect(ending).toBe(1);
    expect(errors).toMatch(
      /The migration client\/\d{4}_\w+ was changed after it was applied.*start with an empty database/,
    );
  });
});

describe('Startup rule 10: a database of the other run mode', () => {
  test.each([
    ['a Client refuses a database with fleet.customers', 'Client', 'fleet', 'customers'],
    ['an Admin refuses a database with monitoring.measurements', 'Admin', 'monitoring', 'measurements'],
  ])('%s, before anything is changed', async (_, runMode, schema, table) => {
    await using database = await createTestDatabase('empty');
    await run(database.connectionString, `CREATE SCHEMA ${schema}`);
    await run(database.connectionString, `CREATE TABLE ${schema}.${table} (id int)`);
    const { ending, errors } = await runPortalToItsEnd({
      environment: { Database__ConnectionString: database.connectionString, Application__RunMode: runMode },
    });
    expect(ending).toBe(1);
    expect(errors).toContain(`the table ${schema}.${table}`);
    expect(await run(database.connectionString, `SELECT to_regnamespace('portal') AS portal`)).toEqual([
      { portal: null },
    ]);
  });
});

describe('the portal’s environment', () => {
  test('a port in use is named together with its setting', async () => {
    await using database = await createTestDatabase();
    const port = await findFreePort();
    const other = createServer().listen(port, '127.0.0.1');
    const { ending, errors } = await runPortalToItsEnd({
      port,
      environment: { Database__ConnectionString: database.connectionString },
    });
    other.close();
    expect([ending, errors]).toEqual([
      1,
      `The portal did not start. Cannot listen on 127.0.0.1:${port}: another program already listens there. Change Application__ListenAddress.\n`,
    ]);
  });

  test('a database that refuses permanently ends the start at once, without the password in the output', async () => {
    await using database = await createTestDatabase();
    const wrong = new URL(database.connectionString);
    wrong.password = 'wr0ng-s3cret';
    const { ending, output, errors } = await runPortalToItsEnd({
      environment: { Database__ConnectionString: wrong.href },
    });
    expect(ending).toBe(1);
    expect(errors).toMatch(
      /^The portal did not start\. The database refused the connection: password authentication failed/,
    );
    expect(output).not.toContain('wr0ng-s3cret');
  });

  test('the portal waits for a database that starts later', async () => {
    await using database = await createTestDatabase();
    await using cable = await layCable(database.connectionString, false);
    const port = await findFreePort();
    const starting = startPortal({ port, environment: { Database__ConnectionString: cable.connectionString } });
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        async (answer) => [await answer.text(), answer.headers.get('x-waiting-for')],
        String,
      );
    await vi.waitFor(async () => expect(await ready()).toEqual(['Unhealthy', 'the database']), {
      timeout: 45_000,
      interval: 50,
    });
    await cable.mend();
    await using portal = await starting;
    expect(portal.output()).toContain('waiting for the database');
  });
});
