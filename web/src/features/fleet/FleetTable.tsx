import { useTranslations } from 'use-intl';
import { type FleetCustomer, knownEnergyToday } from '../../../../shared/fleet.ts';
import { inLanguage } from '../../lib/i18n/error-texts.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { Sparkline } from '../../charts/Sparkline.tsx';
import { pointsOfWholeHours } from '../../charts/sparkline.ts';
import { ListTable } from '../../ui/ListTable.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf, type Sort } from '../../ui/sorted-rows.ts';
import { CustomerName } from './CustomerName.tsx';
import { roundInterval } from './round-interval.ts';
import classes from './Fleet.module.css';
import { CustomerStateChip } from '../../entities/CustomerStateChip.tsx';
import { useDisplayZone } from '../../lib/current-user.ts';

interface FleetTableProps {
  /** The first of those that the portal found. */
  customers: readonly FleetCustomer[];
  foundCount: number;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}

/** The sorted customers, each with its lag and the reason. The ids of sorted columns are those of the API. */
export function FleetTable({ customers, foundCount, ...sorting }: FleetTableProps) {
  const t = useTranslations('fleet.dashboard');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
  const largestKwh = Math.max(...customers.map((customer) => knownEnergyToday(customer) ?? 0));
  const columns: Column<FleetCustomer>[] = [
    {
      id: 'name',
      header: tTerms('customer'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (customer) => <CustomerName customer={customer} />,
    },
    {
      id: 'state',
      header: tTerms('state'),
      renderCell: (customer) => (
        <span className={classes.stack}>
          <CustomerStateChip state={customer.state} />
          <Why customer={customer} />
        </span>
      ),
    },
    {
      id: 'lastSeenAt',
      header: tTerms('lastBatchStored'),
      sortBy: ({ lastSeenAt }) => instantOf(lastSeenAt),
      renderCell: ({ lastSeenAt, troubleSince }) =>
        lastSeenAt === null ? null : (
          <span className={classes.stack}>
            <Age at={lastSeenAt} />
            {troubleSince !== null && (
              <span className={classes.small}>{t('since', { time: format.dateTime(troubleSince, zone) })}</span>
            )}
          </span>
        ),
    },
    {
      id: 'batches',
      header: t('columns.batches'),
      isMinor: true,
      renderCell: ({ batchesByHour }) => (
        <div className={classes.spark}>
          <Sparkline
            points={pointsOfWholeHours(batchesByHour)}
            from={0}
            to={batchesByHour.length - 2}
            bridge={1}
            label={t('batches', { count: batchesByHour.reduce((sum, count) => sum + count, 0) })}
          />
        </div>
      ),
    },
    {
      id: 'energyTodayKwh',
      header: t('energyToday'),
      sortBy: knownEnergyToday,
      align: 'end',
      renderCell: (customer) => (
        <span className={`${classes.stack} figures`}>
          <span>{format.energy(knownEnergyToday(customer), largestKwh)}</span>
          <span className={classes.small}>{t('measurements', { count: customer.measurementsToday })}</span>
        </span>
      ),
    },
    {
      id: 'deviceCount',
      header: tTerms('devices'),
      sortBy: ({ deviceCount }) => deviceCount,
      isMinor: true,
      align: 'end',
      renderCell: ({ siteCount, deviceCount }) => (
        <span className={`${classes.stack} figures`}>
          <span>{format.integer(deviceCount)}</span>
          <span className={classes.small}>{tTerms('countSites', { count: siteCount })}</span>
        </span>
      ),
    },
  ];
  const note = t('notLoaded', { count: customers.length, total: foundCount });
  return (
    <ListTable
      label={t('table')}
      columns={columns}
      rows={customers}
      rowKey={({ id }) => id}
      remote={{ ...sorting, foundCount, note }}
    />
  );
}

/** Why a customer has a problem: its usual interval, and what was rejected. */
function Why({ customer }: { customer: FleetCustomer }) {
  const t = useTranslations('fleet.dashboard');
  const format = useFormat();
  const { state, failure, usualIntervalSeconds, noReadingsSince, failedBatches, rejectedRecords } = customer;
  if (state === 'sending' || state === 'inactive') return null;
  if (state === 'unavailable') return <span className={classes.why}>{t('unavailable')}</span>;
  const usual =
    usualIntervalSeconds === null
      ? t('noRhythm')
      : t('usually', { interval: format.duration(roundInterval(usualIntervalSeconds)) });
  return (
    <span className={classes.why}>
      {noReadingsSince !== null ? t('noReadings') : (state === 'silent' || state === 'late') && usual}
      {state === 'never' && t('neverPushed')}
      {failure !== null && (
        <>
          {state !== 'failing' && ' '}
          {t(failure.isRefused ? 'refused' : 'refusedPartly', {
            reason: inLanguage(failure.reason, failure.refusal),
          })}{' '}
          {failedBatches > 1 && t('failedLately', { batches: failedBatches, records: rejectedRecords })}
        </>
      )}
    </span>
  );
}
