import { Button, Stack, Text, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type User, violatedPasswordRules } from '../../../../../shared/accounts.ts';
import { usersQuery } from '../../../entities/users.ts';
import { appInfoQuery } from '../../../lib/app-info.ts';
import { ConfirmByName } from '../../../ui/ConfirmByName.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useCreates } from '../../../lib/mutations.ts';
import { AccessForm } from './AccessForm.tsx';
import { UserForm } from './UserForm.tsx';
import { isRestricted, UserTable } from './UserTable.tsx';
import {
  useDeleteUser,
  useResetSecondFactor,
  useResetPassword,
  signInPolicyQuery,
  useSaveSignInPolicy,
} from './users-query.ts';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { DialogForm, useDialog, useFormRefusal } from '../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { PasswordRules } from '../../../ui/PasswordRules.tsx';
import { useErrorText } from '../../../lib/error-text.ts';
import { isSecondFactorOn, secondFactorQuery } from '../account/second-factor-query.ts';

/** Who may sign in, and what administrators need to sign in. */
export function UsersSection() {
  // Waits for the list, because the position below it depends on its length.
  const { isPending } = useQuery(usersQuery);
  return (
    <Stack gap="lg">
      <UsersPanel />
      {!isPending && <SignInPolicyPanel />}
    </Stack>
  );
}

/** The users; administrators create, change, deactivate, unlock and delete them. */
function UsersPanel() {
  const t = useTranslations('settings.users');
  const title = useTranslations('sections')('users');
  const users = useQuery(usersQuery);
  const ownEmail = useCurrentUser()?.email;
  const editing = useDialog<User | null>();
  useCreates(() => editing.open(null));
  const resetting = useDialog<User>();
  const assigning = useDialog<User>();
  const deleting = useDialog<User>();
  const forgetting = useDialog<User>();
  const isFleet = useSuspenseQuery(appInfoQuery).data.runMode === 'Admin';
  // Without customers a restricted administrator sees nothing.
  const assignNext = (saved: User, before: User | null) => {
    if (isFleet && isRestricted(saved) && (before === null || !isRestricted(before))) assigning.open(saved);
  };
  const isOwn = (user: User) => user.email === ownEmail;

  return (
    <Panel
      flush
      title={title}
      description={t('description')}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
          {t('new')}
        </Button>
      }
    >
      <Loaded queries={[users]} skeleton={<RowsSkeleton rows={4} height={44} isInset />}>
        {(data) => (
          <UserTable
            users={data}
            isOwn={isOwn}
            onEdit={editing.open}
            onResetPassword={resetting.open}
            onDelete={deleting.open}
            onResetSecondFactor={forgetting.open}
            {...(isFleet ? { onAssign: assigning.open } : {})}
          />
        )}
      </Loaded>
      <Dialog opened={editing.isOpen} onClose={editing.close} title={t(editing.subject === null ? 'new' : 'edit')}>
        <UserForm
          user={editing.subject}
          isOwn={editing.subject !== null && isOwn(editing.subject)}
          onDone={editing.close}
          onSaved={(saved) => assignNext(saved, editing.subject)}
        />
      </Dialog>
      <Dialog opened={resetting.isOpen} onClose={resetting.close} title={t('resetPassword')}>
        {resetting.subject !== null && <ResetPasswordForm user={resetting.subject} onDone={resetting.close} />}
      </Dialog>
      <Dialog opened={assigning.isOpen} onClose={assigning.close} title={t('assignCustomers')}>
        {assigning.subject !== null && <AccessForm user={assigning.subject} onDone={assigning.close} />}
      </Dialog>
      {forgetting.subject !== null && (
        <ResetSecondFactorDialog user={forgetting.subject} opened={forgetting.isOpen} onClose={forgetting.close} />
      )}
      {deleting.subject !== null && (
        <DeleteUserDialog user={deleting.subject} opened={deleting.isOpen} onClose={deleting.close} />
      )}
    </Panel>
  );
}

function ResetSecondFactorDialog({ user, opened, onClose }: { user: User; opened: boolean; onClose: () => void }) {
  const t = useTranslations('settings.users');
  const reset = useResetSecondFactor();
  const name = user.displayName;
  return (
    <ConfirmByName
      opened={opened}
      title={t('resetSecondFactor')}
      name={user.email}
      onConfirm={() => reset.mutateAsync(user.id)}
      done={t('secondFactorReset', { name })}
      onClose={onClose}
    >
      {t('resetSecondFactorText', { name })}
    </ConfirmByName>
  );
}

function DeleteUserDialog({ user, opened, onClose }: { user: User; opened: boolean; onClose: () => void }) {
  const t = useTranslations('settings.users');
  const tTerms = useTranslations('terms');
  const remove = useDeleteUser();
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={user.email}
      onConfirm={() => remove.mutateAsync(user)}
      done={tTerms('deleted', { name: user.displayName })}
      onClose={onClose}
    >
      {t('deleteText', { name: user.displayName })}
    </ConfirmByName>
  );
}

/** Sets a new password for a user. */
function ResetPasswordForm({ user, onDone }: { user: User; onDone: () => void }) {
  const t = useTranslations('settings.users');
  const tSignIn = useTranslations('signIn');
  const reset = useResetPassword();
  const name = user.displayName;
  const form = useForm({
    initialValues: { newPassword: '' },
    validate: {
      newPassword: (password) => (violatedPasswordRules(password).length > 0 ? t('passwordWeak') : null),
    },
  });
  const refusal = useFormRefusal(form, ['newPassword']);

  const submit = refusal.onSubmit(({ newPassword }) =>
    reset.mutate(
      { id: user.id, newPassword },
      {
        onSuccess: () => {
          notifications.show({ color: 'green', message: t('passwordSet', { name }) });
          onDone();
        },
        onError: (error) => refusal.show(error),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={t('resetPassword')}
      isPending={reset.isPending}
      onCancel={onDone}
    >
      <Text>{t('passwordText', { name })}</Text>
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <PasswordField
        {...form.getInputProps('newPassword')}
        data-autofocus
        label={tSignIn('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
      />
      <PasswordRules password={form.values.newPassword} />
    </DialogForm>
  );
}

/** Whether administrators need a second factor. Only users who have one may require it. */
function SignInPolicyPanel() {
  const t = useTranslations('settings.users.policy');
  const errorText = useErrorText();
  const policy = useQuery(signInPolicyQuery);
  const own = useQuery(secondFactorQuery);
  const save = useSaveSignInPolicy();
  const change = (adminsNeedSecondFactor: boolean) =>
    save.mutate(
      { adminsNeedSecondFactor },
      {
        onSuccess: () =>
          notifications.show({ color: 'green', message: t(adminsNeedSecondFactor ? 'required' : 'notRequired') }),
        onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
      },
    );
  return (
    <Panel title={t('title')}>
      <Loaded queries={[policy, own]} skeleton={<RowsSkeleton rows={1} />}>
        {({ adminsNeedSecondFactor }, factor) => (
          <Switch
            label={t('adminsNeedSecondFactor')}
            description={t(isSecondFactorOn(factor) ? 'hint' : 'ownFirst')}
            checked={adminsNeedSecondFactor}
            disabled={save.isPending || (!isSecondFactorOn(factor) && !adminsNeedSecondFactor)}
            onChange={(event) => change(event.currentTarget.checked)}
          />
        )}
      </Loaded>
    </Panel>
  );
}
