import { scaleOf, type PlotBox, type ValueAxis } from '../../../shared/charts/axes.ts';
import classes from './plot.module.css';
import { textWidth } from './use-chart-width.ts';

/** px between the labels of the value axis and the plot. */
const labelGap = 8;

/** px that the labels of a value axis take from the left edge. */
export const valueLabelsWidth = (axis: ValueAxis, label: (value: number) => string): number =>
  2 + labelGap + axis.ticks.reduce((widest, tick) => Math.max(widest, textWidth(label(tick))), 0);

interface ValueLinesProps {
  axis: ValueAxis;
  box: PlotBox;
  unit: string;
  label: (value: number) => string;
}

/** The value axis: a line and a label for each of its round values, and the unit above them. */
export function ValueLines({ axis, box, unit, label }: ValueLinesProps) {
  const y = scaleOf(axis.min, axis.max, box.bottom, box.top);
  return (
    <g>
      <text x={2} y={box.top - 14} className={classes.label}>
        {unit}
      </text>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x1={box.left} x2={box.right} y1={y(tick)} y2={y(tick)} className={classes.line} />
          <text x={box.left - labelGap} y={y(tick)} dy="0.35em" textAnchor="end" className={classes.label}>
            {label(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}
