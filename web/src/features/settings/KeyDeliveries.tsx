import { IconCircleCheck, IconMoodEmpty } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Arrival, KeyDeliveries as Deliveries } from '../../../../shared/arrivals.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { Meter, Verdict } from './ArrivalCells.tsx';
import { arrivalName } from './arrivals-query.ts';
import { keyDeliveriesQuery } from './arrivals-query.ts';
import classes from './section.module.css';

/** What came with a key within a day, and what of it was rejected. */
export function KeyDeliveries({ id }: { id: string }) {
  const t = useTranslations('settings.incoming.key');
  const deliveries = useQuery(keyDeliveriesQuery(id));
  return (
    <Loaded query={deliveries} skeleton={<RowsSkeleton rows={4} />}>
      {(data) => (
        <>
          <p className={classes.dimmed}>{t('period')}</p>
          <Counts {...data} />
          <Problems {...data} apiKeyId={id} />
        </>
      )}
    </Loaded>
  );
}

function Counts({ deliveries, accepted, duplicates, rejected }: Deliveries) {
  const t = useTranslations('settings.incoming.key');
  const format = useFormat();
  return (
    <Figures>
      <Figure label={t('deliveries')}>{format.integer(deliveries)}</Figure>
      <Figure label={t('accepted')}>{format.integer(accepted - duplicates)}</Figure>
      <Figure label={t('known')}>{format.integer(duplicates)}</Figure>
      <Figure label={t('rejected')}>{format.integer(rejected)}</Figure>
    </Figures>
  );
}

function Problems({ deliveries, problems, apiKeyId }: Deliveries & { apiKeyId: string }) {
  const t = useTranslations('settings.incoming');
  const tTerms = useTranslations('terms');
  if (problems.length === 0) {
    return deliveries === 0 ? (
      <EmptyState icon={<IconMoodEmpty size={22} stroke={1.75} />} title={t('key.nothingTitle')}>
        {t('key.nothingText')}
      </EmptyState>
    ) : (
      <EmptyState icon={<IconCircleCheck size={22} stroke={1.75} />} title={t('key.noneTitle')}>
        {t('key.noneText')}
      </EmptyState>
    );
  }
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
      renderCell: (arrival) => <Verdict arrival={arrival} apiKeyId={apiKeyId} />,
    },
    {
      id: 'arrived',
      header: t('columns.arrived'),
      sortBy: ({ receivedAt }) => instantOf(receivedAt),
      renderCell: ({ receivedAt }) => <Age at={receivedAt} />,
    },
  ];
  return (
    <section>
      <h3 className={classes.subheading}>{t('key.problems')}</h3>
      <p className={classes.dimmed}>{t('key.problemsHint')}</p>
      <ListTable
        label={t('key.problems')}
        columns={columns}
        rows={problems}
        rowKey={({ externalId, field }) => `${field} ${externalId}`}
        textOf={arrivalName}
        searchLabel={t('search')}
      />
    </section>
  );
}
