import { fetchNothing } from './http.ts';

const store = 'sign-out-due';
const againAfterMs = 5_000;

let again: ReturnType<typeof setTimeout> | undefined;

/** Whether the user signed out here while the portal was unreachable. Then the session still exists in the portal. */
export function isSignOutDue(): boolean {
  try {
    return localStorage.getItem(store) !== null;
  } catch {
    return false;
  }
}

/**
 * Ends the session as soon as the portal answers, even if the page is closed in between. False if the browser cannot store
 * this.
 */
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
 * Everything that begins or ends the session runs one after the other. Otherwise the answer to a late sign-out would delete the
 * cookie of a new session. This includes all pages of the browser if it supports locks (not over http).
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return navigator.locks.request('session', work);
  const own = ahead.then(work);
  ahead = own.catch(() => undefined);
  return own;
}

/** Requests a session, or the step before a session. A new session ends the previous one of this browser. */
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
    // In that case nothing was stored.
  }
}

/** Ends a session if that is due. Does nothing if there is none. @throws what the request threw; it is tried again */
export async function endDueSession(): Promise<void> {
  if (!isSignOutDue()) return;
  try {
    await inTurn(async () => {
      // Another user may have signed in in between.
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
