import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { userCreate, violatedPasswordRules, type Role, type User } from '../../../../../shared/accounts.ts';
import { appInfoQuery } from '../../../lib/app-info.ts';
import { TheirsKept } from '../../../lib/edit-conflict.ts';
import { DialogForm, useFormRefusal } from '../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { PasswordRules } from '../../../ui/PasswordRules.tsx';
import { useCreateUser, useSaveUser, withRole } from './users-query.ts';

interface UserFormProps {
  /** Null creates a new one. */
  user: User | null;
  isOwn: boolean;
  onDone: () => void;
  /** Called with a new one, or one whose roles may be others now. */
  onSaved: (user: User) => void;
}

/** Creates or changes a user. Nobody takes the role from themself or switches themself off. */
export function UserForm({ user, isOwn, onDone, onSaved }: UserFormProps) {
  const t = useTranslations('settings.users');
  const tAll = useTranslations();
  const isFleet = useSuspenseQuery(appInfoQuery).data.runMode === 'Admin';
  const create = useCreateUser();
  const save = useSaveUser();
  const isPending = create.isPending || save.isPending;

  const needsProof = ({ email }: { email: string }) => isOwn && email.trim() !== user?.email;

  const form = useForm({
    initialValues: {
      displayName: user?.displayName ?? '',
      email: user?.email ?? '',
      password: '',
      currentPassword: '',
      isAdmin: user?.roles.includes('Admin') ?? false,
      isRestricted: user?.roles.includes('RestrictedAdmin') ?? false,
      isActive: user?.isActive ?? true,
    },
    validate: {
      displayName: (name) => (name.trim() === '' ? tAll('errors.required') : null),
      email: (email) => (userCreate.shape.email.safeParse(email).success ? null : t('emailInvalid')),
      password: (password) => (user === null && violatedPasswordRules(password).length > 0 ? t('passwordWeak') : null),
      currentPassword: (given, values) =>
        needsProof(values) && given === '' ? tAll('secondFactor.passwordMissing') : null,
    },
  });
  const refusal = useFormRefusal(form, ['displayName', 'email', 'currentPassword', 'password', 'isAdmin', 'isActive']);
  const finish = (saved: User, message: string) => {
    notifications.show({ color: 'green', message });
    onDone();
    onSaved(saved);
  };
  const onError = (error: unknown) =>
    error instanceof TheirsKept ? onDone() : refusal.show(error, { roles: 'isAdmin' });

  const submit = refusal.onSubmit(({ password, currentPassword, isAdmin, isRestricted, ...values }) => {
    const roles = withRole(withRole(user?.roles ?? [], 'Admin', isAdmin), 'RestrictedAdmin', isRestricted);
    if (user === null) {
      create.mutate(
        { ...values, roles, password },
        {
          onSuccess: (made) => finish(made, t(made.isActive ? 'created' : 'createdOff', { name: made.displayName })),
          onError,
        },
      );
    } else {
      save.mutate(
        { seen: user, values: { ...values, roles, ...(needsProof(values) ? { currentPassword } : {}) } },
        { onSuccess: (saved) => finish(saved, tAll('terms.saved', { name: saved.displayName })), onError },
      );
    }
  });

  const { isAdmin, isRestricted } = form.values;
  const changes = (role: Role, isOn: boolean) => user !== null && user.roles.includes(role) !== isOn;
  const administratorHint = t(isFleet ? 'administratorHintFleet' : 'administratorHint');
  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={user === null ? tAll('common.create') : tAll('common.saveChanges')}
      isPending={isPending}
      onCancel={onDone}
    >
      <TextInput
        {...form.getInputProps('displayName')}
        data-autofocus
        label={tAll('settings.profile.displayName')}
        maxLength={200}
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label={tAll('settings.profile.email')}
        description={t('emailHint')}
        maxLength={254}
        autoComplete="off"
      />
      {needsProof(form.values) && (
        <PasswordField
          {...form.getInputProps('currentPassword')}
          label={tAll('secondFactor.password')}
          description={t('currentPasswordHint')}
          autoComplete="current-password"
        />
      )}
      {user === null && (
        <>
          <PasswordField
            {...form.getInputProps('password')}
            label={tAll('signIn.password')}
            description={t('passwordHint')}
            autoComplete="new-password"
          />
          <PasswordRules password={form.values.password} />
        </>
      )}
      <Switch
        {...form.getInputProps('isAdmin', { type: 'checkbox' })}
        label={tAll('settings.roles.Admin')}
        description={
          isOwn ? t('administratorOwn') : changes('Admin', isAdmin) ? t('rolesEndSessions') : administratorHint
        }
        disabled={isOwn}
      />
      {isFleet && (
        <Switch
          {...form.getInputProps('isRestricted', { type: 'checkbox' })}
          label={tAll('settings.roles.RestrictedAdmin')}
          description={
            isAdmin
              ? t('restrictedAdmin')
              : changes('RestrictedAdmin', isRestricted)
                ? t('rolesEndSessions')
                : t('restrictedHint')
          }
          disabled={isAdmin}
        />
      )}
      <Switch
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        label={tAll('terms.active')}
        description={isOwn ? t('activeOwn') : t('activeHint')}
        disabled={isOwn}
      />
    </DialogForm>
  );
}
