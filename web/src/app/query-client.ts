import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '../lib/current-user.ts';
import { ApiError, OfflineError } from '../lib/http.ts';
import { forgetLastSeen } from '../offline/last-seen.ts';
import { markSessionOver } from '../lib/session-over.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `answers401`: the caller deals with a 401 itself, because it does not mean that the session is over (sign-in). */
    mutationMeta: { answers401?: boolean };
  }
}

const saysSessionOver = (error: Error): boolean => error instanceof ApiError && error.status === 401;

/**
 * The only query client. It retries transient failures, but no rejected requests. A 401 means that the session is over.
 */
export function createQueryClient(): QueryClient {
  const endSession = () => {
    const user = client.getQueryData(currentUserQuery.queryKey) ?? null;
    if (user === null) return;
    forgetLastSeen();
    markSessionOver();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (saysSessionOver(error)) endSession();
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (saysSessionOver(error) && mutation.meta?.answers401 !== true) endSession();
      },
    }),
    defaultOptions: {
      queries: {
        // A portal in the local network may answer even if the browser believes that it is offline.
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, error) =>
          failures < 2 && (error instanceof OfflineError || (error instanceof ApiError && error.status >= 500)),
        retryDelay: (failures, error) =>
          error instanceof ApiError && error.retryAfterSeconds !== null
            ? Math.min(error.retryAfterSeconds, 10) * 1000
            : 500 * 2 ** failures,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
