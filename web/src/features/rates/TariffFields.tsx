import { Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import type { TariffValues } from './tariff-values.ts';
import classes from './TariffPages.module.css';

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
        maxLength={200}
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

/** Every currency that this browser knows, with the name in the reader's language; `present` is among them anyway. */
function useCurrencies(present: string): { value: string; label: string }[] {
  const { locale } = useFormat();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'currency' });
    const codes = new Set([...Intl.supportedValuesOf('currency'), present].filter((code) => code !== ''));
    return [...codes].toSorted().map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
  }, [locale, present]);
}
