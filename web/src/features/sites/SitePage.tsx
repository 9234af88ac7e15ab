import { Button, Menu } from '@mantine/core';
import { IconBuildingFactory2, IconDots, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Device, Site, SiteWithDevices } from '../../../../shared/sites.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { ApiError } from '../../lib/http.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteItem } from '../../ui/RowMenu.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { DeviceDialogs, useDeviceDialogs } from './DeviceDialogs.tsx';
import { DevicesPanel } from './DevicesPanel.tsx';
import { LocalTime } from './LocalTime.tsx';
import { liveQuery, siteQuery } from './queries.ts';
import { SendingPanel } from './SendingPanel.tsx';
import { DeleteSiteDialog, SiteDialog } from './SiteDialogs.tsx';
import { SiteFigures } from './SiteFigures.tsx';
import classes from './Place.module.css';

const route = getRouteApi('/signed-in/client/sites/$siteId');

interface SitePageProps {
  /** What the site took and cost, where it has devices. */
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
