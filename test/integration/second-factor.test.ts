import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signInToFleet } from '../../server/fleet/register-customer.ts';
import { adminAccount, createUser, logIn, statusOfMe } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { codeAt, headersOf, proveSecond, secondFactorOf, turnOn } from '../support/second-factor.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const minute = 60_000;
let now = start;
let portal: TestApp;
let people = 0;

beforeAll(async () => {
  portal = await createTestApp({ now: () => now });
});
afterAll(() => portal.close());
beforeEach(async () => {
  now += 60 * minute;
  await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
});

const someone = () => createUser(portal, { email: `second-${(people += 1)}@example.com` });

/** A user with an authenticator app, half a minute after its first code. */
async function withApp() {
  const account = await someone();
  const own = await turnOn(portal, account, now);
  now += minute;
  return { account, ...own };
}

const step = async (account: { email: string; password: string }) => {
  const answer = await logIn(portal, account);
  expect(answer.statusCode).toBe(202);
  return answer.json<{ token: string; newApp: { secret: string } | null }>();
};

describe('Turning it on', () => {
  test('requires the password, then the first code of the app; nothing changes before', async () => {
    const account = await someone();
    const own = secondFactorOf(portal, await portal.signIn(account));
    expect(await own.read()).toEqual({ appAddedAt: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false });
    const wrong = await own.begin('wrong');
    expect([wrong.statusCode, wrong.json()]).toEqual([400, expect.objectContaining({ error: 'Incorrect password.' })]);
    const { token, newApp } = (await own.begin(account.password)).json();
    expect(newApp.uri).toMatch(
      /^otpauth:\/\/totp\/Power%20Monitoring:second-\d+%40example\.com\?issuer=Power%20Monitoring&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
    );
    const other = await own.finish(token, codeAt(newApp.secret, now + 5 * minute));
    expect(other.statusCode).toBe(400);
    expect(other.json().error).toMatch(/^code: wrong code/);
    expect((await own.read()).appAddedAt).toBeNull();
    expect((await logIn(portal, account)).statusCode).toBe(200);
    expect((await own.finish(token, codeAt(newApp.secret, now))).statusCode).toBe(200);
  });

  test('returns ten recovery codes once, and ends the other sessions of the account', async () => {
    const account = await someone();
    const other = await portal.signIn(account);
    const { headers, recoveryCodes } = await turnOn(portal, account, now);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[\dA-HJKMNP-TV-Z]{4}-){5}[\dA-HJKMNP-TV-Z]{4}$/);
    expect(await statusOfMe(portal, other)).toBe(401);
    const listed = await portal.app.inject({ url: '/api/auth/sessions', headers });
    expect(listed.json()).toMatchObject([{ isCurrent: true }]);
    expect(await secondFactorOf(portal, headers).read()).toEqual({
      appAddedAt: new Date(now).toISOString().replace('.000', ''),
      passkeys: [],
      recoveryCodesLeft: 10,
      isRequired: false,
    });
  });

  test('a token of another account, of a sign-in, or of more than ten minutes ago adds nothing', async () => {
    const [one, other] = [await someone(), await someone()];
    const own = secondFactorOf(portal, await portal.signIn(one));
    const theirs = secondFactorOf(portal, await portal.signIn(other));
    const { token, newApp } = (await own.begin(one.password)).json();
    expect((await theirs.finish(token, codeAt(newApp.secret, now))).statusCode).toBe(400);
    const signingIn = await step((await withApp()).account);
    expect((await own.finish(signingIn.token, codeAt(newApp.secret, now))).statusCode).toBe(400);
    expect((await proveSecond(portal, token, codeAt(newApp.secret, now))).statusCode).toBe(400);
    now += 10 * minute;
    expect((await own.finish(token, codeAt(newApp.secret, now))).json().error).toMatch(/^token: sign-in timed out/);
    expect((await own.read()).appAddedAt).toBeNull();
  });

  test('the secret is sealed and the codes are hashed: the database alone has neither', async () => {
    const { secret, recoveryCodes } = await withApp();
    const rows = await portal.database.query<{ text: string }>({
      text: `SELECT to_jsonb(t)::text AS text FROM portal.authenticator_apps t
             UNION ALL SELECT to_jsonb(c)::text || encode(code_hash, 'escape') FROM portal.recovery_codes c`,
    });
    const everything = rows.rows.map(({ text }) => text).join('\n') + JSON.stringify(portal.log);
    expect(everything.length).toBeGreaterThan(1_000);
    for (const plain of [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])]) {
      expect(everything).not.toContain(plain);
    }
  });

  test('a token sealed for one account is invalid for another', async () => {
    const [one, other] = [await withApp(), await withApp()];
    await portal.database.query(
      {
        text: `UPDATE portal.authenticator_apps SET last_step = 0, sealed_secret =
                 (SELECT sealed_secret FROM portal.authenticator_apps WHERE account_id = $1) WHERE account_id = $2`,
      },
      [one.account.id, other.account.id],
    );
    const { token } = await step(other.account);
    expect((await proveSecond(portal, token, codeAt(one.secret, now))).statusCode).toBe(503);
    expect((await proveSecond(portal, token, other.recoveryCodes[0] ?? '')).statusCode).toBe(200);
  });
});

describe('Signing in with it', () => {
  test('the password alone gives no session, and a wrong one reveals nothing', async () => {
    const { account } = await withApp();
    const answer = await logIn(portal, account);
    expect([answer.statusCode, answer.cookies]).toEqual([202, []]);
    expect(answer.json()).toEqual({ token: expect.any(String), newApp: null, hasApp: true, hasPasskey: false });
    const wrong = await logIn(portal, { ...account, password: 'wrong' });
    const nobody = await logIn(portal, { email: 'nobody@example.com', password: 'wrong' });
    expect([wrong.statusCode, wrong.json()]).toEqual([nobody.statusCode, nobody.json()]);
  });

  test('a code of the app signs in, within a step before and after it, and each once', async () => {
    const { account, secret } = await withApp();
    const { token } = await step(account);
    for (const offset of [-2, 2]) {
      expect((await proveSecond(portal, token, codeAt(secret, now + offset * 30_000))).statusCode).toBe(401);
    }
    const code = codeAt(secret, now);
    const answer = await proveSecond(portal, token, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ email: account.email, displayName: account.email, roles: [], recoveryCodes: null }),
    ]);
    expect(await statusOfMe(portal, headersOf(answer))).toBe(200);
    const again = await proveSecond(portal, token, code);
    expect([again.statusCode, again.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'Wrong or already used code.' }),
    ]);
    expect((await proveSecond(portal, token, codeAt(secret, now - 30_000))).statusCode).toBe(401);
    expect((await proveSecond(portal, token, codeAt(secret, now + 30_000))).statusCode).toBe(200);
  });

  test('of many requests with the same code at once, one signs in', async () => {
    const { account, secret, recoveryCodes } = await withApp();
    for (const code of [codeAt(secret, now), recoveryCodes[0] ?? '']) {
      const { token } = await step(account);
      const answers = await Promise.all(Array.from({ length: 4 }, () => proveSecond(portal, token, code)));
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
    }
  });

  test('a recovery code signs in once', async () => {
    const { account, recoveryCodes } = await withApp();
    const code = recoveryCodes[3] ?? '';
    const { token } = await step(account);
    const answer = await proveSecond(portal, token, code.toLowerCase().replaceAll('-', ' '));
    expect(answer.statusCode).toBe(200);
    expect((await secondFactorOf(portal, headersOf(answer)).read()).recoveryCodesLeft).toBe(9);
    expect((await proveSecond(portal, token, code)).statusCode).toBe(401);
  });

  test('wrong codes lock the email like wrong passwords, and the right password in between clears none of them', async () => {
    const { account, secret } = await withApp();
    for (let n = 0; n < 5; n += 1) {
      expect((await proveSecond(portal, (await step(account)).token, '000000')).statusCode).toBe(401);
    }
    const answer = await logIn(portal, account);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '900']);
    now += 15 * minute;
    const { token } = await step(account);
    expect((await proveSecond(portal, token, codeAt(secret, now))).statusCode).toBe(200);
    expect((await logIn(portal, { ...account, password: 'wrong' })).statusCode).toBe(401);
  });

  test('while the email is locked a right code is 429 too', async () => {
    const { account, secret } = await withApp();
    const { token } = await step(account);
    for (let n = 0; n < 5; n += 1) await logIn(portal, { ...account, password: 'wrong' });
    expect((await proveSecond(portal, token, codeAt(secret, now))).statusCode).toBe(429);
  });

  test('a token is worthless after ten minutes, after a new password, or if it is forged', async () => {
    const { account, headers, secret } = await withApp();
    const { token } = await step(account);
    const late = async () => (await proveSecond(portal, token, codeAt(secret, now))).statusCode;
    now += 10 * minute;
    expect(await late()).toBe(400);
    now -= 10 * minute;
    const tagAt = token.lastIndexOf('.') + 1;
    const forged = token.slice(0, tagAt) + (token.charAt(tagAt) === 'A' ? 'B' : 'A') + token.slice(tagAt + 1);
    expect((await proveSecond(portal, forged, codeAt(secret, now))).statusCode).toBe(400);
    expect((await proveSecond(portal, 'x'.repeat(3_000), '')).statusCode).toBe(400);
    const payload = { currentPassword: account.password, newPassword: 'Another-Pass-1' };
    await portal.app.inject({ method: 'POST', url: '/api/auth/me/change-password', headers, payload });
    expect(await late()).toBe(400);
  });

  test('there are no rights between password and second factor: every route answers as without a session', async () => {
    const { token } = await step((await withApp()).account);
    const { paths } = (await portal.app.inject('/api/openapi.json')).json<{ paths: Record<string, object> }>();
    const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      methods.filter((method) => method.toLowerCase() in operations).map((method) => ({ path, method })),
    );
    expect(routes.length).toBeGreaterThan(60);
    for (const { path, method } of routes) {
      const url = path.replaceAll(/\{\w+\}/g, '0199c0de-aaaa-7bbb-8ccc-0123456789ab');
      const asked = async (headers: Record<string, string>) =>
        (await portal.app.inject({ method, url, headers })).statusCode;
      const plain = await asked({});
      expect(await asked({ cookie: `portal_session_8080=${token}` }), `${method} ${path}`).toBe(plain);
      expect(await asked({ authorization: `Bearer ${token}` }), `${method} ${path}`).toBe(plain);
    }
    expect(await statusOfMe(portal, { cookie: `portal_session_8080=${token}` })).toBe(401);
  });
});

describe('Recovery codes and turning it off', () => {
  test('new codes require the password and a code, and replace the old ones', async () => {
    const { account, headers, secret, recoveryCodes } = await withApp();
    const own = secondFactorOf(portal, headers);
    const code = codeAt(secret, now);
    expect((await own.renew('wrong', { code })).statusCode).toBe(400);
    expect((await own.renew(account.password)).statusCode).toBe(400);
    const renewed = (await own.renew(account.password, { code })).json<{ recoveryCodes: string[] }>().recoveryCodes;
    const { token } = await step(account);
    expect((await proveSecond(portal, token, recoveryCodes[0] ?? '')).statusCode).toBe(401);
    expect((await proveSecond(portal, token, renewed[0] ?? '')).statusCode).toBe(200);
    const without = await someone();
    const answer = await secondFactorOf(portal, await portal.signIn(without)).renew(without.password);
    expect(answer.statusCode).toBe(409);
  });

  test('turning it off requires the password and a code, ends the other sessions, and the password alone signs in again', async () => {
    const { account, headers, secret, recoveryCodes } = await withApp();
    const { token } = await step(account);
    const other = headersOf(await proveSecond(portal, token, codeAt(secret, now)));
    const own = secondFactorOf(portal, headers);
    const code = recoveryCodes[1] ?? '';
    expect((await own.turnOff('wrong', { code })).statusCode).toBe(400);
    expect((await own.turnOff(account.password)).statusCode).toBe(400);
    const off = await own.turnOff(account.password, { code });
    expect(off.statusCode).toBe(204);
    expect(await statusOfMe(portal, other)).toBe(401);
    expect(await statusOfMe(portal, headersOf(off))).toBe(200);
    expect((await logIn(portal, account)).statusCode).toBe(200);
    // A step that began before is over too.
    expect((await proveSecond(portal, token, recoveryCodes[0] ?? '')).statusCode).toBe(400);
  });

  test('another app replaces the first', async () => {
    const { account, headers, secret } = await withApp();
    const own = secondFactorOf(portal, headers);
    expect((await own.begin(account.password)).statusCode).toBe(400);
    const { token, newApp } = (await own.begin(account.password, { code: codeAt(secret, now) })).json();
    expect((await own.finish(token, codeAt(newApp.secret, now))).statusCode).toBe(200);
    now += minute;
    const signingIn = await step(account);
    expect((await proveSecond(portal, signingIn.token, codeAt(secret, now))).statusCode).toBe(401);
    expect((await proveSecond(portal, signingIn.token, codeAt(newApp.secret, now))).statusCode).toBe(200);
  });
});

describe('Required of administrators', () => {
  const policy = (of: TestApp, headers: object, adminsNeedSecondFactor: boolean) =>
    of.app.inject({
      method: 'PUT',
      url: '/api/admin/sign-in-policy',
      headers: { ...headers },
      payload: { adminsNeedSecondFactor },
    });
  /** A fleet, whose default administrator has an app. */
  async function openFleet() {
    const fleet = await createAdminApp({ now: () => now });
    const own = await turnOn(fleet, adminAccount, now);
    now += minute;
    return { fleet, ...own };
  }
  const signInWithCode = async (fleet: TestApp, secret: string) => {
    now += minute;
    const { token } = (await logIn(fleet, adminAccount)).json<{ token: string }>();
    return headersOf(await proveSecond(fleet, token, codeAt(secret, now)));
  };

  test('only an administrator with a second factor may require it', async () => {
    const admin = await portal.signIn();
    const answer = await policy(portal, admin, true);
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      expect.objectContaining({
        error: 'First turn on two-factor authentication for yourself, under Settings → Password.',
      }),
    ]);
    const read = await portal.app.inject({ url: '/api/admin/sign-in-policy', headers: admin });
    expect(read.json()).toEqual({ adminsNeedSecondFactor: false });
  });

  test('users with a role and no second factor are signed out at once, and add an app at the next sign-in', async () => {
    const { fleet, headers } = await openFleet();
    await using _ = fleet;
    const people = [];
    for (const [name, roles] of [
      ['admin2', ['Admin']],
      ['restricted', ['RestrictedAdmin']],
      ['reader', []],
    ] as const) {
      const account = await createUserAs(fleet, headers, { email: `${name}@example.com`, roles });
      people.push({ account, before: await fleet.signIn(account), isAsked: roles.length > 0 });
    }
    expect((await policy(fleet, headers, true)).statusCode).toBe(200);
    expect(await statusOfMe(fleet, headers)).toBe(200);
    for (const { account, before, isAsked } of people) {
      expect(await statusOfMe(fleet, before)).toBe(isAsked ? 401 : 200);
      const answer = await logIn(fleet, account);
      expect([answer.statusCode, answer.cookies.length]).toEqual(isAsked ? [202, 0] : [200, 1]);
      if (!isAsked) continue;
      const { token, newApp } = answer.json<{ token: string; newApp: { secret: string } }>();
      expect((await proveSecond(fleet, token, codeAt(newApp.secret, now - 10 * minute))).statusCode).toBe(401);
      const added = await proveSecond(fleet, token, codeAt(newApp.secret, now));
      expect(added.json<{ recoveryCodes: string[] }>().recoveryCodes).toHaveLength(10);
      expect(await statusOfMe(fleet, headersOf(added))).toBe(200);
      // The token of the first cannot add another app.
      expect((await proveSecond(fleet, token, codeAt(newApp.secret, now))).statusCode).toBe(400);
    }
  });

  test('none of them can turn it off, only replace the app; without the requirement they can', async () => {
    const { fleet, headers, secret } = await openFleet();
    await using _ = fleet;
    await policy(fleet, headers, true);
    const own = secondFactorOf(fleet, headers);
    const off = await own.turnOff(adminAccount.password, { code: codeAt(secret, now) });
    expect([off.statusCode, off.json()]).toEqual([
      409,
      expect.objectContaining({ error: 'Your account needs a second factor; you can only replace it.' }),
    ]);
    expect((await own.read()).appAddedAt).not.toBeNull();
    const again = await signInWithCode(fleet, secret);
    expect((await policy(fleet, again, false)).statusCode).toBe(200);
    now += minute;
    const proof = { code: codeAt(secret, now) };
    expect((await secondFactorOf(fleet, again).turnOff(adminAccount.password, proof)).statusCode).toBe(204);
  });

  test('required and turned off at the same moment, no administrator keeps a session without one', async () => {
    const { fleet, headers } = await openFleet();
    await using _ = fleet;
    const other = await createUserAs(fleet, headers, { email: 'other@example.com', roles: ['Admin'] });
    for (let round = 0; round < 5; round += 1) {
      await policy(fleet, headers, false);
      await fleet.database.query({ text: 'DELETE FROM portal.authenticator_apps WHERE account_id = $1' }, [other.id]);
      const { headers: theirs, recoveryCodes } = await turnOn(fleet, other, now);
      const [, off] = await Promise.all([
        policy(fleet, headers, true),
        secondFactorOf(fleet, theirs).turnOff(other.password, { code: recoveryCodes[0] }),
      ]);
      const left = off.statusCode === 204 ? await statusOfMe(fleet, headersOf(off)) : 401;
      const rows = await fleet.database.query(
        {
          text: `SELECT FROM portal.sessions s WHERE account_id = $1
                 AND NOT EXISTS (SELECT FROM portal.authenticator_apps a WHERE a.account_id = s.account_id)`,
        },
        [other.id],
      );
      expect([left, rows.rowCount]).toEqual([401, 0]);
    }
  });

  test('an administrator resets a lost one: sessions end, and the next sign-in leads to another app', async () => {
    const { fleet, headers } = await openFleet();
    await using _ = fleet;
    const lost = await createUserAs(fleet, headers, { email: 'lost@example.com', roles: ['Admin'] });
    const { headers: theirs } = await turnOn(fleet, lost, now);
    const reset = (id: string, by: object) =>
      fleet.app.inject({ method: 'POST', url: `/api/users/${id}/reset-second-factor`, headers: { ...by } });
    const users = async () =>
      (await fleet.app.inject({ url: '/api/users', headers })).json<
        { id: string; email: string; hasSecondFactor: boolean }[]
      >();
    const has = async () => (await users()).find(({ id }) => id === lost.id)?.hasSecondFactor;
    expect(await has()).toBe(true);
    const reader = await createUserAs(fleet, headers, { email: 'reader@example.com', roles: [] });
    expect((await reset(lost.id, await fleet.signIn(reader))).statusCode).toBe(403);
    expect((await reset('0199c0de-aaaa-7bbb-8ccc-0123456789ab', headers)).statusCode).toBe(404);
    const ownId = (await users()).find(({ email }) => email === adminAccount.email)?.id ?? '';
    expect((await reset(ownId, headers)).statusCode).toBe(409);
    expect((await reset(lost.id, headers)).statusCode).toBe(204);
    expect(await has()).toBe(false);
    expect(await statusOfMe(fleet, theirs)).toBe(401);
    expect((await logIn(fleet, lost)).statusCode).toBe(200);
    await policy(fleet, headers, true);
    expect((await logIn(fleet, lost)).json()).toMatchObject({ newApp: { secret: expect.any(String) } });
  });

  /** By a user whose password alone is not enough to sign in. */
  async function createUserAs(of: TestApp, headers: object, user: { email: string; roles: readonly string[] }) {
    const password = 'Secret-Pass-1';
    const payload = { displayName: user.email, ...user, password };
    const answer = await of.app.inject({ method: 'POST', url: '/api/users', headers: { ...headers }, payload });
    expect(answer.statusCode, answer.body).toBe(201);
    return { id: answer.json<{ id: string }>().id, email: user.email, password };
  }
});

test('an account is deleted with its second factor', async () => {
  const { account } = await withApp();
  const headers = await portal.signIn(adminAccount);
  const answer = await portal.app.inject({ method: 'DELETE', url: `/api/users/${account.id}`, headers });
  expect(answer.statusCode).toBe(204);
});

test('register-customer accepts the code of a fleet administrator with a second factor', async () => {
  await using fleet = await createAdminApp({ now: () => now });
  const { secret } = await turnOn(fleet, adminAccount, now);
  now += minute;
  const address = await fleet.app.listen({ host: '127.0.0.1', port: 0 });
  await expect(signInToFleet(address, adminAccount)).rejects.toThrow(/has a second factor: give its code/);
  const ask = await signInToFleet(address, { ...adminAccount, code: codeAt(secret, now) });
  expect(await ask(z.array(z.unknown()), 'GET', '/api/admin/customers')).toEqual([]);
});
