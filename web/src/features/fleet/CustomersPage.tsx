import { Button, Group } from '@mantine/core';
import { IconBuildings, IconPlus, IconTablePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { customersQuery } from '../../entities/customers.ts';
import { useCreates } from '../../lib/mutations.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PhoneZone } from '../../ui/Freshness.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PrintedAt } from '../../ui/printing.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { useCustomerDialogs } from './CustomerDialogs.tsx';
import { CustomerTable } from './CustomerTable.tsx';

/** The registry of customers with their tokens. */
export function CustomersPage() {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const title = useTranslations('shell')('customers');
  const customers = useQuery(customersQuery);
  const { onCreate, onPaste, dialogs, ...actions } = useCustomerDialogs();
  useCreates(onCreate);
  const newButtons = (
    <Group gap="xs">
      <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={onCreate}>
        {t('new')}
      </Button>
      <Button variant="default" leftSection={<IconTablePlus size={16} stroke={1.75} aria-hidden />} onClick={onPaste}>
        {t('paste.title')}
      </Button>
    </Group>
  );
  const count = customers.data?.length;
  return (
    <>
      <PageHeader
        title={title}
        freshness={<PhoneZone />}
        description={
          count === undefined
            ? '\u00a0'
            : count === 0
              ? undefined
              : t('summary', { count, active: customers.data?.filter(({ isActive }) => isActive).length ?? 0 })
        }
        actions={count === 0 ? undefined : newButtons}
      />
      <Loaded inPanel queries={[customers]} skeleton={<RowsSkeleton rows={6} height={48} />}>
        {(all) =>
          all.length === 0 ? (
            <Panel>
              <EmptyState
                icon={<IconBuildings size={22} stroke={1.75} />}
                title={tTerms('noCustomers')}
                action={newButtons}
              >
                {t('emptyText')}
              </EmptyState>
            </Panel>
          ) : (
            <Panel flush>
              <PrintedAt atMs={customers.dataUpdatedAt} />
              <CustomerTable customers={all} {...actions} />
            </Panel>
          )
        }
      </Loaded>
      {dialogs}
    </>
  );
}
