import { Button, Menu, Skeleton } from '@mantine/core';
import { IconBuildingFactory2, IconDots, IconPencil, IconPlus, IconGauge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Device, Site, SiteWithDevices } from '../../../../shared/sites.ts';
import { PlaceAlarms } from '../../entities/OpenAlarms.tsx';
import { useDisplayZone, useHasRole } from '../../lib/current-user.ts';
import { ApiError } from '../../lib/http.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteItem } from '../../ui/RowMenu.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/DialogForm.tsx';
import { DeviceDialogs, useDeviceDialogs } from './DeviceDialogs.tsx';
import { LocalTime } from './LocalTime.tsx';
import { liveQuery, siteQuery } from './queries.ts';
import { SendingPanel } from './SendingPanel.tsx';
import { DeleteSiteDialog, SiteDialog } from './SiteDialogs.tsx';
import classes from './Places.module.css';
import { Panel } from '../../ui/Panel.tsx';
import { DeviceList } from './DeviceList.tsx';
import { DeviceMenu } from './DeviceMenu.tsx';
import { unknownValue } from '../../../../shared/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useReadingAge } from '../../lib/use-reading-age.ts';
import { deviceState } from '../../../../shared/states.rules.ts';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { siteNow } from './site-state.ts';

const route = getRouteApi('/signed-in/client/sites/$siteId');

interface SitePageProps {
  /** The panels of the site's energy and cost, if it has devices. */
  renderFigures: (site: Site) => ReactNode;
}

/** One site with its devices. */
export function SitePage({ renderFigures }: SitePageProps) {
  const t = useTranslations('sites.page');
  const { siteId } = route.useParams();
  const site = useQuery(siteQuery(siteId));
  usePageTitle(site.data?.name ?? null);
  const isGone = site.error instanceof ApiError && site.error.status === 404;

  return (
    <>
      <BackLink to="/sites">{t('back')}</BackLink>
      {isGone ? (
        <EmptyState
          icon={<IconBuildingFactory2 size={22} stroke={1.75} />}
          title={
            <span role="heading" aria-level={1}>
              {t('notFoundTitle')}
            </span>
          }
          action={
            <LinkButton to="/sites" variant="default">
              {t('back')}
            </LinkButton>
          }
        >
          {t('notFoundText')}
        </EmptyState>
      ) : site.data !== undefined ? (
        <LoadedSite key={site.data.id} site={site.data} renderFigures={renderFigures} />
      ) : site.isError ? (
        <ErrorState error={site.error} onRetry={() => void site.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function LoadedSite({ site, renderFigures }: SitePageProps & { site: SiteWithDevices }) {
  const t = useTranslations('sites');
  const isAdmin = useHasRole('Admin');
  const live = useQuery(liveQuery);
  const dialogs = useDeviceDialogs();
  const power = (device: Device) =>
    live.data === undefined
      ? undefined
      : (live.data.devices.find(({ deviceId }) => deviceId === device.id)?.currentPowerKw ?? null);
  const isWaitingForData = site.devices.some(({ isActive, lastMeasuredAt }) => isActive && lastMeasuredAt === null);

  return (
    <>
      <PageHeader
        title={site.name}
        description={
          <span className={classes.place}>
            <span>{site.municipalityName}</span>
            <LocalTime timeZone={site.timeZone} />
          </span>
        }
        actions={
          isAdmin && (
            <>
              {site.devices.length > 0 && (
                <Button
                  leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
                  onClick={() => dialogs.editing.open(null)}
                >
                  {t('device.add')}
                </Button>
              )}
              <SiteMenu site={site} />
            </>
          )
        }
      />
      <div className={classes.sections}>
        {site.devices.length > 0 && <SiteFigures site={site} powerOf={power} />}
        <PlaceAlarms ids={[site.id, ...site.devices.map(({ id }) => id)]} />
        {site.devices.some(({ lastMeasuredAt }) => lastMeasuredAt !== null) && renderFigures(site)}
        <DevicesPanel
          site={site}
          powerOf={power}
          {...(isAdmin
            ? { onAdd: () => dialogs.editing.open(null), onEdit: dialogs.editing.open, onDelete: dialogs.deleting.open }
            : {})}
        />
        {isWaitingForData && <SendingPanel isAdmin={isAdmin} />}
      </div>
      {isAdmin && <DeviceDialogs site={site} {...dialogs} />}
    </>
  );
}

function SiteMenu({ site }: { site: SiteWithDevices }) {
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const navigate = useNavigate();
  const editing = useDialog<null>();
  const deleting = useDialog<null>();
  return (
    <>
      <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={tTerms('actionsFor', { name: site.name })}>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => editing.open(null)}>
            {t('site.edit')}
          </Menu.Item>
          <DeleteItem onClick={() => deleting.open(null)}>{t('site.delete')}</DeleteItem>
        </Menu.Dropdown>
      </Menu>
      <SiteDialog opened={editing.isOpen} site={site} onClose={editing.close} />
      <DeleteSiteDialog
        opened={deleting.isOpen}
        site={site}
        onClose={deleting.close}
        leave={() => navigate({ to: '/sites' })}
      />
    </>
  );
}

interface DevicesPanelProps {
  site: SiteWithDevices;
  /** In kW. Null if nothing is measured now; undefined while the power loads. */
  powerOf: (device: Device) => number | null | undefined;
  /** Administrators only. */
  onAdd?: () => void;
  onEdit?: (device: Device) => void;
  onDelete?: (device: Device) => void;
}

/** The devices of a site, and the actions that administrators have. */
function DevicesPanel({ site, powerOf, onAdd, onEdit, onDelete }: DevicesPanelProps) {
  const t = useTranslations('sites.device');
  const tTerms = useTranslations('terms');
  const isEmpty = site.devices.length === 0;
  const wasEmpty = useRef(isEmpty);
  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The last device was moved to another site, and the pressed button is gone with it.
    if (isEmpty && !wasEmpty.current) addButton.current?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  if (isEmpty) {
    return (
      <Panel>
        <EmptyState
          icon={<IconGauge size={22} stroke={1.75} />}
          title={tTerms('noDevices')}
          action={
            onAdd !== undefined && (
              <Button ref={addButton} leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={onAdd}>
                {t('add')}
              </Button>
            )
          }
        >
          {onAdd === undefined ? t('emptyUser') : t('emptyAdmin')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <DeviceList
      devices={site.devices}
      powerOf={powerOf}
      canChange={onEdit !== undefined}
      renderActions={(device) =>
        onEdit !== undefined &&
        onDelete !== undefined && <DeviceMenu device={device} onEdit={onEdit} onDelete={onDelete} />
      }
    />
  );
}

interface SiteFiguresProps {
  site: SiteWithDevices;
  /** In kW. Null if nothing is measured now; undefined while the power loads. */
  powerOf: (device: Device) => number | null | undefined;
}

/** The site at a glance. */
function SiteFigures({ site, powerOf }: SiteFiguresProps) {
  const t = useTranslations('sites.page');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  const timeZone = useDisplayZone();
  const isLoading = site.devices.some((device) => powerOf(device) === undefined);
  const { state, counts, currentPowerKw, lastMeasuredAt } = siteNow(
    site.devices.map((device) => ({
      state: deviceState(device, nowMs),
      currentPowerKw: powerOf(device) ?? null,
      parentDeviceId: device.parentDeviceId,
      lastMeasuredAt: device.lastMeasuredAt,
    })),
  );
  const notes = [
    counts.offline > 0 ? tTerms('offlineCount', { count: counts.offline }) : null,
    counts.late > 0 ? tTerms('lateCount', { count: counts.late }) : null,
    counts.never > 0 ? tTerms('withoutData', { count: counts.never }) : null,
    counts.inactive > 0 ? t('inactiveCount', { count: counts.inactive }) : null,
  ].filter((note) => note !== null);

  return (
    <Figures>
      <Figure label={tTerms('powerNow')}>
        {isLoading ? <Skeleton height={22} width={96} my={5} /> : format.power(currentPowerKw)}
      </Figure>
      <Figure
        label={tTerms('lastReading')}
        note={lastMeasuredAt === null ? t('noReading') : format.dateTime(lastMeasuredAt, timeZone)}
      >
        {lastMeasuredAt === null ? unknownValue : readingAge(lastMeasuredAt, nowMs)}
      </Figure>
      <Figure
        label={tTerms('devices')}
        note={notes.length === 0 ? t('allReport') : notes.join(' · ')}
        isWarning={state === 'offline' || state === 'late'}
      >
        {tTerms('activeCount', { count: site.devices.length - counts.inactive })}
      </Figure>
    </Figures>
  );
}
