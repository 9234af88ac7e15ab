import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyAnswer, PasskeyRequest } from '../../shared/passkeys.ts';
import { adminAccount, createUser, logIn, statusOfMe } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { addPasskey, type Answering, beginPasskey, createAuthenticator } from '../support/passkeys.ts';
import { codeAt, headersOf, proveSecond, secondFactorOf, turnOn } from '../support/second-factor.ts';

const publicUrl = 'https://portal.example.com';
const environment = { Application__PublicUrl: publicUrl };
const minute = 60_000;
let now = Date.parse('2026-03-10T10:00:00Z');
let portal: TestApp;
let people = 0;

beforeAll(async () => {
  portal = await createTestApp({ now: () => now, environment });
});
afterAll(() => portal.close());
beforeEach(async () => {
  now += 60 * minute;
  await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
});

interface Own {
  id?: string;
  email: string;
  password: string;
}
type Headers = { cookie: string };
const path = '/api/auth/me/second-factor/passkeys';
const post = ({ app }: TestApp, url: string, payload: object, headers: object = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { ...headers } });
const ask = async (of: TestApp) =>
  (await of.app.inject({ method: 'POST', url: '/api/auth/login/passkey/options' })).json<PasskeyRequest>();
const signInWith = (of: TestApp, answer: PasskeyAnswer) => post(of, '/api/auth/login/passkey', answer);
const list = async (of: TestApp, headers: Headers) =>
  (await of.app.inject({ url: '/api/auth/me/second-factor', headers })).json<{
    passkeys: { id: string; name: string }[];
  }>().passkeys;
const someone = () => createUser(portal, { email: `passkey-${(people += 1)}@example.com` });
const add = (of: TestApp, headers: Headers, proof: object, name?: string) =>
  addPasskey(of, { headers, proof, name, origin: publicUrl });

/** A user with a passkey. */
async function withPasskey(of = portal, given?: Own) {
  const account = given ?? (await someone());
  const own = await add(of, await of.signIn(account), { currentPassword: account.password });
  const use = async (answering: Answering = {}) => own.device.answer(await ask(of), answering);
  return { account, ...own, use };
}

describe('Adding a passkey', () => {
  test('requires the password, ends the other sessions, and returns ten recovery codes with the first one', async () => {
    const account = await someone();
    const other = await portal.signIn(account);
    const wrong = await post(portal, `${path}/options`, { currentPassword: 'wrong' }, await portal.signIn(account));
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'wrongPassword']);
    const { headers, recoveryCodes, use } = await withPasskey(portal, account);
    expect(recoveryCodes).toHaveLength(10);
    expect([await statusOfMe(portal, other), await statusOfMe(portal, headers)]).toEqual([401, 200]);
    expect(await list(portal, headers)).toEqual([
      {
        id: expect.any(String),
        name: 'Phone',
        host: 'portal.example.com',
        createdAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);
    const second = await add(portal, headers, { currentPassword: account.password, passkey: await use() }, 'Key');
    expect(second.recoveryCodes).toBeNull();
    expect((await list(portal, second.headers)).map(({ name }) => name)).toEqual(['Phone', 'Key']);
  });

  test.each<[string, Parameters<ReturnType<typeof createAuthenticator>['make']>[1]]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a plain page of the same name', { origin: 'http://portal.example.com' }],
    ['another relying party', { rpId: 'example.com' }],
    ['a device that has not asked its user', { isUserVerified: false }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    [
      'a certificate, which may name addresses to be asked',
      {
        attestation: [
          'packed',
          new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
            ['x5c', [Buffer.alloc(9)]],
          ]),
        ],
      },
    ],
    ['another kind of statement', { attestation: ['tpm', new Map()] }],
  ])('%s adds nothing', async (_, answering) => {
    const account = await someone();
    const headers = await portal.signIn(account);
    const step = await beginPasskey(portal, headers, { currentPassword: account.password });
    const credential = createAuthenticator(publicUrl).make(step, answering);
    const answer = await post(portal, path, { token: step.token, name: 'Phone', credential }, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'notAPasskey' })]);
    expect(await list(portal, headers)).toEqual([]);
    expect((await logIn(portal, account)).statusCode).toBe(200);
  });

  test('a token of another account, of another step, of more than ten minutes ago, or used before adds nothing', async () => {
    const [one, other] = [await someone(), await someone()];
    const headers = await portal.signIn(one);
    const device = createAuthenticator(publicUrl);
    const step = await beginPasskey(portal, headers, { currentPassword: one.password });
    const body = { token: step.token, name: 'Phone', credential: device.make(step) };
    const send = async (by: Headers, payload = body) => (await post(portal, path, payload, by)).statusCode;
    expect(await send(await portal.signIn(other))).toBe(400);
    const { token } = await ask(portal);
    expect(await send(headers, { ...body, token })).toBe(400);
    now += 10 * minute;
    expect(await send(headers)).toBe(400);
    now -= 10 * minute;
    const added = await post(portal, path, body, headers);
    expect(added.statusCode).toBe(201);
    expect(await send(headersOf(added))).toBe(400);
  });

  test('the same passkey is registered once, and an account has ten at most', async () => {
    const { account, headers: first, use, device } = await withPasskey();
    const other = await someone();
    const theirs = await portal.signIn(other);
    const step = await beginPasskey(portal, theirs, { currentPassword: other.password });
    const taken = await post(
      portal,
      path,
      { token: step.token, name: 'Stolen', credential: device.make(step) },
      theirs,
    );
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'passkeyTaken']);
    // The device now has the handle of the other account, so none is sent.
    await beginPasskey(portal, first, {
      currentPassword: account.password,
      passkey: await use({ userHandle: '' }),
    }).catch(() => null);
    await portal.database.query(
      {
        text: `INSERT INTO portal.passkeys SELECT gen_random_uuid(), account_id, decode(md5(n::text), 'hex'), public_key, 0, host, n::text, created_at
               FROM portal.passkeys, generate_series(2, 10) n WHERE account_id = $1`,
      },
      [account.id],
    );
    const full = await post(portal, `${path}/options`, { currentPassword: account.password }, first);
    expect([full.statusCode, full.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'manyPasskeys', params: { max: 10 } }),
    ]);
  });
});

describe('Signing in with a passkey', () => {
  test('requires neither password nor code, and counts as both', async () => {
    const { account, use } = await withPasskey();
    const request = await ask(portal);
    expect(request.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'portal.example.com',
      timeout: 300_000,
      userVerification: 'required',
    });
    const answer = await signInWith(portal, await use());
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ email: account.email, displayName: account.email, roles: [] }),
    ]);
    const headers = headersOf(answer);
    expect(await statusOfMe(portal, headers)).toBe(200);
    expect(await list(portal, headers)).toMatchObject([
      { lastUsedAt: new Date(now).toISOString().replace('.000', '') },
    ]);
  });

  test('the password alone no longer signs in; with a recovery code it does, once', async () => {
    const { account, recoveryCodes } = await withPasskey();
    const half = await logIn(portal, account);
    expect([half.statusCode, half.cookies, half.json()]).toEqual([
      202,
      [],
      { token: expect.any(String), hasApp: false, hasPasskey: true, newApp: null },
    ]);
    const { token } = half.json<{ token: string }>();
    expect((await proveSecond(portal, token, '123456')).statusCode).toBe(401);
    expect((await proveSecond(portal, token, recoveryCodes?.[0] ?? '')).statusCode).toBe(200);
    expect((await proveSecond(portal, token, recoveryCodes?.[0] ?? '')).statusCode).toBe(401);
  });

  test.each<[string, Answering]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'example.com' }],
    ['a device that has not asked its user', { isUserVerified: false }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an answer to a registration', { type: 'webauthn.create' }],
    ['another account’s handle', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s signs in nobody', async (_, answering) => {
    const { use } = await withPasskey();
    const answer = await signInWith(portal, await use(answering));
    expect([answer.statusCode, answer.cookies, answer.json().code]).toEqual([401, [], 'unknownPasskey']);
  });

  test('an unknown passkey, one of another key, and a changed signature sign in nobody', async () => {
    const { device } = await withPasskey();
    const stranger = createAuthenticator(publicUrl);
    const request = await ask(portal);
    const strange = stranger.answer(request, { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expect((await signInWith(portal, strange)).statusCode).toBe(401);
    const { credential } = device.answer(request);
    const forged = { ...strange, credential: { ...strange.credential, id: credential.id } };
    expect((await signInWith(portal, forged)).statusCode).toBe(401);
    const changed = {
      ...credential,
      response: { ...credential.response, signature: strange.credential.response.signature },
    };
    expect((await signInWith(portal, { token: request.token, credential: changed })).statusCode).toBe(401);
  });

  test('a challenge is answered once, by one of many at once, and on every portal of the customer; after ten minutes by none', async () => {
    const { device } = await withPasskey();
    await using second = await createTestApp({
      now: () => now,
      connectionString: portal.config.database.connectionString ?? '',
      environment: { ...environment, Storage__KeysPath: portal.config.storage.keysPath },
    });
    const answer = device.answer(await ask(portal));
    const answers = await Promise.all([portal, second, portal, second].map((of) => signInWith(of, answer)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await signInWith(second, device.answer(await ask(portal)))).statusCode).toBe(200);
    const late = device.answer(await ask(portal));
    now += 10 * minute;
    expect((await signInWith(portal, late)).statusCode).toBe(401);
    const spent = await portal.database.query({ text: 'SELECT FROM portal.spent_challenges' });
    expect((await signInWith(portal, device.answer(await ask(portal)))).statusCode).toBe(200);
    expect(spent.rowCount).toBeGreaterThan(1);
    expect((await portal.database.query({ text: 'SELECT FROM portal.spent_challenges' })).rowCount).toBe(1);
  });

  test('a token of a sign-in by password is not a challenge, and a challenge is not a token of any other step', async () => {
    const { account, device } = await withPasskey();
    const request = await ask(portal);
    const { token } = (await logIn(portal, account)).json<{ token: string }>();
    expect((await signInWith(portal, { ...device.answer(request), token })).statusCode).toBe(400);
    expect((await proveSecond(portal, request.token, '123456')).statusCode).toBe(400);
  });

  test('a counter that does not increase belongs to a copy', async () => {
    const { use } = await withPasskey();
    expect((await signInWith(portal, await use({ signCount: 5 }))).statusCode).toBe(200);
    expect((await signInWith(portal, await use({ signCount: 5 }))).statusCode).toBe(401);
    expect((await signInWith(portal, await use({ signCount: 0 }))).statusCode).toBe(401);
    expect((await signInWith(portal, await use({ signCount: 6 }))).statusCode).toBe(200);
  });

  test('an email that is locked by wrong passwords does not block its passkey; an inactive account does', async () => {
    const { account, use } = await withPasskey();
    for (let n = 0; n < 5; n += 1) await logIn(portal, { ...account, password: 'wrong' });
    expect((await logIn(portal, account)).statusCode).toBe(429);
    expect((await signInWith(portal, await use())).statusCode).toBe(200);
    expect((await logIn(portal, account)).statusCode).toBe(429);
    await portal.database.query({ text: 'UPDATE portal.accounts SET is_active = false WHERE id = $1' }, [account.id]);
    expect((await signInWith(portal, await use())).statusCode).toBe(401);
  });

  test('a request for a challenge stores nothing, and an address that fails a hundred times waits for both', async () => {
    await using flooded = await createTestApp({ now: () => now, environment });
    const rows = async () =>
      (
        await flooded.database.query({
          text: 'SELECT FROM portal.spent_challenges UNION ALL SELECT FROM portal.sign_in_failures',
        })
      ).rowCount;
    const stranger = createAuthenticator(publicUrl);
    for (let n = 0; n < 100; n += 1) {
      const answer = stranger.answer(await ask(flooded), { userHandle: 'AAAA' });
      expect((await signInWith(flooded, answer)).statusCode).toBe(401);
    }
    expect(await rows()).toBe(0);
    expect((await post(flooded, '/api/auth/login/passkey/options', {})).statusCode).toBe(429);
    const failures = await flooded.database.query<{ attempts: number }>({
      text: `SELECT attempts FROM portal.audit_events WHERE action = 'sign-in.fail'`,
    });
    expect(failures.rows).toEqual([{ attempts: 100 }]);
  });

  test('an open challenge grants no rights', async () => {
    const { token } = await ask(portal);
    expect(await statusOfMe(portal, { cookie: `__Host-portal_session=${token}` })).toBe(401);
  });
});

describe('The address of the portal', () => {
  test.each(['http://127.0.0.1:8080', 'https://192.0.2.7', 'https://[2001:db8::1]', 'http://portal.example.com'])(
    'there are no passkeys at %s, and the answer says why',
    async (address) => {
      await using plain = await createTestApp({ environment: { Application__PublicUrl: address } });
      const answer = await post(plain, '/api/auth/login/passkey/options', {});
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'noPasskeysHere', params: { address } }),
      ]);
    },
  );

  test('in Development localhost is one too', async () => {
    await using local = await createTestApp({ environment: { Application__PublicUrl: 'http://127.0.0.1:8080' } });
    const origin = 'http://localhost:8080';
    const answer = await post(local, '/api/auth/login/passkey/options', {}, { origin });
    expect(answer.json().options.rpId).toBe('localhost');
  });

  test('at another address a passkey no longer signs in, but still prevents signing in by password alone', async () => {
    const { account, use, recoveryCodes } = await withPasskey();
    await using moved = await createTestApp({
      now: () => now,
      connectionString: portal.config.database.connectionString ?? '',
      environment: {
        Application__PublicUrl: 'https://new.example.com',
        Storage__KeysPath: portal.config.storage.keysPath,
      },
    });
    const moving = { origin: 'https://new.example.com', rpId: 'new.example.com' };
    expect((await signInWith(moved, await use(moving))).statusCode).toBe(401);
    const { token } = (await logIn(moved, account)).json<{ token: string }>();
    expect((await proveSecond(moved, token, recoveryCodes?.[0] ?? '')).statusCode).toBe(200);
  });
});

describe('Changing a second factor', () => {
  const everyChange = (headers: Headers, id: string, proof: object) =>
    [
      ['/api/auth/me/second-factor/app', proof],
      ['/api/auth/me/second-factor/recovery-codes', proof],
      [`${path}/options`, proof],
      [`${path}/${id}/remove`, proof],
      ['/api/auth/me/second-factor/off', proof],
    ].map(
      ([url, payload]) =>
        () =>
          post(portal, String(url), Object(payload), headers),
    );

  test('requires the password and a code or a passkey: neither alone is enough', async () => {
    const { account, headers, use } = await withPasskey();
    const [{ id } = { id: '' }] = await list(portal, headers);
    for (const change of everyChange(headers, id, { currentPassword: account.password })) {
      const answer = await change();
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'wantsSecondFactor']);
    }
    for (const change of everyChange(headers, id, { currentPassword: 'wrong', passkey: await use() })) {
      expect((await change()).statusCode).toBe(400);
      await portal.database.query({ text: 'DELETE FROM portal.sign_in_failures' });
    }
    expect(await list(portal, headers)).toHaveLength(1);
  });

  test('a wrong code counts as a failed sign-in, and so does another user’s passkey', async () => {
    const { account, headers } = await withPasskey();
    const other = await withPasskey();
    const proofs = [
      { code: '000000' },
      { code: 'x' },
      { code: '000000' },
      { passkey: await other.use() },
      { code: '' },
    ];
    for (const proof of proofs) {
      const answer = await post(
        portal,
        '/api/auth/me/second-factor/off',
        { currentPassword: account.password, ...proof },
        headers,
      );
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'code: Wrong or already used code.', code: 'secondFactorWrong' }),
      ]);
    }
    expect((await logIn(portal, account)).statusCode).toBe(429);
  });

  test('a passkey or a recovery code turns it off: passkeys, app and codes are gone, and the password alone signs in', async () => {
    const { account, headers, use, recoveryCodes } = await withPasskey();
    const own = secondFactorOf(portal, headers);
    const passkey = await use();
    const { token, newApp } = (await own.begin(account.password, { passkey })).json();
    const added = headersOf(await own.finish(token, codeAt(newApp.secret, now)));
    expect(
      (await secondFactorOf(portal, added).turnOff(account.password, { code: recoveryCodes?.[0] })).statusCode,
    ).toBe(400);
    const off = await secondFactorOf(portal, added).turnOff(account.password, { passkey: await use() });
    expect(off.statusCode).toBe(204);
    expect(await list(portal, headersOf(off))).toEqual([]);
    expect((await logIn(portal, account)).statusCode).toBe(200);
    expect((await signInWith(portal, await use())).statusCode).toBe(401);
  });

  test('removing the last passkey of an account without an app turns the second factor off; nobody removes another user’s passkey', async () => {
    const { account, headers, recoveryCodes } = await withPasskey();
    const other = await withPasskey();
    const [{ id } = { id: '' }] = await list(portal, headers);
    const theirs = { currentPassword: other.account.password, passkey: await other.use() };
    expect((await post(portal, `${path}/${id}/remove`, theirs, other.headers)).statusCode).toBe(404);
    const proof = { currentPassword: account.password, code: recoveryCodes?.[0] };
    const removed = await post(portal, `${path}/${id}/remove`, proof, headers);
    expect(removed.statusCode).toBe(204);
    expect(await secondFactorOf(portal, headersOf(removed)).read()).toMatchObject({ recoveryCodesLeft: 0 });
    expect((await logIn(portal, account)).statusCode).toBe(200);
  });
});

describe('Required of administrators', () => {
  const first = '/api/auth/login/first-passkey';
  /** A fleet that requires it, and the step that another administrator's password leads to. */
  async function openRequiring() {
    const fleet = await createAdminApp({ now: () => now, environment });
    const { headers } = await withPasskey(fleet, adminAccount);
    const account = { email: 'new@example.com', password: 'Secret-Pass-1' };
    const created = await post(fleet, '/api/users', { ...account, displayName: 'New', roles: ['Admin'] }, headers);
    const payload = { adminsNeedSecondFactor: true };
    await fleet.app.inject({ method: 'PUT', url: '/api/admin/sign-in-policy', headers, payload });
    const { token, newApp } = (await logIn(fleet, account)).json<{ token: string; newApp: { secret: string } }>();
    return { fleet, headers, account, id: created.json<{ id: string }>().id, token, newApp };
  }
  const begin = async (of: TestApp, token: string) => (await post(of, `${first}/options`, { token })).json();

  test('an account without one adds a passkey instead of an app, and is signed in with ten recovery codes', async () => {
    const { fleet, account, token, newApp } = await openRequiring();
    await using _ = fleet;
    const device = createAuthenticator(publicUrl);
    const step = await begin(fleet, token);
    const body = { token: step.token, name: 'Phone', credential: device.make(step) };
    const added = await post(fleet, first, body);
    expect([added.statusCode, added.json()]).toEqual([
      200,
      expect.objectContaining({
        email: account.email,
        displayName: 'New',
        roles: ['Admin'],
        recoveryCodes: expect.toSatisfy((codes) => codes.length === 10),
      }),
    ]);
    expect(await statusOfMe(fleet, headersOf(added))).toBe(200);
    expect((await signInWith(fleet, device.answer(await ask(fleet)))).statusCode).toBe(200);
    // Neither token can be used again.
    expect((await post(fleet, first, body)).statusCode).toBe(400);
    expect((await post(fleet, `${first}/options`, { token })).statusCode).toBe(400);
    expect((await proveSecond(fleet, token, codeAt(newApp.secret, now))).statusCode).toBe(400);
    const half = (await logIn(fleet, account)).json<{ token: string }>();
    expect(half).toMatchObject({ newApp: null, hasPasskey: true });
    // The password alone adds none.
    expect((await post(fleet, `${first}/options`, { token: half.token })).statusCode).toBe(400);
  });

  test('a token of another step, of more than ten minutes ago or of a changed account starts no passkey, and neither does another site', async () => {
    const { fleet, headers, id, token } = await openRequiring();
    await using _ = fleet;
    const device = createAuthenticator(publicUrl);
    const step = await begin(fleet, token);
    const finish = async (answering = {}, by = step.token) =>
      (await post(fleet, first, { token: by, name: 'Phone', credential: device.make(step, answering) })).statusCode;
    expect(await finish({ origin: 'https://evil.example' })).toBe(400);
    expect(await finish({ isUserVerified: false })).toBe(400);
    const other = await ask(fleet);
    for (const wrong of [token, other.token]) expect(await finish({}, wrong)).toBe(400);
    for (const wrong of [step.token, other.token]) {
      expect((await post(fleet, `${first}/options`, { token: wrong })).statusCode).toBe(400);
    }
    now += 10 * minute;
    expect([await finish(), (await post(fleet, `${first}/options`, { token })).statusCode]).toEqual([400, 400]);
    now -= 10 * minute;
    expect((await post(fleet, `/api/users/${id}/reset-second-factor`, {}, headers)).statusCode).toBe(204);
    expect([await finish(), (await post(fleet, `${first}/options`, { token })).statusCode]).toEqual([400, 400]);
  });

  test('a passkey suffices in both run modes; the last one stays; an administrator resets lost ones', async () => {
    await using fleet = await createAdminApp({ now: () => now, environment });
    const { headers, use } = await withPasskey(fleet, adminAccount);
    const policy = (adminsNeedSecondFactor: boolean) =>
      fleet.app.inject({
        method: 'PUT',
        url: '/api/admin/sign-in-policy',
        headers,
        payload: { adminsNeedSecondFactor },
      });
    const lost = { email: 'lost@example.com', password: 'Secret-Pass-1' };
    const created = await post(fleet, '/api/users', { ...lost, displayName: 'Lost', roles: ['Admin'] }, headers);
    const theirs = await withPasskey(fleet, lost);
    expect((await policy(true)).statusCode).toBe(200);
    expect([await statusOfMe(fleet, headers), await statusOfMe(fleet, theirs.headers)]).toEqual([200, 200]);
    const [{ id } = { id: '' }] = await list(fleet, headers);
    const proof = async () => ({ currentPassword: adminAccount.password, passkey: await use() });
    const removed = await post(fleet, `${path}/${id}/remove`, await proof(), headers);
    expect([removed.statusCode, removed.json().code]).toEqual([409, 'needsSecondFactor']);
    expect((await post(fleet, '/api/auth/me/second-factor/off', await proof(), headers)).statusCode).toBe(409);
    expect(await list(fleet, headers)).toHaveLength(1);
    const lostId = created.json<{ id: string }>().id;
    expect((await post(fleet, `/api/users/${lostId}/reset-second-factor`, {}, headers)).statusCode).toBe(204);
    expect((await signInWith(fleet, await theirs.use())).statusCode).toBe(401);
    expect((await logIn(fleet, lost)).json()).toMatchObject({ newApp: { secret: expect.any(String) } });
  });

  test('the audit trail names who added and removed which passkey', async () => {
    const { account, headers, recoveryCodes } = await withPasskey();
    const [{ id } = { id: '' }] = await list(portal, headers);
    await post(
      portal,
      `${path}/${id}/remove`,
      { currentPassword: account.password, code: recoveryCodes?.[0] },
      headers,
    );
    const trail = await portal.app.inject({
      url: `/api/admin/audit?subjectId=${account.id}&subjectKind=user`,
      headers: await portal.signIn(),
    });
    expect(trail.json().events).toMatchObject([
      { action: 'user.remove-passkey', subjectName: account.email, before: { name: 'Phone' }, after: null },
      { action: 'user.use-recovery-code' },
      { action: 'user.add-passkey', before: null, after: { name: 'Phone' } },
      { action: 'user.create' },
    ]);
  });
});

test('an account with an app needs a code to add a passkey', async () => {
  const account = await someone();
  const { headers, secret } = await turnOn(portal, account, now);
  now += minute;
  const refused = await post(portal, `${path}/options`, { currentPassword: account.password }, headers);
  expect(refused.json().code).toBe('wantsSecondFactor');
  const added = await add(portal, headers, { currentPassword: account.password, code: codeAt(secret, now) });
  expect(added.recoveryCodes).toBeNull();
});
