import { sparkShape, type SparkPoint } from './sparkline.ts';
import classes from './Sparkline.module.css';

interface SparklineProps {
  points: readonly SparkPoint[];
  from: number;
  to: number;
  /** Readings that are further apart than this are not connected. */
  bridge: number;
  /** The content of the line, as a sentence. */
  label: string;
}

const box = { width: 300, height: 56, padding: 3 };

/** A small line without axes that shows only the shape. Takes the size of its parent. */
export function Sparkline({ points, from, to, bridge, label }: SparklineProps) {
  const { line, area, last } = sparkShape(points, { from, to, bridge }, box);
  return (
    <div className={classes.sparkline} role="img" aria-label={label}>
      <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden>
        <path className={classes.area} d={area} />
        <path className={classes.line} d={line} />
      </svg>
      {last !== null && (
        <span
          className={classes.last}
          style={{ left: `${(last.x / box.width) * 100}%`, top: `${(last.y / box.height) * 100}%` }}
        />
      )}
    </div>
  );
}
