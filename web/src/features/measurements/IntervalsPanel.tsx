import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { RawIntervalsPage } from '../../../../shared/intervals.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { wireRange } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, ResponsiveTable } from '../../ui/ResponsiveTable.tsx';
import classes from './Measurements.module.css';
import { intervalsQuery, rawPageSize } from './queries.ts';
import { RemoveRows } from './RemoveRows.tsx';

interface IntervalsPanelProps {
  /** The API that the readings come from. */
  api: string;
  range: TimeRange;
  timeZone: string;
  chosen: ChosenDevices;
}

type Interval = RawIntervalsPage['rows'][number];

/** The energy of the intervals that begin in the range, as it was sent, the newest first. Shows nothing if there are none. */
export function IntervalsPanel({ api, range, timeZone, chosen }: IntervalsPanelProps) {
  const t = useTranslations('measurements');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const deviceIds = chosen.isAll ? [] : chosen.devices.map(({ id }) => id);
  const wire = wireRange(range, timeZone);
  const intervals = useInfiniteQuery(intervalsQuery({ api, deviceIds }, wire));
  const { totalCount = 0, rows = [] } = intervals.data ?? {};
  if (totalCount === 0) return null;
  const columns: Column<Interval>[] = [
    {
      id: 'interval',
      header: tTerms('time'),
      kind: 'name',
      renderCell: ({ from, to }) => format.dateTimeSpan(Date.parse(from), Date.parse(to), timeZone),
    },
    { id: 'device', header: tTerms('device'), renderCell: ({ deviceName }) => deviceName },
    { id: 'site', header: tTerms('site'), renderCell: ({ siteName }) => siteName },
    {
      id: 'imported',
      header: `${t('quantities.energyImported')} (kWh)`,
      align: 'end',
      renderCell: ({ importedKwh }) => (importedKwh === null ? null : format.number(importedKwh, 3)),
    },
    {
      id: 'exported',
      header: `${t('quantities.energyExported')} (kWh)`,
      align: 'end',
      renderCell: ({ exportedKwh }) => (exportedKwh === null ? null : format.number(exportedKwh, 3)),
    },
  ];
  return (
    <Panel
      title={tTerms('intervals')}
      flush
      description={t('raw.rows', { from: 1, to: rows.length, count: totalCount })}
      actions={
        <>
          <RemoveRows api={api} kind="intervals" chosen={chosen} range={range} isEmpty={false} timeZone={timeZone} />
          <ExcelButton
            path={`${api}/measurements/intervals/export.xlsx`}
            query={{ deviceIds: deviceIds.join(','), ...wire }}
            isReady
          />
        </>
      }
    >
      <ResponsiveTable
        label={tTerms('intervals')}
        columns={columns}
        rows={rows}
        rowKey={({ from, deviceName, siteName }) => `${from} ${siteName} ${deviceName}`}
      />
      {intervals.hasNextPage && (
        <div className={`${classes.more} screen-only`}>
          <Button
            variant="default"
            loading={intervals.isFetchingNextPage}
            onClick={() => void intervals.fetchNextPage()}
          >
            {tCommon('showMore', {
              count: Math.min(rawPageSize, totalCount - rows.length),
              total: totalCount,
            })}
          </Button>
        </div>
      )}
    </Panel>
  );
}
