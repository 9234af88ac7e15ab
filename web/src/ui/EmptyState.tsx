import type { ReactNode } from 'react';
import classes from './Notice.module.css';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Panel } from './Panel.tsx';
import { Button } from '@mantine/core';

interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
  /** Whether it is the whole page. Then its title is the `h1`. */
  isPage?: boolean;
}

/** Shown in place of an empty page. Says what to do next. */
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

interface NothingChosenProps {
  /** The side of a comparison to which the sites and devices belong, if there are two sides. */
  of?: string;
  onAll: () => void;
}

/** Shown in place of numbers if the chosen sites and devices do not exist. */
export function NothingChosen({ of, onAll }: NothingChosenProps) {
  const t = useTranslations('dashboard');
  return (
    <Panel {...(of === undefined ? {} : { title: of })}>
      <EmptyState
        icon={<IconFilterOff size={22} stroke={1.75} />}
        title={t('nothingChosen.title')}
        action={
          <Button variant="default" onClick={onAll}>
            {t('allDevicesAgain')}
          </Button>
        }
      >
        {t('nothingChosen.text')}
      </EmptyState>
    </Panel>
  );
}
