import { CloseButton, ActionIcon, Popover, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { loadCode } from '../../lib/load-code.ts';
import { wireSoFar } from '../../lib/compared-ranges.ts';
import { choiceOfDevices, devicesOfChoice, isChoice, readDeviceChoice, wireChoice } from '../../lib/device-choice.ts';
import { devicesQuery, useDeviceStates } from '../../lib/devices.ts';
import { useDisplayZone, useHasRole } from '../../lib/current-user.ts';
import { sitesQuery } from '../../lib/sites.ts';
import type { DeviceState } from '../../../../shared/states.rules.ts';
import { linkedRange, fixedSearchOf, type TimeRange } from '../../lib/time-range.ts';
import { useNow } from '../../lib/use-now.ts';
import { DevicePicker } from '../../entities/DevicePicker.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { NothingChosen } from '../../ui/EmptyState.tsx';
import { Freshness } from '../../ui/Freshness.tsx';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { changesOf } from './changes.ts';
import classes from './Dashboard.module.css';
import { DashboardSkeleton, PanelsSkeleton } from './DashboardSkeleton.tsx';
import { lastReadingMs, watchedDevices } from './figures.ts';
import { dashboardPanels } from './panels-code.ts';
import { comparisonQuery, summaryQuery } from './queries.ts';
import { RatesLink } from './RatesLink.tsx';
import { readReportSearch, reportOf } from './report/search.ts';
import { StatTiles } from './tiles/StatTiles.tsx';
import { StatusStrip } from './tiles/StatusStrip.tsx';
import tiles from './tiles/Tiles.module.css';
import { devicesPlace, lookAt, viewsOf, type ChangeView, type ExplainView } from './view.ts';
import { IconDots } from '@tabler/icons-react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import type { DashboardSearch } from './search.ts';

const route = getRouteApi('/signed-in/client/dashboard');

const AlarmTrouble = lazy(loadCode(async () => ({ default: (await import('./tiles/AlarmTrouble.tsx')).AlarmTrouble })));
const FirstStepsPanel = lazy(
  loadCode(async () => ({ default: (await import('./FirstStepsPanel.tsx')).FirstStepsPanel })),
);

/**
 * Answers whether today is normal, what it costs and why: with the current power, and the energy, cost and quality of the
 * range.
 */
export function DashboardPage() {
  const t = useTranslations('dashboard');
  const tShell = useTranslations('shell');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sites = useQuery(sitesQuery);
  const devices = useQuery(devicesQuery);
  const chosen = useMemo(() => devicesOfChoice(search, devices.data ?? []), [search, devices.data]);
  const timeZone = useDisplayZone(search);
  const range = useTimeRange(search, timeZone);
  const nowMs = useNow(60_000);
  // By then the time zone is known, so nothing is requested twice.
  const enabled = !devices.isPending && !sites.isPending;
  const summary = useQuery({ ...summaryQuery(search, timeZone), enabled });
  const comparison = useQuery({ ...comparisonQuery(search, timeZone, range.isLive), enabled });
  const compared = comparison.data === undefined && comparison.isError ? null : comparison.data;
  const changes = useMemo(() => changesOf(summary.data, compared), [summary.data, compared]);

  const isNarrow = useIsNarrow();
  const isAdmin = useHasRole('Admin');
  const states = useDeviceStates(
    devices.data === undefined || summary.data === undefined ? [] : watchedDevices(chosen, summary.data),
  );

  // Another view of the same page: keep the scroll position.
  const change: ChangeView = (next, replace = false) => void navigate({ search: next, replace, resetScroll: false });
  const views = viewsOf({ search, range, timeZone, deviceCount: chosen.length, change });
  const explain = (view: ExplainView) => {
    // The explanation uses current data. So the number that it explains is loaded again, too.
    if (range.isLive) void summary.refetch();
    views.explain(view);
  };
  const showState = (state: DeviceState | null) => {
    change(({ state: _state, ...rest }) => (state === null ? rest : { ...rest, state }));
    lookAt(devicesPlace);
  };
  const chooseDevices = (ids: string) => {
    const all = devices.data ?? [];
    const choice = ids === 'all' ? {} : choiceOfDevices(new Set(ids.split(',')), all);
    change(({ sites: _sites, devices: _devices, ...rest }) => ({ ...rest, ...choice }));
  };

  const retry = () => {
    for (const query of [sites, devices, summary]) if (query.isError) void query.refetch();
  };
  const isKnown = sites.data !== undefined && devices.data !== undefined && summary.data !== undefined;
  // The first numbers do not wait for the panels below them.
  const hasPanels = useDeferredValue(isKnown, false);
  const failure = sites.error ?? devices.error ?? summary.error;

  // The header shows the time zone. It depends only on the chosen devices and their sites.
  if (sites.isPending || devices.isPending) return <PageSkeleton />;
  const hasChoice = devices.data !== undefined && devices.data.length > 1;
  const freshness = (
    <Freshness
      updatedAtMs={summary.dataUpdatedAt}
      error={summary.data && summary.error}
      onRetry={retry}
      timeZone={timeZone}
    />
  );
  const rangePicker = (
    <TimeRangePicker
      search={search}
      timeZone={timeZone}
      // On a phone the age of the data has the zone beside it.
      hasZone={!isNarrow || search.tz !== undefined}
      onChange={views.chooseRange}
    />
  );
  const excel = (
    <ExcelButton
      path="/api/dashboard/summary/export.xlsx"
      query={{ ...wireSoFar(range, timeZone, nowMs), ...wireChoice(search) }}
      reason={chosen.length === 0 ? t('nothingToExport') : null}
      isReady={devices.data !== undefined}
    />
  );
  const devicePicker = hasChoice && (
    <div className={classes.choice}>
      <DevicePicker
        isBare
        devices={devices.data}
        chosen={{ devices: chosen, isAll: !isChoice(search) }}
        onChange={chooseDevices}
      />
      {isChoice(search) && <CloseButton aria-label={t('allDevicesAgain')} onClick={() => chooseDevices('all')} />}
    </div>
  );
  const others = devices.data !== undefined && devices.data.length > 0 && (
    <>
      <CopyLink search={search} range={range} timeZone={timeZone} />
      <LinkButton
        to="/compare"
        search={{ ...linkedRange(search), ...readDeviceChoice({ ...search }) }}
        variant="default"
      >
        {tShell('compare')}
      </LinkButton>
      <LinkButton
        to="/report"
        search={{ ...reportOf(range, timeZone, nowMs), ...readReportSearch({ ...search }) }}
        variant="default"
      >
        {tShell('report')}
      </LinkButton>
    </>
  );
  const status = !isKnown
    ? failure === null && <Skeleton className={tiles.strip} />
    : chosen.length > 0 && (
        <StatusStrip
          range={range}
          summary={summary.data}
          comparison={compared}
          states={states}
          timeZone={timeZone}
          onState={showState}
          deviceLink={deviceLink}
        >
          <Suspense>
            <AlarmTrouble chosen={states} />
          </Suspense>
        </StatusStrip>
      );
  // If there is a cost, there is also a tariff.
  const isSetUp =
    !isKnown || isChoice(search) || (lastReadingMs(summary.data) !== null && summary.data.costs.length > 0);
  const room = <Skeleton height={isNarrow ? 188 : 116} radius="lg" mb="md" />;
  const firstSteps = !isSetUp && (isAdmin || devices.data.length === 0) && (
    <Suspense fallback={room}>
      <FirstStepsPanel room={room} sites={sites.data} deviceCount={devices.data.length} summary={summary.data} />
    </Suspense>
  );
  return (
    <>
      {isNarrow ? (
        <>
          <PageHeader title={tShell('overview')} description={freshness} actions={devicePicker} />
          <div className={classes.choices}>
            {rangePicker}
            <MoreActions>
              {excel}
              {others}
            </MoreActions>
          </div>
          {status}
        </>
      ) : (
        <>
          <PageHeader
            title={tShell('overview')}
            actions={
              <>
                {freshness}
                {rangePicker}
                {excel}
                {others && <MoreActions>{others}</MoreActions>}
              </>
            }
          />
          {(devicePicker || status) && (
            <div className={classes.choices}>
              {devicePicker}
              {status}
            </div>
          )}
        </>
      )}
      {isKnown && devices.data.length === 0 && firstSteps}
      {isKnown && devices.data.length > 0 && chosen.length === 0 && (
        <NothingChosen onAll={() => chooseDevices('all')} />
      )}
      {isKnown && chosen.length > 0 && (
        <>
          <StatTiles
            search={search}
            timeZone={timeZone}
            isLive={range.isLive}
            summary={summary.data}
            devices={chosen}
            isStale={summary.isPlaceholderData}
            ratesLink={<RatesLink />}
            onExplain={() => explain({ shows: 'lines' })}
            onWhy={(currency) => explain({ shows: 'change', currency })}
          />
          {firstSteps}
          <Suspense fallback={<PanelsSkeleton />}>
            {hasPanels ? (
              <dashboardPanels.Component
                search={search}
                range={range}
                timeZone={timeZone}
                chosen={chosen}
                summary={summary.data}
                isStale={summary.isPlaceholderData}
                changes={changes}
                states={states}
                views={views}
                onExplain={explain}
                onState={showState}
                change={change}
              />
            ) : (
              <PanelsSkeleton />
            )}
          </Suspense>
        </>
      )}
      {!isKnown && (failure === null ? <DashboardSkeleton /> : <ErrorState error={failure} onRetry={retry} />)}
    </>
  );
}

const deviceLink = ({ siteId, deviceId }: DashboardSummary['devices'][number], text: string) => (
  <LinkAnchor to="/sites/$siteId/devices/$deviceId" params={{ siteId, deviceId }} inherit underline="always">
    {text}
  </LinkAnchor>
);

/**
 * Buttons in the head of a page that do not fit beside its title. If a button has started an action, the action continues while
 * the buttons are hidden.
 */
function MoreActions({ children }: { children: ReactNode }) {
  const t = useTranslations('common');
  const isNarrow = useIsNarrow();
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Popover position="bottom-end" trapFocus returnFocus keepMounted={wasOpened} onOpen={() => setWasOpened(true)}>
      <Popover.Target>
        <ActionIcon variant="default" size={isNarrow ? 44 : 36} aria-label={t('moreActions')}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface CopyLinkProps {
  search: DashboardSearch;
  range: TimeRange;
  timeZone: string;
}

/** Copies a link to the current view, with choice and zoom, and with the current dates of the range. */
function CopyLink({ search, range, timeZone }: CopyLinkProps) {
  const t = useTranslations('common');
  const router = useRouter();
  // Tomorrow a preset would mean another range. A zone that follows from the sites may change when sites change.
  const { range: _preset, ...view } = search;
  const link = router.buildLocation({
    to: '/dashboard',
    search: { ...view, ...fixedSearchOf(range, timeZone), tz: timeZone },
  });
  return (
    <CopyButton
      size="sm"
      text={new URL(link.href, window.location.origin).href}
      label={t('copyLinkLong')}
      caption={t('copyLink')}
    />
  );
}
