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
  /** Height of the content in px, reserved so that nothing moves when it loads. */
  height: number;
  children: (data: Data) => ReactNode;
}

/** A chart that needs the answer of a query. Until then it reserves its space; if the query fails, it shows the error. */
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
