import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { deviceWrite } from '../../../../shared/sites.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { maxLengthOf } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { commonEndUses, offeredEndUses } from './end-uses.ts';

/** A field for the use of a device's energy, in free text. End uses that exist already are suggested. */
export function EndUseField(props: Omit<AutocompleteProps, 'label' | 'description' | 'data'>) {
  const t = useTranslations('sites.device');
  const { compare } = useFormat();
  const devices = useQuery(devicesQuery).data ?? [];
  const common = commonEndUses.map((name) => t(`endUses.${name}`));
  return (
    <Autocomplete
      {...props}
      label={t('endUse')}
      description={t('endUseHint')}
      data={offeredEndUses(devices, common, compare)}
      maxLength={maxLengthOf(deviceWrite.shape.endUse) ?? 0}
      maxDropdownHeight={260}
      autoComplete="off"
    />
  );
}
