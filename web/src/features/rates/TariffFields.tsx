import { Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { maxLengthOf } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { type TariffValues, bandsOfTemplate, tariffTemplates } from './tariff-values.ts';
import classes from './TariffPages.module.css';
import { useQuery } from '@tanstack/react-query';
import { type Tariff, tariffWrite } from '../../../../shared/rates.ts';
import { ratesQuery } from '../../entities/rates.ts';
import { UnsavedQuestion } from '../../ui/Dialog.tsx';
import type { Band } from './bands.ts';

/** Name, dates and prices of a tariff. */
export function TariffFields({ form }: { form: UseFormReturnType<TariffValues> }) {
  const t = useTranslations('rates.form');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const { currency } = form.values;
  const currencies = useCurrencies(currency);
  return (
    <div className={classes.fields}>
      <TextInput
        {...form.getInputProps('name')}
        className={classes.wide}
        label={tCommon('name')}
        description={t('nameHint')}
        maxLength={maxLengthOf(tariffWrite.shape.name) ?? 0}
        autoComplete="off"
      />
      <TextInput {...form.getInputProps('firstDay')} type="date" label={tTerms('firstDay')} />
      <TextInput
        {...form.getInputProps('lastDay')}
        type="date"
        label={tTerms('lastDay')}
        description={t('lastDayHint')}
      />
      <NumberField
        {...form.getInputProps('defaultRatePerKwh')}
        value={form.values.defaultRatePerKwh}
        unit={`${currency}/kWh`}
        unitWidth={76}
        label={tTerms('defaultRate')}
        description={t('defaultRateHint')}
      />
      <Select
        {...form.getInputProps('currency')}
        label={tTerms('currency')}
        data={currencies}
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        nothingFoundMessage={t('noCurrency')}
      />
      <NumberField
        {...form.getInputProps('fixedChargePerMonth')}
        value={form.values.fixedChargePerMonth}
        unit={currency}
        label={t('fixedCharge')}
        description={t('fixedChargeHint')}
      />
      <NumberField
        {...form.getInputProps('vatPercent')}
        value={form.values.vatPercent}
        unit="%"
        unitWidth={40}
        label={tTerms('vat')}
        description={t('vatHint')}
      />
      <NumberField
        {...form.getInputProps('exportRatePerKwh')}
        value={form.values.exportRatePerKwh}
        unit={`${currency}/kWh`}
        unitWidth={76}
        label={t('exportRate')}
        description={t('exportRateHint')}
      />
      <Switch
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className={classes.switch}
        label={t('active')}
        description={t('activeHint')}
      />
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
  /** Whether anything was entered since the form was opened or filled from a template. */
  entered: { periods: boolean; prices: boolean };
  onTemplate: (bands: Band[]) => void;
  onCopy: (tariff: Tariff) => void;
}

/** The starting values of a new tariff: a template without prices, or any existing tariff. */
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
