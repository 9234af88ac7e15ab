import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { TheirsKept } from '../lib/edit-conflict.ts';
import { useErrorText } from '../lib/error-text.ts';
import { maxLengthOf, type Problems, problemsOf, type Write } from '../lib/records.ts';
import { useFormRefusal } from './DialogForm.tsx';

interface RecordFormOptions<Values, Seen, Saved> {
  /** The record that is changed; null creates a new one. */
  seen: Seen | null;
  /** In the order of the form. Fields of the schema have the same names. */
  initialValues: Values;
  /** The portal's schema: what is required, and how long or large a value may be. */
  schema: z.ZodObject;
  /** The request, made from the entries; by default the entries themselves. */
  toWrite?: (values: Values) => object;
  problems?: Problems<keyof Values & string>;
  /** Problems of fields that the schema does not know, or knows less about. */
  check?: (values: Values) => { [Field in keyof Values]?: string | null };
  labels?: Readonly<Record<string, { label: string }>>;
  /** The portal's names of fields that have another name here. */
  renamed?: Readonly<Record<string, keyof Values & string>>;
  /** Null if it has already shown why it was rejected. */
  save: (values: Values, seen: Seen | null) => Promise<Saved | null>;
  /** The message of success; null for none. */
  said: (saved: Saved) => string | null;
  onSaved: (saved: Saved) => void;
  /** Nothing was written. */
  onCancel: () => void;
  /** The label of the button that creates. */
  createLabel?: string;
}

/**
 * The form of one record: it validates with the portal's schema, writes over the version that was seen, and shows the portal's
 * errors at their fields. If the page has no words for an error of the schema, the portal's are shown.
 */
export function useRecordForm<Values extends Record<string, unknown>, Seen, Saved>(
  options: RecordFormOptions<Values, Seen, Saved>,
) {
  const { schema, initialValues, toWrite = (values: Values): object => values, labels = {}, save } = options;
  const t = useTranslations();
  // The values at the start: updates that the page receives later are not changes made here.
  const [seen, setSeen] = useState(options.seen);
  const sending = useMutation({
    mutationFn: (values: Values) => save(values, seen),
    // The session dialog reports an ended session.
    meta: { answers401: true },
    // An answer with a secret must not stay in the page's memory.
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
  // A form that was closed in between ignores the answer, so it closes no form that was opened after it.
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
  /** For forms that stay open: these values of the record are stored by now, so they replace what was entered. */
  const takeOver = (stored: Seen, values: Partial<Values>) => {
    const initial = form.getInitialValues();
    form.setValues(values);
    form.resetDirty();
    form.setInitialValues({ ...initial, ...values });
    setSeen(stored);
  };
  const choice = (field: keyof Values & string) => ({ ...form.getInputProps(field), label: labels[field]?.label });
  return {
    form,
    seen,
    takeOver,
    /** Back to what is stored. */
    discard: () => {
      form.reset();
      refusal.clear();
    },
    showRefusal: refusal.show,
    /** The properties of the dialog. */
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

/** Switches a record on or off, and shows an error. `said` is the message of success; null for none. */
export function useSwitch<Values extends { isActive: boolean }, Stored extends Values>(
  save: UseMutationResult<Stored, Error, Write<Values, Stored>>,
  said: (saved: Stored) => string | null = () => null,
) {
  const t = useTranslations('terms');
  const errorText = useErrorText();
  return (seen: Stored, values: Values = seen) =>
    save.mutate(
      { seen, values: { ...values, isActive: !seen.isActive } },
      {
        onSuccess: (saved) => {
          const message = said(saved);
          if (message !== null) notifications.show({ color: 'green', message });
        },
        onError: (error) => {
          if (error instanceof TheirsKept) return;
          notifications.show({ color: 'red', message: t('failed', { reason: errorText(error) }) });
        },
      },
    );
}
