import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { violatedPasswordRules, type User } from '../../../../shared/accounts.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordRules } from '../../ui/PasswordRules.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';
import { useResetPassword } from './users-query.ts';

/** Gives a user another password. */
export function ResetPasswordForm({ user, onDone }: { user: User; onDone: () => void }) {
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
