import { Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import type { TariffValues } from './tariff-values.ts';
import classes from './TariffPages.module.css';

const number = { inputMode: 'decimal', autoComplete: 'off', rightSectionPointerEvents: 'none' } as const;

/** Name, dates and prices of a tariff. */
export function TariffFields({ form }: { form: UseFormReturnType<TariffValues> }) {
  const t = useTranslations('rates.form');
  const { currency } = form.values;
  const currencies = useCurrencies(currency);
  const unit = (text: string, width: number) => ({
    ...number,
    rightSection: <span className={classes.unit}>{text}</span>,
    rightSectionWidth: width,
  });
  return (
    <div className={classes.fields}>
      <TextInput
        {...form.getInputProps('name')}
        className={classes.wide}
        label={t('name')}
        description={t('nameHint')}
        maxLength={200}
        autoComplete="off"
      />
      <TextInput {...form.getInputProps('firstDay')} type="date" label={t('firstDay')} />
      <TextInput {...form.getInputProps('lastDay')} type="date" label={t('lastDay')} description={t('lastDayHint')} />
      <TextInput
        {...form.getInputProps('defaultRatePerKwh')}
        {...unit(`${currency}/kWh`, 76)}
        label={t('defaultRate')}
        description={t('defaultRateHint')}
      />
      <Select
        {...form.getInputProps('currency')}
        label={t('currency')}
        data={currencies}
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        nothingFoundMessage={t('noCurrency')}
      />
      <TextInput
        {...form.getInputProps('fixedChargePerMonth')}
        {...unit(currency, 56)}
        label={t('fixedCharge')}
        description={t('fixedChargeHint')}
      />
      <TextInput {...form.getInputProps('vatPercent')} {...unit('%', 40)} label={t('vat')} description={t('vatHint')} />
      <TextInput
        {...form.getInputProps('exportRatePerKwh')}
        {...unit(`${currency}/kWh`, 76)}
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
