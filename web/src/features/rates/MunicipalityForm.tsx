import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Municipality } from '../../../../shared/sites.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { useSaveMunicipality } from '../../lib/rates.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { MunicipalityFields } from '../../ui/MunicipalityFields.tsx';
import { PlaceChanges } from '../../ui/PlaceChanges.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';

interface MunicipalityFormProps {
  /** Null creates a new one. */
  municipality: Municipality | null;
  onDone: () => void;
}

/** Creates or changes a municipality. */
export function MunicipalityForm({ municipality, onDone }: MunicipalityFormProps) {
  const t = useTranslations('municipality');
  const tAll = useTranslations();
  const save = useSaveMunicipality();
  // As the form began: what the page learns meanwhile is not what was changed here.
  const [seen] = useState(municipality);
  const form = useForm({
    initialValues: { name: municipality?.name ?? '', timeZone: municipality?.timeZone ?? browserTimeZone() },
    validate: {
      name: (name) => (name.trim() === '' ? tAll('errors.required') : null),
      timeZone: (timeZone) => (timeZone === '' ? t('timeZoneMissing') : null),
    },
  });
  const refusal = useFormRefusal(form, ['name', 'timeZone']);

  const submit = refusal.onSubmit((values) =>
    save.mutate(
      { seen, values },
      {
        onSuccess: ({ name }) => {
          notifications.show({ color: 'green', message: t(municipality === null ? 'created' : 'saved', { name }) });
          onDone();
        },
        onError: (error) => (error instanceof TheirsKept ? onDone() : refusal.show(error)),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={municipality === null ? tAll('common.create') : tAll('common.saveChanges')}
      isPending={save.isPending}
      onCancel={onDone}
    >
      <MunicipalityFields
        isAlone
        name={form.getInputProps('name')}
        timeZone={{ ...form.getInputProps('timeZone'), value: form.values.timeZone }}
        isChange={municipality !== null}
      />
      {seen !== null && form.values.timeZone !== '' && form.values.timeZone !== seen.timeZone && (
        <PlaceChanges path={`/api/admin/rates/municipalities/${seen.id}`} place={{ timeZone: form.values.timeZone }} />
      )}
    </DialogForm>
  );
}
