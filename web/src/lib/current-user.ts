import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { currentUser, type CurrentUser, type Role } from '../../../shared/accounts.ts';
import { ApiError, fetchJson } from './http.ts';
import { forgetLastSeen } from '../offline/last-seen.ts';
import { markSessionOver } from './session-over.ts';
import { browserTimeZone } from '../../../shared/time.ts';
import { endDueSession, isSignOutDue } from './sign-out-due.ts';

/** `GET /api/auth/me`. Null without a session. When a session ends, its user is still known. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal, client, queryKey }): Promise<CurrentUser | null> => {
    const before = client.getQueryData<CurrentUser | null>(queryKey) ?? null;
    try {
      await endDueSession();
      const user = await fetchJson('/api/auth/me', currentUser, { signal });
      if (before === null || before.email === user.email) return user;
      loadAnew();
      return await new Promise<never>(() => {});
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      forgetLastSeen();
      // The previous user stays known, so that they can sign in again on the same page.
      if (before !== null) markSessionOver();
      return before;
    }
  },
  staleTime: 60_000,
  // A page in the background may not know that another user has signed in.
  refetchOnWindowFocus: 'always',
});

/** On another page of this browser, the user has signed out, or another user has signed in, who must not see this page. */
function loadAnew(): void {
  // The page is cleared first. Otherwise, if the user cancels the reload, another account could see and submit this form.
  document.body.replaceChildren();
  window.location.reload();
}

let channel: BroadcastChannel | undefined;

/** After a sign-in on this page, the other pages of this browser are told, because it ended their session. */
export function noteSignedIn(client: QueryClient, user: CurrentUser): void {
  client.setQueryData(currentUserQuery.queryKey, user);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, a window may have any
  channel?.postMessage(user.email);
}

/**
 * Reloads the page if another user signs in on another page of this browser, or if the user signs out there while the portal is
 * unreachable.
 */
export function watchSignIns(client: QueryClient): void {
  const findUser = () => client.getQueryData(currentUserQuery.queryKey) ?? null;
  channel = new BroadcastChannel('signed-in');
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const user = findUser();
    if (user !== null && user.email !== data) loadAnew();
  });
  const leaveWhenDue = () => {
    if (isSignOutDue() && findUser() !== null) loadAnew();
  };
  globalThis.addEventListener('storage', leaveWhenDue);
  // A page that sleeps gets no messages.
  document.addEventListener('visibilitychange', leaveWhenDue);
}

/** The signed-in user, or null while that is unknown. */
export function useCurrentUser(): CurrentUser | null {
  return useQuery(currentUserQuery).data ?? null;
}

/**
 * The time zone in which the page shows times: that of the URL, or else that of the user. The portal decides the latter
 * (`server/accounts/time-zones.ts`).
 */
export function useDisplayZone({ tz }: { tz?: string } = {}): string {
  const user = useCurrentUser();
  return tz ?? user?.displayTimeZone ?? browserTimeZone();
}

/** Whether the signed-in user has the role; false while the user is unknown. */
export function useHasRole(role: Role): boolean {
  return useCurrentUser()?.roles.includes(role) ?? false;
}

/** Deletes everything that one user saw before another user signs in. Public data stays. */
export function forgetUserData(client: QueryClient): void {
  const publicKeys = new Set<unknown>(['branding', 'app-info', 'current-user']);
  client.removeQueries({ predicate: ({ queryKey }) => !publicKeys.has(queryKey[0]) });
}
