import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../lib/error-text.ts';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';

interface ConfirmByNameProps {
  opened: boolean;
  title: string;
  /** The text that the user must type. */
  name: string;
  /** What will be lost. */
  children: ReactNode;
  /** Why the action is impossible. Shown before the user types. */
  barred?: ReactNode;
  /** The label of its button; by default the title. */
  confirmLabel?: string;
  /** Runs the action. The dialog closes when the action is done. An error is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
  /** The message after the action. */
  done: string;
  onClose: () => void;
}

/** Confirms a destructive action: the user types the name of the object. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { opened, title, barred, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {barred === undefined ? <ConfirmForm {...props} /> : <Barred onClose={onClose}>{barred}</Barred>}
    </Dialog>
  );
}

function Barred({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const t = useTranslations('common');
  return (
    <Stack gap="md">
      <Text component="div">{children}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Never truncated, because the user must type it. */
const strong = (text: ReactNode): ReactNode => <strong style={{ overflowWrap: 'anywhere' }}>{text}</strong>;

function ConfirmForm({ title, name, children, confirmLabel = title, onConfirm, done, onClose }: ConfirmByNameProps) {
  const t = useTranslations('common');
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const action = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => {
      notifications.show({ color: 'green', message: done });
      onClose();
    },
  });
  const isConfirmed = typed.trim() === name.trim();
  return (
    <DialogForm
      onSubmit={() => action.mutate()}
      keepsNothing
      submitLabel={confirmLabel}
      color="red"
      isPending={action.isPending}
      isDisabled={!isConfirmed}
      onCancel={onClose}
    >
      <Text component="div">{children}</Text>
      <TextInput
        data-autofocus
        label={t.rich('confirmByName', { name, b: strong })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        error={action.error === null ? null : errorText(action.error)}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
