import { Center, Loader, Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';

interface RowsSkeletonProps {
  rows?: number;
  height?: number;
  /** For a panel whose content reaches its edges. */
  isInset?: boolean;
}

/** Lines in place of a list or table that is loading. */
export function RowsSkeleton({ rows = 6, height = 36, isInset = false }: RowsSkeletonProps) {
  const t = useTranslations('common');
  return (
    <Stack
      gap="xs"
      role="status"
      aria-label={t('loading')}
      data-coming={t('coming')}
      {...(isInset && { px: '1.125rem', pt: '1rem', pb: '1.125rem' })}
    >
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  );
}

/** A box in place of a chart or card that is loading. Give it the height of the content, so that nothing moves. */
export function BlockSkeleton({ height }: { height: number | string }) {
  const t = useTranslations('common');
  return <Skeleton height={height} radius="lg" role="status" aria-label={t('loading')} data-coming={t('coming')} />;
}

/** The whole window, before even the shell has loaded. */
export function WindowLoader() {
  const t = useTranslations('common');
  return (
    <Center mih="100dvh" role="status" aria-label={t('loading')}>
      <Loader size="sm" />
    </Center>
  );
}

/** A whole page whose code is loading. */
export function PageSkeleton() {
  const t = useTranslations('common');
  return (
    <Stack gap="lg" role="status" aria-label={t('loading')} data-coming={t('coming')}>
      <Skeleton height={28} width={180} radius="sm" />
      <Skeleton height={120} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </Stack>
  );
}
