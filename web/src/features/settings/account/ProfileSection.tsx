import { Button, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { currentUser, type CurrentUser, profileUpdate } from '../../../../../shared/accounts.ts';
import { profileVersion } from '../../../../../shared/versions.ts';
import { currentUserQuery, useCurrentUser } from '../../../lib/current-user.ts';
import { TheirsKept } from '../../../lib/edit-conflict.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson } from '../../../lib/http.ts';
import { maxLengthOf, useSaveRecord } from '../../../lib/records.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { TimeZoneSelect } from '../../../ui/TimeZoneSelect.tsx';
import { UnsavedGuard } from '../../../ui/Dialog.tsx';

/** The signed-in user's own name and time zone; email and roles are changed under Settings → Users. */
export function ProfileSection() {
  const user = useCurrentUser();
  return user === null ? null : <ProfileForm key={user.email} user={user} />;
}

function ProfileForm({ user }: { user: CurrentUser }) {
  const t = useTranslations('settings.profile');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const title = useTranslations('sections')('profile');
  const tRole = useTranslations('settings.roles');
  const format = useFormat();
  const errorText = useErrorText();
  const save = useSaveProfile();
  const client = useQueryClient();
  const [displayName, setDisplayName] = useState(user.displayName);
  const [timeZone, setTimeZone] = useState(user.timeZone ?? '');
  // The values at the start: updates that the page receives later are not changes made here.
  const [seen, setSeen] = useState(user);
  const [isChecked, setIsChecked] = useState(false);
  const trimmed = displayName.trim();
  const isTooLong = trimmed.length > (maxLengthOf(profileUpdate.shape.displayName) ?? 0);
  const isDirty = trimmed !== user.displayName || timeZone !== (user.timeZone ?? '');
  const problem = trimmed === '' ? t('nameMissing') : isTooLong ? t('nameTooLong') : null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (problem !== null || save.isPending) return;
    save.mutate(
      { seen, values: { displayName: trimmed, timeZone: timeZone === '' ? null : timeZone } },
      {
        onSuccess: (saved) => {
          setDisplayName(saved.displayName);
          setTimeZone(saved.timeZone ?? '');
          setSeen(saved);
          notifications.show({ color: 'green', message: t('saved') });
        },
        onError: (error) => {
          if (!(error instanceof TheirsKept)) return;
          save.reset();
          void client.fetchQuery({ ...currentUserQuery, staleTime: 0 }).then((theirs) => {
            if (theirs === null) return;
            setDisplayName(theirs.displayName);
            setTimeZone(theirs.timeZone ?? '');
            setSeen(theirs);
          });
        },
      },
    );
  };

  return (
    <Panel title={title} description={t('description')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={420}>
          <TextInput
            label={t('displayName')}
            autoComplete="name"
            value={displayName}
            error={(isChecked ? problem : null) ?? (save.error === null ? null : errorText(save.error))}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
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
            label={tTerms('timeZone')}
            description={t('timeZoneHint')}
            none={t('portalZone')}
            value={timeZone}
            onChange={setTimeZone}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isDirty}>
              {tCommon('saveChanges')}
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedGuard isDirty={isDirty} />
    </Panel>
  );
}

/** `PUT /api/auth/me`. */
function useSaveProfile() {
  const t = useTranslations('settings.profile');
  const tTerms = useTranslations('terms');
  const client = useQueryClient();
  return useSaveRecord<z.infer<typeof profileUpdate>, CurrentUser>({
    urlOf: () => '/api/auth/me',
    answer: currentUser,
    versionOf: profileVersion,
    read: () => fetchJson('/api/auth/me', currentUser),
    fields: { displayName: { label: t('displayName') }, timeZone: { label: tTerms('timeZone') } },
    onSaved: (saved) => client.setQueryData(currentUserQuery.queryKey, saved),
  });
}
