import { Skeleton } from '@mantine/core';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { beginDashboard } from '../src/features/dashboard/begin-dashboard.ts';
import { PanelsSkeleton } from '../src/features/dashboard/DashboardSkeleton.tsx';
import { watchedDevices } from '../src/features/dashboard/figures.ts';
import { comparisonQuery, summaryQuery } from '../src/features/dashboard/queries.ts';
import { readDashboardSearch, type DashboardSearch } from '../src/features/dashboard/search.ts';
import { StatTiles } from '../src/features/dashboard/tiles/StatTiles.tsx';
import { StatusStrip } from '../src/features/dashboard/tiles/StatusStrip.tsx';
import { appInfoQuery } from '../src/lib/app-info.ts';
import { useBranding } from '../src/lib/branding.ts';
import { useDisplayZone, useHasRole } from '../src/lib/current-user.ts';
import { devicesOfChoice } from '../src/lib/device-choice.ts';
import { devicesQuery, useDeviceStates } from '../src/lib/devices.ts';
import { dashboardPaths } from '../src/lib/first-paint.ts';
import { startLanguage } from '../src/lib/i18n/language.ts';
import { messagesQuery } from '../src/lib/i18n/messages.ts';
import { BrandMark } from '../src/ui/BrandMark.tsx';
import { Freshness } from '../src/ui/Freshness.tsx';
import { PageHeader } from '../src/ui/PageHeader.tsx';
import { PageSkeleton } from '../src/ui/Skeletons.tsx';
import { useTimeRange } from '../src/ui/time-range/use-time-range.ts';
import { useIsNarrow } from '../src/ui/use-is-narrow.ts';
import brandClasses from '../src/app/Brand.module.css';
import classes from './FirstDashboard.module.css';
import { MoreMessages } from '../src/ui/MoreMessages.tsx';
import dashboardClasses from '../src/features/dashboard/Dashboard.module.css';
import shellClasses from '../src/app/Shell.module.css';

/**
 * What is drawn before the code of the pages arrives (ADR 74): the Dashboard's first numbers once they are there, on other pages
 * their frame. Null if there are no numbers; then the page itself says so.
 */
export async function loadFirst(client: QueryClient): Promise<ReactNode> {
  if (!dashboardPaths.includes(window.location.pathname)) {
    return (
      <FirstFrame font="system-ui, sans-serif">
        <PageSkeleton />
      </FirstFrame>
    );
  }
  const search = readDashboardSearch(searchOf(window.location.search));
  const [{ runMode }] = await Promise.all([
    client.ensureQueryData(appInfoQuery),
    client.ensureQueryData(messagesQuery('numbers', startLanguage())),
    beginDashboard(client, search),
  ]);
  if (runMode !== 'Client') return null;
  return (
    <MoreMessages stage="numbers">
      <FirstDashboard search={search} />
    </MoreMessages>
  );
}

/** As the router reads a URL. */
function searchOf(query: string): Record<string, unknown> {
  const read = (value: string): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  };
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, read(value)]));
}

const nothing = () => undefined;
const underlined = (_device: unknown, text: string) => <u>{text}</u>;

interface FirstFrameProps {
  /** The font of `index.html`, if the typeface must not delay the code of the page. */
  font?: string;
  children: ReactNode;
}

/** The frame of the page, exactly where the page will have it. Nothing in it works yet, so it is hidden from screen readers. */
function FirstFrame({ font, children }: FirstFrameProps) {
  const branding = useBranding();
  return (
    <div className={shellClasses.shell} style={{ fontFamily: font }} inert aria-hidden>
      <div className={`${shellClasses.header} screen-only`}>
        <div className={brandClasses.link}>
          <BrandMark branding={branding} size={28} />
          <span className={`${brandClasses.name} one-line`}>{branding.applicationName}</span>
        </div>
      </div>
      <div className={shellClasses.column}>
        <div className={shellClasses.main}>{children}</div>
      </div>
    </div>
  );
}

/** The head of the page. */
function FirstDashboard({ search }: { search: DashboardSearch }) {
  const t = useTranslations('shell');
  const tCost = useTranslations('dashboard.cost');
  const isNarrow = useIsNarrow();
  const isAdmin = useHasRole('Admin');
  const devices = useQuery(devicesQuery).data ?? [];
  const chosen = devicesOfChoice(search, devices);
  const timeZone = useDisplayZone(search);
  const range = useTimeRange(search, timeZone);
  const { data: summary, dataUpdatedAt } = useQuery(summaryQuery(search, timeZone));
  const states = useDeviceStates(summary === undefined ? [] : watchedDevices(chosen, summary));
  const freshness = <Freshness updatedAtMs={dataUpdatedAt} error={null} onRetry={nothing} timeZone={timeZone} />;
  const comparison = useQuery(comparisonQuery(search, timeZone, range.isLive));
  const hasNumbers = chosen.length > 0 && summary !== undefined;
  const status = hasNumbers && (
    <StatusStrip
      range={range}
      summary={summary}
      comparison={comparison.isError ? undefined : comparison.data}
      states={states}
      timeZone={timeZone}
      onState={nothing}
      deviceLink={underlined}
    />
  );
  return (
    <FirstFrame>
      {isNarrow ? (
        <PageHeader
          title={t('overview')}
          description={freshness}
          actions={devices.length > 1 && <Skeleton className={classes.devices} />}
        />
      ) : (
        <PageHeader
          title={t('overview')}
          actions={
            <>
              {freshness}
              <Skeleton className={classes.range} />
              <Skeleton className={classes.others} />
            </>
          }
        />
      )}
      {isNarrow && <Skeleton className={classes.choices} />}
      {hasNumbers && isNarrow && status}
      {!isNarrow && (devices.length > 1 || hasNumbers) && (
        <div className={dashboardClasses.choices}>
          {devices.length > 1 && <Skeleton className={classes.devices} />}
          {hasNumbers && status}
        </div>
      )}
      {hasNumbers && (
        <StatTiles
          search={search}
          timeZone={timeZone}
          isLive={range.isLive}
          summary={summary}
          devices={chosen}
          isStale={false}
          ratesLink={isAdmin && <u>{tCost('setTariff')}</u>}
          onExplain={nothing}
          onWhy={nothing}
        />
      )}
      <PanelsSkeleton />
    </FirstFrame>
  );
}
