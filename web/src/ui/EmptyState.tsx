import type { ReactNode } from 'react';
import classes from './Notice.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
  /** It is the whole page, and its title the page's `h1`. */
  isPage?: boolean;
}

/** Where there is nothing yet: says what to do next. */
export function EmptyState({ icon, title, children, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={classes.notice}>
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
      <Title className={classes.title}>{title}</Title>
      <p className={classes.text}>{children}</p>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
