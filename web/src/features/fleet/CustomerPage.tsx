import { TextInput } from '@mantine/core';
import { IconBuildings, IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { PlaceAlarms } from '../../entities/OpenAlarms.tsx';
import { ApiError } from '../../lib/http.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { add, dayMs, startOf, toLocalText } from '../../../../shared/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { Freshness } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PrintedAt } from '../../ui/printing.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { CustomerStateChip } from '../../entities/CustomerStateChip.tsx';
import { BatchResult, CustomerStatus, useBatchName } from './CustomerStatus.tsx';
import { DevicesPanel, MunicipalitiesPanel, SitesPanel } from './CustomerRecords.tsx';
import { detailQuery, usePagedLists, costExportPath } from './queries.ts';
import { TariffsPanel } from './TariffsPanel.tsx';
import classes from './Fleet.module.css';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { ListPanel } from './ListPanel.tsx';
import { useDisplayZone } from '../../lib/current-user.ts';

const dateAt = (atMs: number, timeZone: string): string => toLocalText(atMs, timeZone).slice(0, 'YYYY-MM-DD'.length);

/** The last whole month, both ends included. */
function lastMonth(zone: string): { from: string; to: string } {
  const thisMonth = startOf('month', Date.now(), zone);
  return {
    from: dateAt(add(-1, 'month', thisMonth, zone), zone),
    to: dateAt(add(-1, 'day', thisMonth, zone), zone),
  };
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Energy and cost of the customer's local days as a workbook. */
function CostExportPanel({ customerId }: { customerId: string }) {
  const t = useTranslations('fleet.customer.cost');
  const tTerms = useTranslations('terms');
  const tRange = useTranslations('common.timeRange');
  const zone = useDisplayZone();
  const [{ from, to }, setDates] = useState(() => lastMonth(zone));
  const reason = from === '' || to === '' ? t('incomplete') : to < from ? tRange('toAfterFrom') : null;
  return (
    <div className="screen-only">
      <Panel title={t('title')} description={t('description')}>
        <div className={classes.fields}>
          <TextInput
            type="date"
            label={tTerms('firstDay')}
            value={from}
            onChange={({ currentTarget: { value } }) => setDates((before) => ({ ...before, from: value }))}
          />
          <TextInput
            type="date"
            label={tTerms('lastDay')}
            value={to}
            onChange={({ currentTarget: { value } }) => setDates((before) => ({ ...before, to: value }))}
          />
          <ExcelButton
            path={costExportPath(customerId)}
            query={reason === null ? { fromDate: from, toDate: dayAfter(to) } : {}}
            reason={reason}
            isReady
          />
        </div>
      </Panel>
    </div>
  );
}

const route = getRouteApi('/signed-in/fleet/reads/customers/$customerId');

/** All that the fleet knows about one customer. */
export function CustomerPage() {
  const t = useTranslations('fleet.customer');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
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
          <Head
            detail={detail.data}
            freshness={<Freshness updatedAtMs={detail.dataUpdatedAt} error={detail.error} onRetry={retry} />}
          >
            <LinkButton
              to="/measurements"
              search={{ ...keptRange(), customer: customerId }}
              variant="default"
              leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
            >
              {tShell('measurements')}
            </LinkButton>
          </Head>
          <PrintedAt atMs={detail.dataUpdatedAt} name={detail.data.customer.name} />
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

interface HeadProps {
  detail: CustomerDetail;
  freshness: ReactNode;
  children: ReactNode;
}

function Head({ detail: { customer }, freshness, children }: HeadProps) {
  return (
    <PageHeader
      title={customer.name}
      description={
        <span className={classes.place}>
          <span className={classes.code}>{customer.code}</span>
          <CustomerStateChip state={customer.state} />
          {customer.group !== null && <span>{customer.group}</span>}
        </span>
      }
      freshness={freshness}
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
  const zone = useDisplayZone();
  const created = t('created', { day: format.date(customer.createdAt, zone) });
  const { firstSeenAt, lastSeenAt } = customer;
  const head = (
    <>
      <PlaceAlarms ids={[customer.id]} />
      <CustomerStatus detail={detail} />
    </>
  );
  const token = (
    <Figure label={t('token')} note={t('tokenIssued')}>
      {format.date(customer.tokenIssuedAt, zone)}
    </Figure>
  );
  // Before the first batch there is nothing else to show.
  if (firstSeenAt === null || lastSeenAt === null) {
    return (
      <div className={classes.customerPageSections}>
        {head}
        <Figures>
          <Figure label={tTerms('lastBatchStored')} note={created}>
            {tTerms('never')}
          </Figure>
          {token}
        </Figures>
        {detail.ingestEvents.length > 0 && <EventsPanel events={detail.ingestEvents} />}
      </div>
    );
  }
  return (
    <div className={classes.customerPageSections}>
      {head}
      <Figures>
        <Figure label={tTerms('lastBatchStored')} note={format.dateTime(lastSeenAt, zone)}>
          <Age at={lastSeenAt} />
        </Figure>
        <Figure label={t('firstSeen')} note={created}>
          {format.date(firstSeenAt, zone)}
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
        {token}
      </Figures>
      <EventsPanel events={detail.ingestEvents} />
      <SitesPanel
        customer={customer}
        sites={lists.sites}
        devices={lists.devices.length < counts.devices ? null : lists.devices}
        paging={pagingOf('sites')}
      />
      <DevicesPanel customer={customer} devices={lists.devices} paging={pagingOf('devices')} />
      <MeasurementsPanel measurements={detail.measurements} />
      <TariffsPanel tariffs={lists.tariffs} paging={pagingOf('tariffs')} />
      <MunicipalitiesPanel municipalities={lists.municipalities} paging={pagingOf('municipalities')} />
      <CostExportPanel customerId={customer.id} />
    </div>
  );
}

type Measurement = CustomerDetail['measurements'][number];

/** The last measurements by time. */
function MeasurementsPanel({ measurements }: { measurements: readonly Measurement[] }) {
  const t = useTranslations('fleet.customer.measurements');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
  const figure = (text: string) => <span className="figures">{text}</span>;
  const columns: Column<Measurement>[] = [
    {
      id: 'device',
      header: tTerms('device'),
      kind: 'name',
      renderCell: ({ deviceName }) => deviceName ?? t('unknownDevice'),
    },
    { id: 'site', header: tTerms('site'), isMinor: true, renderCell: ({ siteName }) => siteName },
    { id: 'time', header: tTerms('time'), renderCell: ({ time }) => figure(format.dateTimeSeconds(time, zone)) },
    {
      id: 'power',
      header: tTerms('power'),
      align: 'end',
      renderCell: ({ activePowerKw }) => figure(format.power(activePowerKw)),
    },
    {
      id: 'imported',
      header: t('columns.imported'),
      align: 'end',
      // The unit is that of the meter. In a larger unit, successive readings would look the same.
      renderCell: ({ energyImportedKwh }) =>
        energyImportedKwh === null ? null : figure(`${format.number(energyImportedKwh, 3)}\u00A0kWh`),
    },
  ];
  return (
    <ListPanel
      title={t('title')}
      description={measurements.length === 0 ? undefined : t('description', { count: measurements.length })}
      empty={t('empty')}
      columns={columns}
      rows={measurements}
      rowKey={({ deviceId, time }) => `${deviceId} ${time}`}
    />
  );
}

type IngestEvent = CustomerDetail['ingestEvents'][number];

/** The last batches, rejected ones first. */
function EventsPanel({ events }: { events: readonly IngestEvent[] }) {
  const t = useTranslations('fleet.customer.events');
  const format = useFormat();
  const zone = useDisplayZone();
  const nameOf = useBatchName();
  const rows = [...events.filter(({ error }) => error !== null), ...events.filter(({ error }) => error === null)];
  const columns: Column<IngestEvent>[] = [
    { id: 'type', header: t('columns.type'), kind: 'name', renderCell: ({ batchType }) => nameOf(batchType) },
    {
      id: 'result',
      header: t('columns.result'),
      renderCell: (event) => <BatchResult event={event} />,
    },
    { id: 'received', header: t('columns.received'), renderCell: ({ receivedAt }) => <Age at={receivedAt} /> },
    {
      id: 'rows',
      header: t('columns.rows'),
      align: 'end',
      renderCell: ({ rowsAccepted }) => <span className="figures">{format.integer(rowsAccepted)}</span>,
    },
    {
      id: 'span',
      header: t('columns.span'),
      isMinor: true,
      renderCell: ({ fromTime, toTime }) =>
        fromTime === null || toTime === null
          ? null
          : format.dateTimeSpan(Date.parse(fromTime), Date.parse(toTime), zone),
    },
    {
      id: 'size',
      header: t('columns.size'),
      isMinor: true,
      align: 'end',
      renderCell: ({ payloadBytes }) => (
        <span className={`${classes.stack} figures`}>{format.bytes(payloadBytes)}</span>
      ),
    },
  ];
  return (
    <ListPanel
      title={t('title')}
      description={t('description')}
      empty={t('empty')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
    />
  );
}
