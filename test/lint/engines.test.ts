import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runOnceBecause } from '../support/engines.ts';

it('every test that is listed for one engine only exists', () => {
  const files = readdirSync(join(import.meta.dirname, '../integration'));
  expect(Object.keys(runOnceBecause).filter((name) => !files.includes(name))).toEqual([]);
});
