import type { ReactNode } from 'react';
import classes from './Notice.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
}

/** Where there is nothing yet: says what to do next. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.notice}>
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{children}</p>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
