import { Select } from '@mantine/core';
import { IconBuildings, IconGauge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { NamedCustomer } from '../../../../shared/fleet.ts';
import { namedCustomersQuery } from '../../entities/customers.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { customerApi } from '../../lib/readings-api.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { definedOnly, MeasurementsView, route } from './MeasurementsView.tsx';
import { Age } from '../../ui/Age.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { NameOverCode } from '../../entities/NameOverCode.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { CustomerStateChip } from '../../entities/CustomerStateChip.tsx';

/** The readings of the customer in the URL. If the URL has no customer, the user chooses one first. */
export function CustomerMeasurements() {
  const t = useTranslations('measurements');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const customers = useQuery(namedCustomersQuery);
  const search = route.useSearch();
  const { customer: customerId } = search;
  const chosen = customers.data?.find(({ id }) => id === customerId?.toLowerCase());
  usePageTitle(chosen?.name ?? null);
  if (customers.isPending) return <PageSkeleton />;
  const [only, ...others] = customers.data ?? [];
  if (customerId === undefined && only !== undefined && others.length === 0) {
    return <Navigate to="/measurements" search={{ ...search, customer: only.id }} replace />;
  }
  if (chosen === undefined || customers.data === undefined) {
    return (
      <>
        <PageHeader
          title={tShell('measurements')}
          {...(customerId === undefined && only !== undefined && { description: t('customer.choose') })}
        />
        <Loaded isPage queries={[customers]} skeleton={null}>
          {(all) => (customerId === undefined ? <ChooseCustomer customers={all} /> : <UnknownCustomer />)}
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
      owner={<CustomerSelect customers={customers.data} chosen={chosen} />}
      noDevices={
        <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={tTerms('noDevices')}>
          {t('customer.noDevices')}
        </EmptyState>
      }
    />
  );
}

/** The maximum number of matching customers in the list. */
const maxOptions = 100;

function CustomerSelect({ customers, chosen }: { customers: readonly NamedCustomer[]; chosen: NamedCustomer }) {
  const tTerms = useTranslations('terms');
  const navigate = route.useNavigate();
  return (
    <Select
      label={tTerms('customer')}
      data={customers.map(({ id, name, code }) => ({ value: id, label: `${name} · ${code}` }))}
      value={chosen.id}
      searchable
      selectFirstOptionOnChange
      limit={maxOptions}
      allowDeselect={false}
      checkIconPosition="right"
      nothingFoundMessage={tTerms('noCustomerMatches')}
      onChange={(customer) => {
        // Another customer has other devices.
        if (customer !== null)
          void navigate({ search: (before) => definedOnly({ ...before, customer, devices: undefined }) });
      }}
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

/** Chooses the customer whose readings are shown. */
function ChooseCustomer({ customers }: { customers: readonly NamedCustomer[] }) {
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
    { id: 'state', header: tTerms('state'), renderCell: ({ state }) => <CustomerStateChip state={state} /> },
    {
      id: 'last',
      header: tTerms('lastBatchStored'),
      align: 'end',
      sortBy: ({ lastSeenAt }) => instantOf(lastSeenAt),
      renderCell: ({ lastSeenAt }) => (lastSeenAt === null ? null : <Age at={lastSeenAt} />),
    },
  ];
  const isAdmin = useHasRole('Admin');
  if (customers.length === 0) {
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
