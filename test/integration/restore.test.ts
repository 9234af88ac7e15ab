import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBackup } from '../../server/backup/archive.ts';
import {
  backUp,
  digestTables,
  fillWithMeasurements,
  INSERT_MUNICIPALITY,
  interruptCopy,
  onDatabase,
  restoreFrom,
  settingsOf,
} from '../support/backup.ts';
import { runPortalToItsEnd } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

// Two parts; and enough to be caught in the middle.
const [some, many] = [70_000, 400_000];

let folder: string;
let source: TestDatabase;
let file: string;
let bytes: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-restore-'));
  file = join(folder, 'whole.tar');
  source = await createTestDatabase();
  await mkdir(join(folder, 'source/keys'), { recursive: true });
  await writeFile(join(folder, 'source/keys/session-2026-03-01.key'), 'the key of the backup\n');
  await fillWithMeasurements(source, some);
  const taken = await backUp(file, settingsOf(source.connectionString, join(folder, 'source')));
  expect(taken.ending, taken.output).toBe(0);
  bytes = await readFile(file);
});
afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('an incomplete backup', () => {
  const { signal } = new AbortController();
  const refusalOf = async (content: Buffer) => {
    const path = join(folder, 'damaged.tar');
    await writeFile(path, content);
    return readBackup(path, { signal }).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  };

  it('is rejected wherever it was cut', async () => {
    expect(await refusalOf(bytes)).toBe('taken');
    const ends = [0, 1, 511, 512, 513, bytes.length - 1, bytes.length - 1024, bytes.length - 1025, bytes.length - 2048];
    for (let part = 1; part < 12; part += 1) ends.push(Math.floor((bytes.length * part) / 12));
    for (const end of ends) {
      expect(await refusalOf(bytes.subarray(0, end)), `cut at ${end}`).toMatch(/^The file is not a complete backup: /);
    }
  });

  it('is rejected wherever a meaningful bit was changed', async () => {
    for (const name of listNames(bytes)) {
      const head = bytes.indexOf(`${name}\u0000`, 0, 'latin1');
      const size = parseInt(bytes.toString('latin1', head + 124, head + 135), 8);
      for (const at of [
        head,
        head + 100,
        head + 130,
        head + 512,
        head + 512 + Math.floor(size / 2),
        head + 511 + size,
      ]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 0b100;
        expect(await refusalOf(changed), `${name} at ${at - head}`).toMatch(/^The file is not a complete backup: /);
      }
    }
  }, 120_000);

  it('is rejected if a part of it is missing, repeated or out of order', async () => {
    const names = listNames(bytes);
    const starts = [...names.map((name) => bytes.indexOf(`${name}\u0000`, 0, 'latin1')), bytes.length - 1024];
    const block = (at: number) => bytes.subarray(starts[at], starts[at + 1]);
    const all = names.map((_, at) => block(at));
    const first = names.indexOf('tables/monitoring.measurements/000001.copy.gz');
    expect(names).toContain('tables/monitoring.measurements/000002.copy.gz');
    const end = bytes.subarray(-1024);
    expect(await refusalOf(Buffer.concat([...all.toSpliced(first, 1), end]))).toContain(
      'rows of monitoring.measurements',
    );
    const twice = Buffer.concat([...all.toSpliced(first, 0, block(first)), end]);
    expect(await refusalOf(twice)).toContain('rows of monitoring.measurements');
    const swapped = Buffer.concat([...all.toSpliced(first, 2, block(first + 1), block(first)), end]);
    expect(await refusalOf(swapped)).toContain('rows of monitoring.measurements');
  });

  it('changes nothing: neither tables nor files', async () => {
    await using target = await createTestDatabase('empty');
    const settings = settingsOf(target.connectionString, join(folder, 'untouched'));
    for (const content of [
      bytes.subarray(0, 100_000),
      Buffer.from('no archive at all, but long enough').fill('x', 0),
    ]) {
      await writeFile(join(folder, 'damaged.tar'), content);
      const ended = await restoreFrom(join(folder, 'damaged.tar'), settings);
      expect(ended.ending).toBe(1);
      expect(ended.errors).toMatch(/^Nothing was restored\. The file is not a complete backup: /);
    }
    expect(await onDatabase(target, digestTables)).toEqual({});
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
  });
});

describe('a restore that is not allowed', () => {
  it('never overwrites: a database with any content is rejected by name, and stays', async () => {
    await using target = await createTestDatabase();
    const before = await onDatabase(target, async (database) => {
      await database.query({ text: INSERT_MUNICIPALITY });
      return digestTables(database);
    });
    const ended = await restoreFrom(file, settingsOf(target.connectionString, join(folder, 'untouched')));
    expect(ended.ending).toBe(1);
    expect(ended.errors).toContain('The database is not empty (rows in monitoring.municipalities)');
    expect(await onDatabase(target, digestTables)).toEqual(before);
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
  });

  it('a session key of the same name and different content is not replaced', async () => {
    await using target = await createTestDatabase('empty');
    const keys = join(folder, 'other/keys');
    await mkdir(keys, { recursive: true });
    await writeFile(join(keys, 'session-2026-03-01.key'), 'another key\n');
    const ended = await restoreFrom(file, settingsOf(target.connectionString, join(folder, 'other')));
    expect(ended.errors).toContain('has a file session-2026-03-01.key that differs from the one in the backup');
    expect(await readFile(join(keys, 'session-2026-03-01.key'), 'utf8')).toBe('another key\n');
    expect(await onDatabase(target, digestTables)).toEqual({});
  });

  it('a backup of a newer version, and one of the other run mode, are rejected before the database is touched', async () => {
    await using newer = await createTestDatabase();
    await onDatabase(newer, (database) =>
      database.query({
        text: `INSERT INTO portal.schema_migrations VALUES ('client', '9999_later', '${'0'.repeat(64)}', now())`,
      }),
    );
    const path = join(folder, 'newer.tar');
    expect((await backUp(path, settingsOf(newer.connectionString, folder))).ending).toBe(0);
    await using target = await createTestDatabase('empty');
    const settings = settingsOf(target.connectionString, join(folder, 'untouched'));
    expect((await restoreFrom(path, settings)).errors).toContain(
      'has the migration client/9999_later, which this version',
    );
    const admin = await restoreFrom(file, { ...settings, Application__RunMode: 'Admin' });
    expect(admin.errors).toContain('run mode Client, but Application__RunMode is Admin');
    const words = (from: string) => ['check-backup', '--from', from];
    const checked = await runPortalToItsEnd({ environment: settings, words: words(path) });
    expect([checked.ending, checked.errors]).toEqual([
      1,
      expect.stringMatching(/^The backup cannot be restored\. .*9999_later/),
    ]);
    expect((await runPortalToItsEnd({ environment: settings, words: words(file) })).ending).toBe(0);
    expect(await onDatabase(target, digestTables)).toEqual({});
  });

  it('a backup from before the migrations were merged is rejected, and the error says what to do', async () => {
    await using older = await createTestDatabase();
    await onDatabase(older, (database) =>
      database.query({
        text: `UPDATE portal.schema_migrations SET name = '0001_create_accounts' WHERE name = '0001_create_portal'`,
      }),
    );
    const path = join(folder, 'older.tar');
    expect((await backUp(path, settingsOf(older.connectionString, folder))).ending).toBe(0);
    await using target = await createTestDatabase('empty');
    const refused = await restoreFrom(path, settingsOf(target.connectionString, join(folder, 'untouched')));
    expect(refused.errors).toContain(
      'has the migration common/0001_create_accounts of a version before the first release',
    );
    expect(refused.errors).toContain('Restore it with the version that made it');
    expect(await onDatabase(target, digestTables)).toEqual({});
  });

  it.each([
    [['backup'], 'Name the file: npm run backup -- --to <file>.'],
    [['backup', '--to', '/proc/no-such-folder/x.tar'], 'The folder /proc/no-such-folder does not exist'],
    [['restore', '--to', 'x.tar'], 'Unknown argument "--to".'],
    [['restore', '--from', '/no-such-file.tar'], 'The backup /no-such-file.tar cannot be read: there is no such file.'],
  ])('%j says what to do', async ([command, ...words], said) => {
    const settings = settingsOf(source.connectionString, folder);
    const ended = await runPortalToItsEnd({ environment: settings, words: [command ?? '', ...words] });
    expect([ended.ending, ended.errors]).toEqual([1, expect.stringContaining(said)]);
  });

  it('a backup never replaces a file', async () => {
    const ended = await backUp(file, settingsOf(source.connectionString, folder));
    expect(ended.errors).toContain(`${file} already exists`);
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });
});

describe('a killed restore leaves nothing half done', () => {
  const large = () => join(folder, 'large.tar');
  let largeSource: TestDatabase;
  beforeAll(async () => {
    largeSource = await createTestDatabase();
    await fillWithMeasurements(largeSource, many);
    const taken = await backUp(large(), settingsOf(largeSource.connectionString, join(folder, 'source')));
    expect(taken.ending, taken.output).toBe(0);
  });
  afterAll(() => largeSource.drop());

  it('a restore that was killed leaves tables without rows; the next one restores all', async () => {
    await using target = await createTestDatabase('empty');
    const settings = settingsOf(target.connectionString, join(folder, 'killed'));
    expect(await interruptCopy(['restore', '--from', large()], settings, 'SIGKILL')).toBe('SIGKILL');
    const left = await onDatabase(target, digestTables);
    for (const [table, digest] of Object.entries(left)) {
      if (table !== 'portal.schema_migrations') expect(digest, table).toMatch(/^0 /);
    }
    expect(existsSync(join(folder, 'killed'))).toBe(false);
    const done = await restoreFrom(large(), settings);
    expect(done.ending, done.output).toBe(0);
    expect(await onDatabase(target, digestTables)).toEqual(await onDatabase(largeSource, digestTables));
    expect(await readdir(join(folder, 'killed/keys'))).toEqual(['session-2026-03-01.key']);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('a backup that got %s leaves no file of that name', async (signal) => {
    const path = join(folder, `${signal}.tar`);
    const settings = settingsOf(largeSource.connectionString, folder);
    const ending = await interruptCopy(['backup', '--to', path], settings, signal);
    expect(ending).toBe(signal === 'SIGTERM' ? 1 : 'SIGKILL');
    const left = (await readdir(folder)).filter((name) => name.startsWith(signal));
    expect(left).toEqual(signal === 'SIGTERM' ? [] : [expect.stringMatching(/\.partial$/)]);
    expect((await backUp(path, settings)).ending).toBe(0);
  });
});

/** The names in an archive, as listed by any tar. */
function listNames(archive: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; archive[at] !== 0;) {
    names.push(archive.toString('latin1', at, archive.indexOf(0, at)));
    at += 512 + Math.ceil(parseInt(archive.toString('latin1', at + 124, at + 135), 8) / 512) * 512;
  }
  return names;
}
