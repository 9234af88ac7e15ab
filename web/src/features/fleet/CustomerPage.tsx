import { Alert } from '@mantine/core';
import { IconBuildings, IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { ApiError } from '../../lib/http.ts';
import { inLanguage } from '../../lib/i18n/error-texts.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { Freshness } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { OnEachSheet } from '../../ui/OnEachSheet.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import { CostExportPanel } from './CostExportPanel.tsx';
import { DevicesPanel, MunicipalitiesPanel, SitesPanel } from './CustomerRecords.tsx';
import { EventsPanel } from './EventsPanel.tsx';
import { MeasurementsPanel } from './MeasurementsPanel.tsx';
import { detailQuery } from './queries.ts';
import { TariffsPanel } from './TariffsPanel.tsx';
import { usePagedLists } from './use-paged-lists.ts';
import classes from './CustomerPage.module.css';

const route = getRouteApi('/signed-in/fleet/reads/customers/$customerId');

/** What the fleet knows of one customer. */
export function CustomerPage() {
  const t = useTranslations('fleet.customer');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const format = useFormat();
  const { customerId } = route.useParams();
  const detail = useQuery(detailQuery(customerId));
  usePageTitle(detail.data?.customer.name ?? null);
  const isGone = detail.error instanceof ApiError && detail.error.status === 404;
  const retry = () => void detail.refetch();
  return (
    <>
      <BackLink to="/fleet">{t('back')}</BackLink>
      {isGone ? (
        <EmptyState
          icon={<IconBuildings size={22} stroke={1.75} />}
          isPage
          title={tTerms('noSuchCustomer')}
          action={
            <LinkButton to="/fleet" variant="default">
              {t('back')}
            </LinkButton>
          }
        >
          {tTerms('noSuchCustomerHint')}
        </EmptyState>
      ) : detail.data !== undefined ? (
        <>
          <Head detail={detail.data}>
            <LinkButton
              to="/measurements"
              search={{ ...keptRange(), customer: customerId }}
              variant="default"
              leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
            >
              {tShell('measurements')}
            </LinkButton>
            <Freshness updatedAtMs={detail.dataUpdatedAt} error={detail.error} onRetry={retry} />
          </Head>
          <OnEachSheet>
            {detail.data.customer.name} · {format.dateTime(detail.dataUpdatedAt, browserTimeZone())}
          </OnEachSheet>
          <Sections key={customerId} detail={detail.data} />
        </>
      ) : detail.isError ? (
        <ErrorState error={detail.error} onRetry={retry} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Head({ detail: { customer }, children }: { detail: CustomerDetail; children: ReactNode }) {
  const tStates = useTranslations('fleet.customers.states');
  return (
    <PageHeader
      title={customer.name}
      description={
        <span className={classes.place}>
          <span className={classes.code}>{customer.code}</span>
          {!customer.isActive && <StatusChip tone="quiet">{tStates('off')}</StatusChip>}
        </span>
      }
      actions={children}
    />
  );
}

function Sections({ detail }: { detail: CustomerDetail }) {
  const t = useTranslations('fleet.customer');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { customer, counts } = detail;
  const { pagingOf, ...lists } = usePagedLists(detail);
  const zone = browserTimeZone();
  const seenAt = (at: string | null) => (at === null ? tTerms('never') : format.dateTime(at, zone));
  return (
    <div className={classes.sections}>
      {customer.noReadingsSince !== null && (
        <Alert color="red" title={t('noReadings', { time: seenAt(customer.noReadingsSince) })}>
          {t('noReadingsHint')}
        </Alert>
      )}
      {customer.failure !== null && (
        <Alert
          color="yellow"
          title={t(customer.failure.isRefused ? 'refused' : 'refusedPartly', { time: seenAt(customer.failure.since) })}
        >
          {inLanguage(customer.failure.reason, customer.failure.refusal)}
        </Alert>
      )}
      <Figures>
        <Figure label={tTerms('lastBatchStored')} note={seenAt(customer.lastSeenAt)}>
          {customer.lastSeenAt === null ? tTerms('never') : <Age at={customer.lastSeenAt} />}
        </Figure>
        <Figure label={t('firstSeen')} note={t('created', { day: format.date(customer.createdAt, zone) })}>
          {customer.firstSeenAt === null ? tTerms('never') : format.date(customer.firstSeenAt, zone)}
        </Figure>
        <Figure
          label={tTerms('inStepUpTo')}
          note={
            customer.reconciledAt === null
              ? t('neverCompared')
              : customer.differingDays === 0
                ? t('compared', { age: format.dateTime(customer.reconciledAt, zone) })
                : tTerms('butFor', { count: customer.differingDays ?? 0 })
          }
          isWarning={(customer.differingDays ?? 0) > 0}
        >
          {customer.inStepUpTo === null ? tTerms('never') : format.dateTime(customer.inStepUpTo, zone)}
        </Figure>
        <Figure label={tShell('measurements')} note={t('stored')}>
          {format.integer(customer.totalMeasurements)}
        </Figure>
        <Figure label={tTerms('devices')} note={t('inSites', { count: counts.sites })}>
          {format.integer(counts.devices)}
        </Figure>
        <Figure label={t('token')} note={t('tokenIssued')}>
          {format.date(customer.tokenIssuedAt, zone)}
        </Figure>
      </Figures>
      <EventsPanel events={detail.ingestEvents} />
      <SitesPanel sites={lists.sites} paging={pagingOf('sites')} />
      <DevicesPanel customerId={customer.id} devices={lists.devices} paging={pagingOf('devices')} />
      <MeasurementsPanel measurements={detail.measurements} />
      <TariffsPanel tariffs={lists.tariffs} paging={pagingOf('tariffs')} />
      <MunicipalitiesPanel municipalities={lists.municipalities} paging={pagingOf('municipalities')} />
      <CostExportPanel customerId={customer.id} />
    </div>
  );
}
