import classes from './WeekGrid.module.css';

interface BandSwatchProps {
  /** The number on the blocks of the grid, from 1; 0 is the default rate. */
  number: number;
  /** Undefined for the default rate. */
  color?: string;
}

/** Number, color and pattern of a band, as in the grid. */
export function BandSwatch({ number, color }: BandSwatchProps) {
  const style: Record<`--${string}`, string> = { '--band': color ?? 'var(--line-strong)' };
  return (
    <span className={classes.swatch} data-pattern={(number + 4) % 5} style={style} aria-hidden>
      <span>{number}</span>
    </span>
  );
}
