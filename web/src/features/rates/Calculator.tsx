import { Button, SegmentedControl, TextInput, Alert } from '@mantine/core';
import { IconCalculator, IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { TariffTerms, SimulationResult } from '../../../../shared/rates.ts';
import type { Municipality } from '../../../../shared/sites.ts';
import { chosenDevices } from '../../lib/chosen-devices.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { DevicePicker } from '../../entities/DevicePicker.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { calculatorAnchor } from './TryOnLoadLink.tsx';
import { FigureTable } from '../../ui/FigureTable.tsx';
import classes from './Calculator.module.css';
import {
  dayRangeProblem,
  devicesOf,
  pastRange,
  pastRanges,
  simulationRequest,
  thisMonth,
  type LoadKind,
  compareCosts,
  mergedLines,
} from './load-values.ts';
import { dateAt } from './local-dates.ts';
import { useCalculate, type SimulationRequest } from './queries.ts';
import type { CostBreakdown } from '../../../../shared/dashboard.ts';

interface CalculatorProps {
  /** The values in the form, saved or not. Null while one of them is invalid. */
  terms: TariffTerms | null;
  /** The municipality of the tariff. Its time zone is used for the prices, and the meters of its sites are listed first. */
  municipality: Municipality;
}

const kinds = ['constant', 'devices'] as const satisfies LoadKind[];

/** "This load on this tariff": the cost of a constant power or of measured energy over a range of days. */
export function Calculator({ terms, municipality }: CalculatorProps) {
  const { timeZone } = municipality;
  const t = useTranslations('rates.calculator');
  const tAll = useTranslations();
  const { decimalSeparator } = useFormat();
  const calculate = useCalculate();
  const devices = useQuery(devicesQuery);
  const sites = useQuery(sitesQuery);
  // Readers who follow a link to the calculator want to know about their own meters.
  const isLinked = useLocation({ select: ({ hash }) => hash === calculatorAnchor });
  const [chosenKind, setChosenKind] = useState<LoadKind | null>(null);
  const kind = chosenKind ?? (isLinked ? 'devices' : 'constant');
  const [today] = useState(() => dateAt(Date.now(), timeZone));
  const [power, setPower] = useState('10');
  const [deviceIds, setDeviceIds] = useState<string | null>(null);
  const [ranges, setRanges] = useState(() => ({ constant: thisMonth(today), devices: pastRange('lastMonth', today) }));
  const [isChecked, setIsChecked] = useState(false);

  const powerKw = readDecimal(power, decimalSeparator);
  const isPowerRight = typeof powerKw === 'number' && Math.abs(powerKw) <= 1e9;
  const chosen = chosenDevices(
    deviceIds ?? devicesOf(municipality.id, sites.data ?? [], devices.data ?? []),
    devices.data ?? [],
  );
  const range = ranges[kind];
  const problem = dayRangeProblem(range);
  const setRange = (next: Partial<typeof range>) => setRanges({ ...ranges, [kind]: { ...range, ...next } });

  const load = (): SimulationRequest['load'] | null => {
    if (kind === 'constant') return isPowerRight ? { kind, powerKw } : null;
    if (chosen.devices.length === 0) return null;
    return { kind, deviceIds: chosen.isAll ? null : chosen.devices.map(({ id }) => id) };
  };
  const wanted = load();
  const request =
    terms !== null && wanted !== null && problem === null ? simulationRequest(terms, timeZone, range, wanted) : null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (request !== null && !calculate.isPending) calculate.mutate(request);
  };
  const answer = calculate.data;
  const isStale = answer !== undefined && JSON.stringify(answer.request) !== JSON.stringify(request);
  const rangeError = {
    dateMissing: t('dateMissing'),
    lastDayInvalid: tAll('rates.form.lastDayInvalid'),
    tooLong: t('tooLong'),
  };

  return (
    <div id={calculatorAnchor} className={classes.anchor}>
      <Panel
        title={t('title')}
        description={t(`descriptions.${kind}`)}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('kind')}
            value={kind}
            data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onChange={(value) => setChosenKind(value)}
          />
        }
      >
        <form onSubmit={submit} noValidate className={classes.form}>
          {kind === 'constant' ? (
            <NumberField
              label={t('power')}
              description={t('powerHint')}
              value={power}
              unit="kW"
              error={isChecked && !isPowerRight ? t('powerInvalid') : null}
              onChange={(event) => setPower(event.currentTarget.value)}
            />
          ) : (
            <Loaded queries={[devices, sites]} skeleton={<RowsSkeleton rows={1} height={58} />}>
              {(all, _allSites) => <DevicePicker devices={all} chosen={chosen} onChange={setDeviceIds} />}
            </Loaded>
          )}
          <TextInput
            type="date"
            label={tAll('common.timeRange.from')}
            value={range.firstDay}
            onChange={(event) => setRange({ firstDay: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t('lastDay')}
            value={range.lastDay}
            error={isChecked && problem !== null ? rangeError[problem] : null}
            onChange={(event) => setRange({ lastDay: event.currentTarget.value })}
          />
          <Button
            type="submit"
            variant="default"
            className={classes.submit}
            loading={calculate.isPending}
            leftSection={<IconCalculator size={16} stroke={1.75} aria-hidden />}
          >
            {t('calculate')}
          </Button>
          {kind === 'devices' && (
            <div role="group" aria-label={t('ranges')} className={classes.ranges}>
              {pastRanges.map((name) => (
                <Button key={name} variant="subtle" size="compact-xs" onClick={() => setRange(pastRange(name, today))}>
                  {t(`pastRanges.${name}`)}
                </Button>
              ))}
            </div>
          )}
        </form>
        {isChecked && (terms === null || (kind === 'devices' && devices.data?.length === 0)) && (
          <p role="alert" className={classes.problem}>
            {t(terms === null ? 'incomplete' : 'noDevices')}
          </p>
        )}
        {calculate.isError ? (
          <ErrorState
            compact
            error={calculate.error}
            onRetry={() => {
              if (request !== null) calculate.mutate(request);
            }}
          />
        ) : (
          answer !== undefined && (
            <div className={classes.result} data-stale={isStale || undefined}>
              {isStale && (
                <p role="status" className={classes.stale}>
                  {t('stale')}
                </p>
              )}
              {answer.actual !== null && <CostComparison result={answer.result} actual={answer.actual} />}
              <SimulationTable result={answer.result} timeZone={timeZone} terms={answer.request.tariff} />
            </div>
          )
        )}
      </Panel>
    </div>
  );
}

interface SimulationTableProps {
  result: SimulationResult;
  timeZone: string;
  /** The input of the last calculation. */
  terms: Pick<TariffTerms, 'vatPercent' | 'periods'>;
}

/** The lines of a total. */
function SimulationTable({ result, timeZone, terms }: SimulationTableProps) {
  const t = useTranslations('rates.calculator');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { currency, periods, fixedCharge, vat, total, energyImportedKwh } = result;
  const range = format.dateSpan(Date.parse(result.from), Date.parse(result.to) - 1, timeZone);
  // The portal's own lines have translated names, unless a period has the same name.
  const isPeriod = (name: string) => terms.periods.some((period) => period.name === name);
  const nameOf = (name: string) =>
    isPeriod(name) ? name : name === 'Default' ? tTerms('defaultRate') : name === 'Export' ? t('exportLine') : name;
  const others = [
    { key: 'fixed charge', name: tTerms('fixedCharge'), amount: fixedCharge },
    { key: 'VAT', name: t('vat', { percent: format.percent(terms.vatPercent / 100, 2) }), amount: vat },
  ];
  return (
    <FigureTable
      label={t('resultOf', { range })}
      caption={t('resultOf', { range })}
      classNames={{ table: classes.table, caption: classes.caption }}
      columns={[
        { header: t('columns.period') },
        { header: t('columns.rate') },
        { header: tTerms('energy') },
        { header: t('columns.cost') },
      ]}
      groups={[
        {
          id: 'lines',
          lines: [
            ...mergedLines(periods).map(({ name, ratePerKwh, energyKwh, cost }) => ({
              key: `${name} ${ratePerKwh}`,
              name: nameOf(name),
              cells: [
                format.pricePerKwh(ratePerKwh, currency),
                format.energy(energyKwh, energyImportedKwh),
                format.money(cost, currency),
              ],
            })),
            ...others
              .filter(({ amount }) => amount !== 0)
              .map(({ key, name, amount }) => ({ key, name, span: 3, cells: [format.money(amount, currency)] })),
          ],
        },
      ]}
      footer={[
        {
          key: 'total',
          name: t('total'),
          span: 2,
          cells: [format.energy(energyImportedKwh), format.money(total, currency)],
        },
      ]}
    />
  );
}

interface CostComparisonProps {
  result: SimulationResult;
  /** The cost of the same devices and range on the tariffs in force. */
  actual: CostBreakdown;
}

/** The cost of measured energy on the tariff beside its actual cost, and the difference. */
function CostComparison({ result, actual }: CostComparisonProps) {
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
