import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findGateIdentity, gateHeaderNames } from '../../server/dashboards/gate-proof.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';

const secret = 'the-secret-of-portal-and-tool-0123456789';

describe.each([
  ['Client', createTestApp],
  ['Admin', createAdminApp],
] as const)('GET /api/auth/check in a %s', (runMode, create) => {
  let portal: TestApp;
  let nowMs = Date.now();
  beforeAll(async () => {
    portal = await create({ environment: { Dashboard__GateSecret: secret }, now: () => nowMs });
  });
  afterAll(() => portal.close());

  const check = (headers: Record<string, string>) => portal.app.inject({ url: '/api/auth/check', headers });
  const identityOf = async (headers: Record<string, string>) => {
    const answer = await check(headers);
    const told = Object.fromEntries(gateHeaderNames.map((name) => [name, String(answer.headers[name])]));
    return findGateIdentity(told, { secret, nowMs });
  };
  const expectNobody = async (headers: Record<string, string>) => {
    const answer = await check(headers);
    expect(answer.statusCode).toBe(401);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-portal'))).toEqual([]);
  };

  test('200 with all identity headers and their proof, not cacheable', async () => {
    const answer = await check(await portal.signIn());
    expect(answer.statusCode).toBe(200);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining([...gateHeaderNames]));
    expect(answer.headers).toMatchObject({
      'x-portal-email': 'admin@example.com',
      'x-portal-role': 'Admin',
      'cache-control': 'no-store',
    });
  });

  test('a name with umlauts arrives unchanged, and what a client claims about itself does not', async () => {
    const account = await createUser(portal, { email: 'jörg@example.com' });
    const cookie = await portal.signIn(account);
    const url = '/api/auth/me';
    await portal.app.inject({ method: 'PUT', url, headers: cookie, payload: { displayName: 'Jörg Łęcki\nAdmin 東' } });
    const told = { 'x-portal-role': 'Admin', 'x-portal-name': 'Root', 'x-portal-user': 'root' };
    expect(await identityOf({ ...cookie, ...told })).toEqual({
      user: account.id,
      email: 'jörg@example.com',
      name: 'Jörg Łęcki\nAdmin 東',
      role: 'User',
    });
  });

  test('401 without any identity header if the cookie is absent or forged, or for an API key', async () => {
    await expectNobody({});
    await expectNobody({ cookie: 'portal_session_8080=forged' });
    await expectNobody({ authorization: 'Bearer pmk_0123456789' });
  });

  test('401 as soon as the session is over: signed out, password changed, password reset, expired', async () => {
    const account = await createUser(portal, { email: 'ends@example.com' });
    const out = await portal.signIn(account);
    expect((await check(out)).statusCode).toBe(200);
    await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: out });
    await expectNobody(out);

    const [own, other] = [await portal.signIn(account), await portal.signIn(account)];
    const payload = { currentPassword: account.password, newPassword: 'Another-Pass-2' };
    await portal.app.inject({ method: 'POST', url: '/api/auth/me/change-password', headers: own, payload });
    await expectNobody(own);
    await expectNobody(other);

    const again = await portal.signIn({ ...account, password: 'Another-Pass-2' });
    const reset = `/api/users/${account.id}/reset-password`;
    const admin = await portal.signIn();
    await portal.app.inject({ method: 'POST', url: reset, headers: admin, payload: { newPassword: 'Third-Pass-3' } });
    await expectNobody(again);

    const idle = await portal.signIn({ ...account, password: 'Third-Pass-3' });
    nowMs += 8 * 3_600_000;
    await expectNobody(idle);
  });

  test('a proof is valid for 60 seconds', async () => {
    const answer = await check(await portal.signIn());
    const told = Object.fromEntries(gateHeaderNames.map((name) => [name, String(answer.headers[name])]));
    expect(findGateIdentity(told, { secret, nowMs: nowMs + 58_000 })).not.toBeNull();
    expect(findGateIdentity(told, { secret, nowMs: nowMs + 60_000 })).toBeNull();
    expect(findGateIdentity({ ...told, 'x-portal-role': 'Owner' }, { secret, nowMs })).toBeNull();
  });

  if (runMode === 'Client') return;
  test('the role is the highest of the account', async () => {
    const restricted = await createUser(portal, { email: 'r@example.com', roles: ['RestrictedAdmin'] });
    expect(await identityOf(await portal.signIn(restricted))).toMatchObject({ role: 'RestrictedAdmin' });
    const both = await createUser(portal, { email: 'b@example.com', roles: ['RestrictedAdmin', 'Admin'] });
    expect(await identityOf(await portal.signIn(both))).toMatchObject({ role: 'Admin' });
  });
});

test('without Dashboard__GateSecret each portal creates its own secret', async () => {
  await using portal = await createTestApp();
  const answer = await portal.app.inject({ url: '/api/auth/check', headers: await portal.signIn() });
  const told = Object.fromEntries(gateHeaderNames.map((name) => [name, String(answer.headers[name])]));
  expect(told['x-portal-proof']).toMatch(/^v1\./);
  expect(findGateIdentity(told, { secret: '', nowMs: Date.now() })).toBeNull();
  expect(findGateIdentity(told, { secret: 'undefined', nowMs: Date.now() })).toBeNull();
});
