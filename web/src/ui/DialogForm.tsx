import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { FormError } from './FormError.tsx';

interface DialogFormProps {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Why it was refused, as far as no field says so. */
  refusal?: string | null;
  submitLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  color?: string | undefined;
  /** Nothing is lost with what is typed: the dialog closes without a question. */
  keepsNothing?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog: its fields, why it was refused and its buttons. It is sent once at a time. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, refusal = null, submitLabel, isPending, isDisabled = false, color, onCancel, children } = props;
  const t = useTranslations('common');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending && !isDisabled) onSubmit(event);
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing={props.keepsNothing}>
      <Stack gap="md">
        {children}
        <FormError>{refusal}</FormError>
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={isDisabled} {...(color === undefined ? {} : { color })}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
