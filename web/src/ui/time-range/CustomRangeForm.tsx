import { Button, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { longestRangeMs, type TimeRange } from '../../lib/time-range.ts';
import { fromLocalText, toLocalText } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import classes from './TimeRangePicker.module.css';

interface CustomRangeFormProps {
  range: TimeRange;
  timeZone: string;
  onApply: (range: TimeRange) => void;
}

/** Start and end to the minute, on the clocks of the zone. */
export function CustomRangeForm({ range, timeZone, onApply }: CustomRangeFormProps) {
  const t = useTranslations('common.timeRange');
  const format = useFormat();
  const [before] = useState(() => ({
    from: toLocalText(range.fromMs, timeZone),
    to: toLocalText(range.toMs, timeZone),
  }));
  const [from, setFrom] = useState(before.from);
  const [to, setTo] = useState(before.to);
  const [problem, setProblem] = useState<{ field: 'from' | 'to'; text: string } | null>(null);
  const errorOf = (field: 'from' | 'to') => (problem?.field === field ? problem.text : null);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A time that clocks show twice stays the one it was while it is not typed anew.
    const fromMs = from === before.from ? range.fromMs : fromLocalText(from, timeZone);
    const toMs = to === before.to ? range.toMs : fromLocalText(to, timeZone);
    if (fromMs === null || toMs === null) {
      setProblem({ field: fromMs === null ? 'from' : 'to', text: t('incomplete') });
    } else if (isSkipped(from, fromMs, timeZone)) setProblem({ field: 'from', text: t('skipped') });
    else if (isSkipped(to, toMs, timeZone)) setProblem({ field: 'to', text: t('skipped') });
    else if (from < '2000') setProblem({ field: 'from', text: t('outOfReach') });
    else if (to > '2100-01-01T00:00') setProblem({ field: 'to', text: t('outOfReach') });
    else if (toMs <= fromMs) setProblem({ field: 'to', text: t('toAfterFrom') });
    else if (toMs - fromMs > longestRangeMs) setProblem({ field: 'from', text: t('tooLong') });
    else onApply({ fromMs, toMs });
  };

  return (
    <form onSubmit={submit} noValidate className={classes.custom} aria-label={t('custom')}>
      <p className={classes.heading}>{t('custom')}</p>
      <TextInput
        type="datetime-local"
        label={t('from')}
        value={from}
        error={errorOf('from')}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('to')}
        value={to}
        error={errorOf('to')}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <p className={classes.zone}>{t('zone', { zone: format.timeZoneName(timeZone, range.fromMs) })}</p>
      <Button type="submit" fullWidth>
        {t('apply')}
      </Button>
    </form>
  );
}

/** Whether the clocks of the zone never show that time: they jump over it in spring. */
const isSkipped = (text: string, instantMs: number, timeZone: string): boolean =>
  toLocalText(instantMs, timeZone) !== text.slice(0, 16);
