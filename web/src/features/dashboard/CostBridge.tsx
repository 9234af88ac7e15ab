import { useTranslations } from 'use-intl';
import type { CostComparison } from '../../../../shared/comparison.ts';
import { useFormat } from '../../lib/use-format.ts';
import classes from './Explain.module.css';

/** From the cost of the other range to that of this one, in two steps: a small chart with its numbers beside it. */
export function CostBridge({ total }: { total: CostComparison['totals'][number] }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { currency, cost, otherCost, quantityEffect, priceEffect } = total;
  const atOtherPrices = otherCost + quantityEffect;
  // The axis begins at the least of them: what both ranges cost in any case would leave no room for the difference.
  const edges = [otherCost, atOtherPrices, cost];
  const [least, most] = [Math.min(...edges), Math.max(...edges)];
  const steps = [
    { name: t('quantityEffect'), value: quantityEffect, from: otherCost, to: atOtherPrices },
    { name: t('priceEffect'), value: priceEffect, from: atOtherPrices, to: cost },
  ];
  const place = (from: number, to: number) => {
    const share = (value: number) => (most === least ? 0 : (value / (most - least)) * 100);
    return { marginInlineStart: `${share(Math.min(from, to) - least)}%`, width: `${share(Math.abs(to - from))}%` };
  };
  const money = (value: number) => format.money(value, currency);
  return (
    <figure
      className={classes.bridge}
      aria-label={t('bridge', {
        other: money(otherCost),
        cost: money(cost),
        quantity: format.moneyChange(quantityEffect, currency),
        price: format.moneyChange(priceEffect, currency),
      })}
    >
      <figcaption className={classes.became}>
        <b>{format.moneyChange(quantityEffect + priceEffect, currency)}</b>{' '}
        <span>{t('became', { cost: money(cost), other: money(otherCost) })}</span>
      </figcaption>
      <div aria-hidden className={`${classes.steps} figures`}>
        {steps.map(({ name, value, from, to }) => (
          <div key={name} className={classes.step}>
            <span>{name}</span>
            <span className={classes.track}>
              <span className={classes.change} data-less={value < 0} style={place(from, to)} />
            </span>
            <span className={classes.stepValue}>{format.moneyChange(value, currency)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
