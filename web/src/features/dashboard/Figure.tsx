import type { ReactNode } from 'react';
import { unknownValue } from '../../lib/format.ts';
import classes from './Tiles.module.css';

interface FigureProps {
  label: string;
  value: string;
  unit?: string;
  size?: 'main' | 'large';
  /** What stands below the figure. */
  children?: ReactNode;
}

/** A figure with its name, inside a tile of a description list. */
export function Figure({ label, value, unit, size, children }: FigureProps) {
  return (
    <>
      <dt className={classes.label}>{label}</dt>
      <dd className={`${classes.value} figures`} data-size={size}>
        {value}
        {unit !== undefined && value !== unknownValue && <span className={classes.unit}> {unit}</span>}
      </dd>
      {children !== undefined && children !== null && <dd className={classes.note}>{children}</dd>}
    </>
  );
}
