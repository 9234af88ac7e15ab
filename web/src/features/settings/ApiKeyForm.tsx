import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../../shared/accounts.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
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
  const submit = refusal.onSubmit(({ name }) => {
    create.mutate(name, { onSuccess: onCreated, onError: (error) => refusal.show(error) });
  });

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={t('create')}
      isPending={create.isPending}
      onCancel={onCancel}
    >
      <TextInput
        {...form.getInputProps('name')}
        data-autofocus
        label={tCommon('name')}
        description={t('nameHint')}
        maxLength={200}
        autoComplete="off"
      />
    </DialogForm>
  );
}
