import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { ReconciliationState } from '../../../../../shared/push.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Age } from '../../../ui/Age.tsx';
import { Figure, Figures } from '../../../ui/Figures.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import classes from './FleetPushSection.module.css';
import { reconciliationHealth, useCompareNow } from './push-health.ts';
import section from '../section.module.css';
import { useDisplayZone } from '../../../lib/current-user.ts';

const tones = { running: 'quiet', waiting: 'warn', never: 'quiet', differs: 'warn', inStep: 'good' } as const;

/** Shows whether the fleet has all rows that this portal stores. */
export function ReconciliationPanel({ state }: { state: ReconciliationState }) {
  const t = useTranslations('settings.fleetPush.reconciliation');
  const tPush = useTranslations('push');
  const format = useFormat();
  const zone = useDisplayZone();
  const health = reconciliationHealth(state);
  const { comparedDays, resentDays, failures, lastError, nextAttemptAt } = state;
  return (
    <Panel title={t('title')} description={t('description')} actions={<CompareNow />}>
      <div className={classes.parts}>
        <div className={classes.head} role="status">
          <StatusChip tone={tones[health]}>{tPush(`comparison.${health}`)}</StatusChip>
          {state.isRunning && (
            <span className={section.dimmed}>{t('progress', { compared: comparedDays, resent: resentDays })}</span>
          )}
        </div>
        {failures > 0 && (
          <Alert color="yellow" title={t('failed')}>
            <p className={classes.why}>{lastError}</p>
            <p>
              {t('next', {
                count: failures,
                time: nextAttemptAt === null ? '' : format.dateTimeSeconds(nextAttemptAt, zone),
              })}
            </p>
          </Alert>
        )}
        <Found state={state} />
        {state.differences.length > 0 && <Differences state={state} />}
      </div>
    </Panel>
  );
}

function CompareNow() {
  const t = useTranslations('settings.fleetPush.reconciliation');
  const errorText = useErrorText();
  const compare = useCompareNow();
  return (
    <Button
      data-sends
      variant="default"
      leftSection={<IconArrowsDiff size={16} stroke={1.75} aria-hidden />}
      loading={compare.isPending}
      onClick={() =>
        compare.mutate(undefined, {
          onSuccess: () => notifications.show({ color: 'green', message: t('begun') }),
          onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
        })
      }
    >
      {t('now')}
    </Button>
  );
}

function Found({ state }: { state: ReconciliationState }) {
  const t = useTranslations('settings.fleetPush.reconciliation');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
  const { inStepUpTo, differingDays, finishedAt, finishedComparedDays, finishedResentDays } = state;
  const isExact = differingDays === 0;
  return (
    <Figures>
      <Figure
        label={tTerms('inStepUpTo')}
        {...(inStepUpTo !== null && {
          note: isExact ? t('allSame') : tTerms('butFor', { count: differingDays }),
          isWarning: !isExact,
        })}
      >
        {inStepUpTo === null ? t('notYet') : format.dateTime(inStepUpTo, zone)}
      </Figure>
      <Figure
        label={t('last')}
        {...(finishedAt !== null && {
          note: t('found', { compared: finishedComparedDays ?? 0, resent: finishedResentDays ?? 0 }),
        })}
      >
        {finishedAt === null ? t('notYet') : <Age at={finishedAt} />}
      </Figure>
    </Figures>
  );
}

type Difference = ReconciliationState['differences'][number];

/** Days that still differ. */
function Differences({ state: { differences, differingDays } }: { state: ReconciliationState }) {
  const t = useTranslations('settings.fleetPush.reconciliation');
  const format = useFormat();
  const count = (id: 'ownCount' | 'fleetCount'): Column<Difference> => ({
    id,
    header: t(`columns.${id}`),
    align: 'end',
    renderCell: (difference) => <span className="figures">{format.integer(difference[id])}</span>,
  });
  const columns: Column<Difference>[] = [
    { id: 'device', header: t('columns.device'), kind: 'name', renderCell: ({ deviceName }) => deviceName },
    { id: 'day', header: t('columns.day'), renderCell: ({ day }) => format.date(`${day}T00:00:00Z`, 'UTC') },
    count('ownCount'),
    count('fleetCount'),
  ];
  return (
    <div>
      <p className={section.dimmed}>{t('differ', { count: differingDays, shown: differences.length })}</p>
      <ResponsiveTable
        label={t('table')}
        columns={columns}
        rows={differences}
        rowKey={({ deviceId, day }) => `${deviceId} ${day}`}
      />
    </div>
  );
}
