import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconGauge } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useHasRole } from '../../lib/current-user.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { sitesQuery, useSitesTimeZone } from '../../lib/sites.ts';
import { searchOfRange, type TimeRange, type TimeRangeSearch } from '../../lib/time-range.ts';
import { autoBucket } from '../../ui/charts/buckets.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { chosenDevices, commonTimeZone } from '../../lib/chosen-devices.ts';
import classes from './Measurements.module.css';
import { maxPoints } from './queries.ts';
import { RawPanel } from './RawPanel.tsx';
import type { MeasurementsSearch } from './search.ts';
import { ViewControls } from './ViewControls.tsx';

const route = getRouteApi('/signed-in/client/measurements');

/** Any quantity of any devices over any range, as a chart and reading by reading. Its address is the view. */
export function MeasurementsPage() {
  const t = useTranslations('measurements');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useHasRole('Admin');
  const sites = useQuery(sitesQuery);
  const devices = useQuery(devicesQuery);
  const chosen = useMemo(() => chosenDevices(search.devices, devices.data ?? []), [search.devices, devices.data]);
  const sitesTimeZone = useSitesTimeZone();
  const commonZone = commonTimeZone(chosen.devices, sites.data ?? []);
  const timeZone = search.tz ?? commonZone ?? sitesTimeZone;
  const range = useTimeRange(search, timeZone);

  // Another view of the same page: the reader stays where they look.
  const view = { resetScroll: false };
  const chooseRange = (next: TimeRangeSearch) =>
    void navigate({
      ...view,
      search: ({ range: _range, from: _from, to: _to, tz: _tz, ...rest }) => ({ ...rest, ...next }),
    });
  const showRange = (next: TimeRange) =>
    chooseRange({
      ...searchOfRange(next, timeZone, Date.now()),
      ...(search.tz === undefined ? {} : { tz: search.tz }),
    });
  const change = (next: { [Key in keyof MeasurementsSearch]?: MeasurementsSearch[Key] | undefined }) =>
    void navigate({ ...view, search: (before) => definedOnly({ ...before, ...next }) });

  const failure = devices.error ?? sites.error;
  const retry = () => {
    for (const query of [devices, sites]) if (query.isError) void query.refetch();
  };

  // Whose clock is meant stands in the header, and only the chosen devices and their sites tell.
  if (sites.isPending || devices.isPending) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={<TimeRangePicker search={search} timeZone={timeZone} onChange={chooseRange} />}
      />
      {devices.data === undefined || sites.data === undefined ? (
        <ErrorState error={failure} onRetry={retry} />
      ) : devices.data.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<IconGauge size={22} stroke={1.75} />}
            title={t('empty.noDevices')}
            action={isAdmin ? <LinkButton to="/sites">{t('empty.goToSites')}</LinkButton> : undefined}
          >
            {isAdmin ? t('empty.addDevices') : t('empty.askAdmin')}
          </EmptyState>
        </Panel>
      ) : (
        <div className={classes.page}>
          <ViewControls
            search={search}
            range={range}
            timeZone={timeZone}
            devices={devices.data}
            chosen={chosen}
            automaticBucket={autoBucket(range, maxPoints)}
            onChange={change}
          />
          {chosen.devices.length === 0 ? (
            <Panel>
              <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={t('empty.unknownDevices')}>
                {t('empty.chooseDevices')}
              </EmptyState>
            </Panel>
          ) : (
            <>
              <ChartPanel
                search={search}
                range={range}
                timeZone={timeZone}
                chosen={chosen}
                onRange={showRange}
                onBucket={(bucket) => change({ bucket })}
              />
              <RawPanel
                key={`${search.devices} ${range.preset ?? `${range.fromMs} ${range.toMs}`} ${timeZone}`}
                search={search}
                timeZone={timeZone}
                chosen={chosen}
                isOneZone={timeZone === commonZone}
                isLive={range.isLive}
                onRange={showRange}
              />
            </>
          )}
        </div>
      )}
    </>
  );
}

function definedOnly(search: {
  [Key in keyof MeasurementsSearch]?: MeasurementsSearch[Key] | undefined;
}): MeasurementsSearch {
  const { devices, quantity, bucket, range, from, to, tz } = search;
  return {
    ...(devices === undefined ? {} : { devices }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(range === undefined ? {} : { range }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(tz === undefined ? {} : { tz }),
  };
}
