import type { Mark } from '../../../shared/charts/marks.ts';
import classes from './plot.module.css';

/** The marks of a chart, as SVG. */
export const Marks = ({ marks }: { marks: readonly Mark[] }) =>
  marks.map((mark, index) => {
    const key = `${index}`;
    if (mark.kind === 'line') {
      const { x1, x2, y1, y2, tone } = mark;
      return <line key={key} x1={x1} x2={x2} y1={y1} y2={y2} className={classes[tone]} />;
    }
    if (mark.kind === 'text') {
      const { x, y, text, anchor, isStrong = false } = mark;
      return (
        <text key={key} x={x} y={y} textAnchor={anchor} className={classes.label} data-strong={isStrong || undefined}>
          {text}
        </text>
      );
    }
    const { d, fill = 'none', fillOpacity, stroke } = mark;
    return (
      <path
        key={key}
        d={d}
        fill={fill}
        fillOpacity={fillOpacity}
        stroke={stroke?.color}
        strokeWidth={stroke?.width}
        strokeLinejoin={stroke && !stroke.isRound ? 'round' : undefined}
        strokeLinecap={stroke?.isRound && 'round'}
        strokeDasharray={stroke?.dash?.join(' ')}
      />
    );
  });
