import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminAccount, createUser, givenCookie, logIn, statusOfMe, takesCookieBack } from '../support/accounts.ts';
import { currentCost } from '../../server/accounts/passwords.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createSite } from '../support/sites.ts';

let portal: TestApp;

beforeAll(async () => {
  portal = await createTestApp({ hashCost: currentCost });
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
});

const wrongAnswer = { error: 'Wrong email or password.', code: 'wrongSignIn', params: {} };

describe('POST /api/auth/login', () => {
  test('answers 200 CurrentUser and a session cookie: HttpOnly, SameSite=Lax, Path=/, 8 hours', async () => {
    const answer = await logIn(portal, adminAccount);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      email: 'admin@example.com',
      displayName: 'Administrator',
      roles: ['Admin'],
      timeZone: null,
      displayTimeZone: 'UTC',
    });
    expect(answer.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 8 * 3600 }]);
    expect(answer.cookies[0]).not.toHaveProperty('secure');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('the email counts regardless of case and surrounding blanks', async () => {
    expect((await logIn(portal, { ...adminAccount, email: '  Admin@EXAMPLE.com ' })).statusCode).toBe(200);
  });

  test('an unknown email, a wrong password and an inactive account get the same answer', async () => {
    const off = await createUser(portal, { email: 'off@example.com', isActive: false });
    for (const attempt of [
      { ...adminAccount, password: 'wrong' },
      { email: 'nobody@example.com', password: adminAccount.password },
      { email: off.email, password: off.password },
    ]) {
      const answer = await logIn(portal, attempt);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual(wrongAnswer);
      expect(answer.cookies).toEqual([]);
    }
  });

  test.each([
    ['NUL in the email', { email: 'admin@example.com\u0000', password: 'x' }],
    ['a lone surrogate', { email: '\uD800@example.com', password: '\uDFFF' }],
    ['SQL', { email: "' OR 1=1 --@example.com", password: "'; DROP TABLE portal.accounts; --" }],
    ['no email at all', { email: '', password: '' }],
    ['an email of 1,000 characters', { email: `${'a'.repeat(988)}@example.com`, password: 'x' }],
    [
      'the email of an account with a tail that is cut',
      { email: `admin@example.com${'x'.repeat(900)}`, password: 'x' },
    ],
  ])('%s is an unknown email', async (_name, attempt) => {
    const answer = await logIn(portal, attempt);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(wrongAnswer);
  });

  test.each([
    ['no fields', {}],
    ['a number as password', { email: 'admin@example.com', password: 1 }],
    ['a password of 1,001 characters', { email: 'admin@example.com', password: 'x'.repeat(1_001) }],
  ])('%s: 400, and the password is not repeated', async (_name, payload) => {
    const answer = await portal.app.inject({ method: 'POST', url: '/api/auth/login', payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).not.toContain('xxx');
  });

  test('a password is the same however its characters are composed, and may have 1,000 characters', async () => {
    const password = `Stra\u00DFe\u0301-1${'x'.repeat(900)}`;
    const { email } = await createUser(portal, { email: 'composed@example.com', password });
    expect((await logIn(portal, { email, password: password.normalize('NFC') })).statusCode).toBe(200);
    expect((await logIn(portal, { email, password: password.slice(0, -1) })).statusCode).toBe(401);
  });

  test('neither a password nor a cookie gets into the log', async () => {
    const { cookie } = await portal.signIn();
    await logIn(portal, { email: 'nobody@example.com', password: 'Secret-In-The-Log-1' });
    await portal.app.inject({ url: '/api/auth/me', headers: { cookie } });
    const log = JSON.stringify(portal.log);
    expect(log).toContain('/api/auth/me');
    for (const secret of ['Secret-In-The-Log-1', adminAccount.password, cookie.split('=')[1] ?? '']) {
      expect(log).not.toContain(secret);
    }
  });

  test('a sign-in from another website is refused', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: adminAccount,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.cookies).toEqual([]);
  });

  test('a password that was hashed at a lower cost is hashed again when its owner signs in', async () => {
    const { id, email, password } = await createUser(portal, { email: 'old-hash@example.com' });
    // "Secret-Pass-1" at 1 MiB and one pass.
    const salt = Buffer.alloc(16, 3);
    const cost = { memory: 1_024, passes: 1, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync('argon2id', { message: password, nonce: salt, ...cost });
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    await portal.database.query({ text: 'UPDATE portal.accounts SET password_hash = $2 WHERE id = $1' }, [
      id,
      `$argon2id$v=19$m=1024,t=1,p=1$${unpadded(salt)}$${unpadded(tag)}`,
    ]);
    expect((await logIn(portal, { email, password })).statusCode).toBe(200);
    const stored = await portal.database.query<{ hash: string }>(
      { text: 'SELECT password_hash AS hash FROM portal.accounts WHERE id = $1' },
      [id],
    );
    expect(stored.rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn(portal, { email, password })).statusCode).toBe(200);
  });
});

describe('The user’s own profile', () => {
  test('GET /api/auth/me: 200 CurrentUser; 401 with an empty body when not signed in', async () => {
    const answer = await portal.app.inject({ url: '/api/auth/me', headers: await portal.signIn() });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      email: 'admin@example.com',
      displayName: 'Administrator',
      roles: ['Admin'],
      timeZone: null,
      displayTimeZone: 'UTC',
    });
    for (const headers of [{}, { cookie: 'portal_session_8080=forged' }, { accept: 'application/json' }]) {
      const { statusCode, body, headers: given } = await portal.app.inject({ url: '/api/auth/me', headers });
      expect([statusCode, body, given['content-length']]).toEqual([401, '', '0']);
      expect(given).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      expect(given).not.toHaveProperty('content-type');
    }
  });

  test('PUT /api/auth/me changes the display name; email and roles do not change here', async () => {
    const account = await createUser(portal, { email: 'rename@example.com' });
    const headers = await portal.signIn(account);
    const displayName = `<b>Robert'); DROP TABLE accounts;--</b>`;
    const answer = await portal.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers,
      payload: { displayName: `  ${displayName}  `, email: 'other@example.com', roles: ['Admin'] },
    });
    expect(answer.statusCode).toBe(200);
    const expected = { email: 'rename@example.com', displayName, roles: [], timeZone: null, displayTimeZone: 'UTC' };
    expect(answer.json()).toEqual(expected);
    expect((await portal.app.inject({ url: '/api/auth/me', headers })).json()).toEqual(expected);
  });

  test('30 changes of the own account an hour, then 429 with Retry-After, so that nobody fills the audit trail; other users are unaffected', async () => {
    const account = await createUser(portal, { email: 'flood@example.com' });
    const headers = await portal.signIn(account);
    const rename = (displayName: string, as: { cookie: string } = headers) =>
      portal.app.inject({ method: 'PUT', url: '/api/auth/me', headers: as, payload: { displayName } });
    for (let change = 1; change <= 29; change += 1) expect((await rename(`Name ${change}`)).statusCode).toBe(200);
    // What changes nothing leaves no event.
    expect((await rename('Name 29')).statusCode).toBe(200);
    const ended = await portal.app.inject({ method: 'DELETE', url: '/api/auth/sessions', headers });
    expect(ended.statusCode).toBe(204);
    const answers = [
      await rename('Name 30'),
      await portal.app.inject({ method: 'DELETE', url: '/api/auth/sessions', headers }),
      await portal.app.inject({
        method: 'POST',
        url: '/api/auth/me/change-password',
        headers,
        payload: { currentPassword: account.password, newPassword: 'Another-Pass-1' },
      }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429]);
    expect(Number(answers[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(answers[0]?.json<{ error: string }>().error).toContain('30 times an hour');
    expect((await rename('Administrator', await portal.signIn())).statusCode).toBe(200);
  });

  test.each(['', '   ', 'x'.repeat(201), 'a\u0000b'])('PUT /api/auth/me refuses the display name %j', async (name) => {
    const headers = await portal.signIn();
    const payload = { displayName: name };
    const answer = await portal.app.inject({ method: 'PUT', url: '/api/auth/me', headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toContain('displayName');
  });

  test('GET /api/auth/check: 200 with the cookie; an API key or a forged bearer is not enough', async () => {
    const check = (headers: Record<string, string>) => portal.app.inject({ url: '/api/auth/check', headers });
    const admin = await portal.signIn();
    expect((await check(admin)).statusCode).toBe(200);
    const { key } = (
      await portal.app.inject({ method: 'POST', url: '/api/api-keys', headers: admin, payload: { name: 'gateway' } })
    ).json<{ key: string }>();
    expect((await check({ authorization: `Bearer ${key}` })).statusCode).toBe(401);
    expect((await check({})).statusCode).toBe(401);
  });
});

describe('POST /api/auth/me/change-password', () => {
  const change = (headers: { cookie: string }, currentPassword: string, newPassword: string) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/me/change-password',
      headers,
      payload: { currentPassword, newPassword },
    });

  test('204: the current session continues with the new cookie; every other session and the old cookie end at once', async () => {
    const account = await createUser(portal, { email: 'change@example.com' });
    const [own, other] = [await portal.signIn(account), await portal.signIn(account)];
    const answer = await change(own, account.password, 'Another-Pass-2');
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(await statusOfMe(portal, { cookie: givenCookie(answer) ?? '' })).toBe(200);
    const refused = await portal.app.inject({ url: '/api/auth/me', headers: own });
    expect(refused.statusCode).toBe(401);
    // The browser already has the new one.
    expect(takesCookieBack(refused)).toBe(false);
    expect(await statusOfMe(portal, other)).toBe(401);
    expect((await logIn(portal, account)).statusCode).toBe(401);
    expect((await logIn(portal, { ...account, password: 'Another-Pass-2' })).statusCode).toBe(200);
  });

  test('a wrong current password: 400 "Incorrect password.", whatever the new one is like, and nothing changes', async () => {
    const account = await createUser(portal, { email: 'wrong@example.com' });
    const headers = await portal.signIn(account);
    for (const newPassword of ['Another-Pass-2', 'weak', '']) {
      const answer = await change(headers, 'wrong', newPassword);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'Incorrect password.' });
    }
    expect(await statusOfMe(portal, headers)).toBe(200);
    expect((await logIn(portal, account)).statusCode).toBe(200);
  });

  test.each([
    ['', 'at least 8 characters, an upper-case letter, a lower-case letter and a digit'],
    ['abc', 'at least 8 characters, an upper-case letter and a digit'],
    ['abcdefgh', 'an upper-case letter and a digit'],
    ['QZXWVKJ1', 'a lower-case letter'],
    ['Abcdef1', 'at least 8 characters'],
    ['trustno1', 'an upper-case letter'],
  ])('the weak password %j: 400 lists each rule that it violates', async (newPassword, rules) => {
    const headers = await portal.signIn();
    const answer = await change(headers, adminAccount.password, newPassword);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: `The new password is too weak: it needs ${rules}.` });
    expect(await statusOfMe(portal, headers)).toBe(200);
  });

  test('both fields are required, and a session', async () => {
    const url = '/api/auth/me/change-password';
    const headers = await portal.signIn();
    const payload = { newPassword: 'Another-Pass-2' };
    expect((await portal.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(400);
    expect((await portal.app.inject({ method: 'POST', url, payload })).statusCode).toBe(401);
  });

  test('guesses at the current password count as failed sign-ins', async () => {
    const account = await createUser(portal, { email: 'guess@example.com' });
    const headers = await portal.signIn(account);
    for (let n = 0; n < 5; n += 1) expect((await change(headers, `guess-${n}`, 'x')).statusCode).toBe(400);
    expect((await change(headers, account.password, 'Another-Pass-2')).statusCode).toBe(429);
    expect((await logIn(portal, account)).statusCode).toBe(429);
  });

  test('two simultaneous changes: one wins, and only its password works', async () => {
    const account = await createUser(portal, { email: 'race@example.com' });
    const headers = await portal.signIn(account);
    const answers = await Promise.all([
      change(headers, account.password, 'Another-Pass-2'),
      change(headers, account.password, 'Another-Pass-3'),
    ]);
    const won = answers.findIndex(({ statusCode }) => statusCode === 204);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 400]);
    const password = ['Another-Pass-2', 'Another-Pass-3'][won] ?? '';
    expect((await logIn(portal, { ...account, password })).statusCode).toBe(200);
  });
});

describe('The time zone in which an account sees times', () => {
  const ask = async (method: 'GET' | 'PUT', url: string, headers: { cookie: string }, payload?: object) =>
    portal.app.inject({ method, url, headers, ...(payload && { payload }) });

  test('is its own, else that of the portal, else that of the first site, which no further site changes', async () => {
    const admin = await portal.signIn();
    const reader = await portal.signIn(await createUser(portal, { email: 'zone@example.com' }));
    const shown = async (headers = reader) =>
      (await ask('GET', '/api/auth/me', headers)).json<{ displayTimeZone: string }>().displayTimeZone;
    const session = { app: portal.app, headers: admin };
    expect(await shown()).toBe('UTC');
    await createSite(session, { timeZone: 'Asia/Tokyo' });
    expect(await shown()).toBe('Asia/Tokyo');
    await createSite(session, { timeZone: 'Europe/Berlin' });
    await createSite(session, { timeZone: 'Europe/Berlin' });
    expect(await shown()).toBe('Asia/Tokyo');

    const ofPortal = (timeZone: unknown, headers = admin) => ask('PUT', '/api/admin/time-zone', headers, { timeZone });
    expect((await ofPortal('america/chicago')).json()).toEqual({ timeZone: 'America/Chicago' });
    expect([await shown(), await shown(admin)]).toEqual(['America/Chicago', 'America/Chicago']);
    expect((await ofPortal('Mars/Olympus')).statusCode).toBe(400);

    const own = (more: object) => ask('PUT', '/api/auth/me', reader, { displayName: 'Reader', ...more });
    expect((await own({ timeZone: 'Europe/Paris' })).json()).toMatchObject({
      timeZone: 'Europe/Paris',
      displayTimeZone: 'Europe/Paris',
    });
    expect((await own({})).json()).toMatchObject({ timeZone: 'Europe/Paris' });
    expect((await own({ timeZone: 'Mars/Olympus' })).statusCode).toBe(400);
    expect([await shown(), await shown(admin)]).toEqual(['Europe/Paris', 'America/Chicago']);
    expect((await own({ timeZone: null })).json()).toMatchObject({
      timeZone: null,
      displayTimeZone: 'America/Chicago',
    });
    await ofPortal(null);
    expect((await ask('GET', '/api/admin/time-zone', admin)).json()).toEqual({ timeZone: null });
    expect(await shown()).toBe('Asia/Tokyo');
  });
});
