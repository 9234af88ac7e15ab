import { TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';

interface PasskeyNameFieldProps {
  name: string;
  onName: (name: string) => void;
  isChecked: boolean;
}

/** What a new passkey is called. */
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
