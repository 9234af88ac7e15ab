import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { commonTimeZone } from '../../lib/chosen-devices.ts';
import { choiceOfDevices, devicesOfChoice, isChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import { endOf } from '../../lib/compared-ranges.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { useDisplayZone } from '../../lib/current-user.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { searchOfRange, unknownRange, type TimeRangeSearch } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useRangeNow } from '../../lib/use-figures-at.ts';
import { DevicePicker } from '../../entities/DevicePicker.tsx';
import { EmptyState, NothingChosen } from '../../ui/EmptyState.tsx';
import { FirstSteps } from '../../ui/FirstSteps.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { BlockSkeleton, PageSkeleton } from '../../ui/Skeletons.tsx';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import classes from './Compare.module.css';
import { Compared } from './Compared.tsx';
import { compareQuery, firstQueries, workbookWire } from './compared-data.ts';
import { sidesOf, withOtherChoice, withOtherRange, type CompareSearch } from './search.ts';
import { sideNames } from './side-names.ts';

const route = getRouteApi('/signed-in/client/compare');

/** Two ranges, sites or devices on one axis: this week and last week, or one site and another. */
export function ComparePage() {
  const t = useTranslations('compare');
  const tDashboard = useTranslations('dashboard');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const nowMs = useRangeNow(60_000);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sites = useQuery(sitesQuery);
  const devices = useQuery(devicesQuery);
  const all = useMemo(() => devices.data ?? [], [devices.data]);
  const timeZone = useDisplayZone(search);
  const { range, otherRange, choice, otherChoice } = sidesOf(search, timeZone, nowMs);
  const [own, others] = [devicesOfChoice(choice, all), devicesOfChoice(otherChoice, all)];
  const hasDevices = own.length > 0 && others.length > 0;
  const isReady = !devices.isPending && !sites.isPending && hasDevices;
  const { curve, days } = firstQueries(search, timeZone);
  const compared = useQuery({ ...curve, enabled: isReady });
  const listed = useQuery({ ...days, enabled: isReady });
  const costs = useQuery({ ...compareQuery(search, timeZone, 'cost'), enabled: isReady });
  if (sites.isPending || devices.isPending) return <PageSkeleton />;
  if (devices.data?.length === 0) {
    return (
      <>
        <PageHeader title={tShell('compare')} />
        <FirstSteps hasSites={sites.data !== undefined && sites.data.length > 0} />
      </>
    );
  }

  // Reset the zoom when a side changes.
  const change = ({ zoom: _zoom, ...next }: CompareSearch) => void navigate({ search: next, resetScroll: false });
  const keepZoom = (zoom: string | undefined) =>
    void navigate({
      search: ({ zoom: _zoom, ...rest }) => (zoom === undefined ? rest : { ...rest, zoom }),
      replace: true,
      resetScroll: false,
    });
  const chooseRange = (next: TimeRangeSearch) => {
    const { range: _range, from: _from, to: _to, tz: _tz, ...rest } = search;
    change({ ...rest, ...next });
  };
  const choiceOf = (ids: string): DeviceChoice => (ids === 'all' ? {} : choiceOfDevices(new Set(ids.split(',')), all));
  const chooseDevices = (ids: string) => {
    const { sites: _sites, devices: _devices, ...rest } = search;
    change({ ...rest, ...choiceOf(ids) });
  };
  const chooseOthers = (ids: string) => {
    const chosen = choiceOf(ids);
    // An empty choice would fall back to the devices of the first side.
    const siteIds = [...new Set(all.map((device) => device.siteId))].join(',');
    change(withOtherChoice(search, isChoice(chosen) || !isChoice(choice) ? chosen : { sites: siteIds }));
  };
  const names = sideNames(
    [choice, otherChoice],
    [rangeLabel(range, timeZone, format), rangeLabel(otherRange, timeZone, format)],
    all,
    {
      sites: (count) => tTerms('countSites', { count }),
      someDevices: (name, count, of) => t('someDevices', { name, count, all: of }),
      withDevice: (name, device) => t('withDevice', { name, device }),
    },
  );
  return (
    <>
      <PageHeader
        title={tShell('compare')}
        actions={
          <ExcelButton
            path="/api/dashboard/comparison/export.xlsx"
            query={workbookWire(search, timeZone, nowMs, compared.data)}
            reason={hasDevices ? null : tDashboard('nothingToExport')}
            isReady={compared.data !== undefined}
          />
        }
      />
      <div className={classes.sides}>
        <fieldset className={classes.side}>
          <legend>{t('first')}</legend>
          <DevicePicker
            isBare
            devices={all}
            chosen={{ devices: own, isAll: !isChoice(choice) }}
            onChange={chooseDevices}
          />
          <TimeRangePicker search={search} timeZone={timeZone} onChange={chooseRange} />
        </fieldset>
        <fieldset className={classes.side}>
          <legend>{t('second')}</legend>
          <DevicePicker
            isBare
            devices={all}
            chosen={{ devices: others, isAll: others.length === all.length }}
            onChange={chooseOthers}
          />
          <TimeRangePicker
            search={searchOfRange(otherRange, timeZone, nowMs)}
            timeZone={timeZone}
            isUnknown={search.otherRange === unknownRange}
            dayZone={commonTimeZone(others, sites.data ?? []) ?? undefined}
            onChange={(next) => change(withOtherRange(search, next))}
          />
        </fieldset>
      </div>
      <SegmentedControl
        className="screen-only"
        mb="md"
        aria-label={t('align')}
        value={search.align ?? compared.data?.align ?? 'day'}
        data={[
          { value: 'day', label: t('byDay') },
          { value: 'weekday', label: t('byWeekday') },
        ]}
        onChange={(align) => change({ ...search, align: align === 'weekday' ? 'weekday' : 'day' })}
      />
      {own.length === 0 && <NothingChosen of={t('first')} onAll={() => chooseDevices('all')} />}
      {others.length === 0 && otherChoice !== choice && (
        <NothingChosen of={t('second')} onAll={() => chooseOthers('all')} />
      )}
      {compared.isError && compared.data === undefined && (
        <ErrorState error={compared.error} onRetry={() => void compared.refetch()} />
      )}
      {hasDevices && compared.isPending && <BlockSkeleton height={480} />}
      {hasDevices && compared.data !== undefined && (
        <Compared
          answer={compared.data}
          byDay={listed.data}
          costs={costs.data}
          isRunning={range.fromMs < nowMs && endOf(range, compared.data) > nowMs + 60_000}
          hasSameDevices={own.length === others.length && own.every((device) => others.includes(device))}
          zoom={{ text: search.zoom, keep: keepZoom }}
          names={names}
          isStale={compared.isPlaceholderData || listed.isPlaceholderData || costs.isPlaceholderData}
          empty={
            <EmptyState icon={<IconChartLine size={22} stroke={1.75} />} title={t('nothing')}>
              {t('nothingText')}
            </EmptyState>
          }
        />
      )}
    </>
  );
}
