import { Button, TextInput } from '@mantine/core';
import { IconCalculator } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { TariffTerms } from '../../../../shared/rates.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { toInstant } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { addDays, dateAt, isDate, monthStart, startOfDate } from './local-dates.ts';
import { useSimulate, type SimulationRequest } from './queries.ts';
import { SimulationTable } from './SimulationTable.tsx';
import classes from './Calculator.module.css';

interface CalculatorProps {
  /** As they stand in the form, saved or not; null while something of them is wrong. */
  terms: TariffTerms | null;
  timeZone: string;
}

/** As the portal simulates: ten years. */
const mostDays = 3660;
const dayMs = 86_400_000;

/** "This load on this tariff": what a constant power over a range of days would cost. */
export function Calculator({ terms, timeZone }: CalculatorProps) {
  const t = useTranslations('rates.calculator');
  const tAll = useTranslations();
  const { decimalSeparator } = useFormat();
  const simulate = useSimulate();
  const [today] = useState(() => dateAt(Date.now(), timeZone));
  const [power, setPower] = useState('10');
  const [firstDay, setFirstDay] = useState(() => monthStart(today));
  const [lastDay, setLastDay] = useState(() => addDays(monthStart(today, 1), -1));
  const [isChecked, setIsChecked] = useState(false);

  const powerKw = readDecimal(power, decimalSeparator);
  const isPowerRight = typeof powerKw === 'number' && Math.abs(powerKw) <= 1e9;
  const days = isDate(firstDay) && isDate(lastDay) ? (Date.parse(lastDay) - Date.parse(firstDay)) / dayMs + 1 : NaN;
  const rangeProblem = Number.isNaN(days)
    ? t('dateMissing')
    : days < 1
      ? tAll('rates.form.lastDayInvalid')
      : days > mostDays - 1
        ? t('tooLong')
        : null;
  const request: SimulationRequest | null =
    terms !== null && isPowerRight && rangeProblem === null
      ? {
          tariff: terms,
          timeZone,
          from: toInstant(startOfDate(firstDay, timeZone)),
          to: toInstant(startOfDate(addDays(lastDay, 1), timeZone)),
          load: { kind: 'constant', powerKw },
        }
      : null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (request !== null && !simulate.isPending) simulate.mutate(request);
  };
  const answer = simulate.data;
  const isStale = answer !== undefined && JSON.stringify(answer.request) !== JSON.stringify(request);

  return (
    <div id="calculator" className={classes.anchor}>
      <Panel title={t('title')} description={t('description')}>
        <form onSubmit={submit} noValidate className={classes.form}>
          <TextInput
            label={t('power')}
            description={t('powerHint')}
            value={power}
            inputMode="decimal"
            autoComplete="off"
            rightSection={<span className={classes.unit}>kW</span>}
            rightSectionPointerEvents="none"
            error={isChecked && !isPowerRight ? t('powerInvalid') : null}
            onChange={(event) => setPower(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('firstDay')}
            value={firstDay}
            onChange={(event) => setFirstDay(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('lastDay')}
            value={lastDay}
            error={isChecked ? rangeProblem : null}
            onChange={(event) => setLastDay(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            className={classes.submit}
            loading={simulate.isPending}
            leftSection={<IconCalculator size={16} stroke={1.75} aria-hidden />}
          >
            {t('calculate')}
          </Button>
        </form>
        {isChecked && terms === null && (
          <p role="alert" className={classes.problem}>
            {t('incomplete')}
          </p>
        )}
        {simulate.isError ? (
          <ErrorState
            compact
            error={simulate.error}
            onRetry={() => {
              if (request !== null) simulate.mutate(request);
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
              <SimulationTable result={answer.result} timeZone={timeZone} terms={answer.request.tariff} />
            </div>
          )
        )}
      </Panel>
    </div>
  );
}
