import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { CostPreview } from '../../../shared/rates.ts';
import { useFormat } from '../lib/use-format.ts';
import { changedAmounts, unpricedChange } from './cost-changes.ts';
import classes from './CostChanges.module.css';

/** The months whose cost changes, the latest first, and by how much. */
export function CostChanges({ preview }: { preview: CostPreview }) {
  const t = useTranslations('rates.changes');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { rows, totals } = changedAmounts(preview);
  const unpriced = unpricedChange(preview);
  const month = (text: string) => format.monthYear(`${text}-01T00:00:00Z`, 'UTC');
  const cells = (before: number, after: number, currency: string) => (
    <>
      <td role="cell">{format.money(before, currency)}</td>
      <td role="cell">{format.money(after, currency)}</td>
      <td role="cell">{format.moneyChange(after - before, currency)}</td>
    </>
  );
  return (
    <>
      <p className={classes.summary}>{t('months', { count: preview.months.length })}</p>
      {Math.abs(unpriced) >= 0.001 && (
        <Alert role="note" color={unpriced > 0 ? 'yellow' : 'gray'} icon={<IconInfoCircle aria-hidden />} mb="sm">
          {t(unpriced > 0 ? 'lessPriced' : 'morePriced', { energy: format.energy(Math.abs(unpriced)) })}
        </Alert>
      )}
      {rows.length > 0 && (
        /* A region that scrolls is reached by keyboard. */
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('title')}>
          <table role="table" aria-label={t('title')} className={classes.table}>
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col">
                  {t('month')}
                </th>
                <th role="columnheader" scope="col">
                  {tTerms('before')}
                </th>
                <th role="columnheader" scope="col">
                  {tTerms('after')}
                </th>
                <th role="columnheader" scope="col">
                  {tTerms('difference')}
                </th>
              </tr>
            </thead>
            <tbody role="rowgroup" className="figures">
              {rows.map(({ month: of, currency, before, after }) => (
                <tr role="row" key={`${of} ${currency}`}>
                  <th role="rowheader" scope="row">
                    {month(of)}
                  </th>
                  {cells(before, after, currency)}
                </tr>
              ))}
            </tbody>
            <tfoot role="rowgroup" className="figures">
              {totals.map(({ currency, before, after }) => (
                <tr role="row" key={currency}>
                  <th role="rowheader" scope="row">
                    {t('total')}
                  </th>
                  {cells(before, after, currency)}
                </tr>
              ))}
            </tfoot>
          </table>
        </div>
      )}
    </>
  );
}
