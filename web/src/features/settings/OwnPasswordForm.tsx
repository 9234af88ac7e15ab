import { Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { DialogButtons } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

interface OwnPasswordFormProps {
  /** What is about to be done. */
  text: string;
  action: { isPending: boolean; error: Error | null };
  submit: (password: string) => void;
  submitLabel: string;
  color?: string;
  onCancel: () => void;
}

/** Asks for the own password before something that opens or closes the account. */
export function OwnPasswordForm({ text, action, submit, submitLabel, color, onCancel }: OwnPasswordFormProps) {
  const t = useTranslations('secondFactor');
  const errorText = useErrorText();
  const user = useCurrentUser();
  const [password, setPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (password !== '' && !action.isPending) submit(password);
  };
  return (
    <form onSubmit={send} noValidate data-keeps-nothing>
      <Stack gap="md">
        <Text>{text}</Text>
        <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
        <PasswordField
          data-autofocus
          label={t('password')}
          autoComplete="current-password"
          value={password}
          error={isChecked && password === '' ? t('passwordMissing') : null}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError>{action.error === null ? null : errorText(action.error)}</FormError>
        <DialogButtons
          submitLabel={submitLabel}
          isPending={action.isPending}
          onCancel={onCancel}
          {...(color === undefined ? {} : { color })}
        />
      </Stack>
    </form>
  );
}
