import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { importsOf } from '../../scripts/imports.mjs';
import { onlyIf } from '../support/only-if.ts';

// The scripts take the folder above them for the project, so a copy elsewhere works on a test project.
const root = join(import.meta.dirname, '../..');
const folders: string[] = [];
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'portal-scripts-'));
  folders.push(project);
  await cp(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
  await mkdir(join(project, 'server'));
  await cp(join(root, 'server/usage.mjs'), join(project, 'server/usage.mjs'));
});

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Each problem occurred in Node 20, which runs the scripts until the pinned Node is installed. */
const ofNode20: Record<string, readonly string[]> = {
  'node:child_process': ['spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'randomInt'],
  'node:fs': [
    'cpSync',
    'existsSync',
    'mkdirSync',
    'mkdtempSync',
    'readFileSync',
    'readdirSync',
    'renameSync',
    'rmSync',
    'statSync',
    'utimesSync',
    'writeFileSync',
  ],
  'node:module': ['createRequire'],
  'node:os': ['arch', 'constants', 'cpus', 'release', 'tmpdir', 'totalmem', 'type'],
  'node:path': ['basename', 'delimiter', 'dirname', 'join', 'relative', 'resolve', 'sep'],
  'node:timers/promises': ['setTimeout'],
  'node:url': ['fileURLToPath'],
};

it('the scripts of package.json import only modules of Node that Node 20 has', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(packageJson);
  const starts = Object.values(scripts).flatMap((script) => /^node (scripts\/\S+)/.exec(script)?.slice(1) ?? []);
  const files = new Set(starts.map((file) => join(root, file)));
  const lacking: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const next of importsOf(file, text)) files.add(next);
    for (const [, names = '', module = ''] of text.matchAll(/^import \{([^}]*)\} from '(node:[^']+)'/gm)) {
      for (const name of names
        .split(',')
        .map((each) => each.trim().replace(/ as .*/, ''))
        .filter((each) => each !== '')) {
        if (ofNode20[module]?.includes(name) !== true) lacking.push(`${file}: ${name} of ${module}`);
      }
    }
  }
  expect(files.size).toBeGreaterThan(15);
  expect(lacking).toEqual([]);
});

describe('npm start installs what is missing', () => {
  const locked = {
    '': {},
    'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-f' },
    'node_modules/@native/here': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    'node_modules/@native/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['mips'] },
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  };
  const { 'node_modules/fastify': fastify, 'node_modules/@native/here': native } = locked;
  const whole = { 'node_modules/fastify': fastify, 'node_modules/@native/here': native };

  it.each([
    ['the installed packages are those of the lock file', true, whole],
    ['one has another version', false, { ...whole, 'node_modules/fastify': { ...fastify, version: '4.0.0' } }],
    ['one has another content', false, { ...whole, 'node_modules/fastify': { ...fastify, integrity: 'sha512-x' } }],
    ['one is missing', false, { 'node_modules/@native/here': native }],
    ['the optional one for this machine is missing', false, { 'node_modules/fastify': fastify }],
    ['one is there that the lock file does not have', false, { ...whole, 'node_modules/left': { version: '1.0.0' } }],
  ])('when %s, it is installed: %s', async (_name, expected, present) => {
    await plant('package-lock.json', JSON.stringify({ packages: locked }));
    await plant('node_modules/.package-lock.json', JSON.stringify({ packages: present }));
    expect(await ask("(await import('./scripts/install.mjs')).matchesLockFile()")).toBe(expected);
  });

  it('an interrupted install, which leaves packages but not the list that npm writes last, is repeated', async () => {
    await plant('package-lock.json', JSON.stringify({ packages: locked }));
    await plant('node_modules/fastify/package.json', '{}');
    expect(await ask("(await import('./scripts/install.mjs')).matchesLockFile()")).toBe(false);
  });
});

describe('npm start builds a page that is missing or outdated', () => {
  const isCurrent = "(await import('./scripts/web-page.mjs')).isWebPageCurrent()";
  const build = "(await import('./scripts/web-page.mjs')).ensureWebPage().then(() => 'built')";
  let built: string | undefined;

  beforeEach(async () => {
    await plant('package-lock.json', '{}');
    await plant('shared/limits.ts', 'export const limit = 1;');
    await plant('web/index.html', '<script type="module" src="./main.js"></script>');
    await plant('web/main.js', `import { limit } from '../shared/limits.ts';\ndocument.title = String(limit);`);
    await plant('web/main.test.ts', '');
    await plant('web/vite.config.mjs', `import { settings } from '../scripts/settings.mjs';\nexport default settings;`);
    await plant('scripts/settings.mjs', `export const settings = {};`);
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
  });

  it.each([
    ['nothing is changed', true, async () => undefined],
    ['a file of the page is changed', false, () => plant('web/main.js', 'document.title = "two";')],
    ['a file of the page is added', false, () => plant('web/other.js', '')],
    [
      'what it imports of the wire contract is changed',
      false,
      () => plant('shared/limits.ts', 'export const limit = 2;'),
    ],
    [
      'a script of its build is changed',
      false,
      () => plant('scripts/settings.mjs', 'export const settings = { base: "/" };'),
    ],
    ['a test of the page is changed', true, () => plant('web/main.test.ts', 'export {};')],
    ['a package is changed', false, () => plant('package-lock.json', '{ }')],
    ['the page is gone', false, () => rm(join(project, 'web/dist/index.html'))],
    ['it was built in another way, or not to its end', false, () => rm(join(project, 'web/dist/.built-from'))],
  ])('when %s, it is current: %s', async (_name, expected, change) => {
    expect(await ask(isCurrent)).toBe(false);
    // Built once, from the same sources.
    if (built === undefined) {
      expect(await ask(build)).toBe('built');
      built = join(project, 'built');
      await cp(join(project, 'web/dist'), built, { recursive: true });
    } else await cp(built, join(project, 'web/dist'), { recursive: true });
    expect(await ask(isCurrent)).toBe(true);
    await change();
    expect(await ask(isCurrent)).toBe(expected);
  });
});

describe('two commands on one clone', () => {
  const work = `(await import('./scripts/turn.mjs')).inTurn(async () => {
    const began = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 400));
    return [began, Date.now()];
  })`;

  it('take turns', async () => {
    const turns = await Promise.all([ask(work), ask(work), ask(work)]);
    const [first = [], second = [], third = []] = turns.filter(Array.isArray).toSorted((a, b) => a[0] - b[0]);
    expect(second[0]).toBeGreaterThanOrEqual(first[1]);
    expect(third[0]).toBeGreaterThanOrEqual(second[1]);
  });

  it('do not keep what one of them does at once from running beside each other', async () => {
    const [first, second] = z.array(z.array(z.number())).parse(await ask(`Promise.all([${work}, ${work}])`));
    expect(second?.[0]).toBeLessThan(first?.[1] ?? 0);
    expect(existsSync(join(project, '.setup-lock'))).toBe(false);
  });

  it('do not wait for one that was killed', async () => {
    await mkdir(join(project, '.setup-lock'));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(project, '.setup-lock'), longAgo, longAgo);
    expect(await ask(work)).toHaveLength(2);
  });
});

// Windows sends Ctrl-C to every process of the console.
describe(
  'npm start in the foreground (POSIX signals)',
  onlyIf(process.platform !== 'win32', 'Windows has no POSIX signals'),
  () => {
    const server = `
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
      signals += 1;
      console.log(signal);
      setTimeout(() => process.exit(40 + signals), 900);
    });
    setInterval(() => undefined, 1000);
    console.log('ready');`;

    beforeEach(async () => {
      await plant('server.mjs', server);
      await plant(
        'run.mjs',
        "process.exitCode = await (await import('./scripts/foreground.mjs')).runInForeground([['server.mjs']]);",
      );
      await symlink(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
    });

    it("one Ctrl-C, which comes from the terminal and from npm, is one signal, and the exit code is the server's", async () => {
      const { child, output, ending } = start();
      await until(() => output().includes('ready'));
      child.kill('SIGINT');
      await sleep(100);
      child.kill('SIGINT');
      expect(await ending).toBe(41);
      expect(output().match(/SIGINT/g)).toHaveLength(1);
    });

    it('a second Ctrl-C later is passed on too', async () => {
      const { child, output, ending } = start();
      await until(() => output().includes('ready'));
      child.kill('SIGINT');
      await sleep(700);
      child.kill('SIGINT');
      expect(await ending).toBe(42);
      expect(output().match(/SIGINT/g)).toHaveLength(2);
    });

    it.each([
      ['SIGTERM', 'SIGTERM'],
      ['SIGHUP', 'SIGTERM'],
    ] as const)('%s stops the server with %s', async (sent, received) => {
      const { child, output, ending } = start();
      await until(() => output().includes('ready'));
      child.kill(sent);
      expect(await ending).toBe(41);
      expect(output()).toContain(received);
    });

    it('a SIGTERM that npm sends only to its shell stops the server too', async () => {
      // The shell has another command to run, so that it does not become the script.
      const shell = spawn('/bin/sh', ['-c', '"$0" run.mjs; :', process.execPath], {
        cwd: project,
        env: { ...process.env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { output, ending } = watch(shell);
      await until(() => output().includes('ready'));
      shell.kill('SIGTERM');
      // The output closes when every process that could write to it has ended.
      await ending;
      expect(output().match(/SIGTERM/g)).toHaveLength(1);
    });
  },
);

async function plant(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

/** The value of an expression in a separate process in the project. */
async function ask(expression: string): Promise<unknown> {
  const code = `process.stdout.write('\\n' + JSON.stringify(await ${expression}))`;
  const { output, ending } = launch(['--input-type=module', '-e', code]);
  expect(await ending, output()).toBe(0);
  return JSON.parse(output().split('\n').at(-1) ?? '');
}

const start = () => launch(['run.mjs']);

function launch(words: readonly string[]): Watched {
  return watch(spawn(process.execPath, words, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] }));
}

interface Watched {
  child: ChildProcess;
  output: () => string;
  ending: Promise<number | null>;
}

function watch(child: ChildProcessByStdio<null, Readable, null>): Watched {
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ending = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, output: () => output, ending };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}
