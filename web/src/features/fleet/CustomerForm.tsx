import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { type Customer, customerCode } from '../../../../shared/fleet.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';
import { useCreateCustomer, useSaveCustomer } from './mutations.ts';
import type { IssuedToken } from './NewToken.tsx';

interface CustomerFormProps {
  /** Null creates a new one. */
  customer: Customer | null;
  onCreated: (issued: IssuedToken) => void;
  onDone: () => void;
}

/** Creates a customer, whose code never changes, or changes its name and whether it may push. */
export function CustomerForm({ customer, onCreated, onDone }: CustomerFormProps) {
  const t = useTranslations('fleet.customers');
  const tAll = useTranslations();
  const create = useCreateCustomer();
  const save = useSaveCustomer();
  const isPending = create.isPending || save.isPending;
  const form = useForm({
    initialValues: { code: customer?.code ?? '', name: customer?.name ?? '', isActive: customer?.isActive ?? true },
    validate: {
      // What is taken already the server tells.
      code: (code) => {
        const issues = customer === null ? customerCode.safeParse(code).error?.issues : undefined;
        return issues?.some((issue) => issue.code === 'invalid_format') === true ? t('codeInvalid') : null;
      },
      name: (name) => (name.trim() === '' ? tAll('errors.required') : null),
    },
  });
  const refusal = useFormRefusal(form, ['code', 'name', 'isActive']);
  const onError = (error: unknown) => (error instanceof TheirsKept ? onDone() : refusal.show(error));

  const submit = refusal.onSubmit(({ code, name, isActive }) => {
    if (customer === null) {
      const onSuccess = (made: { customer: Customer; token: string }) =>
        onCreated({ name: made.customer.name, token: made.token, rotated: null });
      create.mutate({ code, name }, { onSuccess, onError });
      return;
    }
    const onSuccess = (saved: Customer) => {
      notifications.show({ color: 'green', message: tAll('terms.saved', { name: saved.name }) });
      onDone();
    };
    save.mutate({ seen: customer, values: { name, isActive } }, { onSuccess, onError });
  });

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={customer === null ? t('create') : tAll('common.saveChanges')}
      isPending={isPending}
      onCancel={onDone}
    >
      <TextInput
        {...form.getInputProps('name')}
        data-autofocus
        label={tAll('common.name')}
        maxLength={200}
        autoComplete="off"
      />
      {customer === null ? (
        <TextInput
          {...form.getInputProps('code')}
          label={t('code')}
          description={t('codeHint')}
          maxLength={39}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <Switch
          {...form.getInputProps('isActive', { type: 'checkbox' })}
          label={tAll('terms.active')}
          description={t('activeHint')}
        />
      )}
    </DialogForm>
  );
}
