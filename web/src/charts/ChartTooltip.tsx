import { useLayoutEffect, useRef } from 'react';
import classes from './ChartTooltip.module.css';

export interface TooltipRow {
  /** Left out for a row that is not a series. */
  color?: string;
  name: string;
  value: string;
  isStrong?: boolean;
  /** The value was not measured but interpolated between two measured ones. */
  isEstimate?: boolean;
}

export interface TooltipContent {
  title: string;
  rows: readonly TooltipRow[];
}

interface ChartTooltipProps extends TooltipContent {
  /** The position in the chart, px. */
  x: number;
  y: number;
  /** The chart's width in px; the tooltip stays within it. */
  width: number;
  height: number;
}

const distance = 14;

/** The details beside the pointer. */
export function ChartTooltip({ title, rows, x, y, width, height }: ChartTooltipProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { offsetWidth, offsetHeight } = element;
    const beside = x + distance + offsetWidth <= width ? x + distance : x - distance - offsetWidth;
    element.style.left = `${Math.max(0, Math.min(width - offsetWidth, beside))}px`;
    element.style.top = `${Math.max(0, Math.min(height - offsetHeight, y + distance))}px`;
  });
  return (
    <div ref={box} className={classes.tooltip}>
      <p className={classes.title}>{title}</p>
      <dl className={classes.rows}>
        {rows.map(({ color, name, value, isStrong = false }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no names of their own, and stand still
          <div key={index} className={isStrong ? `${classes.row} ${classes.strong}` : classes.row}>
            <span className={classes.swatch} style={{ background: color }} />
            <dt className="one-line">{name}</dt>
            <dd className={classes.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
