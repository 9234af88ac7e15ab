import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { ChartTooltip, type TooltipContent } from './ChartTooltip.tsx';
import classes from './plot.module.css';
import chart from './TimeChart.module.css';
import { useChartWidth } from './use-chart-width.ts';

/** A chart over categories as it is drawn at a width. */
export interface CategoryDrawing {
  shapes: ReactNode;
  /** The item at that position, px; -1 for none. */
  itemAt: (x: number, y: number) => number;
  /** The position of an item, px. */
  boxOf: (index: number) => { x: number; y: number; width: number; height: number };
  /** The mark of the item under the pointer. */
  mark: 'shade' | 'outline';
}

interface CategoryPlotProps {
  /** Pass a memoized element, so that nothing is drawn again while the pointer moves. */
  draw: (width: number) => CategoryDrawing;
  height: number;
  /** A description of the chart for screen readers. */
  label: string;
  /** The number of items that the keys step through. */
  count: number;
  /** The item to which a key leads from the item at a position (null before the first). Null keeps the position. */
  step: (index: number | null, key: string) => number | null;
  /** The details of an item; null shows nothing. */
  tooltip: (index: number) => TooltipContent | null;
  /** An item as a sentence. */
  readOut: (index: number) => string;
  /** Called with the item that was clicked, or that Enter was pressed on. */
  onPick?: ((index: number) => void) | undefined;
}

/** Charts over categories: bars by day, hours by day. Arrow keys step through the items and announce them. */
export function CategoryPlot({ draw, height, label, count, step, tooltip, readOut, onPick }: CategoryPlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const { width, isPrinting } = useChartWidth(container);
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width]);
  const [walkedTo, setAt] = useState<number | null>(null);
  // Another range may have fewer items, so that the selected index does not exist.
  const at = walkedTo !== null && walkedTo < count ? walkedTo : null;
  // The position of the pointer is stored and not its item, because a click may put other items under the pointer.
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);

  const placeOf = (event: MouseEvent) => {
    const place = container.current?.getBoundingClientRect();
    return { x: event.clientX - (place?.left ?? 0), y: event.clientY - (place?.top ?? 0) };
  };
  const itemAt = (place: { x: number; y: number } | null): number | null => {
    const found = place === null || drawing === null ? -1 : drawing.itemAt(place.x, place.y);
    return found >= 0 && found < count ? found : null;
  };
  const onMove = useEffectEvent((event: PointerEvent) => {
    const place = placeOf(event);
    setPointer(itemAt(place) === null ? null : place);
  });
  const onClick = useEffectEvent((event: MouseEvent) => {
    const clicked = itemAt(placeOf(event));
    if (clicked !== null) onPick?.(clicked);
  });

  const hide = useEffectEvent(() => {
    setAt(null);
    setPointer(null);
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && at !== null) {
      event.preventDefault();
      hide();
      return;
    }
    if (event.key === 'Enter' && at !== null) {
      onPick?.(at);
      return;
    }
    const next = step(at, event.key);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    setPointer(null);
  });
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    element.addEventListener('blur', () => hide(), { signal });
    element.addEventListener('pointermove', (event) => onMove(event), { signal });
    element.addEventListener('pointerdown', (event) => onMove(event), { signal });
    // A touch screen fires pointerleave when the finger is lifted. The tooltip stays.
    element.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && onMove(event), { signal });
    element.addEventListener('click', (event) => onClick(event), { signal });
    return () => listening.abort();
  }, []);

  const hovered = itemAt(pointer);
  const spot = hovered === null ? null : pointer;
  const index = hovered ?? at;
  const box = index === null || isPrinting ? null : (drawing?.boxOf(index) ?? null);
  const content = index === null || box === null ? null : tooltip(index);
  return (
    <>
      <div
        ref={container}
        className={chart.still}
        data-pick={onPick !== undefined || undefined}
        style={{ height }}
        role="img"
        aria-label={label}
        tabIndex={0}
      >
        {drawing !== null && (
          <svg className={classes.svg} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden>
            {drawing.mark === 'outline' && drawing.shapes}
            {box !== null && content !== null && <rect {...box} className={classes[drawing.mark]} />}
            {drawing.mark === 'shade' && drawing.shapes}
          </svg>
        )}
        {box !== null && content !== null && (
          <ChartTooltip
            {...content}
            x={spot?.x ?? box.x + box.width / 2}
            y={spot?.y ?? box.y + Math.min(box.height / 2, 40)}
            width={width}
            height={height}
          />
        )}
      </div>
      <span className="visually-hidden" role="status">
        {at === null ? '' : readOut(at)}
      </span>
    </>
  );
}
