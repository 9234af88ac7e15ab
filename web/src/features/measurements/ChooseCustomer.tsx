import { IconBuildings, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { NamedCustomer } from '../../../../shared/fleet.ts';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { LongTable } from '../../ui/LongTable.tsx';
import { NameOverCode } from '../../ui/NameOverCode.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import classes from './Measurements.module.css';

/** Whose readings are to be shown. */
export function ChooseCustomer({ customers }: { customers: readonly NamedCustomer[] }) {
  const t = useTranslations('measurements.customer');
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = customers.filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(wanted));
  const columns: Column<NamedCustomer>[] = [
    {
      id: 'customer',
      header: t('label'),
      kind: 'name',
      renderCell: ({ id, name, code }) => (
        <NameOverCode code={code}>
          <LinkAnchor to="/measurements" search={(before) => ({ ...before, customer: id })}>
            {name}
          </LinkAnchor>
        </NameOverCode>
      ),
    },
    {
      id: 'last',
      header: t('last'),
      align: 'end',
      renderCell: ({ isActive, lastSeenAt }) =>
        !isActive ? (
          <StatusChip tone="quiet">{t('off')}</StatusChip>
        ) : lastSeenAt === null ? (
          <StatusChip tone="warn">{t('waiting')}</StatusChip>
        ) : (
          <Age at={lastSeenAt} />
        ),
    },
  ];
  if (customers.length === 0) {
    return (
      <Panel>
        <EmptyState icon={<IconBuildings size={22} stroke={1.75} />} title={t('none')}>
          {t('noneHint')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <div className={classes.page}>
      <SearchField label={t('search')} value={search} onChange={setSearch} />
      <Panel flush>
        {found.length === 0 ? (
          <EmptyState icon={<IconSearch size={22} stroke={1.75} />} title={t('noMatch')}>
            {t('noMatchHint')}
          </EmptyState>
        ) : (
          <LongTable key={wanted} label={t('table')} columns={columns} rows={found} rowKey={({ id }) => id} />
        )}
      </Panel>
    </div>
  );
}
