import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuildings, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { FleetDashboard } from '../../../../shared/fleet.ts';
import { customerStates } from '../../../../shared/states.rules.ts';
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
import { type FleetChoice, fleetQuery } from './queries.ts';
import classes from './Fleet.module.css';

const everyone: FleetChoice = { search: '', state: null, sort: null };

/** The customers with problems, since when and why. Then what the other customers send. */
export function FleetPage() {
  const t = useTranslations('fleet.dashboard');
  const tTerms = useTranslations('terms');
  const title = useTranslations('shell')('overview');
  const isAdmin = useHasRole('Admin');
  const [choice, setChoice] = useState(everyone);
  const [search] = useDebouncedValue(choice.search.trim(), 200);
  // The last answer is shown until the next one has arrived.
  const [last, setLast] = useState<{ fleet: FleetDashboard; atMs: number } | null>(null);
  // Customers in the chosen state may have recovered since.
  const state = choice.state !== null && last?.fleet.stateCounts[choice.state] === 0 ? null : choice.state;
  const answer = useQuery(fleetQuery({ ...choice, search, state }));
  const { data, dataUpdatedAt: atMs } = answer;
  if (data !== undefined && (data !== last?.fleet || atMs !== last.atMs)) setLast({ fleet: data, atMs });
  const retry = () => void answer.refetch();
  return (
    <>
      <PageHeader
        title={title}
        freshness={<Freshness updatedAtMs={last?.atMs ?? 0} error={last && answer.error} onRetry={retry} />}
        actions={<ExcelButton path="/api/fleet/dashboard/export.xlsx" query={{}} isReady={last !== null} />}
      />
      {last === null ? (
        answer.isError ? (
          <Panel>
            <ErrorState error={answer.error} onRetry={retry} />
          </Panel>
        ) : (
          <div className={classes.sections}>
            <BlockSkeleton height={104} />
            <BlockSkeleton height={480} />
          </div>
        )
      ) : last.fleet.customerCount === 0 ? (
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
          <PrintedAt atMs={last.atMs} />
          <Loaded
            fleet={last.fleet}
            choice={{ ...choice, state }}
            onChoose={(changed) => setChoice({ ...choice, ...changed })}
            isLost={data === undefined && answer.failureCount > 0}
          />
        </>
      )}
    </>
  );
}

interface LoadedProps {
  fleet: FleetDashboard;
  choice: FleetChoice;
  onChoose: (changed: Partial<FleetChoice>) => void;
  /** Whether there is no answer to the choice. Then it is made among the customers that are there. */
  isLost: boolean;
}

function Loaded({ fleet, choice, onChoose, isLost }: LoadedProps) {
  const t = useTranslations('fleet.dashboard');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const tStates = useTranslations('sites.customerState');
  const isNarrow = useIsNarrow();
  const { stateCounts, customerCount } = fleet;
  const matches = searchFor(choice.search);
  const found = !isLost
    ? fleet.customers
    : fleet.customers.filter(
        ({ name, code, group, state }) =>
          (choice.state === null || state === choice.state) && matches(`${name} ${code} ${group ?? ''}`),
      );
  const foundCount = isLost ? found.length : fleet.foundCount;
  const filters = [null, ...customerStates.filter((state) => stateCounts[state] > 0)];
  return (
    <div className={classes.sections}>
      <Figures>
        <Trouble fleet={fleet} />
        {!isNarrow && <Totals fleet={fleet} />}
      </Figures>
      <div className={`${classes.tools} screen-only`}>
        <SearchField
          label={tTerms('searchCustomers')}
          value={choice.search}
          onChange={(search) => onChoose({ search })}
          found={foundCount}
        />
        <div role="group" aria-label={t('filter')} className={classes.filters}>
          {filters.map((state) => (
            <Button
              key={state ?? 'all'}
              size="sm"
              variant={state === choice.state ? 'light' : 'default'}
              aria-pressed={state === choice.state}
              onClick={() => onChoose({ state })}
            >
              {t('filterCount', {
                state: state === null ? tCommon('all') : tStates(state),
                count: state === null ? customerCount : stateCounts[state],
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
          <FleetTable
            customers={found}
            foundCount={foundCount}
            sort={choice.sort}
            onSort={(sort) => onChoose({ sort })}
          />
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

function Trouble({ fleet: { stateCounts } }: { fleet: FleetDashboard }) {
  const t = useTranslations('fleet.dashboard');
  const format = useFormat();
  const { silent, failing, never } = stateCounts;
  const trouble = silent + failing + never;
  return (
    <Figure
      label={t('inTrouble')}
      note={trouble === 0 ? t('noTrouble') : t('troubleNote', { silent, failing, never })}
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
        note={t(fleet.isEnergyPending ? 'todayPending' : 'todayNote', {
          day: format.date(`${fleet.today}T12:00:00Z`, 'UTC'),
        })}
      >
        {format.energy(fleet.todayEnergyKwh)}
      </Figure>
    </>
  );
}
