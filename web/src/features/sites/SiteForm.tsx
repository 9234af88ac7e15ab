import { Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Municipality, Site } from '../../../../shared/sites.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { useSaveMunicipality } from '../../entities/rates.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { DialogForm, useFormRefusal } from '../../ui/DialogForm.tsx';
import { MunicipalityFields, PlaceChanges } from '../../entities/MunicipalityFields.tsx';
import { useSaveSite } from './queries.ts';
import classes from './Places.module.css';

/** Stands in the list of municipalities for one that is yet to be created. */
const newMunicipality = 'new';

interface SiteFormProps {
  /** Null creates a new one. */
  site: Site | null;
  municipalities: readonly Municipality[];
  onDone: (saved?: Site) => void;
}

/** Creates or changes a site; its municipality can be created along with it. */
export function SiteForm({ site, municipalities, onDone }: SiteFormProps) {
  const t = useTranslations('sites.site');
  const tMunicipality = useTranslations('municipality');
  const tAll = useTranslations();
  const saveSite = useSaveSite();
  const saveMunicipality = useSaveMunicipality();
  const isPending = saveSite.isPending || saveMunicipality.isPending;
  const [only] = municipalities;
  // As the form began: what the page learns meanwhile is not what was changed here.
  const [seen] = useState(site);

  const required = (value: string) => (value.trim() === '' ? tAll('errors.required') : null);
  const form = useForm({
    initialValues: {
      name: site?.name ?? '',
      municipalityId:
        site?.municipalityId ?? (only === undefined ? newMunicipality : municipalities.length === 1 ? only.id : ''),
      municipalityName: '',
      timeZone: browserTimeZone(),
    },
    validate: {
      name: required,
      municipalityId: (id) => (id === '' ? t('municipalityMissing') : null),
      municipalityName: (name, { municipalityId }) => (municipalityId === newMunicipality ? required(name) : null),
      timeZone: (zone, { municipalityId }) =>
        municipalityId === newMunicipality && zone === '' ? tMunicipality('timeZoneMissing') : null,
    },
  });
  const refusal = useFormRefusal(form, ['name', 'municipalityId', 'municipalityName', 'timeZone']);
  const isNew = form.values.municipalityId === newMunicipality;

  const createMunicipality = async (): Promise<string | null> => {
    const { municipalityName, timeZone } = form.values;
    try {
      const created = await saveMunicipality.mutateAsync({ seen: null, values: { name: municipalityName, timeZone } });
      // From here on it exists: if the site is refused, another try must not create it again.
      form.setValues({ municipalityId: created.id, municipalityName: '' });
      return created.id;
    } catch (error) {
      refusal.show(error, { name: 'municipalityName' });
      return null;
    }
  };

  const submit = refusal.onSubmit(async ({ name, municipalityId: chosen }) => {
    const municipalityId = chosen === newMunicipality ? await createMunicipality() : chosen;
    if (municipalityId === null) return;
    try {
      const saved = await saveSite.mutateAsync({ seen, values: { name, municipalityId } });
      notifications.show({
        color: 'green',
        message: t(site === null ? 'created' : 'saved', { name: saved.name }),
      });
      onDone(saved);
    } catch (error) {
      if (error instanceof TheirsKept) onDone();
      else refusal.show(error);
    }
  });

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={site === null ? t('create') : tAll('common.saveChanges')}
      isPending={isPending}
      onCancel={() => onDone()}
    >
      <TextInput
        {...form.getInputProps('name')}
        data-autofocus
        label={tAll('common.name')}
        description={t('nameHint')}
        maxLength={200}
        autoComplete="off"
      />
      {municipalities.length > 0 && (
        <Select
          {...form.getInputProps('municipalityId')}
          label={tAll('terms.municipality')}
          description={t('municipalityHint')}
          placeholder={t('chooseMunicipality')}
          nothingFoundMessage={t('nothingFound')}
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          data={[
            ...municipalities.map(({ id, name }) => ({ value: id, label: name })),
            { value: newMunicipality, label: t('newMunicipality') },
          ]}
        />
      )}
      {site !== null && !isNew && form.values.municipalityId !== seen?.municipalityId && (
        <PlaceChanges path={`/api/admin/sites/${site.id}`} place={{ municipalityId: form.values.municipalityId }} />
      )}
      {isNew && (
        <fieldset className={classes.municipality}>
          <legend className={classes.legend}>{tMunicipality('new')}</legend>
          <Stack gap="md">
            <MunicipalityFields
              name={form.getInputProps('municipalityName')}
              timeZone={{ ...form.getInputProps('timeZone'), value: form.values.timeZone }}
            />
          </Stack>
        </fieldset>
      )}
    </DialogForm>
  );
}
