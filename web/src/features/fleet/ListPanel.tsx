import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ListTable } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import classes from './Fleet.module.css';

interface ListPanelProps<Row> {
  title: string;
  description?: ReactNode;
  /** The note shown if there are no rows. */
  empty: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The searched text of a row. */
  textOf?: (row: Row) => string;
  /** For a list that is loaded page by page. */
  paging?: Paging;
}

/** How much of a list has been loaded, and a button to load the rest. */
export interface Paging {
  total: number;
  /** The number of rows per page. */
  pageRows: number;
  isLoading: boolean;
  onMore: () => void;
}

/** A list of a customer. The first rows are shown at once. */
export function ListPanel<Row>({ title, description, empty, paging, ...table }: ListPanelProps<Row>) {
  const t = useTranslations('fleet.customer');
  const shown = table.rows.length;
  const isPart = paging !== undefined && shown < paging.total;
  const about = isPart ? t('loaded', { shown, total: paging.total }) : description;
  return (
    <Panel
      flush
      title={title}
      {...(about === undefined ? {} : { description: about })}
      {...(isPart
        ? {
            actions: (
              <Button variant="default" size="xs" loading={paging.isLoading} onClick={paging.onMore}>
                {t('loadMore', { count: Math.min(paging.pageRows, paging.total - shown) })}
              </Button>
            ),
          }
        : {})}
    >
      {table.rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ListTable label={title} stepRows={10} {...table} />
      )}
    </Panel>
  );
}
