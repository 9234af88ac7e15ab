import { TOTP, Secret } from 'otpauth';
import type { LightMyRequestResponse } from 'fastify';
import { givenCookie } from './accounts.ts';
import type { TestApp } from './app.ts';

type Headers = { cookie: string };
/** The second factor beside the password. */
type Proof = { code?: string | undefined; passkey?: object };

/** The code of an authenticator app at an instant. */
export const codeAt = (secret: string, nowMs: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });

const ask = ({ app }: TestApp, method: 'GET' | 'POST' | 'PUT', headers: Headers, path: string, payload?: object) =>
  app.inject({ method, url: `/api/auth/me/second-factor${path}`, headers, ...(payload && { payload }) });

/** The second factor of the account, with a session. */
export const secondFactorOf = (portal: TestApp, headers: Headers) => ({
  headers,
  read: async () =>
    (await ask(portal, 'GET', headers, '')).json<{
      appAddedAt: string | null;
      passkeys: { id: string; name: string }[];
      recoveryCodesLeft: number;
    }>(),
  begin: (currentPassword: string, proof: Proof = {}) =>
    ask(portal, 'POST', headers, '/app', { currentPassword, ...proof }),
  finish: (token: string, code: string) => ask(portal, 'PUT', headers, '/app', { token, code }),
  renew: (currentPassword: string, proof: Proof = {}) =>
    ask(portal, 'POST', headers, '/recovery-codes', { currentPassword, ...proof }),
  turnOff: (currentPassword: string, proof: Proof = {}) =>
    ask(portal, 'POST', headers, '/off', { currentPassword, ...proof }),
});

/** The second step of signing in. */
export const proveSecond = ({ app }: TestApp, token: string, code: string, headers: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login/second-factor',
    headers: { ...headers },
    payload: { token, code },
  });

/** Turns the second factor on; returns the session that remains, the secret of the app, and the recovery codes. */
export async function turnOn(portal: TestApp, account: { email: string; password: string }, nowMs: number) {
  const own = secondFactorOf(portal, await portal.signIn(account));
  const begun = await own.begin(account.password);
  const { token, newApp } = begun.json<{ token: string; newApp: { secret: string; uri: string } }>();
  const added = await own.finish(token, codeAt(newApp.secret, nowMs));
  if (added.statusCode !== 200) throw new Error(`${added.statusCode} ${added.body}`);
  const { recoveryCodes } = added.json<{ recoveryCodes: string[] }>();
  return { headers: headersOf(added), secret: newApp.secret, uri: newApp.uri, recoveryCodes };
}

export function headersOf(answer: LightMyRequestResponse): Headers {
  const cookie = givenCookie(answer);
  if (cookie === undefined) throw new Error(`no session: ${answer.statusCode} ${answer.body}`);
  return { cookie };
}
