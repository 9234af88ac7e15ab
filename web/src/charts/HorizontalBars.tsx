import type { ReactNode } from 'react';
import classes from './HorizontalBars.module.css';

export interface HorizontalBar {
  id: string;
  name: ReactNode;
  /** Shown at the end of the bar. */
  value: ReactNode;
  /** A second line below the value. */
  subvalue?: ReactNode;
  /** A line below the bar. */
  detail?: ReactNode;
  /** In the unit of `max`: the length of the bar, and the part at its end that was not measured. */
  size: number;
  estimated: number;
  /** A thin bar below, in the same unit. With two directions it is the bar to the left of zero. */
  opposite: number;
}

interface HorizontalBarsProps {
  label: string;
  bars: readonly HorizontalBar[];
  /** The longest bar. */
  max: number;
  /** Bars extend to both sides of a zero line. */
  hasTwoDirections?: boolean;
}

/** Sorted bars with their figures beside them; a list for screen readers. */
export function HorizontalBars({ label, bars, max, hasTwoDirections = false }: HorizontalBarsProps) {
  const share = (value: number) => `${max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0}%`;
  return (
    <ul className={classes.bars} aria-label={label} data-two-directions={hasTwoDirections || undefined}>
      {bars.map(({ id, name, value, subvalue, detail, size, estimated, opposite }) => (
        <li key={id} className={classes.row}>
          <div className={classes.name}>{name}</div>
          <div className={classes.track}>
            {hasTwoDirections && <div className={classes.opposite} style={{ width: share(opposite) }} />}
            <div className={classes.bar} style={{ width: share(size) }}>
              {estimated > 0 && (
                <div className={classes.estimated} style={{ width: size > 0 ? `${(estimated / size) * 100}%` : 0 }} />
              )}
            </div>
            {!hasTwoDirections && opposite > 0 && (
              <div className={classes.opposite} style={{ width: share(opposite) }} />
            )}
            {detail !== undefined && <div className="detail figures">{detail}</div>}
          </div>
          <div className={`${classes.value} figures`}>
            {value}
            {subvalue !== undefined && <span className="detail">{subvalue}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}
