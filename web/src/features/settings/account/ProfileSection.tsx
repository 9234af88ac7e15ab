import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { currentUser, type CurrentUser, profileUpdate } from '../../../../../shared/accounts.ts';
import { profileVersion } from '../../../../../shared/versions.ts';
import { currentUserQuery, useCurrentUser } from '../../../lib/current-user.ts';
import { fetchJson } from '../../../lib/http.ts';
import { useSaveRecord } from '../../../lib/records.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { FormError } from '../../../ui/DialogForm.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TimeZoneSelect } from '../../../ui/TimeZoneSelect.tsx';
import { UnsavedGuard } from '../../../ui/Dialog.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';

/** The signed-in user's own name and time zone; email and roles are changed under Settings → Users. */
export function ProfileSection() {
  const user = useCurrentUser();
  return user === null ? null : <ProfileForm key={user.email} user={user} />;
}

const valuesOf = ({ displayName, timeZone }: CurrentUser) => ({ displayName, timeZone: timeZone ?? '' });
const toWrite = ({ displayName, timeZone }: ReturnType<typeof valuesOf>): z.infer<typeof profileUpdate> => ({
  displayName,
  timeZone: timeZone === '' ? null : timeZone,
});

function ProfileForm({ user }: { user: CurrentUser }) {
  const t = useTranslations('settings.profile');
  const title = useTranslations('sections')('profile');
  const tRole = useTranslations('settings.roles');
  const format = useFormat();
  const client = useQueryClient();
  const labels = useLabels();
  const save = useSaveProfile(labels);
  const show = (stored: CurrentUser | null) => stored !== null && takeOver(stored, valuesOf(stored));
  const { form, dialog, text, choice, takeOver } = useRecordForm({
    seen: user,
    initialValues: valuesOf(user),
    schema: profileUpdate,
    toWrite,
    labels,
    save: (values, seen) => save.mutateAsync({ seen, values: toWrite(values) }),
    said: () => t('saved'),
    onSaved: show,
    onCancel: () => void client.fetchQuery({ ...currentUserQuery, staleTime: 0 }).then(show),
  });

  return (
    <Panel title={title} description={t('description')}>
      <form onSubmit={dialog.onSubmit} noValidate>
        <Stack gap="md" maw={420}>
          <TextInput {...text('displayName')} autoComplete="name" />
          <TextInput
            label={t('email')}
            description={t(user.roles.includes('Admin') ? 'emailHintAdmin' : 'emailHint')}
            value={user.email}
            readOnly
            variant="filled"
          />
          <TextInput
            label={t('roles')}
            value={user.roles.length === 0 ? tRole('none') : format.list(user.roles.map((role) => tRole(role)))}
            readOnly
            variant="filled"
          />
          <TimeZoneSelect
            {...choice('timeZone')}
            value={form.values.timeZone}
            description={t('timeZoneHint')}
            none={t('portalZone')}
          />
          <FormError>{dialog.refusal}</FormError>
          <Group>
            <Button type="submit" loading={dialog.isPending} disabled={!form.isDirty()}>
              {dialog.submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedGuard isDirty={form.isDirty()} />
    </Panel>
  );
}

function useLabels() {
  const displayName = useTranslations('settings.profile')('displayName');
  const timeZone = useTranslations('terms')('timeZone');
  return { displayName: { label: displayName }, timeZone: { label: timeZone } };
}

/** `PUT /api/auth/me`. */
function useSaveProfile(fields: ReturnType<typeof useLabels>) {
  const client = useQueryClient();
  return useSaveRecord<z.infer<typeof profileUpdate>, CurrentUser>({
    urlOf: () => '/api/auth/me',
    answer: currentUser,
    versionOf: profileVersion,
    read: () => fetchJson('/api/auth/me', currentUser),
    fields,
    onSaved: (saved) => client.setQueryData(currentUserQuery.queryKey, saved),
  });
}
