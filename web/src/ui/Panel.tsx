import type { ReactNode } from 'react';
import classes from './Panel.module.css';

interface PanelProps {
  /** Becomes the panel's `h2` and its accessible name. */
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** No padding around the content: tables that reach the edges. */
  flush?: boolean;
  children: ReactNode;
}

/** A bordered surface with a heading: the building block of every page. */
export function Panel({ title, description, actions, flush = false, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      {title !== undefined && (
        <header className={classes.head}>
          <div>
            <h2 className={classes.title}>{title}</h2>
            {description !== undefined && <p className={classes.description}>{description}</p>}
          </div>
          {actions !== undefined && <div className={`${classes.actions} screen-only`}>{actions}</div>}
        </header>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
