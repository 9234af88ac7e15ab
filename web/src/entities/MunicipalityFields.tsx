import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { TimeZoneSelect } from '../ui/TimeZoneSelect.tsx';
import { useQuery } from '@tanstack/react-query';
import { costPreview } from '../../../shared/rates.ts';
import { municipalityWrite } from '../../../shared/sites.ts';
import { useErrorText } from '../lib/error-text.ts';
import { fetchJson } from '../lib/http.ts';
import { maxLengthOf } from '../lib/records.ts';
import { CostChanges } from './CostChanges.tsx';

interface MunicipalityFieldsProps {
  name: GetInputPropsReturnType;
  timeZone: GetInputPropsReturnType & { value: string };
  /** Set if this is the first field of its dialog. Then the name gets the focus. */
  isAlone?: boolean;
  /** Explains the effect of a new time zone on the past. */
  isChange?: boolean;
}

/** The name and time zone of a municipality, in a form of their own or in the form of a site. */
export function MunicipalityFields({ name, timeZone, isAlone = false, isChange = false }: MunicipalityFieldsProps) {
  const t = useTranslations('municipality');
  const tTerms = useTranslations('terms');
  return (
    <>
      <TextInput
        {...name}
        data-autofocus={isAlone || undefined}
        label={t('name')}
        description={t('nameHint')}
        maxLength={maxLengthOf(municipalityWrite.shape.name) ?? 0}
        autoComplete="off"
      />
      <TimeZoneSelect
        {...timeZone}
        label={tTerms('timeZone')}
        {...(isChange ? { description: t('timeZoneHint') } : {})}
      />
    </>
  );
}

interface PlaceChangesProps {
  /** The path of the site or municipality under which a preview is requested. */
  path: string;
  /** The chosen place, as the preview accepts it. */
  place: { municipalityId: string } | { timeZone: string };
}

/** While a new place is being chosen, shows how it would change past months. */
export function PlaceChanges({ path, place }: PlaceChangesProps) {
  const t = useTranslations('costChanges');
  const errorText = useErrorText();
  const { data, error } = useQuery({
    queryKey: ['place-preview', path, place],
    queryFn: ({ signal }) => fetchJson(`${path}/preview`, costPreview, { method: 'POST', json: place, signal }),
    gcTime: 0,
    retry: false,
  });
  return (
    <div role="status">
      {data !== undefined && data.months.length > 0 && <CostChanges preview={data} />}
      {error !== null && <p>{t('failed', { reason: errorText(error) })}</p>}
    </div>
  );
}
