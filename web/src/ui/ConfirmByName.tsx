import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../lib/error-text.ts';

interface ConfirmByNameProps {
  opened: boolean;
  title: string;
  /** What has to be typed. */
  name: string;
  /** What will be lost. */
  children: ReactNode;
  confirmLabel: string;
  isPending: boolean;
  /** Shown inside, so that a refusal (409) is read where it happened. */
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for a destructive action to be confirmed by typing the name of what it destroys. */
export function ConfirmByName({ opened, title, onClose, ...rest }: ConfirmByNameProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <ConfirmForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function ConfirmForm(props: Omit<ConfirmByNameProps, 'opened' | 'title'>) {
  const { name, children, confirmLabel, isPending, error, onConfirm, onClose } = props;
  const t = useTranslations('common');
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === name.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isConfirmed && !isPending) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text component="div">{children}</Text>
        <TextInput
          data-autofocus
          label={t.rich('confirmByName', { name, b: (text) => <strong>{text}</strong> })}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          error={error === undefined || error === null ? null : errorText(error)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={isPending}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
