import { IconAntennaBars5 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Arrival, Incoming } from '../../../../../shared/arrivals.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Freshness } from '../../../ui/Freshness.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ListTable } from '../../../ui/ListTable.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { instantOf } from '../../../ui/sorted-rows.ts';
import { Meter, Verdict } from './ArrivalCells.tsx';
import { arrivalName, incomingQuery } from './arrivals-query.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The rows that arrive right now, for people at the meter. */
export function IncomingSection() {
  const t = useTranslations('settings.incoming');
  const tSection = useTranslations('sections');
  const title = useTranslations('sections')('incoming');
  const arrivals = useQuery(incomingQuery);
  const freshness = (
    <Freshness updatedAtMs={arrivals.dataUpdatedAt} error={arrivals.error} onRetry={() => void arrivals.refetch()} />
  );
  return (
    <Panel flush title={title} description={t('description')} actions={freshness}>
      <Loaded queries={[arrivals]} skeleton={<RowsSkeleton rows={5} isInset />}>
        {(data) =>
          data.rows.length === 0 ? (
            <EmptyState
              icon={<IconAntennaBars5 size={22} stroke={1.75} />}
              title={t('emptyTitle')}
              action={<LinkAnchor to="/settings/api-keys">{tSection('apiKeys')}</LinkAnchor>}
            >
              {t('emptyText')}
            </EmptyState>
          ) : (
            <ArrivalTable {...data} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function ArrivalTable({ at, rows }: Incoming) {
  const t = useTranslations('settings.incoming');
  const tTerms = useTranslations('terms');
  const title = useTranslations('sections')('incoming');
  const format = useFormat();
  const zone = useDisplayZone();
  const nowMs = Date.parse(at);
  const lag = ({ measuredAt, receivedAt }: Arrival) => {
    if (measuredAt === null) return null;
    const seconds = Math.round((Date.parse(receivedAt) - Date.parse(measuredAt)) / 1000);
    const duration = format.duration(roughly(Math.abs(seconds)));
    return <span className="figures">{seconds < 0 ? t('ahead', { duration }) : duration}</span>;
  };
  const columns: Column<Arrival>[] = [
    {
      id: 'meter',
      header: t('columns.meter'),
      kind: 'name',
      sortBy: arrivalName,
      renderCell: (arrival) => <Meter arrival={arrival} />,
    },
    {
      id: 'verdict',
      header: tTerms('verdict'),
      renderCell: (arrival) => <Verdict arrival={arrival} apiKeyId={null} />,
    },
    {
      id: 'power',
      header: tTerms('power'),
      align: 'end',
      sortBy: ({ activePowerKw }) => activePowerKw,
      renderCell: ({ activePowerKw }) =>
        activePowerKw === null ? null : <span className="figures">{format.power(activePowerKw)}</span>,
    },
    {
      id: 'measured',
      header: t('columns.measured'),
      sortBy: ({ measuredAt }) => instantOf(measuredAt),
      renderCell: ({ measuredAt }) =>
        measuredAt === null ? null : <time dateTime={measuredAt}>{format.dateTimeSeconds(measuredAt, zone)}</time>,
    },
    { id: 'lag', header: t('columns.lag'), align: 'end', isMinor: true, renderCell: lag },
    {
      id: 'arrived',
      header: t('columns.arrived'),
      sortBy: ({ receivedAt }) => instantOf(receivedAt),
      renderCell: ({ receivedAt }) => (
        <time dateTime={receivedAt} title={format.dateTimeSeconds(receivedAt, zone)}>
          {format.age(receivedAt, nowMs)}
        </time>
      ),
    },
    {
      id: 'sender',
      header: t('columns.sender'),
      isMinor: true,
      renderCell: ({ apiKey }) => apiKey?.name ?? t('administrator'),
    },
  ];
  return (
    <ListTable
      label={title}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      textOf={arrivalName}
      searchLabel={t('search')}
    />
  );
}

const keyOf = ({ apiKey, externalId, field }: Arrival) => `${apiKey?.id} ${field} ${externalId}`;

/** In whole minutes, hours or days if it is long: nobody reads 3,725 seconds. */
const roughly = (seconds: number) => {
  const unit = [86_400, 3_600, 60].find((length) => seconds >= 2 * length) ?? 1;
  return Math.round(seconds / unit) * unit;
};
