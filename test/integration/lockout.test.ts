import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminAccount, givenCookie, logIn } from '../support/accounts.ts';
import { currentCost } from '../../server/accounts/passwords.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const minute = 60_000;
let now = start;
let portal: TestApp;
const options = { now: () => now, environment: { Application__TrustedProxies: '10.0.0.0/8' } };

beforeAll(async () => {
  portal = await createTestApp({ ...options, hashCost: currentCost });
});
afterAll(() => portal.close());
beforeEach(async () => {
  now = start;
  await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
});

describe('Lockout: 5 failures in 15 minutes lock for 15 minutes', () => {
  const fail = async (email: string, times: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) statuses.push((await logIn(portal, { email, password: 'wrong' })).statusCode);
    return statuses;
  };

  test.each(['admin@example.com', 'nobody@example.com'])('%s, whether it has an account or not', async (email) => {
    expect(await fail(email, 5)).toEqual([401, 401, 401, 401, 401]);
    now += minute;
    const locked = await logIn(portal, { email: email.toUpperCase(), password: adminAccount.password });
    expect(locked.statusCode).toBe(429);
    expect(locked.headers['retry-after']).toBe(String(14 * 60));
    expect(locked.json()).toMatchObject({
      error: 'Too many failed attempts for this email; try again in 14 minutes.',
    });
    expect(locked.cookies).toEqual([]);
    now = start + 15 * minute - 1;
    expect((await logIn(portal, { email, password: 'wrong' })).headers['retry-after']).toBe('1');
    now = start + 15 * minute;
    const opened = await logIn(portal, { email, password: adminAccount.password });
    expect(opened.statusCode).toBe(email === adminAccount.email ? 200 : 401);
  });

  test('a signed-in user is locked by their own failures, not by those of strangers', async () => {
    const cookie = givenCookie(await logIn(portal, adminAccount)) ?? '';
    const prove = async (currentPassword: string) => {
      const url = '/api/auth/me/second-factor/app';
      const answer = await portal.app.inject({
        method: 'POST',
        url,
        headers: { cookie },
        payload: { currentPassword },
      });
      return answer.statusCode;
    };
    await fail(adminAccount.email, 6);
    // A wrong one does not unlock the email either.
    expect(await prove('wrong')).toBe(400);
    expect((await logIn(portal, adminAccount)).statusCode).toBe(429);
    expect(await prove(adminAccount.password)).toBe(200);
    const { rows } = await portal.database.query<{ id: string }>({ text: 'SELECT id FROM portal.accounts' });
    for (const { id } of rows) await fail(`account ${id}`, 6);
    expect(await prove(adminAccount.password)).toBe(200);
    await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
    for (let n = 0; n < 5; n += 1) expect(await prove('wrong')).toBe(400);
    expect(await prove(adminAccount.password)).toBe(429);
    expect((await logIn(portal, adminAccount)).statusCode).toBe(429);
  });

  test('a success clears the failures before it', async () => {
    await fail(adminAccount.email, 4);
    expect((await logIn(portal, adminAccount)).statusCode).toBe(200);
    expect(await fail(adminAccount.email, 4)).toEqual([401, 401, 401, 401]);
    expect((await logIn(portal, adminAccount)).statusCode).toBe(200);
  });

  test('100 simultaneous guesses get five tries', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => logIn(portal, { ...adminAccount, password: 'wrong' })),
    );
    const counts = Map.groupBy(answers, ({ statusCode }) => statusCode);
    expect([counts.get(401)?.length, counts.get(429)?.length]).toEqual([5, 95]);
  });

  test('the right password among simultaneous guesses does not bypass the lock', async () => {
    const guesses = Array.from({ length: 5 }, () => logIn(portal, { ...adminAccount, password: 'wrong' }));
    const right = logIn(portal, adminAccount);
    await Promise.all(guesses);
    expect((await right).statusCode).toBe(429);
  });

  test('many correct simultaneous sign-ins of one account all succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => logIn(portal, adminAccount)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(givenCookie)).size).toBe(40);
  });

  test('a lock survives a restart and applies on a second portal', async () => {
    await fail(adminAccount.email, 5);
    await using second = await createTestApp({
      now: () => now,
      connectionString: portal.config.database.connectionString ?? '',
    });
    expect((await logIn(second, adminAccount)).statusCode).toBe(429);
  });

  test('records that can no longer lock anyone are deleted', async () => {
    await fail('a@example.com', 5);
    await fail('b@example.com', 1);
    now += 15 * minute;
    await fail('c@example.com', 1);
    const { rows } = await portal.database.query({ text: 'SELECT email_key AS email FROM portal.sign_in_failures' });
    expect(rows).toEqual([{ email: 'c@example.com' }]);
  });

  test('response times do not reveal whether the email exists: the same password hashing is done', async () => {
    const millisecondsOf = async (email: string) => {
      const before = performance.now();
      await logIn(portal, { email, password: 'wrong' });
      return performance.now() - before;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
      known.push(await millisecondsOf(adminAccount.email));
      unknown.push(await millisecondsOf(`nobody-${n}@example.com`));
    }
    // Without the hashing an unknown email would be answered about ten times faster; a busy machine blurs the rest.
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[7] ?? 0;
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
    expect(median(unknown) / median(known)).toBeLessThan(2);
  });
});

describe('A flood of sign-ins from one address', () => {
  // It hashes hundreds of passwords, and a quarter of the cost is still most of a sign-in.
  const flooded = appOfFile({ ...options, hashCost: { ...currentCost, memoryKib: currentCost.memoryKib / 4 } });
  beforeEach(() => flooded.database.query({ text: 'DELETE FROM portal.sign_in_failures' }));
  const proxy = '10.0.0.5';
  const flooder = '2001:db8:1:2::1';
  const through = (client: string, account: object = adminAccount) => from(proxy, client, account);
  const from = (remoteAddress: string, client: string, account: object = adminAccount) =>
    flooded.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: account,
      remoteAddress,
      headers: { 'x-forwarded-for': client },
    });

  test('gets 429, and prevents no other source from signing in or changing a password', async () => {
    const session = await flooded.signIn();
    const flood = Array.from({ length: 300 }, (_, n) =>
      through(flooder, { email: `invented-${n}@example.com`, password: 'wrong' }),
    );
    const [elsewhere, changed] = await Promise.all([
      through('198.51.100.7'),
      flooded.app.inject({
        method: 'POST',
        url: '/api/auth/me/change-password',
        headers: { ...session, 'x-forwarded-for': flooder },
        remoteAddress: proxy,
        payload: { currentPassword: adminAccount.password, newPassword: adminAccount.password },
      }),
    ]);
    expect([elsewhere.statusCode, changed.statusCode]).toEqual([200, 204]);
    const counts = Map.groupBy(await Promise.all(flood), ({ statusCode }) => statusCode);
    expect([...counts.keys()].toSorted()).toEqual([401, 429]);
    // Four at the same time and fifty waiting; a few more if one ends meanwhile.
    expect(counts.get(401)?.length).toBeLessThan(100);
    expect((await through(flooder)).statusCode).toBe(200);

    const guesses = Array.from({ length: 110 }, (_, n) => ({ email: `other-${n}@example.com`, password: 'wrong' }));
    for (let n = 0; n < guesses.length; n += 10) {
      await Promise.all(guesses.slice(n, n + 10).map((guess) => through(flooder, guess)));
    }
    const neighbour = await through('2001:db8:1:2:ffff::9');
    expect(neighbour.statusCode).toBe(429);
    const seconds = Number(neighbour.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(4);
    expect(neighbour.json<{ error: string }>().error).toMatch(
      /Too many failed attempts from this address; try again in/,
    );
    expect((await through('2001:db8:1:3::1')).statusCode).toBe(200);
    // A client that is not a trusted proxy cannot name another address.
    expect((await from(flooder, '198.51.100.7')).statusCode).toBe(429);
    // Users at the same address are not locked out for long.
    now += seconds * 1_000;
    expect((await through(flooder)).statusCode).toBe(200);
  });

  test('from many addresses that have failed delays hardly anyone from elsewhere', async () => {
    const strangers = Array.from({ length: 80 }, (_, n) => `203.0.113.${n}`);
    let failed = 0;
    const fail = async (client: string, n: number) => {
      await through(client, { email: `stranger-${client}-${n}@example.com`, password: 'wrong' });
      failed += 1;
    };
    await Promise.all(strangers.map((client) => fail(client, 0)));
    const flood = strangers.map((client) => fail(client, 1));
    await expect.poll(() => failed, { interval: 1 }).toBeGreaterThan(strangers.length);
    const before = failed;
    expect((await through('198.51.100.8')).statusCode).toBe(200);
    // Those whose passwords were already being checked; without an order of their own all eighty would come first.
    expect(failed - before).toBeLessThan(20);
    await Promise.all(flood);
    // After a quarter of an hour they are treated like everyone.
    now += 15 * minute;
    expect((await through('203.0.113.1')).statusCode).toBe(200);
  });
});
