import { Alert } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs, Tariff } from '../../../../shared/rates.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Facts } from '../../ui/Figures.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import { useChartColors } from '../../charts/use-chart-colors.ts';
import { bandColors } from './band-colors.ts';
import { BandSwatch } from './BandSwatch.tsx';
import type { Band } from './bands.ts';
import { Calculator } from './Calculator.tsx';
import { addDays, utcMs } from './local-dates.ts';
import { draftOf, termsOf } from './tariff-values.ts';
import { TryOnLoadLink } from './TryOnLoadLink.tsx';
import { WeekPicture } from './WeekBlocks.tsx';
import { daysText, useWeekdayNames } from '../../lib/weekdays.ts';
import classes from './TariffPages.module.css';

interface TariffViewProps {
  municipality: MunicipalityWithTariffs;
  tariff: Tariff;
  /** Deleted since the page was opened. */
  isGone: boolean;
}

/** A tariff for users who may only read it. */
export function TariffView({ municipality, tariff, isGone }: TariffViewProps) {
  const t = useTranslations('rates');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { decimalSeparator } = format;
  const draft = useMemo(() => draftOf(tariff, decimalSeparator), [tariff, decimalSeparator]);
  const bands = draft.periods;
  const { name, currency, effectiveFrom, effectiveTo, isActive, exportRatePerKwh, ...prices } = tariff;
  usePageTitle(name);
  const day = (date: string) => format.date(utcMs(date), 'UTC');
  const dates =
    effectiveTo === null
      ? t('timeline.from', { from: day(effectiveFrom) })
      : t('timeline.fromTo', { from: day(effectiveFrom), to: day(addDays(effectiveTo, -1)) });
  const facts: [string, string][] = [
    [tTerms('valid'), isActive ? dates : `${dates} · ${t('timeline.states.off')}`],
    [tTerms('defaultRate'), format.pricePerKwh(prices.defaultRatePerKwh, currency)],
    [t('form.fixedCharge'), format.money(prices.fixedChargePerMonth, currency)],
    [tTerms('vat'), format.percent(prices.vatPercent / 100, 2)],
    ...(exportRatePerKwh === null
      ? []
      : [[t('form.exportRate'), format.pricePerKwh(exportRatePerKwh, currency)] satisfies [string, string]]),
  ];
  return (
    <>
      <PageHeader
        title={name}
        description={`${municipality.name} · ${municipality.timeZone.replaceAll('_', ' ')}`}
        actions={isGone ? undefined : <TryOnLoadLink tariffId={tariff.id} />}
      />
      <div role="status">
        {isGone && (
          <Alert role="note" color="yellow" mb="md">
            {t('deletedMeanwhile')}
          </Alert>
        )}
      </div>
      <div className={classes.sections}>
        <Panel title={tTerms('tariff')}>
          <Facts facts={facts} />
        </Panel>
        {bands.length > 0 && <Week bands={bands} currency={currency} />}
        <Calculator terms={termsOf(draft, decimalSeparator)} municipality={municipality} />
      </div>
    </>
  );
}

function Week({ bands, currency }: { bands: readonly Band[]; currency: string }) {
  const t = useTranslations('rates.bands');
  const tCommon = useTranslations('common');
  const tView = useTranslations('rates.view');
  const format = useFormat();
  const names = useWeekdayNames();
  const colors = bandColors(bands, useChartColors());
  const columns: Column<Band>[] = [
    {
      id: 'name',
      header: tCommon('name'),
      kind: 'name',
      renderCell: (band) => {
        const index = bands.indexOf(band);
        return (
          <span className={classes.band}>
            <BandSwatch number={index + 1} color={colors[index] ?? 'transparent'} />
            {band.name}
          </span>
        );
      },
    },
    {
      id: 'times',
      header: tView('times'),
      renderCell: ({ times }) =>
        times.map(({ key, daysOfWeek, start, end }) => (
          <div key={key} className="figures">
            {daysText(daysOfWeek, names.short)} {start}–{end}
          </div>
        )),
    },
    {
      id: 'rate',
      header: t('rate'),
      align: 'end',
      renderCell: ({ rate }) => (
        <span className="figures">{format.pricePerKwh(readDecimal(rate, format.decimalSeparator) ?? 0, currency)}</span>
      ),
    },
  ];
  return (
    <Panel title={t('title')}>
      <div className={classes.week}>
        <ResponsiveTable label={t('title')} columns={columns} rows={bands} rowKey={({ key }) => key} />
        <WeekPicture bands={bands} colors={colors} />
      </div>
    </Panel>
  );
}
