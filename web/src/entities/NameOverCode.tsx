import type { ReactNode } from 'react';
import classes from './NameOverCode.module.css';

/** The name of a customer, as a link, above its code. */
export function NameOverCode({ code, children }: { code: string; children: ReactNode }) {
  return (
    <span className={classes.place}>
      {children}
      <span className={classes.code}>{code}</span>
    </span>
  );
}
