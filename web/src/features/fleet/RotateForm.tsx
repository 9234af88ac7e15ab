import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { maxGraceHours, type Customer } from '../../../../shared/fleet.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';
import { useRotateToken } from './mutations.ts';
import type { IssuedToken } from './NewToken.tsx';
import { isPreviousValid } from './token-state.ts';

interface RotateFormProps {
  customer: Customer;
  onRotated: (issued: IssuedToken) => void;
  onCancel: () => void;
}

/** Gives a customer a new token, and says how long the one before it is still good for. */
export function RotateForm({ customer, onRotated, onCancel }: RotateFormProps) {
  const t = useTranslations('fleet.customers');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const rotate = useRotateToken();
  const { name, previousTokenExpiresAt } = customer;
  const read = (text: string) => readDecimal(text, format.decimalSeparator);
  const form = useForm({
    initialValues: { graceHours: '' },
    validate: {
      graceHours: (text) => {
        const hours = read(text);
        const isValid = hours === null || (hours !== undefined && hours >= 0 && hours <= maxGraceHours);
        return isValid ? null : t('graceHoursInvalid', { max: maxGraceHours });
      },
    },
  });
  const refusal = useFormRefusal(form, ['graceHours']);
  const submit = refusal.onSubmit(({ graceHours }) =>
    rotate.mutate(
      { id: customer.id, graceHours: read(graceHours) ?? null },
      {
        onSuccess: ({ token, ...rotated }) => onRotated({ name, token, rotated }),
        onError: (error) => refusal.show(error),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={t('rotate')}
      isPending={rotate.isPending}
      onCancel={onCancel}
    >
      <Text>{t('rotateText', { name })}</Text>
      {previousTokenExpiresAt !== null && isPreviousValid(customer, nowMs) && (
        <Text>{t('rotateEndsPrevious', { time: format.dateTime(previousTokenExpiresAt, browserTimeZone()) })}</Text>
      )}
      <NumberField
        {...form.getInputProps('graceHours')}
        value={form.values.graceHours}
        data-autofocus
        label={t('graceHours')}
        description={t('graceHoursHint', { max: maxGraceHours })}
        unit={t('hours')}
      />
    </DialogForm>
  );
}
