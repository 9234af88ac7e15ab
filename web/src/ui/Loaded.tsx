import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { Panel } from './Panel.tsx';

type Queries<Data extends readonly unknown[]> = { readonly [Index in keyof Data]: UseQueryResult<Data[Index]> };

interface LoadedProps<Data extends readonly unknown[]> {
  queries: Queries<Data>;
  /** The height of the content, so that nothing moves. */
  skeleton: ReactNode;
  /** Whether the error takes a whole page and not only a panel. */
  isPage?: boolean;
  /** Whether the skeleton and the error need a panel, because the content brings its own. */
  inPanel?: boolean;
  children: (...data: NoInfer<Data>) => ReactNode;
}

/**
 * Shows the answers of queries once all of them have arrived. Until then it shows the skeleton. If a query fails, it shows the
 * error and a button to try again.
 */
export function Loaded<Data extends readonly unknown[] | []>(props: LoadedProps<Data>) {
  const { queries, skeleton, isPage = false, inPanel = false, children } = props;
  const answers: readonly unknown[] = queries.map(({ data }) => data);
  if (isComplete(queries, answers)) return children(...answers);
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  const framed = (content: ReactNode) => (inPanel ? <Panel>{content}</Panel> : content);
  if (failed === undefined) return framed(skeleton);
  const retry = () => {
    for (const query of queries) if (query.isError) void query.refetch();
  };
  return framed(<ErrorState compact={!isPage && !inPanel} error={failed.error} onRetry={retry} />);
}

function isComplete<Data extends readonly unknown[]>(
  queries: Queries<Data>,
  answers: readonly unknown[],
): answers is Data {
  return queries.every(({ data }) => data !== undefined) && answers.length === queries.length;
}
