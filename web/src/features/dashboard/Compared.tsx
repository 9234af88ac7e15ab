import type { ReactNode } from 'react';
import classes from './Tiles.module.css';

/** What is said of a number once the comparison is there: nothing moves when it comes, and no line is left empty above another one. */
export function Compared({ lines, children }: { lines: number; children: ReactNode }) {
  const room: Record<`--${string}`, number> = { '--lines': lines };
  return (
    <div className={classes.compared} style={room}>
      {children}
    </div>
  );
}
