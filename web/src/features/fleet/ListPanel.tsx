import type { ReactNode } from 'react';
import { ListTable } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import classes from './ListPanel.module.css';

interface ListPanelProps<Row> {
  title: string;
  description?: ReactNode;
  /** What there is to know where there are no rows. */
  empty: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What of a row is searched. */
  textOf?: (row: Row) => string;
}

/** One list of a customer, its first rows at once. */
export function ListPanel<Row>({ title, description, empty, ...table }: ListPanelProps<Row>) {
  return (
    <Panel flush title={title} {...(description === undefined ? {} : { description })}>
      {table.rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ListTable label={title} stepRows={10} {...table} />
      )}
    </Panel>
  );
}
