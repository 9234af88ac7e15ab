import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { tariffPeriodWrite } from '../../../../shared/rates.ts';
import { maxLengthOf } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { bandCoverage, newTime, type Band, type BandTime } from './bands.ts';
import { BandSwatch } from './BandSwatch.tsx';
import { nameProblem, rateProblem, timeProblem } from './tariff-values.ts';
import { useDuration } from './use-duration.ts';
import { coveredMinutes, readTimeOfDay, writeTimeOfDay } from './week-windows.ts';
import classes from './WeekBands.module.css';
import { daysText, useWeekdayNames, weekdays } from '../../lib/weekdays.ts';

interface BandCardProps {
  band: Band;
  number: number;
  color: string;
  currency: string;
  /** Empty fields count as errors too. */
  isChecked: boolean;
  /** It has just been added: its name comes next. */
  hasFocus: boolean;
  onChange: (band: Band) => void;
  onRemove: () => void;
}

/** Name, price and exact times of a band. */
export function BandCard({ band, number, color, currency, isChecked, hasFocus, onChange, onRemove }: BandCardProps) {
  const t = useTranslations('rates.bands');
  const tAll = useTranslations();
  const format = useFormat();
  const nameRef = useRef<HTMLInputElement>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  const headingId = useId();
  const duration = useDuration();
  const name = band.name.trim() === '' ? t('unnamed') : band.name.trim();
  const style: Record<`--${string}`, string> = { '--band': color };

  useEffect(() => {
    if (hasFocus) nameRef.current?.focus();
  }, [hasFocus]);

  return (
    <div role="group" aria-labelledby={headingId} className={classes.card} style={style}>
      <div className={classes.head}>
        <BandSwatch number={number} color={color} />
        <span id={headingId} className={classes.title}>
          {name}
        </span>
        <span className={`${classes.hours} figures`}>
          {t('aWeek', { duration: duration(coveredMinutes(bandCoverage(band))) })}
        </span>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('remove', { name })} onClick={onRemove}>
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={classes.fields}>
        <TextInput
          ref={nameRef}
          label={tAll('common.name')}
          value={band.name}
          maxLength={maxLengthOf(tariffPeriodWrite.shape.name) ?? 0}
          autoComplete="off"
          error={isChecked && nameProblem(band) ? tAll('errors.required') : null}
          onChange={(event) => onChange({ ...band, name: event.currentTarget.value })}
        />
        <NumberField
          label={t('rate')}
          value={band.rate}
          unit={`${currency}/kWh`}
          unitWidth={76}
          error={
            (isChecked || band.rate !== '') && rateProblem(band, format.decimalSeparator)
              ? tAll('rates.form.amountInvalid')
              : null
          }
          onChange={(event) => onChange({ ...band, rate: event.currentTarget.value })}
        />
      </div>
      {band.times.map((time) => (
        <BandTimeRow
          key={time.key}
          time={time}
          isChecked={isChecked}
          onChange={(changed) =>
            onChange({ ...band, times: band.times.map((one) => (one.key === time.key ? changed : one)) })
          }
          onRemove={() => {
            addRef.current?.focus({ preventScroll: true });
            onChange({ ...band, times: band.times.filter(({ key }) => key !== time.key) });
          }}
        />
      ))}
      {band.times.length === 0 && (
        <p className={isChecked ? classes.unpainted : classes.unpaintedYet}>{t('unpainted')}</p>
      )}
      <Button
        ref={addRef}
        variant="subtle"
        size="compact-sm"
        className={`${classes.add} screen-only`}
        leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
        aria-label={t('addTimesTo', { name })}
        data-wrong={(isChecked && band.times.length === 0) || undefined}
        onClick={() => onChange({ ...band, times: [...band.times, newTime()] })}
      >
        {t('addTimes')}
      </Button>
    </div>
  );
}

interface BandTimeRowProps {
  time: BandTime;
  isChecked: boolean;
  onChange: (time: BandTime) => void;
  onRemove: () => void;
}

/** Days and times of a band, to the minute: "07:10" to "09:00", Monday to Friday. */
function BandTimeRow({ time, isChecked, onChange, onRemove }: BandTimeRowProps) {
  const t = useTranslations('rates.bands');
  const names = useWeekdayNames();
  const problemId = useId();
  const problem = timeProblem(time);
  const isShown = problem !== null && (isChecked || (time.start !== '' && time.end !== ''));
  const text = `${daysText(time.daysOfWeek, names.short)} ${time.start}–${time.end}`;
  const isPastMidnight = problem === null && (readTimeOfDay(time.start) ?? 0) > (readTimeOfDay(time.end) ?? 0);

  const field = (part: 'start' | 'end') => ({
    value: time[part],
    'aria-label': t(part),
    placeholder: part === 'start' ? '07:10' : '09:00',
    // "0710" needs no colon, which the number pads of phones lack.
    inputMode: 'numeric' as const,
    maxLength: 5,
    autoComplete: 'off',
    spellCheck: false,
    className: classes.time,
    error: isShown && (problem === `${part}Invalid` || problem === 'timesEqual'),
    'aria-describedby': isShown ? problemId : undefined,
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ ...time, [part]: event.currentTarget.value }),
    // "7" and "0710" are understood; then the field says so.
    onBlur: () => {
      const minute = readTimeOfDay(time[part]);
      const written =
        minute === undefined ? time[part] : writeTimeOfDay(part === 'end' && minute === 0 ? 1440 : minute);
      if (written !== time[part]) onChange({ ...time, [part]: written });
    },
  });

  return (
    <div role="group" aria-label={text} className={classes.row}>
      <div role="group" aria-label={t('days')} className={classes.days}>
        {weekdays.map((day) => (
          <label key={day} className={classes.day}>
            <input
              type="checkbox"
              className="visually-hidden"
              aria-label={names.long[day]}
              aria-invalid={isShown && problem === 'daysMissing'}
              checked={(time.daysOfWeek & (1 << day)) !== 0}
              onChange={() => onChange({ ...time, daysOfWeek: time.daysOfWeek ^ (1 << day) })}
            />
            <span aria-hidden>{names.short[day]}</span>
          </label>
        ))}
      </div>
      <div className={classes.times}>
        <TextInput {...field('start')} />
        <span aria-hidden>–</span>
        <TextInput {...field('end')} />
        {isPastMidnight && <span className={classes.nextDay}>{t('nextDay')}</span>}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          className={classes.remove}
          aria-label={t('removeTimes', { times: text })}
          onClick={onRemove}
        >
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      {isShown && (
        <p id={problemId} className={classes.problem}>
          {t(`problems.${problem}`)}
        </p>
      )}
    </div>
  );
}
