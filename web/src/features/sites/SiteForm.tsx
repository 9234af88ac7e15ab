import { Select, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Municipality, type Site, siteWrite } from '../../../../shared/sites.ts';
import { useSaveMunicipality } from '../../entities/rates.ts';
import { browserTimeZone } from '../../../../shared/time.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { MunicipalityFields, PlaceChanges } from '../../entities/MunicipalityFields.tsx';
import { useSaveSite, useSiteFields } from './queries.ts';
import classes from './Places.module.css';

/** The entry in the list of municipalities that stands for a new one. */
const newMunicipality = 'new';

interface SiteFormProps {
  /** Null creates a new one. */
  site: Site | null;
  municipalities: readonly Municipality[];
  onDone: (saved?: Site) => void;
}

/** Creates or changes a site, if needed together with a new municipality. */
export function SiteForm({ site, municipalities, onDone }: SiteFormProps) {
  const t = useTranslations('sites.site');
  const tMunicipality = useTranslations('municipality');
  const tAll = useTranslations();
  const saveSite = useSaveSite();
  const saveMunicipality = useSaveMunicipality();
  const [only] = municipalities;
  const initialValues = {
    name: site?.name ?? '',
    municipalityId:
      site?.municipalityId ?? (only === undefined ? newMunicipality : municipalities.length === 1 ? only.id : ''),
    municipalityName: '',
    timeZone: browserTimeZone(),
  };
  const { form, seen, showRefusal, text, choice, dialog } = useRecordForm({
    seen: site,
    initialValues,
    schema: siteWrite.pick({ name: true }),
    check: ({ municipalityId, municipalityName, timeZone }) => ({
      municipalityId: municipalityId === '' ? t('municipalityMissing') : null,
      ...(municipalityId === newMunicipality && {
        municipalityName: municipalityName.trim() === '' ? tAll('errors.required') : null,
        timeZone: timeZone === '' ? tMunicipality('timeZoneMissing') : null,
      }),
    }),
    labels: useSiteFields(),
    save: async (values, seen) => {
      const municipalityId =
        values.municipalityId === newMunicipality ? await createMunicipality(values) : values.municipalityId;
      if (municipalityId === null) return null;
      return saveSite.mutateAsync({ seen, values: { name: values.name, municipalityId } });
    },
    said: ({ name }) => t(site === null ? 'created' : 'saved', { name }),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: t('create'),
  });
  const isNew = form.values.municipalityId === newMunicipality;
  const createMunicipality = async ({ municipalityName: name, timeZone }: typeof initialValues) => {
    try {
      const { id } = await saveMunicipality.mutateAsync({ seen: null, values: { name, timeZone } });
      // From here on the municipality exists. If the site is rejected, another attempt must not create it again.
      form.setValues({ municipalityId: id, municipalityName: '' });
      return id;
    } catch (error) {
      showRefusal(error, { name: 'municipalityName' });
      return null;
    }
  };

  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus description={t('nameHint')} />
      {municipalities.length > 0 && (
        <Select
          {...choice('municipalityId')}
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
