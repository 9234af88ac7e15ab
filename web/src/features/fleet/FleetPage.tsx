import { Button } from '@mantine/core';
import { IconBuildings, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { FleetDashboard } from '../../../../shared/fleet.ts';
import { type CustomerState, customerStates } from '../../../../shared/states.rules.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { searchFor } from '../../../../shared/search-text.ts';
import { useFormat } from '../../lib/use-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { Freshness } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PrintedAt } from '../../ui/printing.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { FleetTable } from './FleetTable.tsx';
import { fleetQuery } from './queries.ts';
import classes from './Fleet.module.css';

/** The customers with problems, since when and why. Then what the other customers send. */
export function FleetPage() {
  const t = useTranslations('fleet.dashboard');
  const tTerms = useTranslations('terms');
  const title = useTranslations('shell')('overview');
  const isAdmin = useHasRole('Admin');
  const fleet = useQuery(fleetQuery);
  const retry = () => void fleet.refetch();
  return (
    <>
      <PageHeader
        title={title}
        freshness={<Freshness updatedAtMs={fleet.dataUpdatedAt} error={fleet.data && fleet.error} onRetry={retry} />}
        actions={<ExcelButton path="/api/fleet/dashboard/export.xlsx" query={{}} isReady={fleet.data !== undefined} />}
      />
      {fleet.data === undefined ? (
        fleet.isError ? (
          <Panel>
            <ErrorState error={fleet.error} onRetry={retry} />
          </Panel>
        ) : (
          <div className={classes.sections}>
            <BlockSkeleton height={104} />
            <BlockSkeleton height={480} />
          </div>
        )
      ) : fleet.data.customerCount === 0 ? (
        <Panel>
          <EmptyState
            icon={<IconBuildings size={22} stroke={1.75} />}
            title={tTerms('noCustomers')}
            action={isAdmin ? <LinkButton to="/customers">{t('toCustomers')}</LinkButton> : undefined}
          >
            {t(isAdmin ? 'emptyText' : 'emptyRestricted')}
          </EmptyState>
        </Panel>
      ) : (
        <>
          <PrintedAt atMs={fleet.dataUpdatedAt} />
          <Loaded fleet={fleet.data} />
        </>
      )}
    </>
  );
}

function Loaded({ fleet }: { fleet: FleetDashboard }) {
  const t = useTranslations('fleet.dashboard');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const tStates = useTranslations('sites.customerState');
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<CustomerState | null>(null);
  const isNarrow = useIsNarrow();
  const { customers } = fleet;
  const counts = Map.groupBy(customers, ({ state }) => state);
  // Customers in the filter may have recovered since.
  const chosen = filter !== null && counts.has(filter) ? filter : null;
  const matches = searchFor(search);
  const found = customers.filter(
    ({ name, code, group, state }) =>
      (chosen === null || state === chosen) && matches(`${name} ${code} ${group ?? ''}`),
  );
  const filters: (CustomerState | null)[] = [null, ...customerStates.filter((state) => counts.has(state))];
  return (
    <div className={classes.sections}>
      <Figures>
        <Trouble fleet={fleet} />
        {!isNarrow && <Totals fleet={fleet} />}
      </Figures>
      <div className={`${classes.tools} screen-only`}>
        <SearchField label={tTerms('searchCustomers')} value={search} onChange={setSearch} found={found.length} />
        <div role="group" aria-label={t('filter')} className={classes.filters}>
          {filters.map((state) => (
            <Button
              key={state ?? 'all'}
              size="sm"
              variant={state === chosen ? 'light' : 'default'}
              aria-pressed={state === chosen}
              onClick={() => setFilter(state)}
            >
              {t('filterCount', {
                state: state === null ? tCommon('all') : tStates(state),
                count: state === null ? customers.length : (counts.get(state)?.length ?? 0),
              })}
            </Button>
          ))}
        </div>
      </div>
      <Panel flush>
        {found.length === 0 ? (
          <EmptyState icon={<IconSearch size={22} stroke={1.75} />} title={tTerms('noCustomerMatches')}>
            {t('noMatchHint')}
          </EmptyState>
        ) : (
          <FleetTable customers={found} />
        )}
      </Panel>
      {isNarrow && (
        <Figures>
          <Totals fleet={fleet} />
        </Figures>
      )}
    </div>
  );
}

function Trouble({ fleet: { customers } }: { fleet: FleetDashboard }) {
  const t = useTranslations('fleet.dashboard');
  const format = useFormat();
  const countOf = (troubled: CustomerState) => customers.filter(({ state }) => state === troubled).length;
  const counts = { silent: countOf('silent'), failing: countOf('failing'), never: countOf('never') };
  const trouble = counts.silent + counts.failing + counts.never;
  return (
    <Figure
      label={t('inTrouble')}
      note={trouble === 0 ? t('noTrouble') : t('troubleNote', counts)}
      isWarning={trouble > 0}
    >
      {format.integer(trouble)}
    </Figure>
  );
}

/** The totals of all customers. */
function Totals({ fleet }: { fleet: FleetDashboard }) {
  const t = useTranslations('fleet.dashboard');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const format = useFormat();
  const isPending = fleet.customers.some(({ isEnergyPending }) => isEnergyPending);
  return (
    <>
      <Figure label={tShell('customers')} note={tTerms('activeCount', { count: fleet.activeCustomerCount })}>
        {format.integer(fleet.customerCount)}
      </Figure>
      <Figure label={t('measurementsToday')} note={t('totalNote', { count: fleet.totalMeasurements })}>
        {format.integer(fleet.todayMeasurements)}
      </Figure>
      <Figure
        label={t('energyToday')}
        note={t(isPending ? 'todayPending' : 'todayNote', {
          day: format.date(`${fleet.today}T12:00:00Z`, 'UTC'),
        })}
      >
        {format.energy(fleet.todayEnergyKwh)}
      </Figure>
    </>
  );
}
