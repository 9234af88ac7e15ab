import {
  useEffect,
  useImperativeHandle,
  type ReactNode,
  type Ref,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { maxPrintedRows, usePrinting } from '../printing.tsx';
import classes from './VirtualTable.module.css';
import {
  fitted,
  placeAt,
  scrollHeight,
  scrolledTo,
  visibleRows,
  type Geometry,
  type ScrollPlace,
} from './scaled-scroll.ts';

interface VirtualRowsParts {
  rowCount: number;
  rowHeight: number;
  /** The part of the view that the sticky head covers, px. */
  headHeight: number;
}

const overscan = 8;
const settledAfterMs = 150;

/**
 * Rows of equal height in a scrolling element, in any number: only visible ones exist. (Libraries for this keep a record per row;
 * a list of fifty million would not open.)
 */
function useVirtualRows({ rowCount, rowHeight, headHeight }: VirtualRowsParts) {
  const element = useRef<HTMLDivElement>(null);
  const [viewHeight, setViewHeight] = useState(rowHeight * 10);
  const [kept, setPlace] = useState<ScrollPlace>({ top: 0, offset: 0 });
  const geometry: Geometry = { rowCount, rowHeight, viewHeight };
  const place = fitted(kept, geometry);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);

  const measure = useEffectEvent(() => {
    const height = (element.current?.clientHeight ?? 0) - headHeight;
    if (height > 0) setViewHeight(height);
  });
  useLayoutEffect(() => {
    measure();
    if (element.current === null) return;
    const observer = new ResizeObserver(() => measure());
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);

  // Rows and scroll position must change in one frame.
  useLayoutEffect(() => {
    if (element.current !== null && Math.abs(element.current.scrollTop - place.top) >= 1) {
      element.current.scrollTop = place.top;
    }
  }, [place]);

  const settle = useEffectEvent(() => setPlace((before) => placeAt(before.offset, geometry)));
  useEffect(() => () => clearTimeout(settling.current), []);

  const onScroll = () => {
    const top = element.current?.scrollTop ?? 0;
    if (top === place.top) return;
    setPlace((before) => scrolledTo(top, before, geometry));
    clearTimeout(settling.current);
    settling.current = setTimeout(() => settle(), settledAfterMs);
  };

  const scrollToRow = useCallback(
    (index: number) => setPlace(placeAt(index * rowHeight, { rowCount, rowHeight, viewHeight })),
    [rowCount, rowHeight, viewHeight],
  );

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.target !== event.currentTarget) return;
    const page = Math.max(rowHeight, Math.floor(viewHeight / rowHeight - 1) * rowHeight);
    const to: Record<string, number> = {
      ArrowDown: place.offset + rowHeight,
      ArrowUp: place.offset - rowHeight,
      PageDown: place.offset + page,
      PageUp: place.offset - page,
      ' ': place.offset + (event.shiftKey ? -page : page),
      Home: 0,
      End: rowCount * rowHeight,
    };
    const offset = to[event.key];
    if (offset === undefined) return;
    event.preventDefault();
    setPlace(placeAt(offset, geometry));
  });
  useEffect(() => {
    const listening = new AbortController();
    element.current?.addEventListener('keydown', (event) => onKeyDown(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);

  const rows = visibleRows(place, geometry, overscan);
  const seen = visibleRows(place, geometry, 0);
  return {
    element,
    onScroll,
    scrollToRow,
    /** Rows that are to be rendered. */
    rows,
    /** Rows that are at least partly visible. */
    seen,
    height: scrollHeight(geometry),
    /** The position of the first rendered row in the element, px. */
    rowsTop: rows.start * rowHeight + place.top - place.offset,
  };
}

export interface VirtualColumn<Row> {
  id: string;
  header: string;
  /** Shown small after the header. */
  unit?: string;
  /** The minimum width. The remaining width of the table is shared by `grow` (default 1). */
  minRem: number;
  grow?: number;
  align?: 'end';
  /** Stays visible while the others scroll sideways; only the first column may. */
  isSticky?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface VirtualTableHandle {
  /** Brings the row (from 0) to the top and the focus to the table. */
  scrollToRow: (index: number) => void;
}

interface VirtualTableProps<Row> {
  label: string;
  columns: readonly VirtualColumn<Row>[];
  rowCount: number;
  /** Undefined while the row is loading. */
  getRow: (index: number) => Row | undefined;
  rowHeight?: number;
  /** px */
  height: number;
  /** Called whenever the visible rows change; `end` is exclusive. */
  onSeenRows?: (start: number, end: number) => void;
  ref?: Ref<VirtualTableHandle>;
}

const headHeight = 38;

/** A table of any number of rows. Only visible rows exist; ARIA positions make it readable row by row. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rowCount, getRow, rowHeight = 34, height, onSeenRows, ref } = props;
  const t = useTranslations('common');
  const virtual = useVirtualRows({ rowCount, rowHeight, headHeight });
  const { element, seen, scrollToRow } = virtual;
  // A longer table is printed with its visible rows only.
  const isPrinting = usePrinting();
  const isWhole = isPrinting && rowCount <= maxPrintedRows;
  const rows = isWhole ? { start: 0, end: rowCount } : virtual.rows;

  useImperativeHandle(
    ref,
    () => ({
      scrollToRow: (index) => {
        scrollToRow(index);
        element.current?.focus({ preventScroll: true });
      },
    }),
    [scrollToRow, element],
  );
  useEffect(() => onSeenRows?.(seen.start, seen.end), [onSeenRows, seen.start, seen.end]);

  const inView = Array.from({ length: Math.max(0, rows.end - rows.start) }, (_, position) => rows.start + position);
  // Rows that are still loading cannot be printed.
  const indexes = isPrinting ? inView.filter((index) => getRow(index) !== undefined) : inView;
  const sizes: Record<`--${string}`, string> = {
    // Each row is its own grid, so tracks must not depend on the content.
    '--columns': columns.map(({ minRem, grow = 1 }) => `minmax(${minRem}rem, ${grow}fr)`).join(' '),
    '--paper-columns': columns.map(({ minRem }) => `minmax(0, ${minRem}fr)`).join(' '),
    '--least-width': `${columns.reduce((sum, { minRem }) => sum + minRem, 0)}rem`,
    '--row-height': `${rowHeight}px`,
  };
  return (
    <div
      ref={element}
      className={classes.scroller}
      style={{ height, ...sizes }}
      role="table"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      onScroll={virtual.onScroll}
    >
      <div role="rowgroup" className={classes.head} style={{ height: headHeight }}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {columns.map(({ id, header, unit, align, isSticky }) => (
            <div key={id} role="columnheader" className={classes.cell} data-align={align} data-sticky={isSticky}>
              {header}
              {unit !== undefined && unit !== '' && <span className={classes.unit}> {unit}</span>}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.height }}>
        <div role="presentation" className={classes.rows} style={{ top: virtual.rowsTop }}>
          {indexes.map((index) => (
            <VirtualRow key={index} index={index} row={getRow(index)} columns={columns} />
          ))}
          {indexes.length < rowCount && isPrinting && (
            <p className={classes.rest}>{t('printedRows', { count: indexes.length, total: rowCount })}</p>
          )}
        </div>
      </div>
    </div>
  );
}

interface VirtualRowProps<Row> {
  index: number;
  row: Row | undefined;
  columns: readonly VirtualColumn<Row>[];
}

function VirtualRow<Row>({ index, row, columns }: VirtualRowProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined}
      className={`${classes.row} ${classes.data}`}
    >
      {columns.map(({ id, align, isSticky, cell }, position) => (
        <div
          key={id}
          role={position === 0 && row !== undefined ? 'rowheader' : 'cell'}
          className={classes.cell}
          data-align={align}
          data-sticky={isSticky}
        >
          {row === undefined ? <span className={classes.pending} aria-hidden /> : cell(row)}
        </div>
      ))}
    </div>
  );
}

/** A column of numbers: wide enough for its header with the unit, or for a value where that is wider. */
export const numberColumn = <Row,>(
  id: string,
  header: string,
  unit: string,
  cell: (row: Row) => string,
): VirtualColumn<Row> => ({
  id,
  header,
  unit,
  minRem: Math.max(7, Math.ceil((header.length + unit.length + 1) * 0.42 + 1.75)),
  align: 'end',
  cell,
});
