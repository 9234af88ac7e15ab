import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { tariffPeriodWrite } from '../../../../shared/rates.ts';
import { maxLengthOf } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { bandCoverage, type Band } from './bands.ts';
import { BandSwatch } from './BandSwatch.tsx';
import { nameProblem, rateProblem } from './tariff-values.ts';
import { useDuration } from './use-duration.ts';
import { coveredMinutes, newTime } from '../../entities/week-windows.ts';
import { WeekTimeRow } from '../../entities/WeekTimeRow.tsx';
import classes from './WeekBands.module.css';

interface BandCardProps {
  band: Band;
  number: number;
  color: string;
  currency: string;
  /** Whether empty fields count as errors, too. */
  isChecked: boolean;
  /** Whether the band has just been added. Then its name gets the focus. */
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
        <WeekTimeRow
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
