import type { ReactNode } from 'react';
import { unknownValue } from '../lib/format.ts';
import classes from './ResponsiveTable.module.css';

export interface Column<Row> {
  id: string;
  header: string;
  /** Null is shown as unknown, and left out of the card of a narrow screen. */
  renderCell: (row: Row) => ReactNode;
  /** `name` heads the row, `actions` are its buttons; everything else is a value. */
  kind?: 'name' | 'actions';
  align?: 'end';
  /** Left out where a table has just enough room for the others. */
  isMinor?: boolean;
}

export interface ResponsiveTableProps<Row> {
  /** Names the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The columns speak for themselves: their names are only read out. */
  isHeadHidden?: boolean;
}

/**
 * A table that becomes a list of cards where it has little room. The roles are written out, because a browser forgets that
 * a table is one once its rows are laid out otherwise.
 */
export function ResponsiveTable<Row>(props: ResponsiveTableProps<Row>) {
  const { label, columns, rows, rowKey, isHeadHidden = false } = props;
  return (
    <div className={classes.container}>
      <table role="table" aria-label={label} className={classes.table}>
        <thead role="rowgroup" className={classes.head} data-hidden={isHeadHidden || undefined}>
          <tr role="row">
            {columns.map(({ id, header, kind, align, isMinor }) => (
              <th key={id} role="columnheader" scope="col" data-align={align} data-minor={isMinor || undefined}>
                {kind === 'actions' || isHeadHidden ? <span className="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className={classes.row}>
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column: { header, renderCell, kind, align, isMinor }, row }: { column: Column<Row>; row: Row }) {
  const content = renderCell(row);
  if (kind === 'name') {
    return (
      <th role="rowheader" scope="row" className={classes.name}>
        {content}
      </th>
    );
  }
  if (kind === 'actions') {
    return (
      <td role="cell" className={classes.actions}>
        {content}
      </td>
    );
  }
  return (
    <td
      role="cell"
      data-align={align}
      data-empty={content === null || undefined}
      data-minor={isMinor || undefined}
      className={classes.value}
    >
      <span className={classes.label} aria-hidden>
        {header}
      </span>
      {content === null ? (
        <span className={classes.unknown}>{unknownValue}</span>
      ) : (
        <div className={classes.content}>{content}</div>
      )}
    </td>
  );
}
