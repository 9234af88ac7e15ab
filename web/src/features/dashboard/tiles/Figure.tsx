import type { ReactNode } from 'react';
import { unknownValue } from '../../../../../shared/format.ts';
import classes from './Tiles.module.css';
import { UnstyledButton } from '@mantine/core';

interface FigureProps {
  label: string;
  value: string;
  unit?: string;
  /** Several amounts in one line wrap between them. */
  size?: 'main' | 'large' | 'several';
  /** The note below the figure. */
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

interface FigureButtonProps {
  onClick: () => void;
  isWarning?: boolean;
  children: ReactNode;
}

/** Words below a figure that link to its origin. */
export function FigureButton({ onClick, isWarning = false, children }: FigureButtonProps) {
  return (
    <UnstyledButton className={`${classes.lead} ${isWarning ? classes.warn : ''}`} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}
