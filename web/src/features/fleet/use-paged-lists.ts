import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type CustomerDetail, detailLimits, type PagedList } from '../../../../shared/fleet.ts';
import type { Paging } from './ListPanel.tsx';
import { detailQuery } from './queries.ts';

/** The lists of a customer as far as they have been loaded: the first page, and with each step the next one. */
export function usePagedLists(first: CustomerDetail) {
  const [pages, setPages] = useState(1);
  const later = useQueries({
    queries: Array.from({ length: pages - 1 }, (_, at) => detailQuery(first.customer.id, at + 2)),
  });
  const loaded = [first, ...later.flatMap(({ data }) => data ?? [])];
  const isLoading = later.some(({ isFetching }) => isFetching);
  const onMore = () => {
    const failed = later.filter(({ isError }) => isError);
    for (const query of failed) void query.refetch();
    if (failed.length === 0) setPages(pages + 1);
  };
  return {
    sites: once(loaded.flatMap(({ sites }) => sites)),
    devices: once(loaded.flatMap(({ devices }) => devices)),
    municipalities: once(loaded.flatMap(({ municipalities }) => municipalities)),
    tariffs: once(loaded.flatMap(({ tariffs }) => tariffs)),
    pagingOf: (list: PagedList): Paging => ({
      total: first.counts[list],
      pageRows: list === 'tariffs' ? detailLimits.tariffs : detailLimits.records,
      isLoading,
      onMore,
    }),
  };
}

/** What came to a page may push a row onto the next one. */
const once = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
