import { UnstyledButton, NativeSelect } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { unknownValue } from '../../../shared/format.ts';
import type { SortKey } from '../../../shared/sorted-rows.ts';
import { nextSort, type Sort } from './sorted-rows.ts';
import classes from './ResponsiveTable.module.css';
import { useTranslations } from 'use-intl';

export interface Column<Row> {
  id: string;
  header: string;
  /** The cell of a row. Null is shown as unknown, and left out of the card on a narrow screen. */
  renderCell: (row: Row) => ReactNode;
  /** `name` names the row, `actions` are its buttons. All other columns are values. */
  kind?: 'name' | 'actions';
  align?: 'end';
  /** Left out if the table only just has enough space for the other columns. */
  isMinor?: boolean;
  /** The first direction of sorting by a column: the largest number, the newest instant or the first name on top. */
  sortBy?: (row: Row) => SortKey;
}

export interface ResponsiveTableProps<Row> {
  /** Names the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Whether the columns explain themselves. Then only screen readers announce their names. */
  isHeadHidden?: boolean;
  /** Whether there may be more columns than fit. Then the table scrolls sideways, and the names of the rows stay. */
  isWide?: boolean;
  /** In the order of the rows; with `onSort` only. */
  sort?: Sort | null;
  /** Absent if the rows cannot be sorted. */
  onSort?: (sort: Sort | null) => void;
}

/**
 * A table that becomes a list of cards if there is little space. Roles are written explicitly: browsers no longer treat a table
 * as one when its rows have another layout.
 */
export function ResponsiveTable<Row>(props: ResponsiveTableProps<Row>) {
  const { label, columns, rows, rowKey, isHeadHidden = false, isWide = false, sort = null, onSort } = props;
  return (
    <div
      className={classes.container}
      {...(isWide ? { 'data-wide': true, role: 'group', 'aria-label': label, tabIndex: 0 } : {})}
    >
      {/* The cards of a narrow screen have no head. */}
      {onSort !== undefined && (
        <SortSelect columns={columns} sort={sort} onSort={onSort} className={classes.sortSelect} />
      )}
      <table role="table" aria-label={label} className={classes.table} data-sorted={sort !== null || undefined}>
        <thead role="rowgroup" className={classes.head} data-hidden={isHeadHidden || undefined}>
          <tr role="row">
            {columns.map((column) => {
              const { id, header, kind, align, isMinor } = column;
              const props = { 'data-align': align, 'data-kind': kind, 'data-minor': isMinor || undefined };
              if (onSort !== undefined && column.sortBy !== undefined) {
                return <SortableHead key={id} {...props} column={column} rows={rows} sort={sort} onSort={onSort} />;
              }
              return (
                <th key={id} role="columnheader" scope="col" {...props}>
                  {kind === 'actions' || isHeadHidden ? <span className="visually-hidden">{header}</span> : header}
                </th>
              );
            })}
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

interface SortableHeadProps<Row> {
  column: Column<Row>;
  rows: readonly Row[];
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}

/** The head of a column; a click sorts the rows by it. */
function SortableHead<Row>({ column, rows, sort, onSort, ...props }: SortableHeadProps<Row>) {
  const { id, header, sortBy } = column;
  const isDescending = sort?.id === id ? sort.isDescending : null;
  const Arrow = isDescending === true ? IconArrowDown : IconArrowUp;
  const isNumeric = () => rows.some((row) => typeof sortBy?.(row) === 'number');
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isDescending === null ? undefined : isDescending ? 'descending' : 'ascending'}
      {...props}
    >
      {/* A narrow screen shows no button, but the header still names its cells. */}
      <span className={classes.unsorted}>{header}</span>
      <UnstyledButton className={classes.sort} onClick={() => onSort(nextSort(sort, id, isNumeric()))}>
        {header}
        <Arrow
          size={13}
          stroke={2}
          aria-hidden
          className={classes.arrow}
          data-shown={isDescending !== null || undefined}
        />
      </UnstyledButton>
    </th>
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

interface SortSelectProps {
  columns: readonly { id: string; header: string; sortBy?: unknown }[];
  /** Null means the order of the given rows. */
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  className?: string | undefined;
}

/** On cards, which have no header, shows how the rows are sorted. */
export function SortSelect({ columns, sort, onSort, className }: SortSelectProps) {
  const t = useTranslations('common.sort');
  const choices: { sort: Sort | null; label: string }[] = [
    { sort: null, label: t('usual') },
    ...columns
      .filter(({ sortBy }) => sortBy !== undefined)
      .flatMap(({ id, header }) => [
        { sort: { id, isDescending: false }, label: t('ascending', { column: header }) },
        { sort: { id, isDescending: true }, label: t('descending', { column: header }) },
      ]),
  ];
  if (choices.length === 1) return null;
  const at = choices.findIndex((one) => one.sort?.id === sort?.id && one.sort?.isDescending === sort?.isDescending);
  return (
    <NativeSelect
      aria-label={t('by')}
      className={className}
      value={at}
      data={choices.map(({ label }, index) => ({ value: String(index), label }))}
      onChange={(event) => onSort(choices[Number(event.currentTarget.value)]?.sort ?? null)}
    />
  );
}
