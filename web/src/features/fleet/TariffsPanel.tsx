import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { useFormat } from '../../lib/use-format.ts';
import { daysText, useWeekdayNames } from '../../lib/weekdays.ts';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { ListPanel, type Paging } from './ListPanel.tsx';
import classes from './Fleet.module.css';

type Tariff = CustomerDetail['tariffs'][number];

/** The tariffs with their periods and rates. */
export function TariffsPanel({ tariffs, paging }: { tariffs: readonly Tariff[]; paging: Paging }) {
  const t = useTranslations('fleet.customer.tariffs');
  const tTerms = useTranslations('terms');
  const tStates = useTranslations('sites.customerState');
  const format = useFormat();
  const { short } = useWeekdayNames();
  const day = (date: string) => format.date(`${date}T12:00:00Z`, 'UTC');
  const columns: Column<Tariff>[] = [
    {
      id: 'name',
      header: tTerms('tariff'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: ({ name, municipalityName }) => (
        <span className={classes.record}>
          <span>{name}</span>
          <span className={classes.small}>{municipalityName}</span>
        </span>
      ),
    },
    {
      id: 'valid',
      header: tTerms('valid'),
      sortBy: ({ effectiveFrom }) => instantOf(effectiveFrom),
      renderCell: ({ effectiveFrom, effectiveTo, isActive }) => (
        <span className={classes.stack}>
          <span>
            {effectiveTo === null
              ? t('from', { from: day(effectiveFrom) })
              : t('fromTo', { from: day(effectiveFrom), to: day(effectiveTo) })}
          </span>
          {!isActive && <span className={classes.small}>{tStates('inactive')}</span>}
        </span>
      ),
    },
    {
      id: 'rates',
      header: t('columns.rates'),
      renderCell: ({ currency, defaultRatePerKwh, periods }) => (
        <span className={`${classes.stack} figures`}>
          {periods.map(({ id, name, daysOfWeek, startTime, endTime, ratePerKwh }) => (
            <span key={id}>
              {name} · {daysText(daysOfWeek, short)} {startTime}–{endTime} · {format.pricePerKwh(ratePerKwh, currency)}
            </span>
          ))}
          <span className={periods.length === 0 ? undefined : classes.small}>
            {t(periods.length === 0 ? 'always' : 'otherwise', {
              rate: format.pricePerKwh(defaultRatePerKwh, currency),
            })}
          </span>
        </span>
      ),
    },
    {
      id: 'more',
      header: t('columns.more'),
      isMinor: true,
      renderCell: ({ currency, fixedChargePerMonth, vatPercent, exportRatePerKwh }) => (
        <span className={`${classes.stack} figures`}>
          <span>{t('perMonth', { amount: format.money(fixedChargePerMonth, currency) })}</span>
          <span>{t('vat', { share: format.percent(vatPercent / 100, 2) })}</span>
          {exportRatePerKwh !== null && (
            <span>{t('export', { rate: format.pricePerKwh(exportRatePerKwh, currency) })}</span>
          )}
        </span>
      ),
    },
  ];
  return (
    <ListPanel
      title={tTerms('tariffs')}
      empty={t('empty')}
      columns={columns}
      rows={tariffs}
      paging={paging}
      rowKey={({ id }) => id}
      textOf={({ name, municipalityName, currency, periods }) =>
        [name, municipalityName, currency, ...periods.map((period) => period.name)].join(' ')
      }
    />
  );
}
