import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../migrations');
const ledger = join(folder, 'landed.sha256');

interface Entry {
  file: string;
  checksum: string;
}

describe('migrations are immutable once landed', () => {
  const present = globSync('*/*.sql', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .map((file) => ({ file, checksum: checksumOf(file) }));
  // Before the first release nothing has landed; from then on each migration is added to the ledger with the change that brings it.
  const landed = readLedger();

  if (process.env['LAND_MIGRATIONS'] === '1') {
    const known = new Set(landed.map(({ file }) => file));
    landed.push(...present.filter(({ file }) => !known.has(file)));
    writeFileSync(ledger, landed.map(({ checksum, file }) => `${checksum}  ${file}\n`).join(''));
  }

  it('none of those that landed was changed or taken away', () => {
    const changed = landed.filter(
      ({ file, checksum }) => !existsSync(join(folder, file)) || checksumOf(file) !== checksum,
    );
    expect(changed.map(({ file }) => file)).toEqual([]);
  });

  it('once some have landed, every migration is in migrations/landed.sha256 (`LAND_MIGRATIONS=1 npm test test/lint/migrations` adds new ones)', () => {
    const missing = present.filter(({ file }) => !landed.some((entry) => entry.file === file));
    expect(landed.length === 0 ? [] : missing.map(({ file }) => file)).toEqual([]);
  });

  it('a new one comes after those that landed, because it runs after them where they ran already', () => {
    const lastOf = new Map(landed.map(({ file }) => [streamOf(file), file]));
    const early = present.filter(
      ({ file }) => !landed.some((entry) => entry.file === file) && file < (lastOf.get(streamOf(file)) ?? ''),
    );
    expect(early.map(({ file }) => file)).toEqual([]);
  });

  it('each is named NNNN_verb_noun.sql, and no number stands twice in a stream', () => {
    for (const { file } of present) expect(file).toMatch(/^(common|client|admin)\/\d{4}_[a-z]+(_[a-z]+)+\.sql$/);
    const numbers = present.map(({ file }) => file.replace(/_.*/, ''));
    expect(numbers).toEqual([...new Set(numbers)]);
  });
});

function readLedger(): Entry[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [checksum = '', file = ''] = line.split('  ');
      return { checksum, file };
    });
}

function checksumOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}

const streamOf = (file: string) => file.split('/', 1)[0];
