import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactEncrypt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSealedSession, sealSession } from './sealed.ts';
import { openSessionKeys, type SessionKeys } from './session-keys.ts';

const session = {
  accountId: '019a0000-0000-7000-8000-000000000001',
  sessionId: '5f0c7a66-8c42-4b54-9a38-1c54d0f2a002',
  securityStamp: '5f0c7a66-8c42-4b54-9a38-1c54d0f2a003',
  signedInAt: 1_773_136_800_000,
  lastSeenAt: 1_773_136_800_000,
};
let folder: string;
let keys: SessionKeys;

const openKeys = (name: string) =>
  openSessionKeys({ folder: join(folder, name), now: Date.now, onProblem: () => undefined });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-cookie-'));
  keys = await openKeys('own');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function seal(content: string, header: object): Promise<string> {
  const { id, secret } = await keys.newest();
  return new CompactEncrypt(new TextEncoder().encode(content))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id, ...header })
    .encrypt(secret);
}

test('Session cookie: it opens again, and reveals nothing while sealed', async () => {
  const sealed = await sealSession(keys, session);
  expect(await openSealedSession(keys, sealed)).toEqual(session);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(session.accountId);
  expect(sealed).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(sealed.length).toBeLessThan(1_000);
});

test('Session cookie: one that is changed or cut anywhere is invalid', async () => {
  const sealed = await sealSession(keys, session);
  for (let at = 0; at < sealed.length; at += 1) {
    // The last character of a base64url part may carry bits that are not part of the content.
    if (sealed[at] === '.' || sealed[at + 1] === '.' || at === sealed.length - 1) continue;
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(await openSealedSession(keys, sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeNull();
    expect(await openSealedSession(keys, sealed.slice(0, at))).toBeNull();
  }
});

test('Session cookie: one sealed by another portal is invalid', async () => {
  expect(await openSealedSession(keys, await sealSession(await openKeys('foreign'), session))).toBeNull();
});

test('Session cookie: one sealed with our key for another purpose is invalid', async () => {
  const content = JSON.stringify(session);
  expect(await openSealedSession(keys, await seal(content, {}))).toEqual(session);
  expect(await openSealedSession(keys, await seal(content, { kid: 'unknown' }))).toBeNull();
  expect(await openSealedSession(keys, await seal('{}', {}))).toBeNull();
  expect(await openSealedSession(keys, await seal('not json', {}))).toBeNull();
  expect(await openSealedSession(keys, await seal(JSON.stringify({ ...session, accountId: "' OR 1" }), {}))).toBeNull();
  expect(await openSealedSession(keys, await seal(JSON.stringify({ ...session, lastSeenAt: 1e400 }), {}))).toBeNull();
});

test.each([
  ['empty', ''],
  ['a word', 'admin'],
  ['dots', '....'],
  ['JSON', JSON.stringify(session)],
  ['an unsigned token', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
  ['other algorithms', `${Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString('base64url')}.AA.AA.AA.AA`],
  ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}..AA.AA.AA`],
  ['4 kB', 'A'.repeat(4_096)],
])('Session cookie: one forged as %s is invalid', async (_name, forged) => {
  expect(await openSealedSession(keys, forged)).toBeNull();
});
