import { IconBuildings } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { NamedCustomer } from '../../../../shared/fleet.ts';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { NameOverCode } from '../../ui/NameOverCode.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { StatusChip } from '../../ui/StatusChip.tsx';

/** Whose readings are to be shown. */
export function ChooseCustomer({ customers }: { customers: readonly NamedCustomer[] }) {
  const t = useTranslations('measurements.customer');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const columns: Column<NamedCustomer>[] = [
    {
      id: 'customer',
      header: tTerms('customer'),
      kind: 'name',
      sortBy: ({ name }) => name,
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
      header: tTerms('lastBatchStored'),
      align: 'end',
      sortBy: ({ lastSeenAt }) => instantOf(lastSeenAt),
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
        <EmptyState icon={<IconBuildings size={22} stroke={1.75} />} title={tTerms('noCustomers')}>
          {t('noneHint')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel flush>
      <ListTable
        label={tShell('customers')}
        columns={columns}
        rows={customers}
        rowKey={({ id }) => id}
        textOf={({ name, code }) => `${name} ${code}`}
        searchLabel={tTerms('searchCustomers')}
      />
    </Panel>
  );
}
