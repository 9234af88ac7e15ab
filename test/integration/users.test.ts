import { beforeEach, describe, expect, test } from 'vitest';
import { adminAccount, createUser, givenCookie, logIn, statusOfMe } from '../support/accounts.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';

let now = Date.now();
const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const unknownId = '019a0000-0000-7000-8000-000000000001';

beforeEach(async () => {
  now = Date.now();
  await portal.database.query({ text: `DELETE FROM portal.accounts WHERE email <> '${adminAccount.email}'` });
  await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
  admin = await portal.signIn();
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const ask = (method: Method, path: string, payload?: object, headers = admin) =>
  portal.app.inject({ method, url: `/api/users${path}`, headers, ...(payload === undefined ? {} : { payload }) });
const ownId = async () => {
  const users = (await ask('GET', '')).json<{ id: string; email: string }[]>();
  return users.find(({ email }) => email === adminAccount.email)?.id ?? '';
};
const values = { email: 'user@example.com', displayName: 'User', roles: new Array<string>(), isActive: true };

describe('Who may', () => {
  const routes: [Method, string][] = [
    ['PUT', `/${unknownId}`],
    ['DELETE', `/${unknownId}`],
    ['POST', `/${unknownId}/reset-password`],
    ['POST', `/${unknownId}/unlock`],
    ['POST', `/${unknownId}/reset-second-factor`],
  ];

  test.each(routes)('%s /api/users%s: an id that is unknown or no GUID is 404', async (method, path) => {
    const payload = { ...values, newPassword: 'Another-Pass-2' };
    expect((await ask(method, path, payload)).statusCode).toBe(404);
    expect((await ask(method, path.replace(unknownId, 'x'), payload)).statusCode).toBe(404);
  });
});

describe('List and create', () => {
  test('POST answers 201 with the user, GET lists the users by email', async () => {
    const answer = await ask('POST', '', { ...values, email: ' Zoe@Example.com ', password: 'Secret-Pass-1' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'Zoe@Example.com',
      displayName: 'User',
      roles: [],
      isActive: true,
      hasSecondFactor: false,
      lockedUntil: null,
      lastLoginAt: null,
      createdAt: expect.stringMatching(instant),
    });
    await createUser(portal, { email: 'bob@example.com', roles: ['Admin'] });
    const users = (await ask('GET', '')).json<{ email: string }[]>();
    expect(users.map(({ email }) => email)).toEqual(['admin@example.com', 'bob@example.com', 'Zoe@Example.com']);
    expect(JSON.stringify(users)).not.toMatch(/argon2|password|stamp/i);
  });

  test('roles and isActive default to [] and true; unknown fields are ignored', async () => {
    const payload = {
      email: 'a@example.com',
      displayName: 'A',
      password: 'Secret-Pass-1',
      id: unknownId,
      lockedUntil: 1,
    };
    expect((await ask('POST', '', payload)).json()).toMatchObject({ roles: [], isActive: true, lockedUntil: null });
    expect((await ask('POST', '', { ...payload, email: 'b@example.com' })).json<{ id: string }>().id).not.toBe(
      unknownId,
    );
  });

  test('a used email is 409 in any case, also if two create it at the same moment', async () => {
    const answers = await Promise.all(
      ['twice@example.com', 'TWICE@example.com'].map((email) =>
        ask('POST', '', { ...values, email, password: 'Secret-Pass-1' }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json<{ error: string }>().error).toMatch(/^email: an account with twice@/i);
    expect(refused?.json()).toMatchObject({
      code: 'emailTaken',
      field: 'email',
      params: { email: expect.any(String) },
    });
  });

  test.each([
    ['a weak password', { password: 'abc' }, 'at least 8 characters, an upper-case letter and a digit'],
    ['no email', { email: '' }, 'email'],
    ['an email without @', { email: 'nobody' }, 'email'],
    ['an email with NUL', { email: 'a\u0000@example.com' }, 'email'],
    ['an email of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, 'email'],
    ['no name', { displayName: ' ' }, 'displayName'],
    ['a role that nobody has', { roles: ['Root'] }, 'roles'],
    ['roles that are no list', { roles: 'Admin' }, 'roles'],
    ['RestrictedAdmin, which Client mode does not use', { roles: ['RestrictedAdmin'] }, 'RestrictedAdmin'],
    ['isActive that is no boolean', { isActive: 'true' }, 'isActive'],
  ])('%s: 400 that names the field', async (_name, wrong, named) => {
    const answer = await ask('POST', '', { ...values, password: 'Secret-Pass-1', ...wrong });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toContain(named);
    expect((await ask('GET', '')).json<object[]>()).toHaveLength(1);
  });

  test('SQL and HTML in a name are stored and answered as they are', async () => {
    const displayName = `Robert'); DROP TABLE portal.accounts;-- <img src=x onerror=alert(1)> "\\ \u202E \u{1F4A1}`;
    const email = `o'brien"<b>@example.com`;
    const answer = await ask('POST', '', { ...values, email, displayName, password: 'Secret-Pass-1' });
    expect(answer.json()).toMatchObject({ email, displayName });
    expect((await ask('GET', '')).json<object[]>().at(-1)).toMatchObject({ email, displayName });
    expect((await logIn(portal, { email, password: 'Secret-Pass-1' })).statusCode).toBe(200);
  });

  test('lastLoginAt is the last sign-in, lockedUntil the end of a lock and null once it has opened', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const shown = async () =>
      (await ask('GET', '')).json<{ email: string }[]>().find(({ email }) => email === account.email);
    await portal.signIn(account);
    const signedInAt = new Date(now).toISOString();
    for (let n = 0; n < 5; n += 1) await logIn(portal, { ...account, password: 'wrong' });
    const until = new Date(now + 15 * 60_000).toISOString();
    expect(await shown()).toMatchObject({ lastLoginAt: expectInstant(signedInAt), lockedUntil: expectInstant(until) });
    now += 15 * 60_000;
    expect(await shown()).toMatchObject({ lockedUntil: null });
    // Nor does one from a clock that was ahead, because it reserves nothing.
    await portal.database.query({ text: `UPDATE portal.sign_in_failures SET locked_until = to_timestamp($1)` }, [
      now / 1000 + 10 * 86_400,
    ]);
    expect(await shown()).toMatchObject({ lockedUntil: null });
  });

  // PostgreSQL omits trailing zeros of a fraction.
  const expectInstant = (iso: string) => iso.replace(/\.?0+Z$/, 'Z');
});

describe('Change', () => {
  test('PUT writes the whole user and answers 200 with it; roles come in one order, each once', async () => {
    const { id } = await createUser(portal, { email: 'user@example.com' });
    const payload = { email: 'new@example.com', displayName: ' New ', roles: ['Admin', 'Admin'], isActive: false };
    const answer = await ask('PUT', `/${id}`, payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, ...payload, displayName: 'New', roles: ['Admin'] });
    expect((await ask('GET', '')).json<object[]>()[1]).toEqual(answer.json());
    for (const field of Object.keys(payload)) {
      const partial = Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field));
      expect((await ask('PUT', `/${id}`, partial)).statusCode).toBe(400);
    }
  });

  test('an email that another user has is 409; the own one in another case is not', async () => {
    const { id } = await createUser(portal, { email: 'user@example.com' });
    expect((await ask('PUT', `/${id}`, { ...values, email: 'ADMIN@example.com' })).statusCode).toBe(409);
    expect((await ask('PUT', `/${id}`, { ...values, email: 'USER@example.com' })).json()).toMatchObject({
      email: 'USER@example.com',
    });
  });

  test('RestrictedAdmin is refused in Client mode', async () => {
    const { id } = await createUser(portal, { email: 'user@example.com' });
    expect((await ask('PUT', `/${id}`, { ...values, roles: ['RestrictedAdmin'] })).statusCode).toBe(400);
    const made = { ...values, email: 'new@example.com', password: 'Secret-Pass-1', roles: ['RestrictedAdmin'] };
    expect((await ask('POST', '', made)).statusCode).toBe(400);
  });

  test('an administrator who changes their own name or gives up the role stays signed in', async () => {
    const second = await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    const own = await portal.signIn(second);
    const other = await portal.signIn(second);
    const payload = { ...values, email: second.email, roles: ['Admin'] };
    expect((await ask('PUT', `/${second.id}`, payload, own)).cookies).toEqual([]);
    const given = { ...payload, roles: [], currentPassword: second.password };
    const demoted = await ask('PUT', `/${second.id}`, given, own);
    expect(demoted.statusCode).toBe(200);
    const cookie = givenCookie(demoted) ?? '';
    expect(await statusOfMe(portal, { cookie })).toBe(200);
    expect((await ask('GET', '', undefined, { cookie })).statusCode).toBe(403);
    expect(await statusOfMe(portal, own)).toBe(401);
    expect(await statusOfMe(portal, other)).toBe(401);
  });
});

describe('An administrator changes the own email and roles only with the current password', () => {
  let second: { id: string; email: string; password: string };
  let own: { cookie: string };
  beforeEach(async () => {
    second = await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    own = await portal.signIn(second);
  });
  const change = (given: object) =>
    ask('PUT', `/${second.id}`, { ...values, email: second.email, roles: ['Admin'], ...given }, own);
  const stored = async () =>
    (await ask('GET', '')).json<{ id: string; email: string; roles: string[] }[]>().find(({ id }) => id === second.id);

  test.each([
    ['email', { email: 'taken-over@example.com' }],
    ['roles', { roles: [] }],
  ])('%s without it: 400 that names the field; with a wrong one: "Incorrect password."', async (_name, given) => {
    const without = await change(given);
    expect(without.statusCode).toBe(400);
    expect(without.json<{ error: string }>().error).toMatch(/^currentPassword: /);
    const wrong = await change({ ...given, currentPassword: 'wrong' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json()).toMatchObject({ error: 'Incorrect password.' });
    expect(await stored()).toMatchObject({ email: second.email, roles: ['Admin'] });
    expect((await change({ ...given, currentPassword: second.password })).statusCode).toBe(200);
    expect(await stored()).toMatchObject(given);
  });

  test('the own name needs none, and neither does another user', async () => {
    expect((await change({ displayName: 'Another' })).statusCode).toBe(200);
    const other = await createUser(portal, { email: 'other@example.com' });
    const payload = { ...values, email: 'moved@example.com', roles: ['Admin'] };
    expect((await ask('PUT', `/${other.id}`, payload, own)).statusCode).toBe(200);
  });

  test('wrong ones count as failed sign-ins: the sixth is 429, and so is a sign-in', async () => {
    const given = { email: 'taken-over@example.com' };
    for (let n = 0; n < 5; n += 1) {
      expect((await change({ ...given, currentPassword: `guess-${n}` })).statusCode).toBe(400);
    }
    const locked = await change({ ...given, currentPassword: second.password });
    expect(locked.statusCode).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(portal, second)).statusCode).toBe(429);
  });
});

describe('The last active Admin cannot be deleted, demoted or deactivated; nobody removes themself', () => {
  const self = { email: adminAccount.email, displayName: 'Administrator', roles: ['Admin'], isActive: true };

  test('409 for the last one', async () => {
    await createUser(portal, { email: 'off@example.com', roles: ['Admin'], isActive: false });
    const id = await ownId();
    expect((await ask('PUT', `/${id}`, { ...self, roles: [] })).json()).toMatchObject({
      error: 'This is the last active administrator; give another active user the role Admin first.',
    });
    for (const change of [{ roles: [] }, { isActive: false }]) {
      expect((await ask('PUT', `/${id}`, { ...self, ...change })).statusCode).toBe(409);
    }
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(409);
    expect(await statusOfMe(portal, admin)).toBe(200);
  });

  test('409 for oneself also where another Admin remains', async () => {
    await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    const id = await ownId();
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(409);
    expect((await ask('DELETE', `/${id.toUpperCase()}`)).statusCode).toBe(409);
    expect((await ask('PUT', `/${id}`, { ...self, isActive: false })).statusCode).toBe(409);
    expect(await statusOfMe(portal, admin)).toBe(200);
  });

  test('another Admin can be demoted, deactivated and deleted', async () => {
    const { id, email } = await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    for (const change of [{ roles: [] }, { roles: ['Admin'] }, { roles: ['Admin'], isActive: false }]) {
      expect((await ask('PUT', `/${id}`, { ...values, email, ...change })).statusCode).toBe(200);
    }
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204);
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(404);
  });

  test('of two Admins either can be demoted by the other, also the one who was there first', async () => {
    const second = await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    const [id, asSecond] = [await ownId(), await portal.signIn(second)];
    expect((await ask('PUT', `/${id}`, { ...self, roles: [] }, asSecond)).statusCode).toBe(200);
    expect((await ask('PUT', `/${second.id}`, { ...values, email: second.email }, asSecond)).statusCode).toBe(409);
    expect((await ask('PUT', `/${id}`, self, asSecond)).statusCode).toBe(200);
    admin = await portal.signIn();
    expect((await ask('PUT', `/${second.id}`, { ...values, email: second.email })).statusCode).toBe(200);
  });

  test.each([
    ['demote', 'PUT', { roles: [] }],
    ['switch off', 'PUT', { roles: ['Admin'], isActive: false }],
    ['delete', 'DELETE', undefined],
  ] as const)('two Admins who %s each other at the same moment: one stays', async (_name, method, change) => {
    for (let round = 0; round < 5; round += 1) {
      await portal.database.query({ text: `DELETE FROM portal.accounts WHERE email <> '${adminAccount.email}'` });
      const made = [
        await createUser(portal, { email: 'one@example.com', roles: ['Admin'] }),
        await createUser(portal, { email: 'two@example.com', roles: ['Admin'] }),
      ];
      const [one, two] = await Promise.all(
        made.map(async (account) => ({ ...account, headers: await portal.signIn(account) })),
      );
      if (one === undefined || two === undefined) throw new Error('two accounts were made');
      await portal.database.query({ text: `UPDATE portal.accounts SET roles = '{}' WHERE email = $1` }, [
        adminAccount.email,
      ]);
      const attack = ({ id, email }: typeof one, headers: { cookie: string }) =>
        ask(method, `/${id}`, change && { ...values, email, ...change }, headers);
      const answers = await Promise.all([attack(two, one.headers), attack(one, two.headers)]);
      await portal.database.query({ text: `UPDATE portal.accounts SET roles = '{Admin}' WHERE email = $1` }, [
        adminAccount.email,
      ]);
      admin = await portal.signIn();
      const left = await portal.database.query({
        text: `SELECT FROM portal.accounts WHERE 'Admin' = ANY(roles) AND is_active AND email <> 'admin@example.com'`,
      });
      expect(left.rowCount).toBe(1);
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
      expect([200, 204]).toContain(statuses[0]);
      // The second request is rejected by the rule, or its user is no longer an Admin or signed in.
      expect([401, 403, 409]).toContain(statuses[1]);
    }
  });
});

describe('reset-password and unlock', () => {
  test('POST reset-password: 204, the new password works at once, and the lock is open', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    for (let n = 0; n < 5; n += 1) await logIn(portal, { ...account, password: 'wrong' });
    expect((await logIn(portal, account)).statusCode).toBe(429);
    const answer = await ask('POST', `/${account.id}/reset-password`, { newPassword: 'Another-Pass-2' });
    expect(answer.statusCode).toBe(204);
    expect((await logIn(portal, account)).statusCode).toBe(401);
    expect((await logIn(portal, { ...account, password: 'Another-Pass-2' })).statusCode).toBe(200);
  });

  test('POST reset-password refuses a weak password: 400 that lists each rule, and the old one stays', async () => {
    const account = await createUser(portal, { email: 'user@example.com' });
    const answer = await ask('POST', `/${account.id}/reset-password`, { newPassword: 'weak' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(/8 characters, an upper-case letter and a digit/);
    expect((await ask('POST', `/${account.id}/reset-password`, {})).statusCode).toBe(400);
    expect((await logIn(portal, account)).statusCode).toBe(200);
  });

  test('POST reset-password of the own account: 409 that names change-password, and nothing changes', async () => {
    const second = await createUser(portal, { email: 'second@example.com', roles: ['Admin'] });
    const own = await portal.signIn(second);
    const answer = await ask('POST', `/${second.id}/reset-password`, { newPassword: 'Another-Pass-2' }, own);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<{ error: string }>().error).toContain('change your password');
    expect((await logIn(portal, second)).statusCode).toBe(200);
    expect(await statusOfMe(portal, own)).toBe(200);
  });

  test('POST unlock: 204, the lock is open and the sessions go on; also without a lock', async () => {
    const account = await createUser(portal, { email: 'User@Example.com' });
    const headers = await portal.signIn(account);
    for (let n = 0; n < 5; n += 1) await logIn(portal, { ...account, password: 'wrong' });
    expect((await ask('POST', `/${account.id}/unlock`)).statusCode).toBe(204);
    expect((await ask('POST', `/${account.id}/unlock`)).statusCode).toBe(204);
    expect((await logIn(portal, account)).statusCode).toBe(200);
    expect(await statusOfMe(portal, headers)).toBe(200);
  });
});

test('Admin mode has RestrictedAdmin; roles are answered in one order', async () => {
  await using fleet = await createTestApp({ environment: { Application__RunMode: 'Admin' } });
  await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin', 'Admin', 'RestrictedAdmin'] });
  const answer = await fleet.app.inject({ url: '/api/users', headers: await fleet.signIn() });
  expect(answer.json<object[]>()[1]).toMatchObject({ roles: ['Admin', 'RestrictedAdmin'] });
});
