import { TextInput, type TextInputProps } from '@mantine/core';
import type { RefAttributes } from 'react';
import { useTranslations } from 'use-intl';

/** A code from an authenticator app; phones and password managers fill it in. */
export function CodeField(props: Omit<TextInputProps, 'autoComplete' | 'name'> & RefAttributes<HTMLInputElement>) {
  return (
    <TextInput
      inputMode="numeric"
      {...props}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
    />
  );
}

interface PasskeyNameFieldProps {
  name: string;
  onName: (name: string) => void;
  isChecked: boolean;
}

/** The name of a new passkey. */
export function PasskeyNameField({ name, onName, isChecked }: PasskeyNameFieldProps) {
  const t = useTranslations('secondFactor');
  return (
    <TextInput
      label={t('passkeyName')}
      description={t('passkeyNameHint')}
      maxLength={100}
      value={name}
      error={isChecked && name.trim() === '' ? t('passkeyNameMissing') : null}
      onChange={(event) => onName(event.currentTarget.value)}
    />
  );
}
