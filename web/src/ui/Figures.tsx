import type { ReactNode } from 'react';
import classes from './Figures.module.css';

/** A few facts at a glance, side by side. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

interface FigureProps {
  label: string;
  /** Small below the value. */
  note?: string;
  isWarning?: boolean;
  children: ReactNode;
}

export function Figure({ label, note, isWarning = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={`${classes.value} figures`}>{children}</dd>
      {note !== undefined && (
        <dd className={isWarning ? `${classes.note} ${classes.warning}` : classes.note}>{note}</dd>
      )}
    </div>
  );
}

interface FactsProps {
  /** The name of each fact, and its value. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Settings and terms that cannot be edited, as many side by side as fit. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
