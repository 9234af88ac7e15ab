import { Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { userCreate, violatedPasswordRules, type Role, type User } from '../../../../../shared/accounts.ts';
import { appInfoQuery, mailOfferQuery } from '../../../lib/app-info.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { PasswordRules } from '../../../ui/PasswordRules.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { isRestricted as isRestrictedUser } from './UserTable.tsx';
import { useCreateUser, useInvite, useSaveUser, useUserFields, withRole } from './users-query.ts';

interface UserFormProps {
  /** Null creates a new one. */
  user: User | null;
  isOwn: boolean;
  onDone: () => void;
  /** Called with a new user, or with a user whose roles may have changed. */
  onSaved: (user: User) => void;
}

/** A password that nobody knows. The link in the invitation sets another one. */
const unguessable = () => `Aa1${crypto.getRandomValues(new Uint32Array(6)).join('')}`;

/**
 * Creates or changes a user, who has at most one role. Users cannot take this role from themselves or deactivate themselves.
 */
export function UserForm({ user, isOwn, onDone, onSaved }: UserFormProps) {
  const t = useTranslations('settings.users');
  const tAll = useTranslations();
  const isFleet = useSuspenseQuery(appInfoQuery).data.runMode === 'Admin';
  const create = useCreateUser();
  const save = useSaveUser();
  const invite = useInvite();
  const mayInvite = useQuery(mailOfferQuery).data?.isOffered === true;
  const isInvited = (values: { isInvited: boolean }) => user === null && mayInvite && values.isInvited;
  const needsProof = ({ email }: { email: string }) => isOwn && email.trim() !== user?.email;
  const { form, text, toggle, dialog } = useRecordForm({
    seen: user,
    initialValues: {
      displayName: user?.displayName ?? '',
      email: user?.email ?? '',
      currentPassword: '',
      password: '',
      isInvited: true,
      isAdmin: user?.roles.includes('Admin') ?? false,
      isRestricted: user !== null && isRestrictedUser(user),
      isActive: user?.isActive ?? true,
    },
    schema: userCreate,
    toWrite: (values) => (isInvited(values) ? { ...values, password: unguessable() } : values),
    problems: { email: () => t('emailInvalid') },
    check: (values) => ({
      password:
        user === null && !isInvited(values) && violatedPasswordRules(values.password).length > 0
          ? t('passwordWeak')
          : null,
      currentPassword: needsProof(values) && values.currentPassword === '' ? tAll('signIn.passwordMissing') : null,
    }),
    labels: { ...useUserFields(), isInvited: { label: t('invite') } },
    renamed: { roles: 'isAdmin' },
    save: (all, seen) => {
      const { password: typed, currentPassword, isAdmin, isRestricted, isInvited: _, ...values } = all;
      const password = isInvited(all) ? unguessable() : typed;
      const roles = withRole(withRole(seen?.roles ?? [], 'Admin', isAdmin), 'RestrictedAdmin', isRestricted);
      return seen === null
        ? create.mutateAsync({ ...values, roles, password })
        : save.mutateAsync({ seen, values: { ...values, roles, ...(needsProof(values) ? { currentPassword } : {}) } });
    },
    said: ({ displayName: name, isActive }) =>
      user === null ? t(isActive ? 'created' : 'createdOff', { name }) : tAll('terms.saved', { name }),
    onSaved: (saved) => {
      if (isInvited(form.values) && saved.isActive) invite(saved);
      onDone();
      onSaved(saved);
    },
    onCancel: onDone,
    createLabel: tAll('common.create'),
  });

  const { isAdmin, isRestricted } = form.values;
  const changes = (role: Role, isOn: boolean) => user !== null && user.roles.includes(role) !== isOn;
  const administratorHint = t(isFleet ? 'administratorHintFleet' : 'administratorHint');
  return (
    <DialogForm {...dialog}>
      <TextInput {...text('displayName')} data-autofocus />
      <TextInput {...text('email')} type="email" description={t('emailHint')} />
      {needsProof(form.values) && (
        <PasswordField
          {...form.getInputProps('currentPassword')}
          label={tAll('secondFactor.password')}
          description={t('currentPasswordHint')}
          autoComplete="current-password"
        />
      )}
      {user === null && mayInvite && <Switch {...toggle('isInvited')} description={t('inviteHint')} />}
      {user === null && !isInvited(form.values) && (
        <>
          <PasswordField
            {...form.getInputProps('password')}
            label={tAll('signIn.password')}
            description={t('passwordHint')}
            autoComplete="new-password"
          />
          <PasswordRules password={form.values.password} />
          {!mayInvite && (
            <Text size="sm" c="dimmed">
              {t('inviteByMail')}
            </Text>
          )}
        </>
      )}
      <Switch
        {...toggle('isAdmin')}
        onChange={({ currentTarget: { checked } }) =>
          form.setValues({ isAdmin: checked, ...(checked && { isRestricted: false }) })
        }
        description={
          isOwn ? t('administratorOwn') : changes('Admin', isAdmin) ? t('rolesEndSessions') : administratorHint
        }
        disabled={isOwn}
      />
      {isFleet && (
        <Switch
          {...toggle('isRestricted')}
          onChange={({ currentTarget: { checked } }) =>
            form.setValues({ isRestricted: checked, ...(checked && { isAdmin: false }) })
          }
          description={changes('RestrictedAdmin', isRestricted) ? t('rolesEndSessions') : t('restrictedHint')}
          disabled={isOwn}
        />
      )}
      <Switch {...toggle('isActive')} description={isOwn ? t('activeOwn') : t('activeHint')} disabled={isOwn} />
    </DialogForm>
  );
}
