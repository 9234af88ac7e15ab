import type { ReactNode } from 'react';
import { LongTable } from '../../ui/LongTable.tsx';
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
}

/** One list of a customer, its first rows at once. */
export function ListPanel<Row>({ title, description, empty, ...table }: ListPanelProps<Row>) {
  return (
    <Panel flush title={title} {...(description === undefined ? {} : { description })}>
      {table.rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <LongTable label={title} stepRows={10} {...table} />
      )}
    </Panel>
  );
}
