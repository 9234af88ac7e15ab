import { Alert, Button, ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useMemo, useRef, useState, useId } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { Panel } from '../../ui/Panel.tsx';
import { useChartColors } from '../../charts/use-chart-colors.ts';
import { BandCard } from './BandCard.tsx';
import { bandCoverage, findOverlaps, newBand, paint, type Band } from './bands.ts';
import { bandColors } from './band-colors.ts';
import { useDuration } from './use-duration.ts';
import {
  coveredMinutes,
  minutesPerWeek,
  slotMinutes,
  writeTimeOfDay,
  type CellRange,
} from '../../entities/week-windows.ts';
import { WeekGrid } from './WeekGrid.tsx';
import { daysText, useWeekdayNames } from '../../lib/weekdays.ts';
import classes from './WeekBands.module.css';
import { BandSwatch } from './BandSwatch.tsx';

interface WeekPanelProps {
  bands: readonly Band[];
  onChange: (bands: readonly Band[]) => void;
  /** ISO 4217, or '' while none is chosen. */
  currency: string;
  /** The default rate as text, or '' while there is none. */
  defaultRate: string;
  /** Whether to show the problems of each band. Before the first attempt to save, only unreadable entries are shown. */
  isChecked: boolean;
}

/** The prices that apply only at some times: a list with exact times, and a grid in which users paint these times. */
export function WeekPanel({ bands, onChange, currency, defaultRate, isChecked }: WeekPanelProps) {
  const t = useTranslations('rates.bands');
  const tTerms = useTranslations('terms');
  const tGrid = useTranslations('rates.grid');
  const format = useFormat();
  const names = useWeekdayNames();
  const duration = useDuration();
  const colors = bandColors(bands, useChartColors());
  const [brush, setBrush] = useState<string | null>(bands[0]?.key ?? null);
  const [added, setAdded] = useState<string | null>(null);
  const [painted, setPainted] = useState('');
  /** Gets the focus when the element that has it is removed. */
  const newRef = useRef<HTMLButtonElement>(null);
  const active = bands.some(({ key }) => key === brush) ? brush : null;
  const nameOf = (key: string | null) =>
    key === null ? tTerms('defaultRate') : bands.find((band) => band.key === key)?.name.trim() || t('unnamed');

  const add = () => {
    const band = newBand();
    onChange([...bands, band]);
    setBrush(band.key);
    setAdded(band.key);
  };
  const paintCells = (key: string | null, cells: CellRange) => {
    onChange(paint(bands, key, cells));
    const { firstDay, lastDay, firstSlot, lastSlot } = cells;
    const days = format.list(names.long.slice(firstDay, lastDay + 1));
    const [start, end] = [firstSlot * slotMinutes, (lastSlot + 1) * slotMinutes].map(writeTimeOfDay);
    setPainted(tGrid('painted', { name: nameOf(key), days, start: start ?? '', end: end ?? '' }));
  };

  const banded = bands.reduce((sum, band) => sum + coveredMinutes(bandCoverage(band)), 0);
  const rest = duration(Math.max(0, minutesPerWeek - banded));
  return (
    <Panel
      title={t('title')}
      description={t('description')}
      actions={
        <Button
          ref={newRef}
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={add}
        >
          {t('new')}
        </Button>
      }
    >
      <Overlaps bands={bands} />
      <div className={classes.layout}>
        <div className={classes.list}>
          {bands.map((band, index) => (
            <BandCard
              key={band.key}
              band={band}
              number={index + 1}
              color={colors[index] ?? 'transparent'}
              currency={currency}
              isChecked={isChecked}
              hasFocus={band.key === added}
              onChange={(changed) => onChange(bands.map((one) => (one.key === band.key ? changed : one)))}
              onRemove={() => {
                newRef.current?.focus({ preventScroll: true });
                onChange(bands.filter(({ key }) => key !== band.key));
              }}
            />
          ))}
          {bands.length === 0 && <p className={classes.none}>{t('none')}</p>}
          {bands.length > 0 && (
            <p className={classes.rest}>
              {t(defaultRate === '' ? 'restWithout' : 'rest', { duration: rest, rate: defaultRate })}
            </p>
          )}
        </div>
        <div className={classes.painting}>
          <BandPalette bands={bands} colors={colors} brush={active} onBrush={setBrush} onAdd={add} />
          <WeekGrid bands={bands} colors={colors} brush={active} onBrush={setBrush} onPaint={paintCells} />
          <span className="visually-hidden" role="status">
            {painted}
          </span>
        </div>
      </div>
    </Panel>
  );
}

/** The times in two bands, which the portal rejects. */
function Overlaps({ bands }: { bands: readonly Band[] }) {
  const t = useTranslations('rates.bands');
  const names = useWeekdayNames();
  const overlaps = useMemo(() => findOverlaps(bands), [bands]);
  if (overlaps.length === 0) return null;
  const nameOf = ({ name }: Band) => name.trim() || t('unnamed');
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      role="status"
      tabIndex={-1}
      data-wrong
      mb="md"
      title={t('overlapTitle')}
    >
      {overlaps.map(({ first, second, windows }) => (
        <p key={`${first.key} ${second.key}`} className={classes.overlap}>
          {t('overlap', {
            first: nameOf(first),
            second: nameOf(second),
            times: windows
              .map(
                ({ daysOfWeek, startMinute, endMinute }) =>
                  `${daysText(daysOfWeek, names.short)} ${writeTimeOfDay(startMinute)}–${writeTimeOfDay(endMinute)}`,
              )
              .join('; '),
          })}
        </p>
      ))}
    </Alert>
  );
}

interface BandPaletteProps {
  bands: readonly Band[];
  /** One color for each band, in the order of the bands. */
  colors: readonly string[];
  brush: string | null;
  onBrush: (key: string | null) => void;
  onAdd: () => void;
}

/** Chooses the rate with which the grid is painted. */
function BandPalette({ bands, colors, brush, onBrush, onAdd }: BandPaletteProps) {
  const t = useTranslations('rates.bands');
  const tTerms = useTranslations('terms');
  const group = useId();
  return (
    <fieldset className={`${classes.palette} screen-only`}>
      <legend className={classes.legend}>{t('brush')}</legend>
      <div className={classes.choices}>
        {bands.map(({ key, name }, index) => (
          <label key={key} className={classes.choice}>
            <input
              type="radio"
              name={group}
              className="visually-hidden"
              checked={brush === key}
              onChange={() => onBrush(key)}
            />
            <BandSwatch number={index + 1} color={colors[index] ?? 'transparent'} />
            <span className={classes.name}>{name.trim() === '' ? t('unnamed') : name}</span>
          </label>
        ))}
        <label className={classes.choice}>
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={brush === null}
            onChange={() => onBrush(null)}
          />
          <BandSwatch number={0} />
          <span className={classes.name}>{tTerms('defaultRate')}</span>
        </label>
        <ActionIcon
          variant="default"
          size={36}
          className={classes.bandPaletteAdd}
          aria-label={t('new')}
          onClick={onAdd}
        >
          <IconPlus size={16} stroke={1.75} />
        </ActionIcon>
      </div>
    </fieldset>
  );
}
