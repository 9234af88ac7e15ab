import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Tariff } from '../../../../shared/rates.ts';
import { ratesQuery } from '../../lib/rates.ts';
import type { Band } from './bands.ts';
import { bandsOfTemplate, tariffTemplates } from './tariff-templates.ts';

interface StartFromProps {
  onTemplate: (bands: Band[]) => void;
  onCopy: (tariff: Tariff) => void;
}

/** What a new tariff starts with: a usual shape without prices, or any tariff that there is. */
export function StartFrom({ onTemplate, onCopy }: StartFromProps) {
  const t = useTranslations('rates.startFrom');
  const rates = useQuery(ratesQuery).data ?? [];
  const groups = [
    {
      group: t('templates'),
      items: tariffTemplates.map((template) => ({ value: template, label: t(`names.${template}`) })),
    },
    ...rates.flatMap(({ name, tariffs }) =>
      tariffs.length === 0 ? [] : [{ group: name, items: tariffs.map((one) => ({ value: one.id, label: one.name })) }],
    ),
  ];
  const choose = (value: string | null) => {
    const template = tariffTemplates.find((one) => one === value);
    const copied = rates.flatMap(({ tariffs }) => tariffs).find(({ id }) => id === value);
    if (template !== undefined) onTemplate(bandsOfTemplate(template, (name) => t(`bands.${name}`)));
    else if (copied !== undefined) onCopy(copied);
  };
  return (
    <Select
      label={t('label')}
      description={t('hint')}
      placeholder={t('placeholder')}
      data={groups}
      onChange={choose}
      searchable
      nothingFoundMessage={t('none')}
      maw={420}
      mb="md"
    />
  );
}
