import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { portalCommands } from '../../server/usage.mjs';

const root = join(import.meta.dirname, '../..');

function run(command: string, ...words: string[]) {
  const [file = '', ...given] = command.replace(/^node /, '').split(' ');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, file), ...given, ...words], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const scripts = Object.entries(packageJson.scripts).filter(([, command]) => command.startsWith('node '));
const freely = new Set(['test', 'test:stack', 'chaos', 'mutants']);

test.each([...scripts, ['the program itself', 'node server/main.mjs']])(
  '%s shows its usage with --help and -h, and does nothing else',
  (_name, command) => {
    for (const word of ['--help', '-h']) {
      const { status, stdout, stderr } = run(command, word);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: (?:npm|portal)\b/);
    }
  },
);

test.each([...scripts.filter(([name]) => !freely.has(name)), ['the program itself', 'node server/main.mjs']])(
  '%s rejects an unknown word, and names it',
  (_name, command) => {
    for (const word of ['frobnicate', '--frobnicate']) {
      const { status, stdout, stderr } = run(command, word);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(new RegExp(`^Unknown argument "${word}"\\.\n\nUsage: `));
    }
  },
);

test('the help of npm start names every command, and where the settings are described', () => {
  const { stdout } = run('scripts/start.mjs', '--help');
  for (const name of Object.keys(portalCommands)) expect(stdout).toContain(`\n  ${name} `);
  expect(stdout).toContain('docs/operations.md');
  expect(run('scripts/start.mjs', 'backup', '--help').stdout).toContain('--to <file>');
});

test.each([
  [[], undefined],
  [['--to', 'file'], undefined],
  [['--to', '--frob'], undefined],
  [['--to=file'], undefined],
  [['--rows=5', '--all'], undefined],
  [['--rows', '5'], '--rows'],
  [['file'], 'file'],
  [['--to', 'file', 'other'], 'other'],
  [['--all=1'], '--all=1'],
  [['--t'], '--t'],
])('words %j: the first unknown one is %s', (words, unknown) => {
  const known = { '--to <file>': 'where', '--all': 'all', '--rows=<count>': 'how many' };
  const command = `import { answerWords } from ${JSON.stringify(join(root, 'server/usage.mjs'))};
    process.exit(answerWords(${JSON.stringify(words)}, { call: 'x', does: 'y', words: ${JSON.stringify(known)} }) ?? 9);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', command], { encoding: 'utf8' });
  expect([status, /"(.*?)"/.exec(stderr)?.[1]]).toEqual(unknown === undefined ? [9, undefined] : [1, unknown]);
});
