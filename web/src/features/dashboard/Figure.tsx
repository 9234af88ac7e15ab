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
  const hasUnit = unit !== undefined && value !== unknownValue;
  const characters: Record<`--${string}`, number> = {
    '--characters': value.length + (hasUnit ? (unit.length + 1) * 0.6 : 0),
  };
  return (
    <>
      <dt className={classes.label}>{label}</dt>
      <dd className={`${classes.value} figures`} data-size={size} style={characters}>
        {value}
        {hasUnit && <span className={classes.unit}> {unit}</span>}
      </dd>
      {children !== undefined && children !== null && <dd className={classes.note}>{children}</dd>}
    </>
  );
}
