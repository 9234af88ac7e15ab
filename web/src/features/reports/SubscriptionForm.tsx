import { Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { languages, type Language } from '../../../../shared/messages.ts';
import { email } from '../../../../shared/primitives.ts';
import {
  reportedPeriod,
  type ReportedPeriod,
  type ReportSubscription,
  reportSubscription,
  reportSubscriptionWrite,
  type ReportSubscriptionWrite,
} from '../../../../shared/report-subscriptions.ts';
import { reportSubscriptionVersion } from '../../../../shared/versions.ts';
import { CustomersChoice } from '../../entities/CustomerPicker.tsx';
import { usersQuery } from '../../entities/users.ts';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { languageName } from '../../lib/i18n/language.ts';
import { useRenew } from '../../lib/mutations.ts';
import { readFromList, urlUnder, useSaveRecord } from '../../lib/records.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { MultiChoice } from '../../ui/MultiChoice.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { subscriptionsPath, subscriptionsQuery } from './queries.ts';

/** Saves a subscription over the version that the user saw. */
export function useSaveSubscription() {
  const t = useTranslations();
  const yesNo = (is: boolean) => t(is ? 'common.yes' : 'common.no');
  return useSaveRecord<ReportSubscriptionWrite, ReportSubscription>({
    urlOf: urlUnder(subscriptionsPath),
    answer: reportSubscription,
    versionOf: reportSubscriptionVersion,
    read: readFromList(subscriptionsPath, reportSubscription),
    fields: {
      name: { label: t('common.name') },
      period: { label: t('reportMails.period'), text: ({ period }) => t(`reportMails.periods.${period}`) },
      subjectIds: { label: t('reportMails.about'), text: ({ subjectIds }) => String(subjectIds.length) },
      recipients: { label: t('reportMails.recipients'), text: ({ recipients }) => String(recipients.length) },
      hasWorkbook: { label: t('reportMails.hasWorkbook'), text: ({ hasWorkbook }) => yesNo(hasWorkbook) },
      isActive: { label: t('terms.active') },
    },
    renew: useRenew(subscriptionsQuery.queryKey),
  });
}

interface SubscriptionValues extends Record<string, unknown> {
  name: string;
  period: ReportedPeriod;
  subjectIds: string[];
  userIds: string[];
  emails: string[];
  /** The language of mails to addresses. */
  language: Language;
  hasWorkbook: boolean;
  isActive: boolean;
}

const valuesOf = (one: ReportSubscription | null, language: Language): SubscriptionValues => ({
  name: one?.name ?? '',
  period: one?.period ?? 'month',
  subjectIds: one?.subjectIds ?? [],
  userIds: one?.recipients.flatMap((each) => ('userId' in each ? [each.userId] : [])) ?? [],
  emails: one?.recipients.flatMap((each) => ('email' in each ? [each.email] : [])) ?? [],
  language: one?.recipients.flatMap((each) => ('email' in each ? [each.language] : []))[0] ?? language,
  hasWorkbook: one?.hasWorkbook ?? false,
  isActive: one?.isActive ?? true,
});

/** The language that an address already has stays, unless another one was chosen. */
const languagesIn = (seen: ReportSubscription | null, chosen: Language): Map<string, Language> => {
  const had = seen?.recipients.flatMap((each) => ('email' in each ? [[each.email, each.language] as const] : [])) ?? [];
  return new Map(had[0]?.[1] === chosen ? had : []);
};

const toWrite = (
  { userIds, emails, language, ...values }: SubscriptionValues,
  seen: ReportSubscription | null,
): ReportSubscriptionWrite => ({
  name: values.name,
  period: values.period,
  subjectIds: values.subjectIds,
  hasWorkbook: values.hasWorkbook,
  isActive: values.isActive,
  recipients: [
    ...userIds.map((userId) => ({ userId })),
    ...emails.map((address) => ({ email: address, language: languagesIn(seen, language).get(address) ?? language })),
  ],
});

interface SubscriptionFormProps {
  /** Null creates a new one. */
  subscription: ReportSubscription | null;
  onDone: () => void;
}

/** Creates or changes a report by mail. */
export function SubscriptionForm({ subscription, onDone }: SubscriptionFormProps) {
  const t = useTranslations('reportMails');
  const tAll = useTranslations();
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  // A RestrictedAdmin is the only recipient.
  const isAdmin = useHasRole('Admin');
  const sites = useQuery({ ...sitesQuery, enabled: isClient }).data ?? [];
  const users = useQuery({ ...usersQuery, enabled: isAdmin }).data ?? [];
  const save = useSaveSubscription();
  const { form, text, choice, toggle, dialog } = useRecordForm({
    seen: subscription,
    initialValues: valuesOf(subscription, useLocale()),
    schema: reportSubscriptionWrite,
    toWrite: (values) => toWrite(values, subscription),
    check: ({ emails }) => ({
      emails: emails.every((each) => email.safeParse(each).success) ? null : tAll('settings.users.emailInvalid'),
    }),
    labels: {
      name: { label: tAll('common.name') },
      period: { label: t('period') },
      language: { label: t('language') },
      hasWorkbook: { label: t('hasWorkbook') },
      isActive: { label: tAll('terms.active') },
    },
    renamed: { recipients: 'emails' },
    save: (values, seen) => save.mutateAsync({ seen, values: toWrite(values, seen) }),
    said: ({ name }) => tAll('terms.saved', { name }),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: tAll('common.create'),
  });
  const subjects = {
    ...form.getInputProps('subjectIds'),
    placeholder: form.values.subjectIds.length === 0 ? tAll('alarmRules.all') : '',
  };
  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus />
      <Select
        {...choice('period')}
        data={reportedPeriod.options.map((value) => ({ value, label: t(`periods.${value}`) }))}
        allowDeselect={false}
      />
      {isClient ? (
        <MultiChoice
          {...subjects}
          label={tAll('shell.sites')}
          data={sites.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <CustomersChoice
          {...subjects}
          label={tAll('shell.customers')}
          deleted={tAll('settings.notifications.deletedPlace')}
        />
      )}
      {isAdmin && (
        <>
          <MultiChoice
            {...form.getInputProps('userIds')}
            label={tAll('settings.audit.kinds.user')}
            description={t('recipientsHint')}
            data={users.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          />
          <TagsInput {...form.getInputProps('emails')} label={tAll('alarmRules.emails')} />
          {form.values.emails.length > 0 && (
            <Select
              {...choice('language')}
              data={languages.map((value) => ({ value, label: languageName(value) }))}
              allowDeselect={false}
            />
          )}
        </>
      )}
      <Switch {...toggle('hasWorkbook')} />
      <Switch {...toggle('isActive')} />
    </DialogForm>
  );
}
