import { ActionIcon, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { daysText, useWeekdayNames, weekdays } from '../lib/weekdays.ts';
import { readTimeOfDay, timeProblem, type WeekTime, writeTimeOfDay } from './week-windows.ts';
import classes from './WeekTimeRow.module.css';

interface WeekTimeRowProps {
  time: WeekTime;
  isChecked: boolean;
  onChange: (time: WeekTime) => void;
  onRemove: () => void;
}

/** Days and times in a week, to the minute: "07:10" to "09:00", Monday to Friday. */
export function WeekTimeRow({ time, isChecked, onChange, onRemove }: WeekTimeRowProps) {
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
    // A time such as "0710" needs no colon, because the number pads of phones have none.
    inputMode: 'numeric' as const,
    maxLength: 5,
    autoComplete: 'off',
    spellCheck: false,
    className: classes.time,
    error: isShown && (problem === `${part}Invalid` || problem === 'timesEqual'),
    'aria-describedby': isShown ? problemId : undefined,
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ ...time, [part]: event.currentTarget.value }),
    // Times such as "7" and "0710" are accepted. The field then shows how it has read them.
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
