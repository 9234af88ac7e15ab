import { useTranslations } from 'use-intl';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import classes from './FleetPushSection.module.css';
import type { PushResourceState } from './push-health.ts';

/** How pushing each kind of thing goes, in the order in which they go. */
export function PushTable({ resources }: { resources: readonly PushResourceState[] }) {
  const t = useTranslations('settings.fleetPush');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = browserTimeZone();
  const columns: Column<PushResourceState>[] = [
    {
      id: 'resource',
      header: t('columns.resource'),
      kind: 'name',
      renderCell: ({ resource }) => tTerms(resource),
    },
    {
      id: 'state',
      header: tTerms('state'),
      renderCell: ({ failures, lastSuccessAt }) => {
        const state = failures > 0 ? 'waiting' : lastSuccessAt === null ? 'none' : 'sent';
        return <StatusChip tone={tones[state]}>{t(`states.${state}`)}</StatusChip>;
      },
    },
    {
      id: 'last',
      header: t('lastBatch'),
      renderCell: ({ lastSuccessAt }) => (lastSuccessAt === null ? null : <Age at={lastSuccessAt} />),
    },
    {
      id: 'error',
      header: t('columns.error'),
      renderCell: ({ lastError, lastErrorAt }) =>
        lastError === null ? null : (
          <span className={classes.stack}>
            <span className={classes.why}>{lastError}</span>
            {lastErrorAt !== null && <span className={classes.quiet}>{format.dateTime(lastErrorAt, zone)}</span>}
          </span>
        ),
    },
    {
      id: 'size',
      header: t('columns.size'),
      align: 'end',
      isMinor: true,
      renderCell: ({ batchSize }) => <span className="figures">{format.integer(batchSize)}</span>,
    },
  ];
  return <ResponsiveTable label={t('table')} columns={columns} rows={resources} rowKey={({ resource }) => resource} />;
}

const tones = { sent: 'good', waiting: 'warn', none: 'quiet' } as const;
