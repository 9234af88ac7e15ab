import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './Tiles.module.css';

const others = ['peak', 'average', 'power factor', 'devices'];

/** The Dashboard before its first numbers, in the sizes that they will have. */
export function DashboardSkeleton() {
  const t = useTranslations('common');
  return (
    <div role="status" aria-label={t('loading')}>
      <div className={classes.tiles}>
        <Skeleton className={classes.power} radius="lg" />
        <Skeleton className={classes.tile} data-kind="energy" radius="lg" />
        <Skeleton className={classes.tile} data-kind="cost" radius="lg" />
        {others.map((name) => (
          <Skeleton key={name} className={classes.tile} radius="lg" />
        ))}
      </div>
      <Skeleton height={486} radius="lg" mb="md" />
      <Skeleton height={300} radius="lg" />
    </div>
  );
}
