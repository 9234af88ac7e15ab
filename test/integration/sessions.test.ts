import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminAccount, createUser, givenCookie, logIn, statusOfMe, takesCookieBack } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const cookieName = 'portal_session_8080';
let now = start;
let portal: TestApp;

beforeAll(async () => {
  portal = await createTestApp({ now: () => now });
});
afterAll(() => portal.close());
beforeEach(() => {
  now = start;
});

const me = (headers: { cookie?: string }) => portal.app.inject({ url: '/api/auth/me', headers });
const logOut = (headers: { cookie?: string }) =>
  portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers });

describe('Lifetime', () => {
  test('8 hours without use end a session, and its cookie is cleared', async () => {
    const headers = await portal.signIn();
    now += 8 * hour - 1;
    expect(await statusOfMe(portal, headers)).toBe(200);
    now += 1;
    const answer = await me(headers);
    expect(answer.statusCode).toBe(401);
    expect(takesCookieBack(answer)).toBe(true);
  });

  test('use extends it: renewed at most every 5 minutes, up to 14 days in total', async () => {
    let headers = await portal.signIn();
    now += 5 * minute - 1;
    expect((await me(headers)).cookies).toEqual([]);
    now = start;
    for (;;) {
      now += 7 * hour;
      const answer = await me(headers);
      if (answer.statusCode !== 200) break;
      const cookie = givenCookie(answer);
      if (cookie === undefined) throw new Error('a session that was idle for hours was not sealed anew');
      expect(answer.cookies[0]?.maxAge).toBe(Math.min(8 * hour, start + 14 * day - now) / 1000);
      headers = { cookie };
    }
    expect(now).toBe(start + 14 * day);
  });

  test('correcting a clock that was ahead ends no session, and extends none', async () => {
    now = start + 10 * day;
    const headers = await portal.signIn();
    now = start;
    const cookie = givenCookie(await me(headers)) ?? '';
    const at = Temporal.Instant.fromEpochMilliseconds(start).toString();
    expect((await portal.app.inject({ url: '/api/auth/sessions', headers: { cookie } })).json()).toContainEqual(
      expect.objectContaining({ isCurrent: true, signedInAt: at, lastUsedAt: at }),
    );
    now += 8 * hour;
    expect(await statusOfMe(portal, { cookie })).toBe(401);
  });
});

describe('Sign-out', () => {
  test('204 and empty: the cookie is deleted, and every copy of it is invalid', async () => {
    const headers = await portal.signIn();
    now += 6 * minute;
    const copy = { cookie: givenCookie(await me(headers)) ?? '' };
    expect(await statusOfMe(portal, copy)).toBe(200);
    const answer = await logOut(headers);
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(takesCookieBack(answer)).toBe(true);
    expect(await statusOfMe(portal, headers)).toBe(401);
    expect(await statusOfMe(portal, copy)).toBe(401);
  });

  test('ends only this session', async () => {
    const [one, other] = [await portal.signIn(), await portal.signIn()];
    await logOut(one);
    expect(await statusOfMe(portal, other)).toBe(200);
  });

  test('again, without a cookie or with a forged one it is 204 too', async () => {
    const headers = await portal.signIn();
    await logOut(headers);
    expect((await logOut(headers)).statusCode).toBe(204);
    expect((await logOut({})).statusCode).toBe(204);
    expect((await logOut({ cookie: `${cookieName}=forged` })).statusCode).toBe(204);
  });

  test('requests in progress with the old cookie do not restore the session', async () => {
    const headers = await portal.signIn();
    now += 6 * minute;
    const answers = await Promise.all([...Array.from({ length: 20 }, () => me(headers)), logOut(headers)]);
    for (const answer of answers) {
      const cookie = givenCookie(answer);
      if (cookie !== undefined) expect(await statusOfMe(portal, { cookie })).toBe(401);
    }
    expect(await statusOfMe(portal, headers)).toBe(401);
  });

  test('the browser is told to delete cached answers', async () => {
    expect((await logOut(await portal.signIn())).headers['clear-site-data']).toBe('"cache"');
  });

  test('rows of expired sessions are deleted, those of current sessions are not', async () => {
    await portal.database.query({ text: 'DELETE FROM portal.sessions' });
    const kept = async () => (await portal.database.query({ text: 'SELECT FROM portal.sessions' })).rowCount;
    const used = await portal.signIn();
    await portal.signIn();
    now += 4 * hour;
    const cookie = givenCookie(await me(used)) ?? '';
    now += 4 * hour + 5 * minute;
    await portal.signIn();
    expect(await kept()).toBe(2);
    expect(await statusOfMe(portal, { cookie })).toBe(200);
  });

  test('an empty body that claims to be JSON is accepted', async () => {
    const headers = { ...(await portal.signIn()), 'content-type': 'application/json' };
    expect((await logOut(headers)).statusCode).toBe(204);
  });
});

describe('Signing in again', () => {
  const signInWith = async (headers: { cookie: string }) =>
    portal.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: adminAccount });

  test('ends the previous session of the browser, and no other', async () => {
    const [had, other] = [await portal.signIn(), await portal.signIn()];
    const cookie = givenCookie(await signInWith(had)) ?? '';
    expect(await statusOfMe(portal, { cookie })).toBe(200);
    expect(await statusOfMe(portal, had)).toBe(401);
    expect(await statusOfMe(portal, other)).toBe(200);
  });

  test('a request of the page that is answered later does not take the new cookie away', async () => {
    const had = await portal.signIn();
    await signInWith(had);
    expect((await me(had)).cookies).toEqual([]);
  });

  test('even if the browser had a session of another user', async () => {
    const account = await createUser(portal, { email: 'before@example.com' });
    const had = await portal.signIn(account);
    expect((await signInWith(had)).statusCode).toBe(200);
    expect(await statusOfMe(portal, had)).toBe(401);
  });

  test('with a wrong password ends nothing', async () => {
    const had = await portal.signIn();
    const payload = { ...adminAccount, password: 'wrong' };
    await portal.app.inject({ method: 'POST', url: '/api/auth/login', headers: had, payload });
    expect(await statusOfMe(portal, had)).toBe(200);
  });
});

describe('The user’s own sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  const list = async (headers: { cookie: string }) =>
    (await portal.app.inject({ url: '/api/auth/sessions', headers })).json<{ id: string; isCurrent: boolean }[]>();
  const end = (headers: { cookie?: string }, id: string) =>
    portal.app.inject({ method: 'DELETE', url: `/api/auth/sessions${id}`, headers });
  let account: { id: string; email: string; password: string };
  let count = 0;
  beforeEach(async () => {
    count += 1;
    account = await createUser(portal, { email: `own-${count}@example.com` });
  });

  test('an empty id is not found, and ends no session', async () => {
    const [one, other] = [await portal.signIn(account), await portal.signIn(account)];
    expect((await end(one, '/')).statusCode).toBe(404);
    expect((await end(one, '/?all')).statusCode).toBe(404);
    expect(await statusOfMe(portal, other)).toBe(200);
    expect((await end(one, '')).statusCode).toBe(204);
    expect(await statusOfMe(portal, other)).toBe(401);
  });

  test('are listed with browser, address, sign-in, last use to five minutes, and which one is current', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': firefox },
      remoteAddress: '192.0.2.7',
      payload: account,
    });
    const first = { cookie: givenCookie(answer) ?? '' };
    now += 5 * minute;
    const renewed = { cookie: givenCookie(await me(first)) ?? '' };
    now += 10 * minute;
    const other = await portal.signIn(account);
    const listed = await list(other);
    expect(listed).toEqual([
      expect.objectContaining({ isCurrent: true, signedInAt: '2026-03-10T10:15:00Z' }),
      {
        id: expect.any(String),
        signedInAt: '2026-03-10T10:00:00Z',
        lastUsedAt: '2026-03-10T10:05:00Z',
        sourceAddress: '192.0.2.7',
        browser: 'Firefox 130',
        system: 'Linux',
        isCurrent: false,
      },
    ]);
    // Both were last used now: the later sign-in comes first.
    expect((await list(renewed)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  test('one can be ended: 204, and every copy of its cookie stops working at once', async () => {
    const [one, other] = [await portal.signIn(account), await portal.signIn(account)];
    const id = (await list(other)).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await end(other, `/${id}`)).statusCode).toBe(204);
    expect(await statusOfMe(portal, one)).toBe(401);
    expect(await statusOfMe(portal, other)).toBe(200);
    expect((await end(other, `/${id}`)).statusCode).toBe(404);
  });

  test('ending the current one signs out', async () => {
    const own = await portal.signIn(account);
    const answer = await end(own, `/${(await list(own))[0]?.id}`);
    expect(answer.statusCode).toBe(204);
    expect(takesCookieBack(answer)).toBe(true);
    expect(await statusOfMe(portal, own)).toBe(401);
  });

  /** Sessions of the account that were used at an instant. */
  const insertUsed = (count: number, at: number) =>
    portal.database.query(
      {
        text: `INSERT INTO portal.sessions (id, account_id, signed_in_at, last_used_at, expires_at, source_address, user_agent)
               SELECT gen_random_uuid(), a.id, to_timestamp($2), to_timestamp($2), to_timestamp($2) + interval '1 hour', '::1', ''
               FROM portal.accounts a, generate_series(1, $3) WHERE a.email = $1`,
      },
      [account.email, at / 1000, count],
    );

  test('a new one is never one too many, even if a clock that was ahead wrote a hundred', async () => {
    await insertUsed(100, now + 10 * day);
    const headers = await portal.signIn(account);
    expect(await statusOfMe(portal, headers)).toBe(200);
    expect(await list(headers)).toHaveLength(100);
  });

  test('an account has at most 100: another sign-in ends the least recently used one', async () => {
    const first = await portal.signIn(account);
    now += minute;
    await insertUsed(99, now);
    now += minute;
    const last = await portal.signIn(account);
    expect(await list(last)).toHaveLength(100);
    expect(await statusOfMe(portal, first)).toBe(401);
  });

  test('expired ones are not listed', async () => {
    const own = await portal.signIn(account);
    await insertUsed(2, now - 2 * hour);
    expect(await list(own)).toMatchObject([{ isCurrent: true }]);
  });

  test('all others can be ended together', async () => {
    const others = [await portal.signIn(account), await portal.signIn(account)];
    const own = await portal.signIn(account);
    expect((await end(own, '')).statusCode).toBe(204);
    for (const headers of others) expect(await statusOfMe(portal, headers)).toBe(401);
    expect(await list(own)).toHaveLength(1);
  });

  test('those of another account are 404; without a session it is 401', async () => {
    const own = await portal.signIn(account);
    const admin = await portal.signIn();
    expect((await end(admin, `/${(await list(own))[0]?.id}`)).statusCode).toBe(404);
    expect(await statusOfMe(portal, own)).toBe(200);
    expect((await end({}, '')).statusCode).toBe(401);
    expect((await portal.app.inject({ url: '/api/auth/sessions' })).statusCode).toBe(401);
  });

  test('a new password in the first request after a clock was ahead does not extend the session', async () => {
    now = start + 10 * day;
    const ahead = await portal.signIn(account);
    now = start;
    const payload = { currentPassword: account.password, newPassword: 'Another-Pass-2' };
    const url = '/api/auth/me/change-password';
    let cookie = givenCookie(await portal.app.inject({ method: 'POST', url, headers: ahead, payload }));
    do {
      now += 7 * hour;
      cookie = givenCookie(await me({ cookie: cookie ?? '' }));
    } while (cookie !== undefined);
    expect(now).toBe(start + 14 * day);
  });

  test('a new password leaves only the current session in the list', async () => {
    await portal.signIn(account);
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/me/change-password',
      headers: await portal.signIn(account),
      payload: { currentPassword: account.password, newPassword: 'Another-Pass-2' },
    });
    expect(await list({ cookie: givenCookie(answer) ?? '' })).toMatchObject([{ isCurrent: true }]);
  });
});

describe('What ends every session of an account at once', () => {
  const change = async (id: string, values: object) =>
    portal.app.inject({
      method: 'PUT',
      url: `/api/users/${id}`,
      headers: await portal.signIn(),
      payload: { email: 'user@example.com', displayName: 'User', roles: [], isActive: true, ...values },
    });

  test.each([
    ['switching it off', { isActive: false }],
    ['other roles', { roles: ['Admin'] }],
  ])('%s', async (_name, values) => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    expect((await change(account.id, values)).statusCode).toBe(200);
    const answer = await me(headers);
    expect(answer.statusCode).toBe(401);
    expect(takesCookieBack(answer)).toBe(false);
    // After it is switched on again, the old cookie stays invalid.
    await change(account.id, {});
    expect(await statusOfMe(portal, headers)).toBe(401);
    await remove(account.id);
  });

  const remove = async (id: string) =>
    portal.app.inject({ method: 'DELETE', url: `/api/users/${id}`, headers: await portal.signIn() });

  test('deleting it', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    expect((await remove(account.id)).statusCode).toBe(204);
    expect(await statusOfMe(portal, headers)).toBe(401);
    const again = await createUser(portal, { email: 'user@example.com' });
    expect(await statusOfMe(portal, headers)).toBe(401);
    await remove(again.id);
  });

  test('a password reset by an administrator', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    await portal.app.inject({
      method: 'POST',
      url: `/api/users/${account.id}/reset-password`,
      headers: await portal.signIn(),
      payload: { newPassword: 'Another-Pass-2' },
    });
    expect(await statusOfMe(portal, headers)).toBe(401);
    const again = await portal.signIn({ ...account, password: 'Another-Pass-2' });
    const listed = await portal.app.inject({ url: '/api/auth/sessions', headers: again });
    expect(listed.json()).toMatchObject([{ isCurrent: true }]);
    await remove(account.id);
  });

  test('deactivating it in the database itself', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    await portal.database.query({ text: 'UPDATE portal.accounts SET is_active = false WHERE id = $1' }, [account.id]);
    expect(await statusOfMe(portal, headers)).toBe(401);
    await remove(account.id);
  });

  test('a new stamp of the account, whatever changed it', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    const text = 'UPDATE portal.accounts SET security_stamp = gen_random_uuid() WHERE id = $1';
    await portal.database.query({ text }, [account.id]);
    expect(await statusOfMe(portal, headers)).toBe(401);
    await remove(account.id);
  });

  test('but not another name or email', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const headers = await portal.signIn(account);
    await change(account.id, { displayName: 'Another', email: 'another@example.com' });
    const answer = await me(headers);
    expect(answer.json()).toMatchObject({ email: 'another@example.com', displayName: 'Another', roles: [] });
    await remove(account.id);
  });
});

describe('A foreign cookie is ignored: 401, cleared, never an error', () => {
  test.each([
    ['a word', `${cookieName}=admin`],
    ['empty', `${cookieName}=`],
    ['broken percent-encoding', `${cookieName}=%E0%A4%A`],
    ['4 kB', `${cookieName}=${'A'.repeat(4_096)}`],
    ['control characters', `${cookieName}=\u0001\u0002`],
    ['prototype names', `__proto__=1; constructor=2; ${cookieName}=x`],
  ])('%s', async (_name, cookie) => {
    const answer = await me({ cookie });
    expect(answer.statusCode).toBe(401);
    expect(takesCookieBack(answer)).toBe(true);
  });

  test('a cookie that is cut or changed', async () => {
    const { cookie } = await portal.signIn();
    for (const bad of [cookie.slice(0, -1), cookie.slice(0, cookie.length / 2), cookie.replace('..', '.A.')]) {
      expect(await statusOfMe(portal, { cookie: bad })).toBe(401);
    }
  });
});

describe('Startup rule 11: sessions survive a restart with their keys, and not without', () => {
  test('the same folder of keys and database: signed in; a new folder: not', async () => {
    const keysPath = await mkdtemp(join(tmpdir(), 'portal-keys-'));
    const connectionString = portal.config.database.connectionString ?? '';
    const startPortal = (environment: Record<string, string>) =>
      createTestApp({ now: () => now, connectionString, environment });
    let cookie: string;
    {
      await using first = await startPortal({ Storage__KeysPath: keysPath });
      ({ cookie } = await first.signIn());
    }
    {
      await using restarted = await startPortal({ Storage__KeysPath: keysPath });
      expect(await statusOfMe(restarted, { cookie })).toBe(200);
      await using beside = await startPortal({ Storage__KeysPath: keysPath });
      expect(await statusOfMe(beside, await restarted.signIn())).toBe(200);
    }
    {
      await using moved = await startPortal({});
      const answer = await moved.app.inject({ url: '/api/auth/me', headers: { cookie } });
      expect(answer.statusCode).toBe(401);
      expect(takesCookieBack(answer)).toBe(true);
    }
    await rm(keysPath, { recursive: true });
  });
});

describe('Behind https', () => {
  test('the cookie is Secure and bound to the host by its __Host- prefix', async () => {
    await using secure = await createTestApp({ environment: { Application__PublicUrl: 'https://portal.example.com' } });
    const answer = await logIn(secure, adminAccount);
    expect(answer.cookies).toMatchObject([
      { name: '__Host-portal_session', secure: true, httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    expect(answer.cookies[0]).not.toHaveProperty('domain');
    const cookie = givenCookie(answer) ?? '';
    expect(await statusOfMe(secure, { cookie })).toBe(200);
    expect(await statusOfMe(secure, { cookie: cookie.replace('__Host-', '') })).toBe(401);
  });
});

test('Two portals on one host do not end each other’s sessions', async () => {
  await using beside = await createTestApp({ environment: { Application__PublicUrl: 'http://127.0.0.1:8081' } });
  const both = { cookie: `${(await portal.signIn()).cookie}; ${(await beside.signIn()).cookie}` };
  expect(await statusOfMe(portal, both)).toBe(200);
  expect(await statusOfMe(beside, both)).toBe(200);
});

describe('Startup rule 4: the default admin', () => {
  test('is created at any start without an account of that email, in any case, and never twice', async () => {
    const connectionString = portal.config.database.connectionString ?? '';
    const admins = async () =>
      (
        await portal.database.query<{ email: string }>({
          text: `SELECT email FROM portal.accounts WHERE email ILIKE '%boss%'`,
        })
      ).rows.map(({ email }) => email);
    const startWith = (email: string, password: string) =>
      createTestApp({
        connectionString,
        environment: { Authentication__DefaultAdminEmail: email, Authentication__DefaultAdminPassword: password },
      });
    const portals = await Promise.all(Array.from({ length: 3 }, () => startWith('boss@example.com', 'First-Pass-1')));
    expect(await admins()).toEqual(['boss@example.com']);
    await Promise.all(portals.map((each) => each.close()));
    await using later = await startWith('BOSS@example.com', 'Second-Pass-2');
    expect(await admins()).toEqual(['boss@example.com']);
    expect((await logIn(later, { email: 'boss@example.com', password: 'First-Pass-1' })).statusCode).toBe(200);
    expect((await logIn(later, { email: 'boss@example.com', password: 'Second-Pass-2' })).statusCode).toBe(401);
  });
});
