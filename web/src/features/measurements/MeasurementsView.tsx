import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconGauge } from '@tabler/icons-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { choiceOfDevices } from '../../lib/device-choice.ts';
import { devicesQueryOf } from '../../lib/devices.ts';
import { ownApi } from '../../lib/readings-api.ts';
import { useDisplayZone } from '../../lib/current-user.ts';
import { keepMeasured } from '../../lib/kept-range.ts';
import { sitesQueryOf } from '../../lib/sites.ts';
import {
  defaultPreset,
  linkedRange,
  searchOfRange,
  type TimeRange,
  type TimeRangeSearch,
} from '../../lib/time-range.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { InTurn } from '../../ui/InTurn.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { BlockSkeleton, PageSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { commonTimeZone } from '../../lib/chosen-devices.ts';
import { IntervalsPanel } from './IntervalsPanel.tsx';
import classes from './Measurements.module.css';
import { shownDevices } from './queries.ts';
import { RawPanel } from './RawPanel.tsx';
import type { MeasurementsSearch } from './search.ts';
import { ViewControls } from './ViewControls.tsx';

export const route = getRouteApi('/signed-in/measurements');

/** The height (px) of the panels that are not drawn yet. */
const restHeight = 640;

interface MeasurementsViewProps {
  /** The API that sites, devices and readings come from. */
  api: string;
  /** The name next to the title of the page. */
  description?: ReactNode;
  /** The field to choose a customer, if there is one. */
  owner: ReactNode;
  /** Shown in place of everything else if there are no devices. */
  noDevices: ReactNode;
}

/**
 * Any quantity of any devices over any range, as a chart and as single readings. The URL contains everything that determines
 * the view.
 */
export function MeasurementsView({ api, description, owner, noDevices }: MeasurementsViewProps) {
  const t = useTranslations('measurements');
  const tShell = useTranslations('shell');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sites = useQuery(sitesQueryOf(api));
  const devices = useQuery(devicesQueryOf(api));
  useEffect(() => {
    if (search.devices !== undefined) keepMeasured(api, search.devices);
  }, [api, search.devices]);
  const chosen = useMemo(() => shownDevices(api, search, devices.data ?? []), [api, search, devices.data]);
  const timeZone = useDisplayZone(search);
  const range = useTimeRange(search, timeZone);

  // Another view of the same page: keep the scroll position.
  const view = { resetScroll: false };
  const chooseRange = (next: TimeRangeSearch) =>
    void navigate({
      ...view,
      search: ({ range: _range, from: _from, to: _to, tz: _tz, zoom: _zoom, ...rest }) => ({
        ...rest,
        // If the URL has no range, the page opens with 24 hours.
        ...(next.from === undefined && next.range === undefined ? { range: defaultPreset } : {}),
        ...next,
      }),
    });
  const showRange = (next: TimeRange) =>
    chooseRange({
      ...searchOfRange(next, timeZone, Date.now()),
      ...(search.tz === undefined ? {} : { tz: search.tz }),
    });
  const change = (next: { [Key in keyof MeasurementsSearch]?: MeasurementsSearch[Key] | undefined }) =>
    void navigate({ ...view, search: (before) => definedOnly({ ...before, ...next }) });

  // The header shows the time zone. It depends only on the chosen devices and their sites.
  if (sites.isPending || devices.isPending) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={tShell('measurements')}
        {...(description === undefined ? {} : { description })}
        actions={<TimeRangePicker search={search} timeZone={timeZone} onChange={chooseRange} api={api} />}
      />
      <Loaded isPage queries={[sites, devices]} skeleton={<PageSkeleton />}>
        {(allSites, allDevices) =>
          allDevices.length === 0 ? (
            <>
              {owner !== null && <div className={classes.owner}>{owner}</div>}
              <Panel>{noDevices}</Panel>
            </>
          ) : (
            <div className={classes.page}>
              <ViewControls
                owner={owner}
                search={search}
                range={range}
                timeZone={timeZone}
                devices={allDevices}
                chosen={chosen}
                onChange={change}
              >
                {api === ownApi && (
                  <LinkButton
                    to="/compare"
                    search={{
                      ...linkedRange(search),
                      ...(chosen.isAll ? {} : choiceOfDevices(new Set(chosen.devices.map(({ id }) => id)), allDevices)),
                    }}
                    variant="default"
                    size="xs"
                  >
                    {tShell('compare')}
                  </LinkButton>
                )}
              </ViewControls>
              {chosen.devices.length === 0 ? (
                <Panel>
                  <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={t('empty.unknownDevices')}>
                    {t('empty.chooseDevices')}
                  </EmptyState>
                </Panel>
              ) : (
                <InTurn rest={<BlockSkeleton height={restHeight} />}>
                  <ChartPanel
                    api={api}
                    search={search}
                    range={range}
                    timeZone={timeZone}
                    sites={allSites}
                    allDevices={allDevices}
                    chosen={chosen}
                    onRange={showRange}
                    onZoom={(zoom) =>
                      void navigate({ ...view, search: (before) => definedOnly({ ...before, zoom }), replace: true })
                    }
                    onBucket={(bucket) => change({ bucket })}
                  />
                  <RawPanel
                    key={`${api} ${search.devices} ${range.preset ?? `${range.fromMs} ${range.toMs}`} ${timeZone}`}
                    api={api}
                    search={search}
                    timeZone={timeZone}
                    chosen={chosen}
                    isOneZone={timeZone === commonTimeZone(chosen.devices, sites.data ?? [])}
                    isLive={range.isLive}
                    onRange={showRange}
                  />
                  <IntervalsPanel api={api} range={range} timeZone={timeZone} chosen={chosen} />
                </InTurn>
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** Undefined keys are left out, because a URL has none. */
export function definedOnly(search: {
  [Key in keyof MeasurementsSearch]?: MeasurementsSearch[Key] | undefined;
}): MeasurementsSearch {
  const { customer, devices, quantity, bucket, zoom, range, from, to, tz } = search;
  return {
    ...(customer === undefined ? {} : { customer }),
    ...(devices === undefined ? {} : { devices }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(zoom === undefined ? {} : { zoom }),
    ...(range === undefined ? {} : { range }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(tz === undefined ? {} : { tz }),
  };
}
