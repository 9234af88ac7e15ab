import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RawMeasurementRow, RawMeasurementsPage } from '../../../../shared/measurements.ts';
import { rawPageQuery, rawPageSize, type RawFilter } from './queries.ts';

interface RawRows {
  /** The number of matching rows. Undefined until the first page has arrived. */
  totalCount: number | undefined;
  /** Undefined while its page is loading. */
  getRow: (index: number) => RawMeasurementRow | undefined;
  /** The visible pages, for parts that depend on their contents. */
  pages: readonly RawMeasurementsPage[];
  /** The visible rows; `end` is exclusive. */
  onSeenRows: (start: number, end: number) => void;
  error: Error | null;
  retry: () => void;
}

/** During fast scrolling, only pages on which it rests this long are fetched. */
const restMs = 120;

const combined = (results: UseQueryResult<RawMeasurementsPage>[]) => ({
  pages: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  error: results.find(({ error }) => error !== null)?.error ?? null,
});

/**
 * The rows of the whole range by their position. A page is fetched when the reader scrolls to it. `before` is the filter of the
 * moment before; its rows stay visible until the new ones have arrived.
 */
export function useRawRows(filter: RawFilter, before: RawFilter | null): RawRows {
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState({ first: 0, last: 0 });
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);

  const onSeenRows = useCallback((start: number, end: number) => {
    const first = Math.floor(start / rawPageSize);
    const last = Math.floor(Math.max(start, end - 1) / rawPageSize);
    clearTimeout(resting.current);
    const want = () =>
      setWanted((current) => (current.first === first && current.last === last ? current : { first, last }));
    resting.current = setTimeout(want, restMs);
    // The neighbours of loaded pages are fetched first, because they are needed first.
    setWanted((current) => (Math.abs(first - current.last) <= 1 && last !== current.last ? { first, last } : current));
  }, []);
  useEffect(() => () => clearTimeout(resting.current), []);

  const numbers = Array.from({ length: wanted.last - wanted.first + 1 }, (_, position) => wanted.first + position);
  const { pages, error } = useQueries({
    queries: numbers.map((page) => ({
      ...rawPageQuery(filter, page),
      placeholderData: () =>
        before === null ? undefined : queryClient.getQueryData(rawPageQuery(before, page).queryKey),
    })),
    combine: combined,
  });

  const getRow = (index: number): RawMeasurementRow | undefined => {
    const number = Math.floor(index / rawPageSize);
    const page =
      pages.find(({ offset }) => offset === number * rawPageSize) ??
      queryClient.getQueryData(rawPageQuery(filter, number).queryKey);
    return page?.rows[index % rawPageSize];
  };
  const [first] = pages;
  const [knownCount, setKnownCount] = useState<number | undefined>();
  if (first !== undefined && first.totalCount !== knownCount) setKnownCount(first.totalCount);
  return {
    totalCount: first?.totalCount ?? knownCount,
    getRow,
    pages,
    onSeenRows,
    error: pages.length === 0 ? error : null,
    retry: () => void queryClient.refetchQueries({ queryKey: ['measurements', 'raw'], type: 'active' }),
  };
}
