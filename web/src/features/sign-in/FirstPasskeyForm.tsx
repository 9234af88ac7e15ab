import { Button, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { PasskeyNameField } from '../../ui/second-factor/PasskeyNameField.tsx';
import { SignInMessage } from './SignInMessage.tsx';
import { type SecondFactorAnswer, useFirstPasskey } from './use-sign-in.ts';

interface FirstPasskeyFormProps {
  token: string;
  onSignedIn: (answer: SecondFactorAnswer) => void;
}

/** The passkey of who must have a second factor and has none. */
export function FirstPasskeyForm({ token, onSignedIn }: FirstPasskeyFormProps) {
  const t = useTranslations('secondFactor');
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
        <SignInMessage error={add.error} wrong={t('passkeyRefused')} secondsLeft={0} hint={null} />
        <PasskeyNameField {...{ name, isChecked }} onName={setName} />
        <Button type="submit" size="md" fullWidth loading={add.isPending}>
          {t('addPasskey')}
        </Button>
      </Stack>
    </form>
  );
}
