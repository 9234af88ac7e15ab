import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { searchFor } from '../../../shared/search-text.ts';
import { sortedRows } from '../../../shared/sorted-rows.ts';
import { useFormat } from '../lib/use-format.ts';
import { EmptyState } from './EmptyState.tsx';
import { maxPrintedRows, usePrinting } from './printing.tsx';
import { ResponsiveTable, type ResponsiveTableProps } from './ResponsiveTable.tsx';
import { SearchField } from './SearchField.tsx';
import type { Sort } from './sorted-rows.ts';
import classes from './ListTable.module.css';

interface ListTableProps<Row> extends Omit<ResponsiveTableProps<Row>, 'sort' | 'onSort'> {
  /** The text of a row that is searched. Left out if the page has a search of its own. */
  textOf?: (row: Row) => string;
  /** The name of the field. */
  searchLabel?: string;
  /** Shown above the rows. Its actions may apply to all rows that the search has found. */
  renderTools?: (found: readonly Row[]) => ReactNode;
  /** The number of rows shown at first, and added with each step. */
  stepRows?: number;
  /** If the portal finds and sorts the rows, of which only the first were loaded: how it sorts them, and how many it found. */
  remote?: {
    sort: Sort | null;
    onSort: (sort: Sort | null) => void;
    foundCount: number;
    /** What to do to see the others. */
    note: string;
  };
}

/** A list of at least this length can be searched and sorted. */
export const longFrom = 8;

/**
 * A list that may grow. It can be searched and sorted by its columns. Only the first rows are shown until the user asks for
 * more.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { rows, textOf, searchLabel, renderTools, stepRows = 50, remote, ...table } = props;
  const t = useTranslations('common');
  const { compare } = useFormat();
  const [search, setSearch] = useState('');
  const [ownSort, setOwnSort] = useState<Sort | null>(null);
  const [steps, setSteps] = useState(1);
  const limit = usePrinting() ? Math.max(maxPrintedRows, steps * stepRows) : steps * stepRows;
  const isLong = rows.length >= longFrom;
  const matches = searchFor(isLong ? search : '');
  const found = textOf === undefined ? rows : rows.filter((row) => matches(textOf(row)));
  const { sort, onSort, foundCount } = remote ?? { sort: ownSort, onSort: setOwnSort, foundCount: found.length };
  const sortBy = table.columns.find(({ id }) => id === ownSort?.id)?.sortBy;
  const shown =
    ownSort === null || sortBy === undefined ? found : sortedRows(found, sortBy, ownSort.isDescending, compare);
  const more = Math.min(stepRows, shown.length - limit);
  return (
    <>
      {isLong && textOf !== undefined && (
        <div className={`${classes.search} screen-only`}>
          <SearchField
            label={searchLabel ?? t('search')}
            value={search}
            found={found.length}
            onChange={(text) => {
              setSearch(text);
              setSteps(1);
            }}
          />
        </div>
      )}
      {renderTools?.(found)}
      {shown.length === 0 ? (
        <EmptyState icon={<IconSearch size={22} stroke={1.75} />} title={t('noMatch')}>
          {t('noMatchHint')}
        </EmptyState>
      ) : (
        <ResponsiveTable
          rows={shown.slice(0, limit)}
          {...(isLong && found.length > 1 ? { sort, onSort } : {})}
          {...table}
        />
      )}
      {more > 0 && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setSteps(steps + 1)}>
            {t('showMore', { count: more, total: foundCount })}
          </Button>
        </div>
      )}
      {more <= 0 && foundCount > found.length && <p className={classes.more}>{remote?.note}</p>}
    </>
  );
}
