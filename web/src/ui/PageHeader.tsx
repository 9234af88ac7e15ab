import type { ReactNode } from 'react';
import { useIsNarrow } from './use-is-narrow.ts';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The age of the data: below the title on a phone, otherwise before the actions. */
  freshness?: ReactNode;
  /** Buttons and pickers on the right. If there is not enough space, they are below the title. */
  actions?: ReactNode;
}

/** The head of a page with its only `h1`. */
export function PageHeader({ title, description, freshness, actions }: PageHeaderProps) {
  const isNarrow = useIsNarrow();
  const beside = isNarrow ? undefined : freshness;
  return (
    <div className={classes.header}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {description !== undefined && <p className={classes.description}>{description}</p>}
        {isNarrow && freshness !== undefined && <div className={`${classes.description} screen-only`}>{freshness}</div>}
      </div>
      {(actions ?? beside) !== undefined && (
        <div className={`${classes.actions} screen-only`}>
          {beside}
          {actions}
        </div>
      )}
    </div>
  );
}
