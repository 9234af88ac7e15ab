import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { customerCode } from '../../shared/fleet.ts';

const root = join(import.meta.dirname, '../..');
const good = ['ab', 'a1', '01', 'acme', 'acme-works-2', 'a-b', 'a--b', 'x'.repeat(39), `${'x'.repeat(37)}-9`];
// prettier-ignore
const bad = [
  '', 'a', '-', '-a', 'a-', '-acme', 'acme-', '--', 'Acme', 'aCme', 'a_b', 'a.b', 'a b', 'a/b', '../etc', 'a\nb',
  'größe', 'ａｂ', 'a*', '$(id)', 'x'.repeat(40), `${'x'.repeat(38)}-`, 'caddy', 'removed',
];

const accepts = {
  registry: (code: string) => customerCode.safeParse(code).success,
  // As `deploy/new-customer` checks it.
  script: (code: string) => {
    const words = ['-c', '. deploy/lib.sh; check_code "$1"', 'deploy/new-customer', code];
    const { status, stderr } = spawnSync('sh', words, { cwd: root, encoding: 'utf8' });
    expect([0, 1], stderr).toContain(status);
    if (status === 1) expect(stderr).toContain(`The code "${code}"`);
    return status === 0;
  },
};

test.each(good)('decisions.md 4: the code %j is accepted by the registry and by deploy/new-customer', (code) => {
  expect([accepts.registry(code), accepts.script(code)]).toEqual([true, true]);
});

test.each(bad)('decisions.md 4: the code %j is refused by the registry and by deploy/new-customer', (code) => {
  expect([accepts.registry(code), accepts.script(code)]).toEqual([false, false]);
});

test('deploy/new-customer checks the code before anything else', async () => {
  const script = await readFile(join(root, 'deploy/new-customer'), 'utf8');
  expect(script.indexOf('check_code "$code"')).toBeLessThan(script.indexOf('while ['));
});
