import { useTranslations } from 'use-intl';
import type { SimulationResult, TariffTerms } from '../../../../shared/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { mergedLines } from './simulation-lines.ts';
import classes from './Calculator.module.css';

interface SimulationTableProps {
  result: SimulationResult;
  timeZone: string;
  /** What was calculated with. */
  terms: Pick<TariffTerms, 'vatPercent' | 'periods'>;
}

/** The lines that a total is made of. */
export function SimulationTable({ result, timeZone, terms }: SimulationTableProps) {
  const t = useTranslations('rates.calculator');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { currency, periods, fixedCharge, vat, total, energyImportedKwh } = result;
  const range = format.dateSpan(Date.parse(result.from), Date.parse(result.to) - 1, timeZone);
  // The portal's own lines have names of their own, unless a period is called the same.
  const isPeriod = (name: string) => terms.periods.some((period) => period.name === name);
  const nameOf = (name: string) =>
    isPeriod(name) ? name : name === 'Default' ? tTerms('defaultRate') : name === 'Export' ? t('exportLine') : name;
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>{t('resultOf', { range })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('columns.period')}</th>
          <th scope="col">{t('columns.rate')}</th>
          <th scope="col">{tTerms('energy')}</th>
          <th scope="col">{t('columns.cost')}</th>
        </tr>
      </thead>
      <tbody className="figures">
        {mergedLines(periods).map(({ name, ratePerKwh, energyKwh, cost }) => (
          <tr key={`${name} ${ratePerKwh}`}>
            <th scope="row">{nameOf(name)}</th>
            <td>{format.pricePerKwh(ratePerKwh, currency)}</td>
            <td>{format.energy(energyKwh, energyImportedKwh)}</td>
            <td>{format.money(cost, currency)}</td>
          </tr>
        ))}
        {fixedCharge !== 0 && (
          <tr>
            <th scope="row" colSpan={3}>
              {tTerms('fixedCharge')}
            </th>
            <td>{format.money(fixedCharge, currency)}</td>
          </tr>
        )}
        {vat !== 0 && (
          <tr>
            <th scope="row" colSpan={3}>
              {t('vat', { percent: format.percent(terms.vatPercent / 100, 2) })}
            </th>
            <td>{format.money(vat, currency)}</td>
          </tr>
        )}
      </tbody>
      <tfoot className="figures">
        <tr>
          <th scope="row" colSpan={2}>
            {t('total')}
          </th>
          <td>{format.energy(energyImportedKwh)}</td>
          <td>{format.money(total, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
