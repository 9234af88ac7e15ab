import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** The height of the content, so that nothing moves. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows what a query answers; until then its skeleton, or why it failed and another try. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <ErrorState compact error={query.error} onRetry={() => void query.refetch()} /> : skeleton;
}
