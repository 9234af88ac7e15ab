import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../../shared/accounts.ts';
import { DialogButtons } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';
import { useCreateApiKey } from './api-keys-query.ts';

interface ApiKeyFormProps {
  onCreated: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

export function ApiKeyForm({ onCreated, onCancel }: ApiKeyFormProps) {
  const t = useTranslations('settings.apiKeys');
  const tCommon = useTranslations('common');
  const tErrors = useTranslations('errors');
  const create = useCreateApiKey();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? tErrors('required') : null) },
  });
  const refusal = useFormRefusal(form, ['name']);
  const submit = form.onSubmit(({ name }) => {
    if (create.isPending) return;
    refusal.clear();
    create.mutate(name, { onSuccess: onCreated, onError: (error) => refusal.show(error) });
  }, refusal.focusInvalid);

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          data-autofocus
          label={tCommon('name')}
          description={t('nameHint')}
          maxLength={200}
          autoComplete="off"
        />
        <FormError>{refusal.text}</FormError>
        <DialogButtons submitLabel={t('create')} isPending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
