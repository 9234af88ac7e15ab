import { sealStep } from '../../server/accounts/sealed.ts';
import { openSessionKeys } from '../../server/accounts/session-keys.ts';
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './app.ts';

export const adminAccount = { email: 'admin@example.com', password: 'ChangeMe123!' };

/** The cookie header for the session that an answer gave, or undefined if it gave none. */
export function givenCookie(answer: LightMyRequestResponse): string | undefined {
  const [given] = answer.cookies;
  return given === undefined || given.value === '' ? undefined : `${given.name}=${given.value}`;
}

/** Whether an answer takes the session cookie back. */
export function takesCookieBack(answer: LightMyRequestResponse): boolean {
  return answer.cookies.some(({ value, maxAge }) => value === '' && maxAge === 0);
}

/** Tries to sign in. */
export const logIn = ({ app }: TestApp, account: { email: string; password: string }) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: account });

/** A user made by the default admin, in a new session or that of `headers`; answers the account and its id. */
export async function createUser(
  { app, signIn }: TestApp,
  user: { email: string; roles?: string[]; isActive?: boolean; password?: string },
  headers?: { cookie: string },
): Promise<{ id: string; email: string; password: string }> {
  const password = user.password ?? 'Secret-Pass-1';
  const answer = await app.inject({
    method: 'POST',
    url: '/api/users',
    headers: headers ?? (await signIn()),
    payload: { displayName: user.email, ...user, password },
  });
  if (answer.statusCode !== 201) throw new Error(`POST /api/users: ${answer.statusCode} ${answer.body}`);
  return { id: answer.json<{ id: string }>().id, email: user.email, password };
}

/** The status of `GET /api/auth/me` for a cookie. */
export async function statusOfMe({ app }: TestApp, headers: { cookie: string }): Promise<number> {
  return (await app.inject({ url: '/api/auth/me', headers })).statusCode;
}

/** The token of a mail that was sent to an account. */
export async function resetTokenOf({ database, config }: TestApp, accountId: string, nowMs: number): Promise<string> {
  const text = 'SELECT security_stamp AS stamp, email FROM portal.accounts WHERE id = $1';
  const { rows } = await database.query<{ stamp: string; email: string }>({ text }, [accountId]);
  const folder = config.storage.keysPath;
  const keys = await openSessionKeys({ folder, now: () => nowMs, onProblem: () => undefined });
  const [{ stamp: securityStamp, email } = { stamp: '', email: '' }] = rows;
  const step = { accountId, securityStamp, email, startedAt: nowMs, newSecret: null };
  return sealStep(keys, 'reset-password', step);
}
