import { Select, Switch, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { type TariffValues, bandsOfTemplate, tariffTemplates } from './tariff-values.ts';
import classes from './TariffPages.module.css';
import { useQuery } from '@tanstack/react-query';
import type { Tariff } from '../../../../shared/rates.ts';
import { ratesQuery } from '../../entities/rates.ts';
import { UnsavedQuestion } from '../../ui/Dialog.tsx';
import type { useRecordForm } from '../../ui/use-record-form.ts';
import type { Band } from './bands.ts';

type TariffForm = ReturnType<typeof useRecordForm<TariffValues, Tariff, Tariff>>;

/** Name, dates and prices of a tariff. */
export function TariffFields({ form, text, choice, toggle }: Pick<TariffForm, 'form' | 'text' | 'choice' | 'toggle'>) {
  const t = useTranslations('rates.form');
  const { currency } = form.values;
  const perKwh = { unit: `${currency}/kWh`, unitWidth: 76 };
  return (
    <div className={classes.fields}>
      <TextInput {...text('name')} className={classes.wide} description={t('nameHint')} />
      <TextInput {...choice('effectiveFrom')} type="date" />
      <TextInput {...choice('effectiveTo')} type="date" description={t('lastDayHint')} />
      <NumberField {...text('defaultRatePerKwh')} {...perKwh} description={t('defaultRateHint')} />
      <Select
        {...choice('currency')}
        data={useCurrencies(currency)}
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        nothingFoundMessage={t('noCurrency')}
      />
      <NumberField {...text('fixedChargePerMonth')} unit={currency} description={t('fixedChargeHint')} />
      <NumberField {...text('vatPercent')} unit="%" unitWidth={40} description={t('vatHint')} />
      <NumberField {...text('exportRatePerKwh')} {...perKwh} description={t('exportRateHint')} />
      <Switch {...toggle('isActive')} className={classes.switch} description={t('activeHint')} />
    </div>
  );
}

/** Every currency that this browser knows, with its name in the reader's language; `present` is always included. */
function useCurrencies(present: string): { value: string; label: string }[] {
  const { locale } = useFormat();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'currency' });
    const codes = new Set([...Intl.supportedValuesOf('currency'), present].filter((code) => code !== ''));
    return [...codes].toSorted().map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
  }, [locale, present]);
}

interface StartFromProps {
  /** Whether the user has entered anything since the form was opened or filled from a template. */
  entered: { periods: boolean; prices: boolean };
  onTemplate: (bands: Band[]) => void;
  onCopy: (tariff: Tariff) => void;
}

/** The initial values of a new tariff: from a template without prices, or from any existing tariff. */
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
