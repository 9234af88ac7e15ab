import { useQuery } from '@tanstack/react-query';
import { IconChartLine } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { TimeRange } from '../../lib/time-range.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { NoReadingsInRange } from '../../entities/NoReadingsInRange.tsx';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { lastReadingQuery } from './queries.ts';

interface NothingInRangeProps {
  /** The API that the readings come from. */
  api: string;
  range: TimeRange;
  timeZone: string;
  chosen: ChosenDevices;
  onRange: (range: TimeRange) => void;
}

/** Shown if the devices have no readings in the range. Links to their last readings. */
export function NothingInRange({ api, range, timeZone, chosen, onRange }: NothingInRangeProps) {
  const t = useTranslations('measurements.empty');
  const tTerms = useTranslations('terms');
  const deviceIds = chosen.isAll ? [] : chosen.devices.map(({ id }) => id);
  const { data: lastMs } = useQuery(lastReadingQuery({ api, deviceIds }));
  const icon = <IconChartLine size={22} stroke={1.75} />;
  if (typeof lastMs === 'number') {
    return <NoReadingsInRange icon={icon} range={range} timeZone={timeZone} lastMs={lastMs} onRange={onRange} />;
  }
  return lastMs === null ? (
    <EmptyState icon={icon} title={tTerms('noReadingsYet')}>
      {tTerms('waitForReadings')}
    </EmptyState>
  ) : (
    <EmptyState icon={icon} title={tTerms('noReadingsInRange')}>
      {t('otherRange')}
    </EmptyState>
  );
}
