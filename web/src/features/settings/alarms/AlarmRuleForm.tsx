import { Button, Select, SimpleGrid, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { type AlarmRule, alarmSeverity } from '../../../../../shared/alarms.ts';
import { email } from '../../../../../shared/primitives.ts';
import { alarmRuleVersion } from '../../../../../shared/versions.ts';
import { alarmRule, alarmRulesPath, alarmRulesQuery } from '../../../entities/alarms.ts';
import { CustomersChoice } from '../../../entities/CustomerPicker.tsx';
import { fleetGroupsQuery } from '../../../entities/customers.ts';
import { usersQuery } from '../../../entities/users.ts';
import { newTime, timeProblem } from '../../../entities/week-windows.ts';
import { WeekTimeRow } from '../../../entities/WeekTimeRow.tsx';
import { appInfoQuery } from '../../../lib/app-info.ts';
import { devicesQuery } from '../../../lib/devices.ts';
import { useRenew } from '../../../lib/mutations.ts';
import { problemsOf, readFromList, urlUnder, useSaveRecord } from '../../../lib/records.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { MultiChoice } from '../../../ui/MultiChoice.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { webhooksQuery } from '../webhooks-query.ts';
import { RulePreview } from './RulePreview.tsx';
import {
  commonOfRules,
  conditionOf,
  fieldNames,
  fieldsOf,
  hasScope,
  kindsOf,
  type RuleDraft,
  type RuleValues,
  toRule,
  valuesOf,
} from './rule-values.ts';
import { useRuleWords } from './use-rule-words.ts';
import classes from '../section.module.css';

/** Saves a rule over the version that the user saw. */
export function useSaveAlarmRule() {
  const t = useTranslations();
  const { summary } = useRuleWords();
  return useSaveRecord<RuleDraft, AlarmRule>({
    urlOf: urlUnder(alarmRulesPath),
    answer: alarmRule,
    versionOf: alarmRuleVersion,
    read: readFromList(alarmRulesPath, alarmRule),
    fields: {
      name: { label: t('common.name') },
      kind: { label: t('alarmRules.kind'), text: ({ kind }) => t(`alarmRules.kinds.${kind}`) },
      condition: { label: t('alarmRules.condition'), text: summary },
      severity: { label: t('alarms.columns.severity'), text: ({ severity }) => t(`alarms.severities.${severity}`) },
      isActive: { label: t('terms.active') },
    },
    renew: useRenew(alarmRulesQuery.queryKey),
  });
}

/** The fields of the form that have other names in the portal. */
const renamed: Readonly<Record<string, keyof RuleValues>> = {
  ...Object.fromEntries(fieldNames.map((name): [string, keyof RuleValues] => [`condition.${name}`, name])),
  'scope.siteIds': 'siteIds',
  'scope.deviceIds': 'deviceIds',
  'scope.endUses': 'endUses',
  'scope.customerIds': 'customerIds',
  'scope.groups': 'groups',
  recipients: 'told',
  'escalation.afterSeconds': 'escalationAfter',
  'escalation.recipients': 'escalationTold',
};

interface AlarmRuleFormProps {
  /** Null creates a new one. */
  rule: AlarmRule | null;
  onDone: () => void;
}

/** Creates or changes a rule. The fields of its condition come from the schema of its kind. */
export function AlarmRuleForm({ rule, onDone }: AlarmRuleFormProps) {
  const t = useTranslations('alarmRules');
  const tAll = useTranslations();
  const separator = useFormat().decimalSeparator;
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const kinds = kindsOf(runMode);
  const save = useSaveAlarmRule();
  const conditionProblems = (values: RuleValues) => {
    const fields = fieldsOf(values.kind);
    return problemsOf(
      conditionOf(values.kind),
      { typed: values, written: toRule(values, separator).condition },
      Object.fromEntries(
        fields.flatMap(({ name, type }) =>
          type === 'number' && values[name] !== '' ? [[name, () => t('notANumber')]] : [],
        ),
      ),
      tAll('errors.required'),
    );
  };
  const { form, text, choice, toggle, dialog } = useRecordForm({
    seen: rule,
    initialValues: valuesOf(rule, kinds[0] ?? 'offline', separator),
    schema: commonOfRules,
    toWrite: (values) => toRule(values, separator),
    problems: { durationSeconds: () => t('notANumber') },
    check: (values): { [Field in keyof RuleValues]?: string | null } => ({
      ...conditionProblems(values),
      emails: values.emails.every((each) => email.safeParse(each).success) ? null : tAll('settings.users.emailInvalid'),
      windows: values.windows.every((time) => timeProblem(time) === null) ? null : t('windowsInvalid'),
      escalationAfter: isEscalationTime(toRule(values, separator)) ? null : t('notANumber'),
      escalationTold:
        values.escalationAfter.trim() !== '' && values.escalationTold.length === 0 ? tAll('errors.required') : null,
    }),
    labels: {
      name: { label: tAll('common.name') },
      kind: { label: t('kind') },
      severity: { label: tAll('alarms.columns.severity') },
      durationSeconds: { label: t('duration') },
      isActive: { label: tAll('terms.active') },
    },
    renamed,
    save: (values, seen) => save.mutateAsync({ seen, values: toRule(values, separator) }),
    said: ({ name }) => (rule === null ? t('created', { name }) : tAll('terms.saved', { name })),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: tAll('common.create'),
  });

  const isComplete = Object.keys(conditionProblems(form.values)).length === 0;
  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus description={t('nameHint')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <Select
          {...choice('kind')}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          allowDeselect={false}
        />
        <Select
          {...choice('severity')}
          data={alarmSeverity.options.map((value) => ({ value, label: tAll(`alarms.severities.${value}`) }))}
          allowDeselect={false}
        />
        <ConditionFields form={form} />
        <NumberField {...text('durationSeconds')} unit="min" description={t('durationHint')} />
      </SimpleGrid>
      <ScopeFields form={form} />
      <ScheduleFields form={form} />
      <PeopleFields form={form} />
      <EscalationFields form={form} />
      <Switch {...toggle('isActive')} description={t('isActiveHint')} />
      <RulePreview rule={isComplete ? toRule(form.values, separator) : null} />
    </DialogForm>
  );
}

interface FieldsProps {
  form: UseFormReturnType<RuleValues>;
}

const hinted = ['afterSeconds', 'hysteresis', 'percent', 'factor', 'rejectedPercent', 'currency'] as const;

/** The fields of the condition. */
function ConditionFields({ form }: FieldsProps) {
  const t = useTranslations('alarmRules');
  const { choice, unitOf } = useRuleWords();
  return fieldsOf(form.values.kind).map(({ name, type, options }) => {
    const hint = hinted.find((one) => one === name);
    const props = {
      ...form.getInputProps(name),
      label: t(`fields.${name}`),
      ...(hint !== undefined && { description: t(`hints.${hint}`) }),
    };
    const data = options.map((value) => ({ value, label: choice(value) }));
    if (type === 'choices') return <MultiChoice key={name} {...props} data={data} />;
    if (type === 'choice') return <Select key={name} {...props} data={data} allowDeselect={false} />;
    if (type === 'text') return <TextInput key={name} {...props} autoComplete="off" />;
    return <NumberField key={name} {...props} value={String(form.values[name])} unit={unitOf(name, form.values)} />;
  });
}

/** The devices or customers of the rule. */
function ScopeFields({ form }: FieldsProps) {
  const t = useTranslations('alarmRules');
  const tShell = useTranslations('shell');
  const tTerms = useTranslations('terms');
  const tDeleted = useTranslations('settings.notifications');
  const tDevice = useTranslations('sites.device');
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  const sites = useQuery({ ...sitesQuery, enabled: isClient }).data ?? [];
  const devices = useQuery({ ...devicesQuery, enabled: isClient }).data ?? [];
  const existing = useQuery({ ...fleetGroupsQuery, enabled: !isClient }).data ?? [];
  const endUses = [...new Set(devices.flatMap(({ endUse }) => endUse ?? []))];
  const props = (field: 'siteIds' | 'deviceIds' | 'endUses' | 'customerIds' | 'groups') => ({
    ...form.getInputProps(field),
    placeholder: form.values[field].length === 0 ? t('all') : '',
  });
  if (!hasScope(form.values.kind)) return null;
  if (!isClient) {
    // Groups that no customer has any more are listed, too.
    const groups = [...new Set([...existing.map(({ name }) => name), ...form.values.groups])];
    return (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <CustomersChoice {...props('customerIds')} label={tShell('customers')} deleted={tDeleted('deletedPlace')} />
        {groups.length > 0 && <MultiChoice {...props('groups')} label={t('groups')} data={groups} />}
      </SimpleGrid>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <MultiChoice
        {...props('siteIds')}
        label={tShell('sites')}
        data={sites.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <MultiChoice
        {...props('deviceIds')}
        label={tTerms('devices')}
        data={devices.map(({ id, name, siteName }) => ({ value: id, label: `${name} (${siteName})` }))}
      />
      {endUses.length > 0 && <MultiChoice {...props('endUses')} label={tDevice('endUse')} data={endUses} />}
    </SimpleGrid>
  );
}

const maxWindows = 50;

/** The weekly windows in which the alarm may begin; none means always. */
function ScheduleFields({ form }: FieldsProps) {
  const t = useTranslations('alarmRules');
  const headingId = useId();
  const { windows } = form.values;
  const change = (next: RuleValues['windows']) => form.setFieldValue('windows', next);
  return (
    <Stack role="group" aria-labelledby={headingId} gap="xs">
      <h3 id={headingId} className={classes.subheading}>
        {t('schedule')}
      </h3>
      <Text size="sm" c="dimmed">
        {t(windows.length === 0 ? 'always' : 'scheduleHint')}
      </Text>
      {windows.map((window) => (
        <WeekTimeRow
          key={window.key}
          time={window}
          isChecked={form.errors.windows !== undefined}
          onChange={(changed) => change(windows.map((one) => (one.key === window.key ? changed : one)))}
          onRemove={() => change(windows.filter(({ key }) => key !== window.key))}
        />
      ))}
      {windows.length < maxWindows && (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'start' }}
          leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
          onClick={() => change([...windows, newTime()])}
        >
          {t('addWindow')}
        </Button>
      )}
    </Stack>
  );
}

/** The possible recipients of a rule. Those that it already has stay in the list, even if they were deleted. */
function useRecipients(told: readonly string[]) {
  const t = useTranslations('alarmRules');
  const tDeleted = useTranslations('settings.notifications');
  const tKinds = useTranslations('settings.audit.kinds');
  const users = useQuery(usersQuery).data;
  const webhooks = useQuery(webhooksQuery).data;
  const people = (users ?? []).map(({ id, displayName }) => ({ value: `userId ${id}`, label: displayName }));
  const hooks = (webhooks ?? []).map(({ id, name }) => ({ value: `webhookId ${id}`, label: name }));
  const known = new Set([administrators, ...[...people, ...hooks].map(({ value }) => value)]);
  const others = told.filter((one) => !known.has(one));
  return [
    { group: tKinds('user'), items: [{ value: administrators, label: t('administrators') }, ...people] },
    { group: tKinds('webhook'), items: hooks },
    {
      group: t('emails'),
      items: others.map((value) => {
        const [what, name = ''] = value.split(' ');
        return { value, label: what === 'email' ? name : users && webhooks ? tDeleted('deletedPlace') : '…' };
      }),
    },
  ].filter(({ items }) => items.length > 0);
}
const administrators = 'role Admin';

/** The recipients. */
function PeopleFields({ form }: FieldsProps) {
  const t = useTranslations('alarmRules');
  const data = useRecipients(form.values.told);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <MultiChoice {...form.getInputProps('told')} label={t('told')} data={data} />
      <TagsInput {...form.getInputProps('emails')} label={t('emails')} description={t('emailsHint')} />
    </SimpleGrid>
  );
}

/** The recipients if nobody acknowledges the alarm, and after how long. */
function EscalationFields({ form }: FieldsProps) {
  const t = useTranslations('alarmRules');
  const data = useRecipients(form.values.escalationTold);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <NumberField
        {...form.getInputProps('escalationAfter')}
        value={form.values.escalationAfter}
        unit="min"
        label={t('escalationAfter')}
        description={t('escalationHint')}
      />
      <MultiChoice
        {...form.getInputProps('escalationTold')}
        label={t('escalationTold')}
        data={data}
        disabled={form.values.escalationAfter.trim() === ''}
      />
    </SimpleGrid>
  );
}

/** From a minute to a week. */
const isEscalationTime = ({ escalation }: RuleDraft) =>
  escalation === null || (escalation.afterSeconds >= 60 && escalation.afterSeconds <= 7 * 86_400);
