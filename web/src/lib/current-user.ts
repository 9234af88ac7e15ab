import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { currentUser, type CurrentUser, type Role } from '../../../shared/accounts.ts';
import { ApiError, fetchJson } from './http.ts';

/** `GET /api/auth/me`: null when nobody is signed in. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    try {
      return await fetchJson('/api/auth/me', currentUser, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The signed-in user, or null while nobody is known. */
export function useCurrentUser(): CurrentUser | null {
  return useQuery(currentUserQuery).data ?? null;
}

/** Whether the signed-in user has the role; false while nobody is known. */
export function useHasRole(role: Role): boolean {
  return useCurrentUser()?.roles.includes(role) ?? false;
}

/** Drops everything that one user saw before another signs in; what anybody may see stays. */
export function forgetUserData(client: QueryClient): void {
  const publicKeys = new Set<unknown>(['branding', 'app-info', 'current-user']);
  client.removeQueries({ predicate: ({ queryKey }) => !publicKeys.has(queryKey[0]) });
}
