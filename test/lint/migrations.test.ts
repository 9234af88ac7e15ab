import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'migrations');
const ledger = join(folder, 'landed.sha256');

interface Entry {
  /** `client/0001_create_monitoring.sql` */
  file: string;
  checksum: string;
}

const streamOf = (file: string) => file.split('/', 1)[0] ?? '';

/** Errors of the migrations, compared with those of a release. */
function faultsOf({ present, landed, isReleased }: { present: Entry[]; landed: Entry[]; isReleased: boolean }) {
  const faults: string[] = [];
  const isLanded = new Set(landed.map(({ file }) => file));
  for (const { file, checksum } of landed) {
    const found = present.find((entry) => entry.file === file);
    if (found === undefined) faults.push(`${file} was taken away`);
    else if (found.checksum !== checksum) faults.push(`${file} was changed`);
  }
  if (isReleased && landed.length === 0)
    faults.push('migrations/landed.sha256 is missing, although there is a release');
  const lastOf = new Map(landed.map(({ file }) => [streamOf(file), file]));
  for (const { file } of present) {
    if (landed.length > 0 && !isLanded.has(file)) faults.push(`${file} is not in migrations/landed.sha256`);
    if (!isLanded.has(file) && file < (lastOf.get(streamOf(file)) ?? '')) {
      faults.push(`${file} comes before those that landed, and would run after them`);
    }
    if (!/^(common|client|admin)\/\d{4}_[a-z]+(_[a-z]+)+\.sql$/.test(file)) {
      faults.push(`${file} is not named NNNN_verb_noun.sql`);
    }
  }
  const numbers = present.map(({ file }) => file.replace(/_.*/, ''));
  faults.push(
    ...numbers.filter((number, at) => numbers.indexOf(number) < at).map((number) => `${number} stands twice`),
  );
  return faults;
}

/** The migrations that land now: with the first release one for each stream, later the new ones. */
function land(present: Entry[], landed: Entry[]): Entry[] {
  const streams = present.map(({ file }) => streamOf(file));
  if (landed.length === 0 && streams.length > new Set(streams).size) {
    throw new Error('The first release has one migration a stream: merge the others into it first.');
  }
  return [...landed, ...present.filter(({ file }) => !landed.some((entry) => entry.file === file))];
}

describe('migrations are immutable once a release has them', () => {
  it('existing ones are unchanged (`LAND_MIGRATIONS=1 npm test test/lint/migrations` adds new ones to migrations/landed.sha256)', () => {
    const present = globSync('*/*.sql', { cwd: folder })
      .map((file) => file.replaceAll('\\', '/'))
      .toSorted()
      .map((file) => ({ file, checksum: checksumOf(file) }));
    let landed = readLedger();
    if (process.env['LAND_MIGRATIONS'] === '1') {
      landed = land(present, landed);
      writeFileSync(ledger, landed.map(({ checksum, file }) => `${checksum}  ${file}\n`).join(''));
    }
    expect(present.length).toBeGreaterThan(2);
    expect(faultsOf({ present, landed, isReleased: hasReleaseTag() })).toEqual([]);
  });

  const one = { file: 'client/0001_create_monitoring.sql', checksum: 'a' };
  const two = { file: 'client/0002_add_alarms.sql', checksum: 'b' };
  const late = { file: 'client/0003_add_reports.sql', checksum: 'c' };

  it('before the first release the list is empty, and nothing is checked', () => {
    expect(faultsOf({ present: [one, two], landed: [], isReleased: false })).toEqual([]);
    expect(faultsOf({ present: [one], landed: [one], isReleased: true })).toEqual([]);
  });

  it.each([
    ['a change', { present: [{ ...one, checksum: 'x' }], landed: [one], isReleased: true }, 'was changed'],
    ['a missing one', { present: [two], landed: [one, two], isReleased: true }, 'was taken away'],
    ['one that is not listed', { present: [one, two], landed: [one], isReleased: true }, 'is not in migrations/'],
    ['one before the last', { present: [one, two, late], landed: [one, late], isReleased: true }, 'comes before'],
    ['a release without a list', { present: [one], landed: [], isReleased: true }, 'landed.sha256 is missing'],
    ['a wrong name', { present: [{ ...one, file: 'client/1_x.sql' }], landed: [], isReleased: false }, 'is not named'],
    [
      'a number twice',
      { present: [one, { ...two, file: 'client/0001_x_y.sql' }], landed: [], isReleased: false },
      'client/0001 stands twice',
    ],
  ])('%s is reported', (_, state, fault) => {
    expect(faultsOf(state).join('\n')).toContain(fault);
  });

  it('the first release lands one migration for each stream; later ones are added and no line is rewritten', () => {
    expect(land([one], [])).toEqual([one]);
    expect(() => land([one, two], [])).toThrow('one migration a stream');
    expect(land([{ ...one, checksum: 'x' }, two], [one])).toEqual([one, two]);
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

/** Whether this commit is after a release; a copy without its history cannot tell, so only the list counts. */
function hasReleaseTag(): boolean {
  if (!existsSync(join(root, '.git'))) return false;
  const words = ['-C', root, 'tag', '--merged', 'HEAD', '--list', 'v[0-9]*'];
  return execFileSync('git', words, { encoding: 'utf8' }).trim() !== '';
}

function checksumOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}
