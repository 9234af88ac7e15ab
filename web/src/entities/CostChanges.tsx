import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { CostPreview } from '../../../shared/rates.ts';
import { useFormat } from '../lib/use-format.ts';
import { changedAmounts, unpricedChange, type ChangedAmount } from './cost-changes.ts';
import { FigureTable, type FigureLine } from '../ui/FigureTable.tsx';
import classes from './CostChanges.module.css';

interface CostChangesProps {
  preview: CostPreview;
  /** The change affects energy and not prices. Then unpriced energy may decrease, but not increase. */
  ofEnergy?: boolean;
}

/** The months whose cost changes, and by how much. The latest month comes first. */
export function CostChanges({ preview, ofEnergy = false }: CostChangesProps) {
  const t = useTranslations('costChanges');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { rows, totals } = changedAmounts(preview);
  const unpriced = unpricedChange(preview);
  const month = (text: string) => format.monthYear(`${text}-01T00:00:00Z`, 'UTC');
  const line = (key: string, name: string, { currency, before, after }: ChangedAmount): FigureLine => ({
    key,
    name,
    cells: [
      format.money(before, currency),
      format.money(after, currency),
      format.moneyChange(after - before, currency),
    ],
  });
  return (
    <>
      <p className={classes.summary}>{t('months', { count: preview.months.length })}</p>
      {!ofEnergy && Math.abs(unpriced) >= 0.001 && (
        <Alert role="note" color={unpriced > 0 ? 'yellow' : 'gray'} icon={<IconInfoCircle aria-hidden />} mb="sm">
          {t(unpriced > 0 ? 'lessPriced' : 'morePriced', { energy: format.energy(Math.abs(unpriced)) })}
        </Alert>
      )}
      {rows.length > 0 && (
        /* A region that scrolls is reached by keyboard. */
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('title')}>
          <FigureTable
            label={t('title')}
            classNames={{ table: classes.table }}
            columns={[
              { header: t('month') },
              { header: tTerms('before') },
              { header: tTerms('after') },
              { header: tTerms('difference') },
            ]}
            groups={[
              {
                id: 'months',
                lines: rows.map((row) => line(`${row.month} ${row.currency}`, month(row.month), row)),
              },
            ]}
            footer={totals.map((sum) => line(sum.currency, t('total'), sum))}
          />
        </div>
      )}
    </>
  );
}
