import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { PushOverview } from '../../../../../shared/push.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Age } from '../../../ui/Age.tsx';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Figure, Figures } from '../../../ui/Figures.tsx';
import { Freshness } from '../../../ui/Freshness.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import classes from './FleetPushSection.module.css';
import { type PushHealth, type PushResourceState, pushHealth, sentUpTo, pushQuery, usePushNow } from './push-health.ts';
import { ReconciliationPanel } from './ReconciliationPanel.tsx';
import section from '../section.module.css';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The state of pushing each resource, in the order of pushing. */
function PushTable({ resources }: { resources: readonly PushResourceState[] }) {
  const t = useTranslations('settings.fleetPush');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
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
        return <StatusChip tone={stateTones[state]}>{t(`states.${state}`)}</StatusChip>;
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

const stateTones = { sent: 'good', waiting: 'warn', none: 'quiet' } as const;

/** What is sent to the fleet, and its state. */
export function FleetPushSection() {
  const t = useTranslations('settings.fleetPush');
  const title = useTranslations('sections')('fleetPush');
  const push = useQuery(pushQuery);
  return (
    <>
      <Panel
        title={title}
        description={t('description')}
        actions={
          push.data?.isEnabled === true && (
            <span className={classes.head}>
              <Freshness updatedAtMs={push.dataUpdatedAt} error={push.error} onRetry={() => void push.refetch()} />
              <PushNow />
            </span>
          )
        }
      >
        <Loaded queries={[push]} skeleton={<RowsSkeleton rows={6} />}>
          {(data) => (data.isEnabled ? <Push overview={data} /> : <Off />)}
        </Loaded>
      </Panel>
      {push.data?.isEnabled === true && <ReconciliationPanel state={push.data.reconciliation} />}
    </>
  );
}

function PushNow() {
  const t = useTranslations('settings.fleetPush');
  const errorText = useErrorText();
  const push = usePushNow();
  return (
    <Button
      data-sends
      variant="default"
      leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
      loading={push.isPending}
      onClick={() =>
        push.mutate(undefined, {
          onSuccess: () => notifications.show({ color: 'green', message: t('pushing') }),
          onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
        })
      }
    >
      {t('pushNow')}
    </Button>
  );
}

const settings =
  'FleetIngest__Enabled=true\nFleetIngest__Url=https://fleet.example.com/api/fleet/ingest\nFleetIngest__Token=…';

/** The settings that turn the push on. */
function Off() {
  const t = useTranslations('settings.fleetPush');
  const tPush = useTranslations('push');
  return (
    <div className={classes.parts}>
      <div>
        <p className={section.name}>{t('offTitle')}</p>
        <p className={section.dimmed}>{t('offText')}</p>
      </div>
      <CodeBlock text={settings} label={t('offSettings')} copyLabel={tPush('copySettings')} />
    </div>
  );
}

const tones = {
  refused: 'bad',
  waiting: 'warn',
  starting: 'quiet',
  catchingUp: 'good',
  running: 'good',
} as const satisfies Record<Exclude<PushHealth, 'off'>, string>;

function Push({ overview }: { overview: PushOverview }) {
  const t = useTranslations('settings.fleetPush');
  const format = useFormat();
  const { health, worst } = pushHealth(overview);
  return (
    <div className={classes.parts}>
      <div className={classes.head} role="status">
        {health !== 'off' && <StatusChip tone={tones[health]}>{t(`health.${health}`)}</StatusChip>}
        <span className={section.dimmed}>{t('every', { interval: format.duration(overview.intervalSeconds) })}</span>
      </div>
      {worst !== null && <Trouble isLasting={health === 'refused'} state={worst} />}
      <State overview={overview} />
      <PushTable resources={overview.resources} />
      <Cursor cursor={overview.resources.find(({ resource }) => resource === 'measurements')?.cursor ?? null} />
    </div>
  );
}

function Trouble({ isLasting, state }: { isLasting: boolean; state: PushResourceState }) {
  const t = useTranslations('settings.fleetPush');
  const tPush = useTranslations('push');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
  const { failures, lastError, lastErrorKind, lastSuccessAt, nextAttemptAt } = state;
  const resource = tTerms(state.resource);
  return (
    <Alert color={isLasting ? 'red' : 'yellow'} title={tPush(`trouble.${lastErrorKind ?? 'broken'}`)}>
      <p className={classes.why}>{lastError}</p>
      {lastErrorKind === 'unauthorized' && <p>{t('mend')}</p>}
      <p>
        {lastSuccessAt === null
          ? t('never', { resource })
          : t('since', { resource, time: format.dateTime(lastSuccessAt, zone) })}{' '}
        {t('failures', {
          count: failures,
          when: nextAttemptAt === null ? t('atNextRound') : format.dateTimeSeconds(nextAttemptAt, zone),
        })}{' '}
        {t('nothingLost')}
      </p>
    </Alert>
  );
}

function State({ overview: { resources } }: { overview: PushOverview }) {
  const t = useTranslations('settings.fleetPush');
  const format = useFormat();
  const zone = useDisplayZone();
  const measurements = resources.find(({ resource }) => resource === 'measurements');
  const backlog = measurements?.backlogRows ?? 0;
  const cursor = measurements?.cursor ?? null;
  const upTo = sentUpTo(cursor);
  const rejected = resources.reduce((sum, { rejectedRows }) => sum + rejectedRows, 0);
  const last = resources
    .flatMap(({ lastSuccessAt }) => lastSuccessAt ?? [])
    .toSorted()
    .at(-1);
  return (
    <Figures>
      <Figure label={t('backlog')} note={t('backlogNote', { count: backlog })}>
        {format.integer(backlog)}
      </Figure>
      <Figure label={t('lastBatch')} note={t('lastBatchNote')}>
        {last === undefined ? t('noBatch') : <Age at={last} />}
      </Figure>
      {cursor !== null && (
        <Figure label={t('sentUpTo')} note={t(upTo === null ? 'walkingNote' : 'sentUpToNote')}>
          {upTo === null ? t('walking') : format.dateTime(upTo, zone)}
        </Figure>
      )}
      <Figure label={t('rejected')} note={t('rejectedNote')} isWarning={rejected > 0}>
        {format.integer(rejected)}
      </Figure>
    </Figures>
  );
}

/** As shown in the fleet's log of batches. */
function Cursor({ cursor }: { cursor: string | null }) {
  const t = useTranslations('settings.fleetPush');
  return (
    cursor !== null && (
      <p className={classes.quiet}>
        {t('cursor')} <code className={classes.why}>{cursor}</code>
      </p>
    )
  );
}
