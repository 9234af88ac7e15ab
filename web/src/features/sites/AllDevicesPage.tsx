import { IconGauge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useHasRole } from '../../lib/current-user.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PhoneZone } from '../../ui/Freshness.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { DeviceList } from './DeviceList.tsx';
import { useLiveDevices } from './site-state.ts';

/** The devices of all sites in one list. */
export function AllDevicesPage() {
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  const sites = useQuery(sitesQuery);
  const live = useLiveDevices();
  const queries = [sites, ...live.queries] as const;
  const isKnown = queries.every(({ data }) => data !== undefined);
  return (
    <>
      <BackLink to="/sites">{t('page.back')}</BackLink>
      <PageHeader
        title={tTerms('allDevices')}
        freshness={<PhoneZone />}
        description={
          isKnown ? t('summary', { sites: sites.data?.length ?? 0, devices: live.devices.length }) : '\u00a0'
        }
      />
      <Loaded inPanel queries={queries} skeleton={<RowsSkeleton rows={8} height={48} />}>
        {() =>
          live.devices.length === 0 ? (
            <Panel>
              <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={tTerms('noDevices')}>
                {t('allDevices.empty')}
              </EmptyState>
            </Panel>
          ) : (
            <DeviceList
              devices={live.devices}
              powerOf={({ currentPowerKw }) => currentPowerKw}
              textOf={({ siteName }) => siteName}
              searchLabel={tTerms('searchDevices')}
              place={{
                id: 'site',
                header: tTerms('site'),
                sortBy: ({ siteName }) => siteName,
                renderCell: ({ siteId, siteName }) => (
                  <LinkAnchor to="/sites/$siteId" params={{ siteId }} search={keptRange()}>
                    {siteName}
                  </LinkAnchor>
                ),
              }}
              canChange={isAdmin}
            />
          )
        }
      </Loaded>
    </>
  );
}
