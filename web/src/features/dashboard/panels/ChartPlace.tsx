import type { ReactNode } from 'react';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { BlockSkeleton } from '../../../ui/Skeletons.tsx';
import classes from '../Dashboard.module.css';

interface ChartPlaceProps<Data> {
  query: {
    data: Data | undefined;
    isError: boolean;
    error: unknown;
    isPlaceholderData: boolean;
    refetch: () => Promise<unknown>;
  };
  /** The height (px) of the content. It is reserved, so that nothing moves when the content arrives. */
  height: number;
  children: (data: Data) => ReactNode;
}

/**
 * A place for a chart that needs the answer of a query. It reserves space until the answer arrives. If the query fails, it
 * shows the error.
 */
export function ChartPlace<Data>({ query, height, children }: ChartPlaceProps<Data>) {
  if (query.data !== undefined) {
    return (
      <div data-stale={query.isPlaceholderData} className="until-answered">
        {children(query.data)}
      </div>
    );
  }
  return (
    <div className={classes.chartPlace} style={{ height }}>
      {query.isError ? (
        <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <BlockSkeleton height="100%" />
      )}
    </div>
  );
}
