import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './tiles/Tiles.module.css';

/** The Overview before its first numbers. All parts already have their final sizes. */
export function DashboardSkeleton() {
  const t = useTranslations('common');
  return (
    <div role="status" aria-label={t('loading')}>
      <div className={classes.tiles}>
        <Skeleton className={classes.power} radius="lg" />
        <Skeleton className={classes.tile} data-kind="energy" radius="lg" />
        <Skeleton className={classes.tile} data-kind="cost" radius="lg" />
      </div>
      <PanelsSkeleton />
    </div>
  );
}

/** The panels below the first numbers. */
export function PanelsSkeleton() {
  const t = useTranslations('common');
  return (
    <div data-coming={t('coming')}>
      <Skeleton height={486} radius="lg" mb="md" />
      <Skeleton height={300} radius="lg" />
    </div>
  );
}
