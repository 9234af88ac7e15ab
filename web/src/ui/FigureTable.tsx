import type { ReactNode } from 'react';

interface FigureColumn {
  header: string;
  /** The alignment of the cells. In the first column: that of the names. */
  className?: string | undefined;
  align?: 'end';
  /** The header that a phone shows before each figure, because it hides the head. */
  labelClass?: string | undefined;
}

/** A row of the table: its name, then a cell for each remaining column. */
export interface FigureLine {
  key: string;
  name: ReactNode;
  /** How many columns the name spans; one by default. */
  span?: number;
  cells: readonly ReactNode[];
}

interface FigureTableProps {
  /** The name of the table for screen readers. */
  label: string;
  caption?: string;
  columns: readonly FigureColumn[];
  /** The groups of rows. Each is a body of the table. */
  groups: readonly { id: string; lines: readonly FigureLine[]; className?: string | undefined }[];
  footer?: readonly FigureLine[];
  classNames?: Partial<Record<'table' | 'caption' | 'head' | 'row', string | undefined>>;
}

/**
 * A table of figures that stay side by side on every screen. It has groups, a footer, and names over several columns. For lists
 * of items, which become cards on a phone, use `ResponsiveTable`. Roles are written explicitly: browsers no longer treat a
 * table as one when its rows have another layout.
 */
export function FigureTable({ label, caption, columns, groups, footer, classNames }: FigureTableProps) {
  const rowsOf = (lines: readonly FigureLine[]) =>
    lines.map((line) => <FigureRow key={line.key} line={line} columns={columns} className={classNames?.row} />);
  return (
    <table role="table" aria-label={label} className={classNames?.table}>
      {caption !== undefined && <caption className={classNames?.caption}>{caption}</caption>}
      <thead role="rowgroup" className={classNames?.head}>
        <tr role="row">
          {columns.map(({ header, align }) => (
            <th key={header} role="columnheader" scope="col" data-align={align}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ id, lines, className = '' }) => (
        <tbody key={id} role="rowgroup" className={`figures ${className}`}>
          {rowsOf(lines)}
        </tbody>
      ))}
      {footer !== undefined && footer.length > 0 && (
        <tfoot role="rowgroup" className="figures">
          {rowsOf(footer)}
        </tfoot>
      )}
    </table>
  );
}

interface FigureRowProps {
  line: FigureLine;
  columns: readonly FigureColumn[];
  className: string | undefined;
}

function FigureRow({ line: { name, span = 1, cells }, columns, className }: FigureRowProps) {
  return (
    <tr role="row" className={className}>
      <th role="rowheader" scope="row" colSpan={span} className={columns[0]?.className}>
        {name}
      </th>
      {columns.slice(span).map(({ header, className: cellClass, align, labelClass }, index) => (
        <td key={header} role="cell" data-align={align} className={cellClass}>
          {labelClass !== undefined && (
            <span className={labelClass} aria-hidden>
              {header}{' '}
            </span>
          )}
          {cells[index]}
        </td>
      ))}
    </tr>
  );
}
