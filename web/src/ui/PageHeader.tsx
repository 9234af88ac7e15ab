import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** Buttons and pickers on the right. If there is not enough space, they are below the title. */
  actions?: ReactNode;
}

/** The head of a page with its only `h1`. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <div className={classes.header}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {description !== undefined && <p className={classes.description}>{description}</p>}
      </div>
      {actions !== undefined && <div className={`${classes.actions} screen-only`}>{actions}</div>}
    </div>
  );
}
