import { describe, expect, test } from 'vitest';
import { adminAccount, createUser, logIn } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';

const lenient = appOfFile();
const strict = appOfFile({ environment: { Authentication__RefuseCommonPasswords: 'true' } });

/** Common passwords that meet the policy. */
const common = ['Abcdefg1', 'TrustNo1', 'Password1'];
const refusal = 'The new password is too weak: it needs to be less common (many people have this one).';

let users = 0;
const newEmail = () => `user-${(users += 1)}@example.com`;

/** Every way to set a new password, each with its own user. */
const ways: [string, (portal: TestApp, password: string) => Promise<{ status: number; body: string }>][] = [
  [
    'POST /api/users',
    async (portal, password) => {
      const payload = { email: newEmail(), displayName: 'New', password };
      return post(portal, '/api/users', payload, await portal.signIn());
    },
  ],
  [
    'POST /api/users/{id}/reset-password',
    async (portal, password) => {
      const { id } = await createUser(portal, { email: newEmail() });
      return post(portal, `/api/users/${id}/reset-password`, { newPassword: password }, await portal.signIn());
    },
  ],
  [
    'POST /api/auth/me/change-password',
    async (portal, password) => {
      const user = await createUser(portal, { email: newEmail() });
      const payload = { currentPassword: user.password, newPassword: password };
      return post(portal, '/api/auth/me/change-password', payload, await portal.signIn(user));
    },
  ],
];

async function post({ app }: TestApp, url: string, payload: object, headers: { cookie: string }) {
  const { statusCode: status, body } = await app.inject({ method: 'POST', url, payload, headers });
  return { status, body };
}

describe.each(ways)('%s', (_way, set) => {
  test.each(common)('A password that meets the policy is accepted: %s', async (password) => {
    expect((await set(lenient, password)).status).toBeLessThan(300);
  });

  test.each(common)('Authentication__RefuseCommonPasswords refuses a common one: %s', async (password) => {
    const { status, body } = await set(strict, password);
    expect([status, JSON.parse(body)]).toMatchObject([400, { error: refusal }]);
  });

  test('Authentication__RefuseCommonPasswords lists a common password with the other rules that it breaks', async () => {
    const { status, body } = await set(strict, 'trustno1');
    const error =
      'The new password is too weak: it needs an upper-case letter and to be less common (many people have this one).';
    expect([status, JSON.parse(body)]).toMatchObject([400, { error }]);
  });

  test('Authentication__RefuseCommonPasswords accepts one that is not common', async () => {
    expect((await set(strict, 'Another-Pass-2')).status).toBeLessThan(300);
  });
});

describe('The account of the first start', () => {
  const password = 'Abcdefg1';

  test('gets a common password that meets the policy', async () => {
    await using portal = await createTestApp({ environment: { Authentication__DefaultAdminPassword: password } });
    expect((await logIn(portal, { ...adminAccount, password })).statusCode).toBe(200);
  });

  test('is not created with a common password if those are rejected: the start names the conflicting settings', async () => {
    const environment = {
      Authentication__DefaultAdminPassword: password,
      Authentication__RefuseCommonPasswords: 'true',
    };
    await expect(createTestApp({ environment })).rejects.toThrow(
      'Authentication__DefaultAdminPassword is one of the most common passwords, which Authentication__RefuseCommonPasswords refuses; set another one.',
    );
    const { connectionString } = strict.config.database;
    if (connectionString === undefined) throw new Error('The application has no database.');
    // The account exists already, so the setting has no effect.
    await using again = await createTestApp({ environment, connectionString });
    expect((await logIn(again, adminAccount)).statusCode).toBe(200);
  });
});

test('GET /api/config lists Authentication__RefuseCommonPasswords', async () => {
  const valueIn = async (portal: TestApp) => {
    const answer = await portal.app.inject({ url: '/api/config', headers: await portal.signIn() });
    const entries = answer.json<{ name: string; value: string }[]>();
    return entries.find(({ name }) => name === 'Authentication__RefuseCommonPasswords')?.value;
  };
  expect([await valueIn(lenient), await valueIn(strict)]).toEqual(['false', 'true']);
});
