import { useTranslations } from 'use-intl';
import type { CostLine } from '../../../../shared/costs.ts';
import { unknownValue } from '../../lib/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { groupInstant } from '../../ui/charts/bars.ts';
import { costLineName } from './cost-bars.ts';
import classes from './Explain.module.css';
import { daysInMonth, type ExplainedTariff } from './explanation.ts';
import { useCostNames } from './use-cost-names.ts';

interface ExplainedLinesProps {
  siteName: string;
  tariff: ExplainedTariff;
  /** Null where there is no tariff. */
  monthlyCharge: number | null;
}

/** The lines of one tariff at one site: quantity times price is amount, in each of them. */
export function ExplainedLines({ siteName, tariff, monthlyCharge }: ExplainedLinesProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const names = useCostNames();
  const { tariffName, currency, lines, sum } = tariff;
  const title = tariffName ?? t('noTariff');
  return (
    <table role="table" className={classes.table} aria-label={`${siteName}: ${title}`}>
      <caption className={classes.caption}>{title}</caption>
      <thead role="rowgroup" className={classes.head}>
        <tr role="row">
          <th role="columnheader" scope="col">
            {t('columns.line')}
          </th>
          <th role="columnheader" scope="col">
            {t('columns.quantity')}
          </th>
          <th role="columnheader" scope="col">
            {t('columns.price')}
          </th>
          <th role="columnheader" scope="col">
            {t('columns.amount')}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="figures">
        {lines.map((line) => (
          // Periods of one name and rate have a line each: together they would be rounded to another cent.
          <tr role="row" key={`${line.kind} ${line.name} ${line.ratePerKwh} ${line.energyKwh}`}>
            <th role="rowheader" scope="row" className={classes.name}>
              {costLineName(line, names)}
            </th>
            <td role="cell" className={classes.quantity}>
              <Quantity line={line} tariff={tariff} />
            </td>
            <td role="cell" className={classes.price}>
              <Price line={line} monthlyCharge={monthlyCharge} />
            </td>
            <td role="cell" className={classes.amount}>
              {line.cost === null || line.currency === null ? unknownValue : format.money(line.cost, line.currency)}
            </td>
          </tr>
        ))}
      </tbody>
      {currency !== null && (
        <tfoot role="rowgroup" className="figures">
          <tr role="row">
            <th role="rowheader" scope="row" colSpan={3} className={classes.name}>
              {t('sum')}
            </th>
            <td role="cell" className={classes.amount}>
              {format.money(sum, currency)}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Watt-hours: a price times these gives the cent. */
const energyDigits = 3;

function Quantity({ line, tariff }: { line: CostLine; tariff: ExplainedTariff }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const energy = (kwh: number) => `${format.number(kwh, energyDigits)}\u00a0kWh`;
  if (line.kind === 'vat') return tariff.currency === null ? null : format.money(tariff.beforeVat, tariff.currency);
  if (line.kind === 'fixedCharge') {
    return (
      <>
        {t('days', { days: line.days ?? 0 })}
        {tariff.fixedDays.map(({ month, days }) => (
          <span key={month} className={classes.detail}>
            {t('daysOfMonth', { month: format.month(groupInstant(month), 'UTC'), days, all: daysInMonth(month) })}
          </span>
        ))}
      </>
    );
  }
  const { energyKwh, interpolatedKwh } = line;
  return (
    <>
      {energyKwh === null ? unknownValue : energy(energyKwh)}
      {interpolatedKwh !== null && interpolatedKwh > 0 && (
        <span className={classes.detail}>{t('estimated', { energy: energy(interpolatedKwh) })}</span>
      )}
    </>
  );
}

function Price({ line, monthlyCharge }: { line: CostLine; monthlyCharge: number | null }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { kind, ratePerKwh, currency, vatPercent } = line;
  if (kind === 'unpriced') return t('noTariff');
  if (kind === 'vat') return vatPercent === null ? null : format.percent(vatPercent / 100, 2);
  if (currency === null) return null;
  if (kind === 'fixedCharge') {
    return monthlyCharge === null ? null : t('perMonth', { amount: format.money(monthlyCharge, currency) });
  }
  return ratePerKwh === null ? null : format.pricePerKwh(kind === 'export' ? -ratePerKwh : ratePerKwh, currency);
}
