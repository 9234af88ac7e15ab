import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginSession, endDueSession, isSignOutDue, keepSignOutDue } from './sign-out-due.ts';

const asked: string[] = [];
let answerSignOut: () => void;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  asked.length = 0;
  const signedOut = Promise.withResolvers<Response>();
  answerSignOut = () => signedOut.resolve(new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return signedOut.promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const signIn = () =>
  beginSession(async () => {
    asked.push('sign in');
    return { email: 'a@example.com' };
  });

it.each([['with locks'], ['over http']])(
  'nobody signs in before the answer to a late sign-out has arrived, which deletes the cookie: %s',
  async (how) => {
    if (how === 'over http') vi.stubGlobal('navigator', {});
    keepSignOutDue();
    const ended = endDueSession();
    const signedIn = signIn();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    answerSignOut();
    await Promise.all([ended, signedIn]);
    expect(asked).toEqual([expect.stringContaining('/api/auth/logout'), 'sign in']);
  },
);

it('a due sign-out ends no session that began in the meantime, but still runs after the first of two steps', async () => {
  keepSignOutDue();
  await beginSession(async () => ({ token: 'of the second step' }));
  expect(isSignOutDue()).toBe(true);
  const signedIn = signIn();
  await Promise.all([signedIn, endDueSession()]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['sign in']);
  expect(isSignOutDue()).toBe(false);
});
