import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { TimeZoneSelect } from './TimeZoneSelect.tsx';

interface MunicipalityFieldsProps {
  name: GetInputPropsReturnType;
  timeZone: GetInputPropsReturnType & { value: string };
  /** Nothing stands before it in its dialog, so the focus goes to the name. */
  isAlone?: boolean;
  /** Says what a change of the zone does to the past. */
  isChange?: boolean;
}

/** Name and time zone: a municipality alone, or inside the form of a site. */
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
        maxLength={200}
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
