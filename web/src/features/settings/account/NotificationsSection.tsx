import { Alert, Button, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { alarmSeverity, clientAlarmKind, fleetAlarmKind } from '../../../../../shared/alarms.ts';
import { languages } from '../../../../../shared/messages.ts';
import {
  clientNotificationChoices,
  clientNotificationChoicesWrite,
  fleetNotificationChoices,
  fleetNotificationChoicesWrite,
} from '../../../../../shared/notifications.ts';
import { CustomersChoice } from '../../../entities/CustomerPicker.tsx';
import { mailOfferQuery } from '../../../lib/app-info.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fetchJson } from '../../../lib/http.ts';
import { languageName } from '../../../lib/i18n/language.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { UnsavedGuard } from '../../../ui/Dialog.tsx';
import { FormError } from '../../../ui/DialogForm.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MultiChoice } from '../../../ui/MultiChoice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { BrowsersPanel } from './BrowsersPanel.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';

const path = '/api/me/notifications';
const choices = z.union([clientNotificationChoices, fleetNotificationChoices]);
type Choices = z.infer<typeof choices>;

/** `GET /api/me/notifications`. */
const choicesQuery = queryOptions({
  queryKey: ['my-notifications'],
  queryFn: ({ signal }) => fetchJson(path, choices, { signal }),
});

/** The alarms of which the signed-in user is notified, and when. */
export function NotificationsSection() {
  const t = useTranslations('settings.notifications');
  const title = useTranslations('sections')('notifications');
  const stored = useQuery({ ...choicesQuery, staleTime: Infinity });
  const offer = useQuery(mailOfferQuery);
  return (
    <Stack gap="lg">
      <Panel title={title} description={t('description')}>
        <Loaded queries={[stored, offer]} skeleton={<RowsSkeleton rows={5} />}>
          {(data, { isOffered }) => (
            <Stack gap="md" maw={420}>
              {!isOffered && <Alert color="yellow">{t('noMail')}</Alert>}
              <ChoicesForm stored={data} />
            </Stack>
          )}
        </Loaded>
      </Panel>
      <BrowsersPanel isOn={stored.data?.channels.includes('push') !== false} />
    </Stack>
  );
}

function ChoicesForm({ stored }: { stored: Choices }) {
  const t = useTranslations('settings.notifications');
  const tCommon = useTranslations('common');
  const tErrors = useTranslations('errors');
  const tKinds = useTranslations('alarmRules.kinds');
  const client = useQueryClient();
  const isFleet = 'customerIds' in stored;
  const mayChoose = useCurrentUser()?.roles.length !== 0;
  const sites = useQuery({ ...sitesQuery, enabled: !isFleet }).data;

  const toWrite = ({ isMailed, isPushed, isQuiet, startTime, endTime, placeIds, language, ...values }: Values) => ({
    ...values,
    channels: [...(isMailed ? ['mail'] : []), ...(isPushed ? ['push'] : [])],
    language: languages.find((code) => code === language) ?? null,
    quietHours: isQuiet ? { startTime, endTime } : null,
    ...(isFleet ? { customerIds: placeIds } : { siteIds: placeIds }),
  });
  const { form, dialog, choice, toggle, takeOver } = useRecordForm({
    seen: stored,
    initialValues: valuesOf(stored),
    schema: isFleet ? fleetNotificationChoicesWrite : clientNotificationChoicesWrite,
    toWrite,
    check: ({ isQuiet, startTime, endTime }) => ({
      startTime: isQuiet && startTime === '' ? tErrors('required') : null,
      endTime: !isQuiet ? null : endTime === '' ? tErrors('required') : startTime === endTime ? t('sameTimes') : null,
    }),
    labels: {
      isMailed: { label: t('isMailed') },
      isPushed: { label: t('isPushed') },
      minimumSeverity: { label: t('minimumSeverity') },
      kinds: { label: t('kinds') },
      placeIds: { label: t(isFleet ? 'customers' : 'sites') },
      isQuiet: { label: t('isQuiet') },
      startTime: { label: t('from') },
      endTime: { label: t('to') },
      language: { label: t('language') },
    },
    renamed: { siteIds: 'placeIds', customerIds: 'placeIds', 'quietHours.endTime': 'endTime' },
    save: (values) => fetchJson(path, choices, { method: 'PUT', json: toWrite(values) }),
    said: () => t('saved'),
    onSaved: (saved) => {
      client.setQueryData(choicesQuery.queryKey, saved);
      takeOver(saved, valuesOf(saved));
    },
    onCancel: () => undefined,
  });

  const { isMailed, isPushed, isQuiet, kinds, placeIds } = form.values;
  const isOff = !isMailed && !isPushed;
  const known = new Set(sites?.map(({ id }) => id));
  const gone = sites === undefined ? [] : placeIds.filter((id) => !known.has(id));
  const places = { ...choice('placeIds'), placeholder: placeIds.length === 0 ? tCommon('all') : '' };
  return (
    <form onSubmit={dialog.onSubmit} noValidate>
      <Stack gap="md">
        <Switch {...toggle('isMailed')} />
        <Switch {...toggle('isPushed')} />
        <NativeSelect
          {...choice('minimumSeverity')}
          disabled={isOff}
          data={alarmSeverity.options.map((value) => ({ value, label: t(`severities.${value}`) }))}
        />
        <MultiChoice
          {...choice('kinds')}
          disabled={isOff}
          placeholder={kinds.length === 0 ? tCommon('all') : ''}
          data={(isFleet ? fleetAlarmKind : clientAlarmKind).options.map((value) => ({ value, label: tKinds(value) }))}
        />
        {!isFleet ? (
          <MultiChoice
            {...places}
            disabled={isOff || sites === undefined}
            data={[
              ...(sites ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ...gone.map((id) => ({ value: id, label: t('deletedPlace') })),
            ]}
          />
        ) : (
          mayChoose && <CustomersChoice {...places} deleted={t('deletedPlace')} disabled={isOff} />
        )}
        <Switch {...toggle('isQuiet')} description={t('quietHint')} disabled={isOff} />
        {isQuiet && (
          <Group grow align="start">
            <TextInput {...choice('startTime')} type="time" disabled={isOff} />
            <TextInput {...choice('endTime')} type="time" disabled={isOff} />
          </Group>
        )}
        <NativeSelect
          {...choice('language')}
          data={[
            { value: '', label: t('portalLanguage') },
            ...languages.map((code) => ({ value: code, label: languageName(code) })),
          ]}
        />
        <FormError>{dialog.refusal}</FormError>
        <Group>
          <Button type="submit" loading={dialog.isPending} disabled={!form.isDirty()}>
            {dialog.submitLabel}
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard isDirty={form.isDirty()} />
    </form>
  );
}

type Values = ReturnType<typeof valuesOf>;

const valuesOf = (stored: Choices) => ({
  isMailed: stored.channels.includes('mail'),
  isPushed: stored.channels.includes('push'),
  minimumSeverity: stored.minimumSeverity,
  kinds: stored.kinds,
  placeIds: 'siteIds' in stored ? stored.siteIds : stored.customerIds,
  isQuiet: stored.quietHours !== null,
  startTime: stored.quietHours?.startTime ?? '22:00',
  // Without this, no time field accepts the end of the day.
  endTime: (stored.quietHours?.endTime ?? '06:00').replace('24:00', '00:00'),
  language: stored.language ?? '',
});
