import { Group, Stack } from '@mantine/core';
import { IconBellCheck, IconHistory, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Alarm, maxListedAlarms, type PendingAlarm } from '../../../../shared/alarms.ts';
import type { Templates } from '../../../../shared/messages.ts';
import { useAlarmFigure, useAlarmTexts } from '../../entities/alarm-words.ts';
import { alarmRulesQuery, openAlarmsQuery, pendingAlarmsQuery, resolvedAlarmsQuery } from '../../entities/alarms.ts';
import { AlarmText, OpenAlarms, SeverityChip, SubjectLink } from '../../entities/OpenAlarms.tsx';
import { useDisplayZone, useHasRole } from '../../lib/current-user.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Age } from '../../ui/Age.tsx';
import { anyDay, DayRangeFields, instantsOf } from '../../ui/DayRange.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Freshness } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';

/** Firing, pending and past alarms. */
export function AlarmsPage() {
  const t = useTranslations('alarms');
  const tShell = useTranslations('shell');
  const tSection = useTranslations('sections');
  const isAdmin = useHasRole('Admin');
  const open = useQuery(openAlarmsQuery);
  const pending = useQuery(pendingAlarmsQuery);
  const zone = useDisplayZone();
  const [days, setDays] = useState(anyDay);
  const resolved = useQuery(resolvedAlarmsQuery(instantsOf(days, zone)));
  const texts = useAlarmTexts();
  return (
    <>
      <PageHeader
        title={tShell('alarms')}
        freshness={
          <Freshness updatedAtMs={open.dataUpdatedAt} error={open.error} onRetry={() => void open.refetch()} />
        }
        actions={
          isAdmin && (
            <LinkButton
              to="/settings/alarm-rules"
              variant="default"
              leftSection={<IconSettings size={16} stroke={1.75} aria-hidden />}
            >
              {tSection('alarmRules')}
            </LinkButton>
          )
        }
      />
      <Stack gap="lg">
        <Panel
          flush
          title={t('open')}
          description={isCut(open.data) ? t('openCut', { max: maxListedAlarms }) : undefined}
        >
          <Loaded queries={[open, texts]} skeleton={<RowsSkeleton rows={4} isInset />}>
            {(alarms, words) => (alarms.length === 0 ? <NoAlarms /> : <OpenAlarms alarms={alarms} texts={words} />)}
          </Loaded>
        </Panel>
        {pending.data !== undefined && pending.data.length > 0 && <PendingPanel alarms={pending.data} />}
        <Panel
          flush
          title={t('history')}
          description={[
            t('historyHint'),
            ...(isCut(resolved.data) ? [t('historyCut', { max: maxListedAlarms })] : []),
          ].join(' ')}
        >
          <Group className="screen-only" gap="md" px="md" py="sm" role="search" aria-label={t('history')}>
            <DayRangeFields range={days} onChange={setDays} labels={{ from: t('fromDay'), to: t('toDay') }} />
          </Group>
          <Loaded queries={[resolved, texts]} skeleton={<RowsSkeleton rows={6} isInset />}>
            {(alarms, words) => <History alarms={alarms} texts={words} />}
          </Loaded>
        </Panel>
      </Stack>
    </>
  );
}

/** Whether the portal may have more alarms than it lists. */
const isCut = (alarms: readonly Alarm[] = []) => alarms.length >= maxListedAlarms;

const namedRules = 8;

/** Shows what is monitored, so that an empty list is not misleading. */
function NoAlarms() {
  const t = useTranslations('alarms');
  const isAdmin = useHasRole('Admin');
  const rules = useQuery({ ...alarmRulesQuery, enabled: isAdmin }).data ?? [];
  const names = rules.flatMap(({ name, isActive }) => (isActive ? [name] : []));
  return (
    <EmptyState icon={<IconBellCheck size={22} stroke={1.75} />} title={t('none')}>
      {!isAdmin
        ? t('askAdmin')
        : names.length === 0
          ? t('nothingWatched')
          : t('watched', { count: names.length, rules: names.slice(0, namedRules).join(', ') })}
    </EmptyState>
  );
}

function PendingPanel({ alarms }: { alarms: readonly PendingAlarm[] }) {
  const t = useTranslations('alarms');
  const columns: Column<PendingAlarm>[] = [
    {
      id: 'alarm',
      header: t('columns.alarm'),
      kind: 'name',
      renderCell: ({ subject, ruleName }) => (
        <>
          <SubjectLink subject={subject} />
          <span className="detail">{ruleName}</span>
        </>
      ),
    },
    {
      id: 'severity',
      header: t('columns.severity'),
      renderCell: ({ severity }) => <SeverityChip severity={severity} />,
    },
    { id: 'since', header: t('columns.since'), renderCell: ({ since }) => <Age at={since} /> },
  ];
  return (
    <Panel flush title={t('pending')} description={t('pendingHint')}>
      <ListTable
        label={t('pending')}
        columns={columns}
        rows={alarms}
        rowKey={({ id }) => id}
        textOf={({ subject, ruleName }) => `${subject.name} ${ruleName}`}
        searchLabel={t('search')}
        stepRows={10}
      />
    </Panel>
  );
}

function History({ alarms, texts }: { alarms: readonly Alarm[]; texts: Templates }) {
  const t = useTranslations('alarms');
  const format = useFormat();
  const { duration } = useAlarmFigure();
  const zone = useDisplayZone();
  if (alarms.length === 0) {
    return (
      <EmptyState icon={<IconHistory size={22} stroke={1.75} />} title={t('noHistory')}>
        {t('noHistoryHint')}
      </EmptyState>
    );
  }
  const lasted = ({ firingAt, resolvedAt }: Alarm) =>
    (Date.parse(resolvedAt ?? firingAt) - Date.parse(firingAt)) / 1000;
  const columns: Column<Alarm>[] = [
    {
      id: 'alarm',
      header: t('columns.alarm'),
      kind: 'name',
      sortBy: ({ subject }) => subject.name,
      renderCell: (alarm) => <AlarmText alarm={alarm} texts={texts} />,
    },
    {
      id: 'severity',
      header: t('columns.severity'),
      renderCell: ({ severity }) => <SeverityChip severity={severity} />,
    },
    {
      id: 'start',
      header: t('columns.start'),
      sortBy: ({ firingAt }) => instantOf(firingAt),
      renderCell: ({ firingAt }) => <span className="figures">{format.dateTime(firingAt, zone)}</span>,
    },
    {
      id: 'lasted',
      header: t('columns.lasted'),
      sortBy: lasted,
      // A reading from before the alarm arrived late, so the alarm ended before it began.
      renderCell: (alarm) => (lasted(alarm) <= 0 ? t('states.disproved') : duration(lasted(alarm))),
    },
    {
      id: 'acknowledged',
      header: t('columns.acknowledged'),
      renderCell: ({ acknowledgedBy }) => acknowledgedBy,
    },
  ];
  return (
    <ListTable
      label={t('history')}
      columns={columns}
      rows={alarms}
      rowKey={({ id }) => id}
      textOf={({ subject, ruleName, acknowledgedBy }) => `${subject.name} ${ruleName} ${acknowledgedBy ?? ''}`}
      searchLabel={t('search')}
      stepRows={20}
    />
  );
}
