import { Button, Group, Stack, Alert } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconAlertCircle } from '@tabler/icons-react';
import type { UseFormReturnType } from '@mantine/form';
import { useErrorText, fieldRefusal } from '../lib/error-text.ts';

interface DialogFormProps {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Why the form was rejected, unless a field shows the reason. */
  refusal?: string | null;
  submitLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  color?: string | undefined;
  /** Whether the entries can be discarded without a question. Then the dialog closes at once. */
  keepsNothing?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog: its fields, its error and its buttons. Only one submission runs at a time. */
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

/** Why a form was rejected. Screen readers announce it at once. Shows nothing without a reason. */
export function FormError({ children }: { children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      {children}
    </Alert>
  );
}

/** A dialog about one subject. `subject` stays after closing, so that the dialog is not empty while it fades out. */
export function useDialog<Subject>() {
  const [state, setState] = useState<{ isOpen: boolean; subject: Subject | null }>({ isOpen: false, subject: null });
  return {
    ...state,
    open: (subject: Subject) => setState({ isOpen: true, subject }),
    close: () => setState(({ subject }) => ({ isOpen: false, subject })),
  };
}

/**
 * Shows an error of the portal at the field that it names, and moves the focus there. `text` is an error that concerns the
 * whole form. `focusInvalid` moves the focus to the first field that the page itself finds invalid.
 */
export function useFormRefusal<Values extends object>(
  form: UseFormReturnType<Values>,
  fields: readonly (keyof Values & string)[],
) {
  const errorText = useErrorText();
  const [text, setText] = useState<string | null>(null);
  const focus = (field: string) => form.getInputNode(field)?.focus();
  const clear = () => setText(null);
  const focusInvalid = (errors: Readonly<Record<string, unknown>>) => {
    const first = fields.find((field) => field in errors);
    if (first !== undefined) focus(first);
  };
  return {
    text,
    clear,
    focusInvalid,
    /** Sends the values that the page accepts. */
    onSubmit: (send: (values: Values) => unknown) =>
      form.onSubmit((values) => {
        clear();
        send(values);
      }, focusInvalid),
    /** `renamed` maps the portal's name of a field to the form's, if they differ. */
    show: (error: unknown, renamed: Readonly<Record<string, keyof Values & string>> = {}) => {
      const refusal = fieldRefusal(error, [...Object.keys(renamed), ...fields]);
      setText(refusal === null ? errorText(error) : null);
      if (refusal === null) return;
      const field = renamed[refusal.field] ?? refusal.field;
      form.setFieldError(field, refusal.message);
      focus(field);
    },
  };
}
