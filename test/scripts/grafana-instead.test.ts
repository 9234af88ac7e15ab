import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../deploy/grafana-instead');
/** Notes what it is asked; networks have two subnets. */
const docker = `#!/bin/sh
echo "$(basename "$PWD"): $*" >>"$NOTES"
case $* in
*'network inspect --format'*) printf '10.9.8.0/24 fd00:9::/64 ' ;;
'network inspect'*) exit 1 ;;
esac
`;
const settings = (mode: string) => `COMPOSE_PROJECT_NAME=acme
COMPOSE_FILE=compose.yaml:compose.push.yaml
CODE=acme
RUN_MODE=${mode}
PUBLIC_URL=https://acme.example.com
DASHBOARD_PREFIX=/dash
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-stacks-'));
  await mkdir(join(folder, 'acme/secrets'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'acme/.env'), settings('Client'));
  await writeFile(join(folder, 'bin/docker'), docker);
  await chmod(join(folder, 'bin/docker'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (path: string) => readFile(join(folder, path), 'utf8');
const run = (...words: string[]) =>
  spawnSync('sh', [program, ...words], {
    env: {
      PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
      PORTAL_HOME: folder,
      NOTES: join(folder, 'notes'),
    },
    encoding: 'utf8',
  });

test('a stack gets Grafana: secrets, a network of its own with the proxy, its files, and the site that leads to it', async () => {
  expect(run('acme')).toMatchObject({ status: 0, stderr: '' });
  const env = await read('acme/.env');
  expect(env).toMatch(/^COMPOSE_FILE=compose\.yaml:compose\.push\.yaml:compose\.grafana\.yaml$/m);
  expect(env).toMatch(/^GRAFANA_SUBNET=10\.9\.8\.0\/24,fd00:9::\/64$/m);
  for (const name of ['grafana_database', 'grafana_secret_key']) {
    expect(await read(`acme/secrets/${name}`)).toMatch(/^[\da-f]{48}\n$/);
  }
  expect((await readdir(join(folder, 'acme/grafana'))).toSorted()).toEqual([
    'generated',
    'provisioning',
    'reporting.sql',
    'role.sql',
    'setup.sh',
  ]);
  expect((await stat(join(folder, 'acme/grafana/generated/overview.json'))).mode & 0o777).toBe(0o644);
  expect(await read('caddy/compose.networks.yaml')).toContain(
    '  acme_grafana: { external: true, name: acme_grafana }\n',
  );
  const site = await read('caddy/sites/acme.caddy');
  expect(site).toContain('reverse_proxy acme-grafana:8081 {');
  expect(site).toMatch(/^\s*import to_grafana$/m);
  const notes = await read('notes');
  expect(notes).toContain('network create --internal acme_grafana');
  expect(notes.indexOf('acme: compose rm --stop --force dashboards')).toBeLessThan(
    notes.indexOf('acme: compose up --detach --wait'),
  );
});

test('doing it twice changes nothing, and going back leaves what was saved there', async () => {
  run('acme');
  const secret = await read('acme/secrets/grafana_database');
  expect(run('acme')).toMatchObject({ status: 0, stderr: '' });
  expect(await read('acme/secrets/grafana_database')).toBe(secret);
  expect((await read('acme/.env')).match(/compose\.grafana\.yaml/g)).toHaveLength(1);

  expect(run('acme', '--off')).toMatchObject({ status: 0, stderr: '' });
  expect(await read('acme/.env')).toMatch(/^COMPOSE_FILE=compose\.yaml:compose\.push\.yaml$/m);
  expect(await read('caddy/sites/acme.caddy')).toContain('reverse_proxy acme-dashboards:8081 {');
  expect(await read('caddy/compose.networks.yaml')).not.toContain('acme_grafana');
  expect(await read('notes')).not.toMatch(/volume|--volumes/);
  expect(run('acme', '--off')).toMatchObject({ status: 1, stderr: 'The stack acme has no Grafana.\n' });
});

test('a fleet, a stack that is not there, and words that it does not know are refused', async () => {
  await writeFile(join(folder, 'acme/.env'), settings('Admin'));
  expect(run('acme').stderr).toContain('SQL cannot tell which customers an account may see');
  expect(run('zenith')).toMatchObject({ status: 1, stderr: `There is no stack zenith in ${folder}.\n` });
  expect(run('acme', '--no')).toMatchObject({ status: 2 });
  await expect(read('notes')).rejects.toThrow('ENOENT');
});
