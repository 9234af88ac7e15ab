import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useErrorText } from '../lib/error-text.ts';
import { fieldRefusal } from '../lib/field-refusal.ts';

/**
 * Puts a refusal of the portal at the field that it names and moves the focus there; `text` is what concerns the form as a
 * whole. `focusInvalid` goes to the first field that the page itself finds wrong.
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
    /** Sends what the page finds right. */
    onSubmit: (send: (values: Values) => unknown) =>
      form.onSubmit((values) => {
        clear();
        send(values);
      }, focusInvalid),
    /** `renamed` tells which field of the form stands for a field of the portal that has another name. */
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
