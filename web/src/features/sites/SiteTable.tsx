import { Menu } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Site } from '../../../../shared/sites.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { LastReading } from './LastReading.tsx';
import { countStates, deviceStates } from '../../../../shared/states.rules.ts';
import type { SiteNow } from './site-state.ts';
import { LocalTime } from './LocalTime.tsx';
import classes from './Places.module.css';
import { DeviceStateChip, StatusChip } from '../../ui/StatusChip.tsx';

interface SiteTableProps {
  sites: readonly Site[];
  /** By site id. Undefined if the states could not be loaded. Sites without devices have no entry. */
  states: ReadonlyMap<string, SiteNow> | undefined;
  /** Administrators only. */
  onEdit?: (site: Site) => void;
  onDelete?: (site: Site) => void;
}

const noDevices: SiteNow = {
  state: 'never',
  counts: countStates([]),
  currentPowerKw: null,
  lastMeasuredAt: null,
};

export function SiteTable({ sites, states, onEdit, onDelete }: SiteTableProps) {
  const t = useTranslations('sites');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const format = useFormat();

  const live = (site: Site, show: (now: SiteNow) => ReactNode): ReactNode =>
    states === undefined ? null : show(states.get(site.id) ?? noDevices);

  const columns: Column<Site>[] = [
    {
      id: 'name',
      header: tTerms('site'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (site) => (
        <span className={classes.site}>
          <LinkAnchor to="/sites/$siteId" params={{ siteId: site.id }} search={keptRange()} className={classes.name}>
            {site.name}
          </LinkAnchor>
          <span className={classes.siteTableMunicipality}>{site.municipalityName}</span>
        </span>
      ),
    },
    {
      id: 'state',
      header: tTerms('state'),
      sortBy: ({ id }) => -deviceStates.indexOf((states?.get(id) ?? noDevices).state),
      renderCell: (site) => live(site, (now) => <SiteStateChips {...now} />),
    },
    {
      id: 'power',
      header: tTerms('powerNow'),
      align: 'end',
      sortBy: ({ id }) => states?.get(id)?.currentPowerKw ?? null,
      renderCell: (site) =>
        live(site, ({ currentPowerKw }) =>
          currentPowerKw === null ? null : (
            <span className={`${classes.power} figures`}>{format.power(currentPowerKw)}</span>
          ),
        ),
    },
    {
      id: 'last',
      header: tTerms('lastReading'),
      sortBy: ({ id }) => instantOf(states?.get(id)?.lastMeasuredAt),
      renderCell: (site) =>
        live(site, ({ lastMeasuredAt }) => (lastMeasuredAt === null ? null : <LastReading at={lastMeasuredAt} />)),
    },
    {
      id: 'devices',
      header: tTerms('devices'),
      isMinor: true,
      align: 'end',
      sortBy: ({ deviceCount }) => deviceCount,
      renderCell: ({ deviceCount }) => <span className="figures">{format.integer(deviceCount)}</span>,
    },
    { id: 'time', header: t('columns.localTime'), renderCell: ({ timeZone }) => <LocalTime timeZone={timeZone} /> },
  ];
  if (onEdit !== undefined && onDelete !== undefined) {
    columns.push({
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (site) => (
        <RowMenu label={tTerms('actionsFor', { name: site.name })}>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(site)}>
            {tCommon('edit')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(site)}>{tCommon('delete')}</DeleteItem>
        </RowMenu>
      ),
    });
  }
  return (
    <ListTable
      label={tShell('sites')}
      columns={columns}
      rows={sites}
      rowKey={({ id }) => id}
      textOf={({ name, municipalityName }) => `${name} ${municipalityName}`}
      searchLabel={t('search')}
    />
  );
}

/** The states of a site's devices, the worst first. */
function SiteStateChips({ state, counts: { offline, late, never, live, inactive } }: SiteNow) {
  const t = useTranslations('sites.state');
  const tTerms = useTranslations('terms');
  const total = offline + late + never + live;
  if (total === 0)
    return <StatusChip tone="quiet">{inactive === 0 ? tTerms('noDevices') : t('allInactive')}</StatusChip>;
  return (
    <span className={classes.chips}>
      {offline > 0 && <StatusChip tone="warn">{t('someOffline', { count: offline, total })}</StatusChip>}
      {late > 0 && <StatusChip tone="warn">{t('someLate', { count: late, total })}</StatusChip>}
      {(state === 'live' || state === 'never') && <DeviceStateChip state={state} />}
      {never > 0 && state !== 'never' && (
        <StatusChip tone="quiet">{tTerms('withoutData', { count: never })}</StatusChip>
      )}
    </span>
  );
}
