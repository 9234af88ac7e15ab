import { useTranslations } from 'use-intl';
import type { CostLine } from '../../../../../shared/dashboard.ts';
import { unknownValue } from '../../../../../shared/format.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { groupInstant } from '../../../../../shared/charts/bars.ts';
import { FigureTable } from '../../../ui/FigureTable.tsx';
import { costLineName } from '../cost-bars.ts';
import classes from './Explain.module.css';
import { dayDigits, daysInMonth, energyDigits } from './explained-amounts.ts';
import { allFixedDays, lastDayMs, roundingOf, type ExplainedTariff } from './explanation.ts';
import { useCostNames } from '../use-cost-names.ts';

interface ExplainedLinesProps {
  siteName: string;
  tariff: ExplainedTariff;
}

/**
 * The lines of one tariff at one site. In each line quantity × price = amount. If rounding makes a difference, the difference
 * is shown beside it.
 */
export function ExplainedLines({ siteName, tariff }: ExplainedLinesProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const names = useCostNames();
  const title = useTitle(tariff);
  const { currency, lines, sum } = tariff;
  return (
    <FigureTable
      label={format.labelled(siteName, title)}
      caption={title}
      classNames={{ table: classes.table, caption: classes.caption, head: classes.head }}
      columns={[
        { header: t('columns.line'), className: classes.name },
        { header: t('columns.quantity'), className: classes.quantity },
        { header: t('columns.price'), className: classes.price },
        { header: t('columns.amount'), className: classes.amount },
      ]}
      groups={[
        {
          id: 'lines',
          // Each period has a line of its own, even if name and rate are the same. Rounded together, they could differ by a
          // cent.
          lines: lines.map((line) => ({
            key: `${line.kind} ${line.name} ${line.ratePerKwh} ${line.energyKwh}`,
            name: costLineName(line, names),
            cells: [
              <Quantity key="quantity" line={line} tariff={tariff} />,
              <Price key="price" line={line} tariff={tariff} />,
              <Amount key="amount" line={line} tariff={tariff} />,
            ],
          })),
        },
      ]}
      footer={currency === null ? [] : [{ key: 'sum', name: t('sum'), span: 3, cells: [format.money(sum, currency)] }]}
    />
  );
}

/** The tariff with its dates, because two versions of it have the same name. */
function useTitle({ tariffName, details }: ExplainedTariff): string {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const name = tariffName ?? t('noTariff');
  if (details === null) return name;
  const from = Date.parse(details.effectiveFrom);
  const last = lastDayMs(details);
  return last === null
    ? t('tariffFrom', { name, date: format.date(from, 'UTC') })
    : t('tariffIn', { name, dates: format.dateSpan(from, last, 'UTC') });
}

interface CellProps {
  line: CostLine;
  tariff: ExplainedTariff;
}

function Quantity({ line, tariff }: CellProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  if (line.kind === 'vat') return tariff.currency === null ? null : format.money(tariff.beforeVat, tariff.currency);
  if (line.kind === 'fixedCharge') {
    const days = allFixedDays(tariff);
    const shown = (count: number) => format.decimal(count, dayDigits);
    return (
      <>
        {t('days', { days, shown: shown(days) })}
        {tariff.fixedDays.map(({ month, days: own }) => (
          <span key={month} className="detail">
            {t('daysOfMonth', {
              month: format.month(groupInstant(month), 'UTC'),
              days: shown(own),
              all: daysInMonth(month),
            })}
          </span>
        ))}
      </>
    );
  }
  const { energyKwh, interpolatedKwh, ratePerKwh, currency } = line;
  const energy = (kwh: number, digits = 3) => `${format.number(kwh, digits)}\u00a0kWh`;
  const digits =
    energyKwh === null || ratePerKwh === null || currency === null ? 3 : energyDigits(energyKwh, ratePerKwh, currency);
  return (
    <>
      {energyKwh === null ? unknownValue : energy(energyKwh, digits)}
      {interpolatedKwh !== null && interpolatedKwh > 0 && (
        <span className="detail">{t('estimated', { energy: energy(interpolatedKwh) })}</span>
      )}
    </>
  );
}

function Price({ line, tariff }: CellProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { kind, ratePerKwh, currency, vatPercent } = line;
  if (kind === 'unpriced') return t('noTariff');
  if (kind === 'vat') return vatPercent === null ? null : format.percent(vatPercent / 100, 10);
  if (currency === null) return null;
  if (kind === 'fixedCharge') {
    const { details } = tariff;
    return details && t('perMonth', { amount: format.price(details.fixedChargePerMonth, currency) });
  }
  return ratePerKwh === null ? null : format.pricePerKwh(kind === 'export' ? -ratePerKwh : ratePerKwh, currency);
}

function Amount({ line, tariff }: CellProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { cost, currency } = line;
  if (cost === null || currency === null) return unknownValue;
  const rounding = roundingOf(line, tariff);
  return (
    <>
      {format.money(cost, currency)}
      {rounding !== 0 && (
        <span className="detail">{t('rounded', { difference: format.moneyChange(rounding, currency) })}</span>
      )}
    </>
  );
}
