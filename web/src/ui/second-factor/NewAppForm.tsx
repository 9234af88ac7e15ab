import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { NewApp } from '../../../../shared/accounts.ts';
import { CodeBlock } from '../CodeBlock.tsx';
import { CodeField } from './CodeField.tsx';
import { encode } from 'uqr';
import classes from './NewAppForm.module.css';

/** Focuses the field without scrolling: the form is where the previous one was, and the picture must stay visible. */
const focusInPlace = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true });

interface NewAppFormProps {
  newApp: NewApp;
  isPending: boolean;
  /** Why the last code was rejected. */
  refusal: ReactNode;
  onCode: (code: string) => void;
  cancelLabel: string;
  onCancel: () => void;
}

/** Adds an authenticator app: the picture to scan, the key to type, and the first code. */
export function NewAppForm({ newApp, isPending, refusal, onCode, cancelLabel, onCancel }: NewAppFormProps) {
  const t = useTranslations('secondFactor');
  const [code, setCode] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (code.trim() !== '' && !isPending) onCode(code);
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <Text>{t('scan')}</Text>
        <QrCode text={newApp.uri} label={t('picture')} />
        <CodeBlock text={newApp.secret.replaceAll(/.{4}(?=.)/g, '$& ')} label={t('key')} copyLabel={t('copyKey')} />
        {refusal}
        <CodeField
          ref={focusInPlace}
          label={t('code')}
          description={t('codeHint')}
          value={code}
          error={isChecked && code.trim() === '' ? t('codeMissing') : null}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('turnOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A text as a QR code, dark on light in both color schemes, because cameras cannot read others. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={classes.picture} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} fill="currentColor" />
    </svg>
  );
}
