import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const programs = join(import.meta.dirname, '../../deploy');
/** Records its calls. Backups contain what they save; the file lists what commands of the portal reject. */
const docker = `#!/bin/sh
echo "$(basename "$PWD"): $*" >>"$NOTES"
for last; do :; done
file=exchange/files/\${last##*/}
case $* in
*'portal backup --to'*) echo "what $(basename "$PWD") held" >"$file" ;;
*'portal check-backup --from'*) ! grep -q garbage "$file" || { echo 'The file is not a complete backup.' >&2; exit 1; } ;;
*'portal restore --from'*) ! grep -q unlucky "$file" || exit 1 ;;
*'caddy validate'*) [ -z "\${REFUSAL:-}" ] || { echo "$REFUSAL" >&2; exit 1; } ;;
*' register-customer '*) cat >/dev/null; echo token ;;
'network inspect'*) exit 1 ;;
esac
`;
const settings = (code: string, url: string) => `COMPOSE_PROJECT_NAME=${code}
COMPOSE_FILE=compose.yaml
CODE=${code}
RUN_MODE=Client
PUBLIC_URL=${url}
DASHBOARD_PREFIX=/dash
`;

let folder = '';
let home = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-stacks-'));
  home = join(folder, 'home');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/docker'), docker);
  await chmod(join(folder, 'bin/docker'), 0o755);
  await makeStack('acme', 'https://acme.example.com');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeStack(code: string, url: string): Promise<void> {
  await mkdir(join(home, code, 'exchange/files'), { recursive: true });
  await writeFile(join(home, code, '.env'), settings(code, url));
}
const read = (path: string) => readFile(join(home, path), 'utf8');
const notes = () => readFile(join(folder, 'notes'), 'utf8').catch(() => '');
const runWith = (environment: Record<string, string>, program: string, ...words: string[]) =>
  spawnSync('sh', [join(programs, program), ...words], {
    env: {
      PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
      PORTAL_HOME: home,
      NOTES: join(folder, 'notes'),
      ...environment,
    },
    encoding: 'utf8',
  });
const run = (program: string, ...words: string[]) => runWith({}, program, ...words);

describe('backups of stacks that are removed', () => {
  test('stay in a folder that is not a stack', async () => {
    await mkdir(join(home, 'acme/backups'));
    await mkdir(join(home, 'caddy'));
    await writeFile(join(home, 'acme/backups/one.tar'), 'one');
    expect(run('remove-customer', 'acme', '--delete-data')).toMatchObject({ status: 0, stderr: '' });
    const [kept = ''] = await readdir(join(home, 'removed'));
    expect(await read(`removed/${kept}/one.tar`)).toBe('one');
    for (const [program, ...words] of [
      ['new-customer', 'removed', '--domain', 'example.com'],
      ['remove-customer', 'removed', '--delete-data'],
    ]) {
      expect(run(program ?? '', ...words)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^The code "removed"/),
      });
    }
  });

  test('never go into a stack that has the name of that folder', async () => {
    await makeStack('removed', 'https://removed.example.com');
    expect(run('remove-customer', 'acme', '--delete-data')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nothing was changed'),
    });
    expect(await read('acme/.env')).toContain('CODE=acme');
    expect(await notes()).toBe('');
  });
});

describe('a restore', () => {
  const restore = async (content: string, ...words: string[]) => {
    await writeFile(join(folder, 'from.tar'), content);
    return run('restore', 'acme', '--from', join(folder, 'from.tar'), ...words);
  };

  test.each([[[]], [['--discard']], [['--replace']]])(
    'with %j reads the file before it changes anything',
    async (words) => {
      expect(await restore('garbage', ...words)).toMatchObject({
        status: 1,
        stderr: 'The file is not a complete backup.\nNothing was changed in acme; see the message above.\n',
      });
      expect(await notes()).not.toMatch(/compose (down|stop|up)/);
      expect(await readdir(join(home, 'acme/exchange/files'))).toEqual([]);
    },
  );

  test('--discard deletes the contents of the stack, then restores and starts it', async () => {
    expect(await restore('whole', '--discard')).toMatchObject({ status: 0, stderr: '' });
    const asked = (await notes()).split('\n').map((line) => /compose (?:run.* portal )?(.*)/.exec(line)?.[1] ?? '');
    expect(asked.map((line) => line.replace(/restore-\d+/, 'file'))).toEqual([
      'check-backup --from /exchange/file.tar',
      'down --volumes',
      'up --detach --wait database',
      'restore --from /exchange/file.tar',
      'up --detach --wait',
      '',
    ]);
    expect(await readdir(join(home, 'acme/backups')).catch(() => [])).toEqual([]);
  });

  test('--replace backs up the contents of the stack before it deletes them', async () => {
    expect(await restore('whole', '--replace')).toMatchObject({ status: 0 });
    const [backup = ''] = await readdir(join(home, 'acme/backups'));
    expect(await read(`acme/backups/${backup}`)).toBe('what acme held\n');
    const asked = await notes();
    expect(asked.indexOf('backup --to')).toBeLessThan(asked.indexOf('down --volumes'));
  });

  test('a failure after the deletion is reported, names the backup, and leaves the stack stopped', async () => {
    const { status, stderr } = await restore('unlucky', '--replace');
    const [backup = ''] = await readdir(join(home, 'acme/backups'));
    expect(status).toBe(1);
    expect(stderr).toContain(`The data of acme is deleted (its backup is ${join(home, 'acme/backups', backup)})`);
    expect(stderr).toContain('The stack is stopped.');
    expect((await notes()).trim().split('\n').at(-1)).toBe('acme: compose stop');
  });

  test('that fails before deleting anything starts the stack again', async () => {
    expect(await restore('unlucky')).toMatchObject({
      status: 1,
      stderr: 'Nothing was restored into acme; see the message above.\n',
    });
    expect((await notes()).trim().split('\n').at(-1)).toBe('acme: compose up --detach --wait');
    expect(await notes()).not.toContain('--volumes');
  });
});

describe('a new stack', () => {
  test.each(['https://acme.example.com', 'https://acme.example.com:8443', 'http://acme.example.com'])(
    'has a host name of its own: not %s',
    async (url) => {
      expect(run('new-customer', 'other', '--url', url)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The stack acme already has the address https://acme.example.com'),
      });
      expect(await readdir(home)).toEqual(['acme']);
    },
  );

  test('has a site that Caddy accepts beside all others; otherwise nothing is left behind', async () => {
    expect(run('new-customer', 'beta', '--domain', 'example.com')).toMatchObject({ status: 0, stderr: '' });
    expect(await read('caddy/sites/beta.caddy')).toContain('\nbeta.example.com {\n');
    const refused = runWith({ REFUSAL: 'ambiguous site' }, 'new-customer', 'gamma', '--domain', 'example.com');
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ambiguous site\nCaddy refuses the site of gamma'),
    });
    expect(await readdir(join(home, 'caddy/sites'))).toEqual(['beta.caddy']);
    expect((await readdir(home)).toSorted()).toEqual(['acme', 'beta', 'caddy']);
  });

  test('has two portals on request, and Caddy uses whichever responds', async () => {
    const two = ['new-customer', 'beta', '--domain', 'example.com', '--portals', '2'] as const;
    expect(run(...two)).toMatchObject({ status: 0, stderr: '' });
    expect(await read('beta/.env')).toMatch(/^COMPOSE_PROFILES=several$/m);
    const site = await read('caddy/sites/beta.caddy');
    expect(site.match(/reverse_proxy beta-portal:8080 beta-portal-2:8080 \{/g)).toHaveLength(2);
    expect(site.match(/^\t+import several_portals$/gm)).toHaveLength(2);
    expect(run('new-customer', 'gamma', '--domain', 'example.com')).toMatchObject({ status: 0 });
    const one = await read('caddy/sites/gamma.caddy');
    expect(one.match(/reverse_proxy gamma-portal:8080 \{/g)).toHaveLength(2);
    expect(one).not.toMatch(/^\t+import several_portals$/m);
    expect(await read('gamma/.env')).not.toContain('PROFILES');
  });

  test.each([
    ['--portals', '3'],
    ['--portals', '2 # '],
    ['--url', 'https://c.example.com\nPORTAL_IMAGE=evil'],
    ['--url', 'https://c..example.com'],
    ['--url', 'https://c.example.com/path'],
    ['--domain', 'example.com\nPORTAL_IMAGE=evil'],
    ['--domain', 'example.com { }'],
    ['--name', 'Acme"'],
    ['--name', 'Acme\nX=1'],
    ['--name', 'Acme\tX'],
    ['--email', 'a@example.com #'],
    ['--email', 'a@example.com\r'],
    ['--time-zone', '$(id)'],
    ['--fleet-url', 'https://fleet.example.com\nX=1'],
    ['PORTAL_IMAGE', 'portal:1\nX=1'],
    ['DATABASE_IMAGE', '--privileged'],
    ['FLEET_ADMIN_EMAIL', 'a@example.com\npassword'],
  ])('is not created with %s %j', async (name, value) => {
    const words = ['new-customer', 'other', '--domain', 'example.com'] as const;
    const answer = name.startsWith('--') ? run(...words, name, value) : runWith({ [name]: value }, ...words);
    expect(answer).toMatchObject({ status: 1, stderr: expect.stringMatching(/must/) });
    expect(await notes()).toBe('');
    expect(await readdir(home)).toEqual(['acme']);
  });

  test.each([
    ['http://fleet.example.com', false],
    ['http://10.example.com', false],
    ['http://10.0.0.1.example.com', false],
    ['http://203.0.113.5', false],
    ['http://172.32.0.1', false],
    ['https://fleet.example.com', true],
    ['http://localhost:5058', true],
    ['http://172.16.0.9:8080', true],
  ])('sends the password of the fleet to %s: %s', async (url, isSent) => {
    const account = { FLEET_ADMIN_EMAIL: 'a@example.com', FLEET_ADMIN_PASSWORD: 'secret word $"' };
    const { status, stderr } = runWith(account, 'new-customer', 'other', '--domain', 'example.com', '--fleet-url', url);
    expect([status, stderr]).toEqual(isSent ? [0, ''] : [1, expect.stringContaining('must be https')]);
    expect((await notes()).includes('register-customer')).toBe(isSent);
  });
});

test('an upgrade accepts no image with a line break', async () => {
  expect(run('upgrade', 'acme', '--image', 'portal:2\nX=1')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The image must not hold/),
  });
  expect(await notes()).toBe('');
});
