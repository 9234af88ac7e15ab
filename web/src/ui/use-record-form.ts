import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
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
  const [isPending, setIsPending] = useState(false);
  const form = useForm<Values>({
    initialValues,
    validate: (values) => ({
      ...problemsOf(schema, { typed: values, written: toWrite(values) }, options.problems ?? {}, t('errors.required')),
      ...options.check?.(values),
    }),
  });
  const refusal = useFormRefusal(form, Object.keys(initialValues));
  const submit = refusal.onSubmit(async (values) => {
    setIsPending(true);
    try {
      const saved = await save(values, seen);
      if (saved === null) return;
      const message = options.said(saved);
      if (message !== null) notifications.show({ color: 'green', message });
      options.onSaved(saved);
    } catch (error) {
      if (error instanceof TheirsKept) options.onCancel();
      else refusal.show(error, options.renamed);
    } finally {
      setIsPending(false);
    }
  });
  const choice = (field: keyof Values & string) => ({ ...form.getInputProps(field), label: labels[field]?.label });
  return {
    form,
    seen,
    showRefusal: refusal.show,
    /** Of the dialog. */
    dialog: {
      onSubmit: submit,
      refusal: refusal.text,
      isPending,
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
