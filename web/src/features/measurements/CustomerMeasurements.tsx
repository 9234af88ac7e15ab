import { Box } from '@mantine/core';
import { IconBuildings, IconGauge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { NamedCustomer } from '../../../../shared/fleet.ts';
import { CustomerSelect } from '../../entities/CustomerPicker.tsx';
import { namedCustomersQuery, useFoundCustomers } from '../../entities/customers.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { customerApi } from '../../lib/readings-api.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { definedOnly, MeasurementsView, route } from './MeasurementsView.tsx';
import { Age } from '../../ui/Age.tsx';
import { ListTable, longFrom } from '../../ui/ListTable.tsx';
import { NameOverCode } from '../../entities/NameOverCode.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { CustomerStateChip } from '../../entities/CustomerStateChip.tsx';

/** The readings of the customer in the URL. If the URL has no customer, the user chooses one first. */
export function CustomerMeasurements() {
  const { customer } = route.useSearch();
  return customer === undefined ? <ChooseCustomer /> : <ChosenCustomer id={customer.toLowerCase()} />;
}

function ChosenCustomer({ id }: { id: string }) {
  const t = useTranslations('measurements');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const navigate = route.useNavigate();
  const customers = useQuery(namedCustomersQuery({ ids: id }));
  const [chosen] = customers.data?.rows ?? [];
  usePageTitle(chosen?.name ?? null);
  if (customers.isPending) return <PageSkeleton />;
  if (chosen === undefined) {
    return (
      <>
        <PageHeader title={tShell('measurements')} />
        <Loaded isPage queries={[customers]} skeleton={null}>
          {() => <UnknownCustomer />}
        </Loaded>
      </>
    );
  }
  return (
    <MeasurementsView
      key={chosen.id}
      api={customerApi(chosen.id)}
      description={
        <LinkAnchor to="/customers/$customerId" params={{ customerId: chosen.id }}>
          {t('customer.page', { name: chosen.name })}
        </LinkAnchor>
      }
      owner={
        <CustomerSelect
          value={chosen.id}
          onChange={(customer) => {
            // Another customer has other devices.
            if (customer !== null)
              void navigate({ search: (before) => definedOnly({ ...before, customer, devices: undefined }) });
          }}
        />
      }
      noDevices={
        <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={tTerms('noDevices')}>
          {t('customer.noDevices')}
        </EmptyState>
      }
    />
  );
}

function UnknownCustomer() {
  const t = useTranslations('measurements.customer');
  const tTerms = useTranslations('terms');
  return (
    <Panel>
      <EmptyState
        icon={<IconBuildings size={22} stroke={1.75} />}
        title={tTerms('noSuchCustomer')}
        action={
          <LinkButton to="/measurements" search={{}} variant="default">
            {t('chooseOther')}
          </LinkButton>
        }
      >
        {tTerms('noSuchCustomerHint')}
      </EmptyState>
    </Panel>
  );
}

/** The maximum number of customers that are listed. Nobody reads a longer list; the search narrows it. */
const listedCustomers = 500;

/** Chooses the customer whose readings are shown. */
function ChooseCustomer() {
  const t = useTranslations('measurements.customer');
  const tShell = useTranslations('shell');
  const first = useQuery(namedCustomersQuery({ limit: listedCustomers }));
  const search = route.useSearch();
  if (first.isPending) return <PageSkeleton />;
  const [only] = first.data?.rows ?? [];
  if (only !== undefined && first.data?.total === 1) {
    return <Navigate to="/measurements" search={{ ...search, customer: only.id }} replace />;
  }
  return (
    <>
      <PageHeader title={tShell('measurements')} {...(only !== undefined && { description: t('choose') })} />
      <Loaded isPage queries={[first]} skeleton={null}>
        {({ total }) => (total === 0 ? <NoCustomers /> : <CustomerList total={total} />)}
      </Loaded>
    </>
  );
}

function NoCustomers() {
  const t = useTranslations('measurements.customer');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  return (
    <Panel>
      <EmptyState
        icon={<IconBuildings size={22} stroke={1.75} />}
        title={tTerms('noCustomers')}
        action={isAdmin ? <LinkButton to="/customers">{tShell('customers')}</LinkButton> : undefined}
      >
        {t(isAdmin ? 'noneYet' : 'noneHint')}
      </EmptyState>
    </Panel>
  );
}

/** The portal searches the list. It can be sorted if all customers that were found are there. */
function CustomerList({ total }: { total: number }) {
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const [search, setSearch] = useState('');
  const { last } = useFoundCustomers(search, listedCustomers);
  const hasAll = last.total === last.rows.length;
  const columns: Column<NamedCustomer>[] = [
    {
      id: 'customer',
      header: tTerms('customer'),
      kind: 'name',
      ...(hasAll && { sortBy: ({ name }: NamedCustomer) => name }),
      renderCell: ({ id, name, code }) => (
        <NameOverCode code={code}>
          <LinkAnchor to="/measurements" search={(before) => ({ ...before, customer: id })}>
            {name}
          </LinkAnchor>
        </NameOverCode>
      ),
    },
    { id: 'state', header: tTerms('state'), renderCell: ({ state }) => <CustomerStateChip state={state} /> },
    {
      id: 'last',
      header: tTerms('lastBatchStored'),
      align: 'end',
      ...(hasAll && { sortBy: ({ lastSeenAt }: NamedCustomer) => instantOf(lastSeenAt) }),
      renderCell: ({ lastSeenAt }) => (lastSeenAt === null ? null : <Age at={lastSeenAt} />),
    },
  ];
  return (
    <Panel flush>
      {total >= longFrom && (
        <Box px="1.125rem" py="sm" className="screen-only">
          <SearchField label={tTerms('searchCustomers')} value={search} onChange={setSearch} found={last.total} />
        </Box>
      )}
      <ListTable
        label={tShell('customers')}
        columns={columns}
        rows={last.rows}
        rowKey={({ id }) => id}
        {...(!hasAll && {
          remote: {
            sort: null,
            onSort: () => undefined,
            foundCount: last.total,
            note: tTerms('typeMore', { count: last.total - last.rows.length }),
          },
        })}
      />
    </Panel>
  );
}
