import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChartLine } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { rangeOfLastData } from '../../lib/last-data-range.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { lastReadingQuery } from './queries.ts';

interface NothingInRangeProps {
  /** Where readings are asked for. */
  api: string;
  range: TimeRange;
  timeZone: string;
  chosen: ChosenDevices;
  onRange: (range: TimeRange) => void;
}

/** Where the devices have nothing in the range: the way to their last readings. */
export function NothingInRange({ api, range, timeZone, chosen, onRange }: NothingInRangeProps) {
  const t = useTranslations('measurements.empty');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const deviceIds = chosen.isAll ? [] : chosen.devices.map(({ id }) => id);
  const { data: lastMs } = useQuery(lastReadingQuery({ api, deviceIds }));
  const last = typeof lastMs === 'number' ? rangeOfLastData(range, lastMs, timeZone) : null;
  return (
    <EmptyState
      icon={<IconChartLine size={22} stroke={1.75} />}
      title={lastMs === null ? tTerms('noReadingsYet') : tTerms('noReadingsInRange')}
      action={
        last === null ? undefined : (
          <Button variant="default" onClick={() => onRange(last)}>
            {tTerms('showLast', { range: rangeLabel(last, timeZone, format) })}
          </Button>
        )
      }
    >
      {typeof lastMs === 'number'
        ? tTerms('lastReadingAt', { time: format.dateTime(lastMs, timeZone) })
        : lastMs === null
          ? tTerms('waitForReadings')
          : t('otherRange')}
    </EmptyState>
  );
}
