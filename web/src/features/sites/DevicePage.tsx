import { Button, Skeleton } from '@mantine/core';
import { IconChartLine, IconGauge, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Device, Site, SiteWithDevices } from '../../../../shared/sites.ts';
import { PlaceAlarms } from '../../entities/OpenAlarms.tsx';
import { useDisplayZone, useHasRole } from '../../lib/current-user.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { unknownValue } from '../../../../shared/format.ts';
import { ApiError } from '../../lib/http.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { deviceLimits, deviceState } from '../../../../shared/states.rules.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { linkedRange } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useReadingAge } from '../../lib/use-reading-age.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { DeviceDialogs, useDeviceDialogs } from './DeviceDialogs.tsx';
import { DeviceMenu } from './DeviceMenu.tsx';
import classes from './Places.module.css';
import shared from './Places.module.css';
import { DeviceQuality } from './DeviceQuality.tsx';
import { Figure, Figures, Facts } from '../../ui/Figures.tsx';
import { LocalTime } from './LocalTime.tsx';
import { liveQuery, siteQuery } from './queries.ts';
import { SendingPanel } from './SendingPanel.tsx';
import { DeviceStateChip } from '../../ui/StatusChip.tsx';
const route = getRouteApi('/signed-in/client/sites/$siteId/devices/$deviceId');

interface DevicePageProps {
  /** The panels of the device's energy and cost. */
  renderFigures: (site: Site, device: Device) => ReactNode;
}

/** One device: its current power, its energy, its settings, and the anomalies of its readings. */
export function DevicePage({ renderFigures }: DevicePageProps) {
  const { siteId, deviceId } = route.useParams();
  const site = useQuery(siteQuery(siteId));
  const device = site.data?.devices.find(({ id }) => id === deviceId.toLowerCase());
  usePageTitle(device?.name ?? null);
  const isSiteGone = site.error instanceof ApiError && site.error.status === 404;

  if (isSiteGone) return <NoSuchDevice site={undefined} />;
  if (site.data !== undefined) {
    return device === undefined ? (
      <MovedDevice site={site.data} deviceId={deviceId} />
    ) : (
      <LoadedDevice key={device.id} site={site.data} device={device} renderFigures={renderFigures} />
    );
  }
  return site.isError ? <ErrorState error={site.error} onRetry={() => void site.refetch()} /> : <PageSkeleton />;
}

/** If a device has moved to another site, its page is at that site. */
function MovedDevice({ site, deviceId }: { site: Site; deviceId: string }) {
  const devices = useQuery(devicesQuery);
  const search = route.useSearch();
  const found = devices.data?.find(({ id }) => id === deviceId.toLowerCase());
  if (found !== undefined && found.siteId !== site.id) {
    const params = { siteId: found.siteId, deviceId: found.id };
    return <Navigate to="/sites/$siteId/devices/$deviceId" params={params} search={search} replace />;
  }
  return devices.isFetching ? <PageSkeleton /> : <NoSuchDevice site={site} />;
}

function NoSuchDevice({ site }: { site: Site | undefined }) {
  const t = useTranslations('sites');
  usePageTitle(t('devicePage.notFoundTitle'));
  return (
    <>
      <Breadcrumbs site={site} />
      <EmptyState
        isPage
        icon={<IconGauge size={22} stroke={1.75} />}
        title={t('devicePage.notFoundTitle')}
        action={
          <LinkButton to="/sites" variant="default">
            {t('page.back')}
          </LinkButton>
        }
      >
        {t('devicePage.notFoundText')}
      </EmptyState>
    </>
  );
}

function Breadcrumbs({ site, current }: { site: Site | undefined; current?: string }) {
  const t = useTranslations('sites');
  const tShell = useTranslations('shell');
  return (
    <nav aria-label={t('devicePage.breadcrumbs')}>
      <ol className={classes.breadcrumbs}>
        <li>
          <LinkAnchor to="/sites" activeOptions={{ exact: true }} className={classes.crumb}>
            {tShell('sites')}
          </LinkAnchor>
        </li>
        {site !== undefined && (
          <li>
            <LinkAnchor
              to="/sites/$siteId"
              params={{ siteId: site.id }}
              search={keptRange()}
              activeOptions={{ exact: true }}
              className={classes.crumb}
            >
              {site.name}
            </LinkAnchor>
          </li>
        )}
        {current !== undefined && <li aria-current="page">{current}</li>}
      </ol>
    </nav>
  );
}

interface LoadedDeviceProps extends DevicePageProps {
  site: SiteWithDevices;
  device: Device;
}

function LoadedDevice({ site, device, renderFigures }: LoadedDeviceProps) {
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const isAdmin = useHasRole('Admin');
  const navigate = useNavigate();
  const search = route.useSearch();
  const dialogs = useDeviceDialogs();
  const edit = () => dialogs.editing.open(device);

  return (
    <>
      <Breadcrumbs site={site} current={device.name} />
      <PageHeader
        title={device.name}
        description={
          <span className={shared.place}>
            <code className={classes.externalId}>{device.externalId}</code>
            <LocalTime timeZone={site.timeZone} />
          </span>
        }
        actions={
          <>
            <LinkButton
              to="/measurements"
              search={{ ...linkedRange(search), devices: device.id }}
              variant="default"
              leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
            >
              {tTerms('readings')}
            </LinkButton>
            {isAdmin && <DeviceMenu device={device} onEdit={edit} onDelete={dialogs.deleting.open} />}
          </>
        }
      />
      <div className={shared.sections}>
        <DeviceFigures device={device} />
        <PlaceAlarms ids={[device.id]} />
        {device.isActive && device.lastMeasuredAt === null && <SendingPanel isAdmin={isAdmin} />}
        {device.lastMeasuredAt !== null && renderFigures(site, device)}
        <Panel
          title={t('devicePage.settings')}
          actions={
            isAdmin && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPencil size={14} stroke={1.75} aria-hidden />}
                onClick={edit}
              >
                {tCommon('edit')}
              </Button>
            )
          }
        >
          <DeviceSettings
            device={device}
            parentName={site.devices.find(({ id }) => id === device.parentDeviceId)?.name}
          />
        </Panel>
        {device.lastMeasuredAt !== null && <DeviceQuality site={site} device={device} />}
      </div>
      {isAdmin && (
        <DeviceDialogs
          site={site}
          {...dialogs}
          leave={() => navigate({ to: '/sites/$siteId', params: { siteId: site.id } })}
        />
      )}
    </>
  );
}

function DeviceFigures({ device }: { device: Device }) {
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  const timeZone = useDisplayZone();
  const live = useQuery(liveQuery);
  const state = deviceState(device, nowMs);
  const { isActive, lastMeasuredAt, expectedIntervalSeconds } = device;
  const measured = live.data?.devices.find(({ deviceId }) => deviceId === device.id);
  const { lateAfterSeconds, offlineAfterSeconds } = deviceLimits(expectedIntervalSeconds);
  const limits = { late: format.duration(lateAfterSeconds), offline: format.duration(offlineAfterSeconds) };
  return (
    <Figures>
      <Figure label={tTerms('powerNow')}>
        {live.isPending ? (
          <Skeleton height={22} width={96} my={5} />
        ) : (
          format.power(isActive ? measured?.currentPowerKw : null)
        )}
      </Figure>
      <Figure
        label={tTerms('lastReading')}
        note={lastMeasuredAt === null ? t('page.noReading') : format.dateTime(lastMeasuredAt, timeZone)}
      >
        {lastMeasuredAt === null ? unknownValue : readingAge(lastMeasuredAt, nowMs)}
      </Figure>
      <Figure label={tTerms('state')} note={isActive ? t('devicePage.limits', limits) : t('devicePage.notWatched')}>
        <DeviceStateChip state={state} />
      </Figure>
    </Figures>
  );
}

/** How the energy of the device is computed, and when the device counts as offline. */
function DeviceSettings({ device, parentName }: { device: Device; parentName: string | undefined }) {
  const t = useTranslations('sites.device');
  const tTerms = useTranslations('terms');
  const tPage = useTranslations('sites.devicePage');
  const format = useFormat();
  const { externalId, energySource, ratedPowerKw, registerMaxKwh, expectedIntervalSeconds, endUse } = device;
  const quantity = (value: number | null, unit: string) =>
    value === null ? tPage('notSet') : `${format.number(value, Number.isInteger(value) ? 0 : undefined)}\u00a0${unit}`;
  const facts: [string, ReactNode][] = [
    [
      tTerms('externalId'),
      <span key="externalId" className={classes.externalId}>
        {externalId}
      </span>,
    ],
    ...(parentName === undefined ? [] : [[t('parent'), parentName] satisfies [string, string]]),
    [t('endUse'), endUse ?? tPage('notSet')],
    [t('energySource'), t(`sources.${energySource}`)],
    [t('ratedPowerKw'), quantity(ratedPowerKw, 'kW')],
    [t('registerMaxKwh'), quantity(registerMaxKwh, 'kWh')],
    [
      t('expectedIntervalSeconds'),
      expectedIntervalSeconds === null ? tPage('notSet') : format.duration(expectedIntervalSeconds),
    ],
  ];
  return <Facts facts={facts} />;
}
