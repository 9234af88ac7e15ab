import { Button, Menu } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Alarm, AlarmSeverity, AlarmSubject } from '../../../shared/alarms.ts';
import type { Templates } from '../../../shared/messages.ts';
import { appInfoQuery } from '../lib/app-info.ts';
import { useDisplayZone, useHasRole } from '../lib/current-user.ts';
import { devicesQuery } from '../lib/devices.ts';
import { keptRange } from '../lib/kept-range.ts';
import { useFormat } from '../lib/use-format.ts';
import { useNow } from '../lib/use-now.ts';
import { Age } from '../ui/Age.tsx';
import { LinkAnchor } from '../ui/LinkButton.tsx';
import { ListTable } from '../ui/ListTable.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ReasonedButton } from '../ui/ReasonedButton.tsx';
import type { Column } from '../ui/ResponsiveTable.tsx';
import { RowMenu } from '../ui/RowMenu.tsx';
import { StatusChip } from '../ui/StatusChip.tsx';
import { instantOf } from '../ui/sorted-rows.ts';
import { textAround, useAlarmFigure, useAlarmTexts } from './alarm-words.ts';
import { bySeverity, openAlarmsQuery, severityTones, useChangeAlarm } from './alarms.ts';
import classes from './OpenAlarms.module.css';

const hourMs = 3_600_000;
const snoozeHours = [1, 4, 24, 168] as const;

export function SeverityChip({ severity }: { severity: AlarmSeverity }) {
  const t = useTranslations('alarms.severities');
  return <StatusChip tone={severityTones[severity]}>{t(severity)}</StatusChip>;
}

/** The device of an alarm with its site. Undefined if the device no longer exists, or if the alarm has another subject. */
function useDeviceOf({ kind, id }: AlarmSubject) {
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  const devices = useQuery({ ...devicesQuery, enabled: isClient && kind === 'device' }).data ?? [];
  return kind === 'device' ? devices.find((device) => device.id === id) : undefined;
}

/** The name of an alarm's subject, as a link to its page if the reader has one. */
export function SubjectLink({ subject }: { subject: AlarmSubject }) {
  const { kind, id, name } = subject;
  const device = useDeviceOf(subject);
  const isAdmin = useHasRole('Admin');
  if (device !== undefined) {
    return (
      <LinkAnchor
        to="/sites/$siteId/devices/$deviceId"
        params={{ siteId: device.siteId, deviceId: device.id }}
        search={keptRange()}
        className={classes.subject}
      >
        {name}
      </LinkAnchor>
    );
  }
  if (kind === 'site' && id !== null) {
    return (
      <LinkAnchor to="/sites/$siteId" params={{ siteId: id }} search={keptRange()} className={classes.subject}>
        {name}
      </LinkAnchor>
    );
  }
  if (kind === 'customer' && id !== null) {
    return (
      <LinkAnchor to="/customers/$customerId" params={{ customerId: id }} className={classes.subject}>
        {name}
      </LinkAnchor>
    );
  }
  if (kind === 'apiKey' && isAdmin) {
    return (
      <LinkAnchor to="/settings/api-keys" className={classes.subject}>
        {name}
      </LinkAnchor>
    );
  }
  return name;
}

interface AlarmTextProps {
  alarm: Alarm;
  texts: Templates;
}

/** The text of an alarm, and below it the place and the rule. */
export function AlarmText({ alarm, texts }: AlarmTextProps) {
  const { figure } = useAlarmFigure();
  const tSection = useTranslations('sections');
  const isAdmin = useHasRole('Admin');
  const device = useDeviceOf(alarm.subject);
  const [before, after] = textAround(alarm, figure(alarm.value, alarm.unit), texts);
  return (
    <>
      <span className={classes.text}>
        {before}
        {after !== null && <SubjectLink subject={alarm.subject} />}
        {after}
      </span>
      <span className="detail">
        {[device?.siteName, alarm.ruleName].filter((part) => part !== undefined).join(' · ')}
        {alarm.subject.kind === 'portal' && isAdmin && (
          <>
            {' · '}
            <LinkAnchor to="/settings/fleet-push" inherit>
              {tSection('fleetPush')}
            </LinkAnchor>
          </>
        )}
      </span>
    </>
  );
}

/** Open alarms, each with the actions that a user may take. */
export function OpenAlarms({ alarms, texts }: { alarms: readonly Alarm[]; texts: Templates }) {
  const t = useTranslations('alarms');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const nowMs = useNow(10_000);
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
      id: 'since',
      header: t('columns.since'),
      sortBy: ({ firingAt }) => instantOf(firingAt),
      renderCell: ({ firingAt }) => <Age at={firingAt} />,
    },
    { id: 'state', header: tTerms('state'), renderCell: (alarm) => <AlarmState alarm={alarm} nowMs={nowMs} /> },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (alarm) => <AlarmActions alarm={alarm} />,
    },
  ];
  return (
    <ListTable
      label={t('open')}
      columns={columns}
      rows={bySeverity(alarms)}
      rowKey={({ id }) => id}
      textOf={({ subject, ruleName }) => `${subject.name} ${ruleName}`}
      searchLabel={t('search')}
    />
  );
}

function AlarmState({ alarm, nowMs }: { alarm: Alarm; nowMs: number }) {
  const t = useTranslations('alarms');
  const format = useFormat();
  const zone = useDisplayZone();
  const { acknowledgedBy, snoozedUntil } = alarm;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > nowMs;
  return (
    <>
      {acknowledgedBy === null ? t('states.firing') : t('states.acknowledged', { name: acknowledgedBy })}
      {isSnoozed && (
        <span className="detail">{t('states.snoozed', { time: format.dateTime(snoozedUntil, zone) })}</span>
      )}
    </>
  );
}

/** Acknowledges or snoozes an alarm with one click. */
function AlarmActions({ alarm: { id, subject, state, acknowledgedBy } }: { alarm: Alarm }) {
  const t = useTranslations('alarms');
  const format = useFormat();
  const change = useChangeAlarm();
  const snoozeText = (hours: number) => t('snooze', { duration: format.duration(hours * 3600, 'short') });
  const snooze = (hours: number) => change.mutate({ id, untilMs: Date.now() + hours * hourMs });
  const [first, ...longer] = snoozeHours;
  return (
    <span className={classes.actions}>
      <ReasonedButton
        reason={state === 'firing' ? null : t('states.acknowledged', { name: acknowledgedBy ?? '' })}
        variant="default"
        size="compact-sm"
        aria-label={format.labelled(t('acknowledge'), subject.name)}
        onClick={() => change.mutate({ id })}
      >
        {t('acknowledge')}
      </ReasonedButton>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={format.labelled(snoozeText(first), subject.name)}
        onClick={() => snooze(first)}
      >
        {snoozeText(first)}
      </Button>
      <RowMenu label={format.labelled(t('snoozeLonger'), subject.name)}>
        {longer.map((hours) => (
          <Menu.Item key={hours} onClick={() => snooze(hours)}>
            {snoozeText(hours)}
          </Menu.Item>
        ))}
      </RowMenu>
    </span>
  );
}

/** The open alarms on the page of a device, a site with its devices, or a customer. Shows nothing if there are none. */
export function PlaceAlarms({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('alarms');
  const texts = useAlarmTexts().data;
  const alarms = (useQuery(openAlarmsQuery).data ?? []).filter(
    ({ subject: { id } }) => id !== null && ids.includes(id),
  );
  if (alarms.length === 0 || texts === undefined) return null;
  return (
    <Panel flush title={t('open')}>
      <OpenAlarms alarms={alarms} texts={texts} />
    </Panel>
  );
}
