import { useTranslations } from 'use-intl';
import { batchType } from '../../../../shared/push.ts';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { inLanguage } from '../../lib/i18n/error-texts.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import { ListPanel } from './ListPanel.tsx';
import classes from './FleetTable.module.css';

type IngestEvent = CustomerDetail['ingestEvents'][number];

/** The last batches, refused ones first. */
export function EventsPanel({ events }: { events: readonly IngestEvent[] }) {
  const t = useTranslations('fleet.customer.events');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = browserTimeZone();
  const nameOf = (type: string) => {
    const known = batchType.options.find((each) => each === type);
    return known === undefined ? type : tTerms(known);
  };
  const rows = [...events.filter(({ error }) => error !== null), ...events.filter(({ error }) => error === null)];
  const columns: Column<IngestEvent>[] = [
    { id: 'type', header: t('columns.type'), kind: 'name', renderCell: ({ batchType }) => nameOf(batchType) },
    {
      id: 'result',
      header: t('columns.result'),
      renderCell: ({ error, refusal, rowsRejected }) =>
        error !== null ? (
          <span className={classes.stack}>
            <StatusChip tone="bad">{t('refused')}</StatusChip>
            <span className={classes.why}>{inLanguage(error, refusal)}</span>
          </span>
        ) : rowsRejected > 0 ? (
          <StatusChip tone="warn">{t('partly', { count: rowsRejected })}</StatusChip>
        ) : (
          <StatusChip tone="good">{t('stored')}</StatusChip>
        ),
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
