import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionKeys } from './session-keys.ts';

const day = 24 * 60 * 60_000;
const start = Date.parse('2026-03-10T10:00:00Z');
let parent: string;
let folder: string;
let problems: unknown[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'portal-keys-'));
  folder = join(parent, 'volume', 'keys');
  problems = [];
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const open = (now: () => number = () => start) =>
  openSessionKeys({ folder, now, onProblem: (error) => problems.push(error) });

test('Session keys: created at the first start, readable by nobody else, and found again', async () => {
  const key = await (await open()).newest();
  expect(await readdir(folder)).toEqual(['session-2026-03-10.key']);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(parent, 'volume'))).mode & 0o777).toBe(0o777 & ~process.umask());
  expect((await stat(join(folder, 'session-2026-03-10.key'))).mode & 0o777).toBe(0o600);
  const again = await open();
  expect(await again.newest()).toEqual(key);
  expect(await again.find(key.id)).toEqual(key);
  expect(await again.find('somebody-elses')).toBeUndefined();
});

test('Session keys: ten portals that start on one folder at once agree on one key', async () => {
  const portals = await Promise.all(Array.from({ length: 10 }, () => open()));
  const ids = await Promise.all(portals.map(async (keys) => (await keys.newest()).id));
  expect(new Set(ids).size).toBe(1);
  expect(await readdir(folder)).toEqual(['session-2026-03-10.key']);
});

test('Session keys: one that is 90 days old is replaced while the portal runs; both open', async () => {
  let now = start;
  const keys = await open(() => now);
  const old = await keys.newest();
  now = start + 89 * day;
  expect(await keys.newest()).toEqual(old);
  now = start + 90 * day;
  const [replacement] = await Promise.all([keys.newest(), keys.newest(), keys.newest()]);
  expect(replacement).not.toEqual(old);
  expect(await keys.find(old.id)).toMatchObject(old);
  expect(await readdir(folder)).toEqual(['session-2026-03-10.key', 'session-2026-06-08.key']);
});

test('Session keys: a replaced one is deleted once no session that it sealed can be valid, not before', async () => {
  let now = start;
  const keys = await open(() => now);
  const old = await keys.newest();
  now = start + 90 * day;
  await keys.newest();
  now += 14 * day;
  await keys.newest();
  expect(await keys.find(old.id)).toMatchObject(old);
  now += day;
  await keys.newest();
  expect(await keys.find(old.id)).toBeUndefined();
  expect(await readdir(folder)).toEqual(['session-2026-06-08.key']);
  expect(problems).toEqual([]);
});

test('Session keys: a portal finds the key that another one created in the folder', async () => {
  let now = start;
  const [one, other] = [await open(() => now), await open(() => start)];
  now = start + 90 * day;
  const made = await one.newest();
  expect(await other.find(made.id)).toMatchObject(made);
});

test('Session keys: a key that an operator adds is used from the next start', async () => {
  await open();
  const secret = Buffer.alloc(32, 7);
  await writeFile(join(folder, 'session-2026-03-11.key'), secret.toString('base64url'));
  expect(Buffer.from((await (await open()).newest()).secret)).toEqual(secret);
});

test('Session keys: a damaged key stops the start with a message that names it', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'session-2026-03-01.key'), 'c2hvcnQ=');
  await expect(open()).rejects.toThrow(/Storage__KeysPath: .*session-2026-03-01\.key is damaged/);
});

test('Session keys: an unusable folder stops the start with a message that names the setting', async () => {
  await writeFile(join(parent, 'volume'), 'a file');
  await expect(open()).rejects.toThrow(/^Storage__KeysPath: the session keys cannot be kept in /);
});

test('Session keys: a folder that fails at run time ends no session and is reported', async () => {
  let now = start;
  const keys = await open(() => now);
  const key = await keys.newest();
  const text = await readFile(join(folder, 'session-2026-03-10.key'), 'utf8');
  await rm(folder, { recursive: true });
  now = start + 91 * day;
  expect(await keys.newest()).toEqual(key);
  expect(await keys.find('unknown')).toBeUndefined();
  expect(problems).toHaveLength(2);
  await mkdir(folder);
  await writeFile(join(folder, 'session-2026-03-10.key'), text);
  expect((await keys.newest()).id).not.toBe(key.id);
  expect(await keys.find(key.id)).toEqual(key);
});

test('Session keys: the permanent one is created on first use, once for all portals, and is never replaced', async () => {
  let now = start;
  const portals = await Promise.all(Array.from({ length: 5 }, () => open(() => now)));
  expect(await readdir(folder)).toEqual(['session-2026-03-10.key']);
  const [key, ...others] = await Promise.all(portals.map((keys) => keys.lasting()));
  for (const other of others) expect(other).toEqual(key);
  expect((await stat(join(folder, 'second-factor.key'))).mode & 0o777).toBe(0o600);
  now = start + 200 * day;
  const later = await open(() => now);
  expect(await later.lasting()).toEqual(key);
  expect((await later.newest()).id).not.toBe(key?.id);
});
