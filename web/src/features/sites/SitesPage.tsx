import { Alert, Button, Group } from '@mantine/core';
import { IconBuildingFactory2, IconGauge, IconPlus, IconTableImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Site } from '../../../../shared/sites.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { useCreates } from '../../lib/mutations.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PhoneZone } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/DialogForm.tsx';
import { NewDeviceDialog } from './DeviceDialogs.tsx';
import { DeleteSiteDialog, SiteDialog } from './SiteDialogs.tsx';
import { SiteTable } from './SiteTable.tsx';
import { useSiteStates } from './site-state.ts';
import classes from './Places.module.css';

const route = getRouteApi('/signed-in/client/sites');

/** All sites with their live state. Administrators edit sites here. */
export function SitesPage() {
  const t = useTranslations('sites');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  const navigate = useNavigate();
  const { newDevice } = route.useSearch();
  const sites = useQuery(sitesQuery);
  const editing = useDialog<Site | null>();
  useCreates(() => {
    if (isAdmin) editing.open(null);
  });
  const deleting = useDialog<Site>();

  const count = sites.data?.length ?? 0;
  const deviceCount = sites.data?.reduce((sum, site) => sum + site.deviceCount, 0) ?? 0;
  const allButton = (
    <LinkButton to="/sites/devices" variant="default" leftSection={<IconGauge size={16} stroke={1.75} aria-hidden />}>
      {tTerms('allDevices')}
    </LinkButton>
  );
  const newButton = (
    <>
      <LinkButton
        to="/sites/import"
        variant="default"
        leftSection={<IconTableImport size={16} stroke={1.75} aria-hidden />}
      >
        {t('import.open')}
      </LinkButton>
      <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
        {t('site.new')}
      </Button>
    </>
  );

  return (
    <>
      <PageHeader
        title={tShell('sites')}
        freshness={<PhoneZone />}
        description={
          sites.data === undefined
            ? '\u00a0'
            : count === 0
              ? undefined
              : t('summary', { sites: count, devices: deviceCount })
        }
        actions={
          sites.data?.length === 0 ? undefined : (
            <>
              {(sites.data === undefined || deviceCount > 0) && allButton}
              {isAdmin && newButton}
            </>
          )
        }
      />
      <div className={classes.sitesPageSections}>
        {sites.data === undefined ? (
          sites.isError ? (
            <Panel>
              <ErrorState error={sites.error} onRetry={() => void sites.refetch()} />
            </Panel>
          ) : (
            <LoadingSites />
          )
        ) : count === 0 ? (
          <Panel>
            <EmptyState
              icon={<IconBuildingFactory2 size={22} stroke={1.75} />}
              title={tTerms('noSites')}
              action={isAdmin ? <Group gap="xs">{newButton}</Group> : undefined}
            >
              {isAdmin ? t('empty.admin') : t('empty.user')}
            </EmptyState>
          </Panel>
        ) : (
          <SiteList sites={sites.data} isAdmin={isAdmin} onEdit={editing.open} onDelete={deleting.open} />
        )}
      </div>
      {isAdmin && (
        <>
          <NewDeviceDialog externalId={newDevice} sites={sites.data ?? []} />
          <SiteDialog
            opened={editing.isOpen}
            site={editing.subject}
            onClose={editing.close}
            onSaved={(saved) => {
              // A new site has no devices yet. They are added on the page of the site, unless a device is waiting for a site.
              if (editing.subject === null && newDevice === undefined)
                void navigate({ to: '/sites/$siteId', params: { siteId: saved.id } });
            }}
          />
          {deleting.subject !== null && (
            <DeleteSiteDialog opened={deleting.isOpen} site={deleting.subject} onClose={deleting.close} />
          )}
        </>
      )}
    </>
  );
}

interface SiteListProps {
  sites: readonly Site[];
  isAdmin: boolean;
  onEdit: (site: Site) => void;
  onDelete: (site: Site) => void;
}

function SiteList({ sites, isAdmin, onEdit, onDelete }: SiteListProps) {
  const t = useTranslations('sites');
  const errorText = useErrorText();
  const { states, error, retry } = useSiteStates();

  // The height of a row depends on the states of its devices, so rows wait for them.
  if (states === undefined && error === null) return <LoadingSites />;
  return (
    <>
      {error !== null && (
        <Alert color="yellow" role="status">
          <div className={classes.problem}>
            {t('liveFailed', { reason: errorText(error) })}
            <RetryButton onClick={retry} />
          </div>
        </Alert>
      )}
      <Panel flush>
        <SiteTable sites={sites} states={states} {...(isAdmin ? { onEdit, onDelete } : {})} />
      </Panel>
    </>
  );
}

function LoadingSites() {
  return (
    <Panel>
      <RowsSkeleton rows={4} height={48} />
    </Panel>
  );
}

function RetryButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('common');
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('tryAgain')}
    </Button>
  );
}
