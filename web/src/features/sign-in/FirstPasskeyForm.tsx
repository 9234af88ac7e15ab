import { Button, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import { FormError } from '../../ui/FormError.tsx';
import { PasskeyNameField } from '../../ui/second-factor/PasskeyNameField.tsx';
import { type SecondFactorAnswer, useFirstPasskey } from './use-sign-in.ts';

interface FirstPasskeyFormProps {
  token: string;
  onSignedIn: (answer: SecondFactorAnswer) => void;
  onStartAgain: () => void;
}

/** The passkey of who must have a second factor and has none. */
export function FirstPasskeyForm({ token, onSignedIn, onStartAgain }: FirstPasskeyFormProps) {
  const t = useTranslations('secondFactor');
  const errorText = useErrorText();
  const add = useFirstPasskey();
  const [name, setName] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (name.trim() !== '' && !add.isPending) add.mutate({ token, name }, { onSuccess: onSignedIn });
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <Text>{t('passkeysText')}</Text>
        <FormError>{add.error && errorText(add.error)}</FormError>
        <PasskeyNameField {...{ name, isChecked }} onName={setName} />
        <Button type="submit" size="md" fullWidth loading={add.isPending}>
          {t('addPasskey')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onStartAgain}>
          {t('startAgain')}
        </Button>
      </Stack>
    </form>
  );
}
