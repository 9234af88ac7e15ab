import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
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
  /** What the sticky head takes from the view, px. */
  headHeight: number;
}

const overscan = 8;
const settledAfterMs = 150;

/**
 * Rows of one height in a scrolling element, however many: only those in view exist. (Libraries for this keep a record for
 * every row; a list of fifty million would not open.)
 */
export function useVirtualRows({ rowCount, rowHeight, headHeight }: VirtualRowsParts) {
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
    /** Rows that the reader sees at least in part. */
    seen,
    height: scrollHeight(geometry),
    /** Where the first rendered row lies in the element, px. */
    rowsTop: rows.start * rowHeight + place.top - place.offset,
  };
}
