import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { CostBreakdown } from '../../../../shared/dashboard.ts';
import type { SimulationResult } from '../../../../shared/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { compareCosts } from './cost-comparison.ts';
import classes from './CostComparison.module.css';

interface CostComparisonProps {
  result: SimulationResult;
  /** The same devices and range on the tariffs in force. */
  actual: CostBreakdown;
}

/** What measured energy would cost on the tariff beside what it costs, and the difference. */
export function CostComparison({ result, actual }: CostComparisonProps) {
  const t = useTranslations('rates.calculator.comparison');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { currency, total } = result;
  const comparison = compareCosts(result, actual);
  const hasEnergy = result.energyImportedKwh !== 0 || result.energyExportedKwh !== 0;

  return (
    <div className={classes.comparison}>
      <dl className={classes.amounts}>
        <div>
          <dt>{t('simulated')}</dt>
          <dd className="figures">{format.money(total, currency)}</dd>
        </div>
        <div>
          <dt>{t('actual')}</dt>
          {actual.costs.length === 0 && <dd>{t('noPrice')}</dd>}
          {actual.costs.map((cost) => (
            <dd key={cost.currency} className="figures">
              {format.money(cost.total, cost.currency)}
            </dd>
          ))}
        </div>
        {comparison.kind === 'compared' && (
          <div>
            <dt>{tTerms('difference')}</dt>
            <dd className={`${classes.difference} figures`} data-sign={Math.sign(comparison.difference)}>
              {format.moneyChange(comparison.difference, currency)}{' '}
              {comparison.share !== null && <span className={classes.share}>{format.change(comparison.share)}</span>}
            </dd>
          </div>
        )}
      </dl>
      <p className={classes.verdict}>{verdict()}</p>
      {actual.unpricedEnergyKwh > 0 && (
        <Alert role="note" color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {t('unpriced', { energy: format.energy(actual.unpricedEnergyKwh) })}
        </Alert>
      )}
      {result.energyImportedKwh > 0 && actual.estimatedEnergyKwh > 0 && (
        <p className={classes.note}>{t('estimated', { energy: format.energy(actual.estimatedEnergyKwh) })}</p>
      )}
    </div>
  );

  function verdict(): string {
    if (!hasEnergy) return t('noEnergy');
    if (comparison.kind === 'nothingPriced') return t('nothingPriced');
    if (comparison.kind === 'otherCurrency') return t('otherCurrency', { currency });
    const { difference } = comparison;
    if (difference === 0) return t('same');
    return t(difference < 0 ? 'cheaper' : 'dearer', { amount: format.money(Math.abs(difference), currency) });
  }
}
