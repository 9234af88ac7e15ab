import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { currentUser, type CurrentUser, type Role } from '../../../shared/accounts.ts';
import { ApiError, fetchJson } from './http.ts';
import { forgetLastSeen } from '../offline/last-seen.ts';
import { markSessionOver } from './session-over.ts';
import { browserTimeZone } from '../../../shared/time.ts';
import { endDueSession, isSignOutDue } from './sign-out-due.ts';

/** `GET /api/auth/me`: null without a session. After a session ends, its user is still known. */
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
      // The previous user stays on the page, to sign in over it.
      if (before !== null) markSessionOver();
      return before;
    }
  },
  staleTime: 60_000,
  // A page in the background may have missed that another user signed in.
  refetchOnWindowFocus: 'always',
});

/** Another page of this browser has signed out, or signed in another user, who must not see this page. */
function loadAnew(): void {
  // Clear the page first: if the user cancels the reload, another account must not see or submit this form.
  document.body.replaceChildren();
  window.location.reload();
}

let channel: BroadcastChannel | undefined;

/** After a sign-in here, tell the other pages of this browser, because it ended their session. */
export function noteSignedIn(client: QueryClient, user: CurrentUser): void {
  client.setQueryData(currentUserQuery.queryKey, user);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, a window may have any
  channel?.postMessage(user.email);
}

/** Reloads the page when another page of this browser signs in another user, or signs out without the portal. */
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
  // A sleeping page does not receive messages.
  document.addEventListener('visibilitychange', leaveWhenDue);
}

/** The signed-in user, or null while that is unknown. */
export function useCurrentUser(): CurrentUser | null {
  return useQuery(currentUserQuery).data ?? null;
}

/**
 * The zone in which the page shows times: that of the URL, or else of the user. The portal determines the latter
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

/** Drops everything that one user saw before another signs in; public data stays. */
export function forgetUserData(client: QueryClient): void {
  const publicKeys = new Set<unknown>(['branding', 'app-info', 'current-user']);
  client.removeQueries({ predicate: ({ queryKey }) => !publicKeys.has(queryKey[0]) });
}
