import { fetchNothing } from './http.ts';

const store = 'sign-out-due';
const againAfterMs = 5_000;

let again: ReturnType<typeof setTimeout> | undefined;

/** Whether somebody has signed out here while the portal could not be reached, so that their session lives on there. */
export function isSignOutDue(): boolean {
  try {
    return localStorage.getItem(store) !== null;
  } catch {
    return false;
  }
}

/** Ends the session as soon as the portal can be reached, also after the page was closed; false where nothing can be kept. */
export function keepSignOutDue(): boolean {
  try {
    localStorage.setItem(store, 'yes');
  } catch {
    return false;
  }
  retry();
  return true;
}

/** Whoever signs in ends the session that this browser had. */
export function forgetSignOutDue(): void {
  clearTimeout(again);
  try {
    localStorage.removeItem(store);
  } catch {
    // Nothing was kept, then.
  }
}

/**
 * Ends a session that is due to end; does nothing where none is.
 * @throws What the request threw; it is tried again
 */
export async function endDueSession(): Promise<void> {
  if (!isSignOutDue()) return;
  try {
    await fetchNothing('/api/auth/logout', { method: 'POST' });
  } catch (error) {
    retry();
    throw error;
  }
  forgetSignOutDue();
}

function retry(): void {
  clearTimeout(again);
  again = setTimeout(() => void endDueSession().catch(() => undefined), againAfterMs);
}
