import type { ReactNode } from 'react';
import classes from './Facts.module.css';

interface FactsProps {
  /** What each is called, and its value. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Settings and terms that can only be read, as many side by side as there is room for. */
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
