import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfigFromFile } from 'vite';
import { pageSources } from '../../scripts/web-page.mjs';

const root = join(import.meta.dirname, '../..');

test.each(Object.entries(pageSources()))(
  'the page in %s is built again when any input of its build changes',
  async (folder, sources) => {
    // The files that Vite itself reports for its settings.
    const loaded = await loadConfigFromFile(
      { command: 'serve', mode: 'production' },
      join(root, folder, 'vite.config.ts'),
    );
    const read = (loaded?.dependencies ?? []).map((file) => relative(root, file));
    expect(read.length).toBeGreaterThan(2);
    expect(read.filter((file) => !file.includes('node_modules') && !sources.includes(file))).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'shared/quantities.ts', 'tsconfig.json']));
    expect(sources.filter((file) => /\.test\.|^server\/|^test\//.test(file))).toEqual([]);
  },
);
