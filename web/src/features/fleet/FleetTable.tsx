import { useTranslations } from 'use-intl';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { Sparkline } from '../../ui/charts/Sparkline.tsx';
import { pointsOfWholeHours } from '../../ui/charts/sparkline.ts';
import { LongTable } from '../../ui/LongTable.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { CustomerName } from './CustomerName.tsx';
import { StateChip } from './StateChip.tsx';
import { roundInterval, usualIntervalSeconds, type JudgedCustomer } from './trouble.ts';
import classes from './FleetTable.module.css';

/** The customers as they are sorted, each with its lag and why it is late. */
export function FleetTable({ customers }: { customers: readonly JudgedCustomer[] }) {
  const t = useTranslations('fleet.dashboard');
  const format = useFormat();
  const columns: Column<JudgedCustomer>[] = [
    {
      id: 'customer',
      header: t('columns.customer'),
      kind: 'name',
      renderCell: (customer) => <CustomerName customer={customer} />,
    },
    {
      id: 'state',
      header: t('columns.state'),
      renderCell: (customer) => (
        <span className={classes.stack}>
          <StateChip state={customer.state} />
          <Why customer={customer} />
        </span>
      ),
    },
    {
      id: 'last',
      header: t('columns.last'),
      renderCell: ({ lastSeenAt, state }) =>
        lastSeenAt === null ? null : (
          <span className={classes.stack}>
            <Age at={lastSeenAt} />
            {state === 'silent' && (
              <span className={classes.small}>
                {t('since', { time: format.dateTime(lastSeenAt, browserTimeZone()) })}
              </span>
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
      id: 'today',
      header: t('columns.today'),
      align: 'end',
      renderCell: ({ energyTodayKwh, measurementsToday }) => (
        <span className={`${classes.stack} figures`}>
          <span>{format.energy(energyTodayKwh)}</span>
          <span className={classes.small}>{t('measurements', { count: measurementsToday })}</span>
        </span>
      ),
    },
    {
      id: 'devices',
      header: t('columns.devices'),
      isMinor: true,
      align: 'end',
      renderCell: ({ siteCount, deviceCount }) => (
        <span className={`${classes.stack} figures`}>
          <span>{format.integer(deviceCount)}</span>
          <span className={classes.small}>{t('sites', { count: siteCount })}</span>
        </span>
      ),
    },
  ];
  return <LongTable label={t('table')} columns={columns} rows={customers} rowKey={({ id }) => id} />;
}

/** What its last batch was refused for, or how often a silent customer used to push. */
function Why({ customer }: { customer: JudgedCustomer }) {
  const { state, lastError } = customer;
  const t = useTranslations('fleet.dashboard');
  const format = useFormat();
  if (state === 'live' || state === 'off') return null;
  if (lastError !== null) return <span className={classes.why}>{t('lastError', { reason: lastError })}</span>;
  const usual = usualIntervalSeconds(customer);
  if (state === 'waiting') return <span className={classes.why}>{t('neverPushed')}</span>;
  return (
    <span className={classes.why}>
      {usual === null ? t('nothingForADay') : t('usually', { interval: format.duration(roundInterval(usual)) })}
    </span>
  );
}
