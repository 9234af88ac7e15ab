import { IconChartAreaLine } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { useHasRole } from '../../lib/current-user.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { NoReadingsInRange } from '../../ui/NoReadingsInRange.tsx';
import { lastReadingMs } from './figures.ts';

interface NothingInRangeProps {
  range: TimeRange;
  timeZone: string;
  summary: DashboardSummary;
  onRange: (range: TimeRange) => void;
}

/** In the place of the load curve where the range has no readings: the way to the last ones, or how to send the first. */
export function NothingInRange({ range, timeZone, summary, onRange }: NothingInRangeProps) {
  const t = useTranslations('dashboard.empty');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  const lastMs = lastReadingMs(summary);
  const icon = <IconChartAreaLine size={22} stroke={1.75} />;
  if (lastMs === null) {
    const action = isAdmin ? <LinkButton to="/settings/api-keys">{tTerms('goToApiKeys')}</LinkButton> : undefined;
    return (
      <EmptyState icon={icon} title={tTerms('noReadingsYet')} action={action}>
        {isAdmin ? t('sendReadings') : tTerms('waitForReadings')}
      </EmptyState>
    );
  }
  return <NoReadingsInRange icon={icon} range={range} timeZone={timeZone} lastMs={lastMs} onRange={onRange} />;
}
