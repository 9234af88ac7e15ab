import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { TheirsKept } from '../lib/edit-conflict.ts';
import { maxLengthOf, type Problems, problemsOf } from '../lib/records.ts';
import { useFormRefusal } from './DialogForm.tsx';

interface RecordFormOptions<Values, Seen, Saved> {
  /** What is changed; null creates a new one. */
  seen: Seen | null;
  /** In the order of the form. Fields of the schema have the same names. */
  initialValues: Values;
  /** What the portal takes: it says what is required and how long or great a value may be. */
  schema: z.ZodObject;
  /** What is sent, of what is typed; without it, the same. */
  toWrite?: (values: Values) => object;
  problems?: Problems<keyof Values & string>;
  /** Problems of fields that the schema does not know, or knows less about. */
  check?: (values: Values) => { [Field in keyof Values]?: string | null };
  labels?: Readonly<Record<string, { label: string }>>;
  /** Fields of the portal that have another name here. */
  renamed?: Readonly<Record<string, keyof Values & string>>;
  /** Null where it has shown already why it was refused. */
  save: (values: Values, seen: Seen | null) => Promise<Saved | null>;
  /** The message of success; null for none. */
  said: (saved: Saved) => string | null;
  onSaved: (saved: Saved) => void;
  /** Nothing was written. */
  onCancel: () => void;
  /** Of the button that creates. */
  createLabel?: string;
}

/**
 * The form of one record: it checks with the schema of the portal, writes over the version that was seen, and shows what
 * the portal refuses at its field. Where the schema refuses something that the page has no words for, the portal says it.
 */
export function useRecordForm<Values extends Record<string, unknown>, Seen, Saved>(
  options: RecordFormOptions<Values, Seen, Saved>,
) {
  const { schema, initialValues, toWrite = (values: Values): object => values, labels = {}, save } = options;
  const t = useTranslations();
  // As the form began: what the page learns meanwhile is not what was changed here.
  const [seen] = useState(options.seen);
  const sending = useMutation({
    mutationFn: (values: Values) => save(values, seen),
    // What `save` asks for tells of an ended session itself.
    meta: { answers401: true },
    // An answer with a secret is not to stay in the memory of the page.
    gcTime: 0,
  });
  const form = useForm<Values>({
    initialValues,
    validate: (values) => ({
      ...problemsOf(schema, { typed: values, written: toWrite(values) }, options.problems ?? {}, t('errors.required')),
      ...options.check?.(values),
    }),
  });
  const refusal = useFormRefusal(form, Object.keys(initialValues));
  // A form that was closed meanwhile hears nothing, so it closes none that was opened after it.
  const submit = refusal.onSubmit((values) =>
    sending.mutate(values, {
      onSuccess: (saved) => {
        if (saved === null) return;
        const message = options.said(saved);
        if (message !== null) notifications.show({ color: 'green', message });
        options.onSaved(saved);
      },
      onError: (error) => (error instanceof TheirsKept ? options.onCancel() : refusal.show(error, options.renamed)),
    }),
  );
  const choice = (field: keyof Values & string) => ({ ...form.getInputProps(field), label: labels[field]?.label });
  return {
    form,
    seen,
    showRefusal: refusal.show,
    /** Of the dialog. */
    dialog: {
      onSubmit: submit,
      refusal: refusal.text,
      isPending: sending.isPending,
      submitLabel: (seen === null ? options.createLabel : undefined) ?? t('common.saveChanges'),
      onCancel: options.onCancel,
    },
    choice,
    text: (field: keyof Values & string) => {
      const maxLength = maxLengthOf(schema.shape[field]);
      const value = String(form.values[field]);
      return { ...choice(field), value, autoComplete: 'off', ...(maxLength !== undefined && { maxLength }) };
    },
    toggle: (field: keyof Values & string) => ({
      ...form.getInputProps(field, { type: 'checkbox' }),
      label: labels[field]?.label,
    }),
  };
}
