import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnProof } from '../../../../../shared/passkeys.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useErrorText, fieldRefusal } from '../../../lib/error-text.ts';
import { askForPasskey, mayHavePasskeys } from '../../../lib/passkeys.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { CodeField } from '../../../ui/second-factor/CodeField.tsx';
import { isSecondFactorOn, secondFactorQuery } from './second-factor-query.ts';

interface OwnPasswordFormProps {
  /** The action to confirm. */
  text: string;
  action: { isPending: boolean; error: Error | null };
  submit: (proof: OwnProof) => void;
  submitLabel: string;
  color?: string;
  onCancel: () => void;
  /** Fields before the password. */
  children?: ReactNode;
}

/** Asks for the user's own password and, if they have one, second factor, before an action that affects access to the account. */
export function OwnPasswordForm({
  text,
  action,
  submit,
  submitLabel,
  color,
  onCancel,
  children,
}: OwnPasswordFormProps) {
  const t = useTranslations('secondFactor');
  const tSignIn = useTranslations('signIn');
  const errorText = useErrorText();
  const user = useCurrentUser();
  const own = useQuery(secondFactorQuery).data;
  const ask = useMutation({ mutationFn: askForPasskey });
  const [currentPassword, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const takesCode = own !== undefined && isSecondFactorOn(own);
  const isPending = action.isPending || ask.isPending;
  const error = ask.error ?? action.error;
  const wrongCode = fieldRefusal(error, ['code'])?.message ?? null;
  const send = () => {
    setIsChecked(true);
    ask.reset();
    if (currentPassword === '' || (takesCode && code.trim() === '')) return;
    submit(takesCode ? { currentPassword, code } : { currentPassword });
  };
  const sendPasskey = () => {
    if (currentPassword === '') setIsChecked(true);
    else ask.mutate(undefined, { onSuccess: (passkey) => submit({ currentPassword, passkey }) });
  };
  return (
    <DialogForm
      onSubmit={send}
      keepsNothing
      refusal={error === null || wrongCode !== null ? null : errorText(error)}
      submitLabel={submitLabel}
      isPending={isPending}
      onCancel={onCancel}
      color={color}
    >
      <Text>{text}</Text>
      {children}
      <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
      <PasswordField
        data-autofocus
        label={t('password')}
        autoComplete="current-password"
        value={currentPassword}
        error={isChecked && currentPassword === '' ? tSignIn('passwordMissing') : null}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {takesCode && (
        <CodeField
          label={t('ownCode')}
          inputMode="text"
          value={code}
          error={wrongCode ?? (isChecked && code.trim() === '' ? t('codeMissing') : null)}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {takesCode && own.passkeys.length > 0 && mayHavePasskeys() && (
        <Button variant="default" loading={ask.isPending} onClick={sendPasskey}>
          {t('proveByPasskey')}
        </Button>
      )}
    </DialogForm>
  );
}
