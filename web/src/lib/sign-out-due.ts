import { fetchNothing } from './http.ts';

const store = 'sign-out-due';
const againAfterMs = 5_000;

let again: ReturnType<typeof setTimeout> | undefined;

/** Whether the user signed out here while the portal was unreachable, so that the session still exists there. */
export function isSignOutDue(): boolean {
  try {
    return localStorage.getItem(store) !== null;
  } catch {
    return false;
  }
}

/** Ends the session as soon as the portal can be reached, even after the page was closed; false if nothing can be stored. */
export function keepSignOutDue(): boolean {
  try {
    localStorage.setItem(store, 'yes');
  } catch {
    return false;
  }
  retry();
  return true;
}

let ahead: Promise<unknown> = Promise.resolve();

/**
 * Runs everything that begins or ends the session one after the other: otherwise the answer to a late end would delete the cookie
 * of a new session. Covers all pages of the browser if it supports locks (not over http).
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return navigator.locks.request('session', work);
  const own = ahead.then(work);
  ahead = own.catch(() => undefined);
  return own;
}

/** Requests a session, or the step before it. A new session ends the previous one of this browser. */
export const beginSession = <Answer extends object>(ask: () => Promise<Answer>): Promise<Answer> =>
  inTurn(async () => {
    const answer = await ask();
    if (!('token' in answer)) forgetSignOutDue();
    return answer;
  });

function forgetSignOutDue(): void {
  clearTimeout(again);
  try {
    localStorage.removeItem(store);
  } catch {
    // Nothing was kept, then.
  }
}

/**
 * Ends a session that is due to end; does nothing if there is none.
 * @throws What the request threw; it is tried again
 */
export async function endDueSession(): Promise<void> {
  if (!isSignOutDue()) return;
  try {
    await inTurn(async () => {
      // Another user may have signed in since.
      if (isSignOutDue()) await fetchNothing('/api/auth/logout', { method: 'POST' });
      forgetSignOutDue();
    });
  } catch (error) {
    retry();
    throw error;
  }
}

function retry(): void {
  clearTimeout(again);
  again = setTimeout(() => void endDueSession().catch(() => undefined), againAfterMs);
}
