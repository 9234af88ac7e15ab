import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Tariff } from '../../../../shared/rates.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { UnsavedQuestion } from '../../ui/Dialog.tsx';
import type { Band } from './bands.ts';
import { bandsOfTemplate, tariffTemplates } from './tariff-templates.ts';

interface StartFromProps {
  /** What was entered since the form began, or since it started from something. */
  entered: { periods: boolean; prices: boolean };
  onTemplate: (bands: Band[]) => void;
  onCopy: (tariff: Tariff) => void;
}

/** What a new tariff starts with: a usual shape without prices, or any tariff that there is. */
export function StartFrom({ entered, onTemplate, onCopy }: StartFromProps) {
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
  const [chosen, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const start = (value: string) => {
    const template = tariffTemplates.find((one) => one === value);
    const copied = rates.flatMap(({ tariffs }) => tariffs).find(({ id }) => id === value);
    setAsked(null);
    setChosen(value);
    if (template !== undefined) onTemplate(bandsOfTemplate(template, (name) => t(`bands.${name}`)));
    else if (copied !== undefined) onCopy(copied);
  };
  const choose = (value: string | null) => {
    if (value === null) return;
    const isTemplate = tariffTemplates.some((one) => one === value);
    if (entered.periods || (entered.prices && !isTemplate)) setAsked(value);
    else start(value);
  };
  return (
    <>
      <Select
        label={t('label')}
        description={t('hint')}
        placeholder={t('placeholder')}
        data={groups}
        value={chosen}
        onChange={choose}
        searchable
        nothingFoundMessage={t('none')}
        maw={420}
        mb="md"
      />
      <UnsavedQuestion
        isAsking={asked !== null}
        texts={{ title: t('replaceTitle'), text: t('replaceText'), leave: t('replace'), stay: t('keep') }}
        onStay={() => setAsked(null)}
        onLeave={() => asked !== null && start(asked)}
      />
    </>
  );
}
