import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folders: Record<string, string> = {
  i: 'test/integration/',
  e: 'test/e2e/',
  s: 'server/',
  w: 'web/src/',
};

test('docs/security.md names tests that exist', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const named = [...text.matchAll(/(?<![\w/`])([iesw])\/([\w/-]+)/g)].map(
    ([, folder = '', path = '']) => `${folders[folder]}${path}.test.ts`,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('docs/security.md states for each chapter of ASVS 5.0 what is met', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  for (let chapter = 1; chapter <= 17; chapter += 1) expect(text).toMatch(new RegExp(`^(?:## )?V${chapter}\\b`, 'm'));
});
