import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { countStates, fleetDeviceState, siteState } from '../../../../shared/states.rules.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { DeviceStateChip } from '../../ui/StatusChip.tsx';
import { ListPanel, type Paging } from './ListPanel.tsx';
import classes from './Fleet.module.css';

type Site = CustomerDetail['sites'][number];
type Device = CustomerDetail['devices'][number];
type Municipality = CustomerDetail['municipalities'][number];

const zoneText = (timeZone: string) => timeZone.replaceAll('_', ' ');

interface SitesPanelProps {
  customer: CustomerDetail['customer'];
  sites: readonly Site[];
  /** All devices of the customer; null if some are not loaded, so that the states of sites are not known. */
  devices: readonly Device[] | null;
  paging: Paging;
}

export function SitesPanel({ customer, sites, devices, paging }: SitesPanelProps) {
  const t = useTranslations('fleet.customer');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const bySite = Map.groupBy(devices ?? [], ({ siteId }) => siteId);
  const stateOf = (site: Site) =>
    siteState(countStates((bySite.get(site.id) ?? []).map((device) => fleetDeviceState(device, customer, nowMs))));
  const columns: Column<Site>[] = [
    {
      id: 'name',
      header: tTerms('site'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name }) => name,
    },
    ...(devices === null
      ? []
      : [
          {
            id: 'state',
            header: tTerms('state'),
            renderCell: (site: Site) => <DeviceStateChip state={stateOf(site)} />,
          },
        ]),
    {
      id: 'town',
      header: tTerms('municipality'),
      sortBy: ({ municipalityName }) => municipalityName,
      renderCell: ({ municipalityName }) => municipalityName,
    },
    {
      id: 'zone',
      header: tTerms('timeZone'),
      renderCell: ({ timeZone }) => (timeZone === null ? null : zoneText(timeZone)),
    },
    {
      id: 'devices',
      header: tTerms('devices'),
      align: 'end',
      sortBy: ({ deviceCount }) => deviceCount,
      renderCell: ({ deviceCount }) => <span className="figures">{format.integer(deviceCount)}</span>,
    },
  ];
  return (
    <ListPanel
      title={tShell('sites')}
      empty={t('noRecords')}
      columns={columns}
      rows={sites}
      paging={paging}
      rowKey={({ id }) => id}
      textOf={({ name, municipalityName }) => `${name} ${municipalityName}`}
    />
  );
}

interface DevicesPanelProps {
  customer: CustomerDetail['customer'];
  devices: readonly Device[];
  paging: Paging;
}

export function DevicesPanel({ customer, devices, paging }: DevicesPanelProps) {
  const t = useTranslations('fleet.customer');
  const tTerms = useTranslations('terms');
  const nowMs = useNow(10_000);
  const columns: Column<Device>[] = [
    {
      id: 'name',
      header: tTerms('device'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ id, name, externalId, siteName }) => (
        <span className={classes.record}>
          {siteName === null ? (
            <span>{name}</span>
          ) : (
            <LinkAnchor
              to="/measurements"
              search={{ ...keptRange(), customer: customer.id, devices: id }}
              className={classes.link}
            >
              {name}
            </LinkAnchor>
          )}
          <span className={classes.small}>{externalId}</span>
        </span>
      ),
    },
    {
      id: 'site',
      header: tTerms('site'),
      sortBy: ({ siteName }) => siteName,
      renderCell: ({ siteName }) => siteName,
    },
    {
      id: 'state',
      header: tTerms('state'),
      renderCell: (device) => <DeviceStateChip state={fleetDeviceState(device, customer, nowMs)} />,
    },
    {
      id: 'last',
      header: tTerms('lastReading'),
      sortBy: ({ lastMeasuredAt }) => instantOf(lastMeasuredAt),
      renderCell: ({ lastMeasuredAt }) => (lastMeasuredAt === null ? null : <Age at={lastMeasuredAt} />),
    },
  ];
  return (
    <ListPanel
      title={tTerms('devices')}
      empty={t('noRecords')}
      columns={columns}
      rows={devices}
      paging={paging}
      rowKey={({ id }) => id}
      textOf={({ name, externalId, siteName }) => `${name} ${externalId} ${siteName ?? ''}`}
    />
  );
}

export function MunicipalitiesPanel({
  municipalities,
  paging,
}: {
  municipalities: readonly Municipality[];
  paging: Paging;
}) {
  const t = useTranslations('fleet.customer');
  const tTerms = useTranslations('terms');
  const columns: Column<Municipality>[] = [
    {
      id: 'name',
      header: tTerms('municipality'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name }) => name,
    },
    {
      id: 'zone',
      header: tTerms('timeZone'),
      sortBy: ({ timeZone }) => timeZone,
      renderCell: ({ timeZone }) => zoneText(timeZone),
    },
  ];
  return (
    <ListPanel
      title={tTerms('municipalities')}
      empty={t('noRecords')}
      columns={columns}
      rows={municipalities}
      paging={paging}
      textOf={({ name, timeZone }) => `${name} ${zoneText(timeZone)}`}
      rowKey={({ id }) => id}
    />
  );
}
