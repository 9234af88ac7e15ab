import { useId, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { bandCoverage, type Band } from './bands.ts';
import { cellRange, useWeekGrid } from './use-week-grid.ts';
import { slotMinutes, slotsPerDay, writeTimeOfDay, type CellRange } from '../../entities/week-windows.ts';
import { WeekBlocks } from './WeekBlocks.tsx';
import { useFormat } from '../../lib/use-format.ts';
import { useWeekdayNames, weekdays } from '../../lib/weekdays.ts';
import classes from './WeekGrid.module.css';

interface WeekGridProps {
  bands: readonly Band[];
  /** One color for each band, in the order of the bands. */
  colors: readonly string[];
  /** The rate to paint with; null is the default rate. */
  brush: string | null;
  onBrush: (key: string | null) => void;
  onPaint: (key: string | null, cells: CellRange) => void;
}

const slots = Array.from({ length: slotsPerDay }, (_, slot) => slot);
const labelledEvery = 4;

/** The week as cells of half an hour. Users paint the cells with a band, by mouse, touch or keyboard. */
export function WeekGrid({ bands, colors, brush, onBrush, onPaint }: WeekGridProps) {
  const t = useTranslations('rates.grid');
  const format = useFormat();
  const names = useWeekdayNames();
  const hintId = useId();
  const labels = useCellLabels(bands);
  const grid = useWeekGrid({ bands, brush, onBrush, onPaint });
  const selected = grid.selection === null ? null : cellRange(grid.selection);
  const isSelected = (day: number, slot: number) =>
    selected !== null &&
    selected.firstDay <= day &&
    day <= selected.lastDay &&
    selected.firstSlot <= slot &&
    slot <= selected.lastSlot;

  return (
    <div className={classes.frame}>
      <p id={hintId} className={`${classes.hint} screen-only`}>
        {t('hint')}
      </p>
      <div
        role="grid"
        aria-label={t('label')}
        aria-describedby={hintId}
        aria-multiselectable
        tabIndex={-1}
        className={classes.grid}
        onKeyDown={grid.onKeyDown}
      >
        <div role="row" className={classes.head}>
          <span role="columnheader" className={classes.corner}>
            <span className="visually-hidden">{t('time')}</span>
          </span>
          {weekdays.map((day) => (
            <span key={day} role="columnheader" aria-label={names.long[day]} className={classes.day}>
              {names.short[day]}
            </span>
          ))}
        </div>
        <div
          role="rowgroup"
          className={classes.body}
          onPointerDown={grid.onPointerDown}
          onPointerMove={grid.onPointerMove}
          onPointerUp={grid.onPointerUp}
          onPointerCancel={grid.onPointerCancel}
        >
          {slots.map((slot) => (
            <div key={slot} role="row" className={classes.row} data-hour={slot % 2 === 0 || undefined}>
              <span role="rowheader" className={classes.time}>
                <span className={slot % labelledEvery === 0 ? `${classes.clock} figures` : 'visually-hidden'}>
                  {writeTimeOfDay(slot * slotMinutes)}
                </span>
              </span>
              {weekdays.map((day) => (
                <span
                  key={day}
                  role="gridcell"
                  tabIndex={grid.focus.day === day && grid.focus.slot === slot ? 0 : -1}
                  aria-label={format.labelled(
                    `${names.long[day] ?? ''} ${timesOfSlot(slot)}`,
                    labels[day]?.[slot] ?? '',
                  )}
                  aria-selected={isSelected(day, slot)}
                  data-day={day}
                  data-slot={slot}
                  className={classes.cell}
                />
              ))}
            </div>
          ))}
          <div className={classes.overlay} aria-hidden>
            <WeekBlocks bands={bands} colors={colors} />
            {selected !== null && (
              <Selection
                cells={selected}
                isErasing={grid.isErasing}
                color={colors[bands.findIndex(({ key }) => key === brush)]}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

const timesOfSlot = (slot: number) =>
  `${writeTimeOfDay(slot * slotMinutes)}–${writeTimeOfDay((slot + 1) * slotMinutes)}`;

/** The content of each cell in words: one band, several bands if one ends inside the cell, or the default rate. */
function useCellLabels(bands: readonly Band[]): string[][] {
  const t = useTranslations('rates');
  const tTerms = useTranslations('terms');
  return useMemo(() => {
    const covered = bands.map((band) => ({
      name: band.name.trim() || t('bands.unnamed'),
      minutes: bandCoverage(band),
    }));
    const nameOf = (start: number) => {
      const minutes = Array.from({ length: slotMinutes }, (_, minute) => start + minute);
      const names = covered
        .filter((band) => minutes.some((minute) => band.minutes[minute] === 1))
        .map(({ name }) => name);
      const isFull = minutes.every((minute) => covered.some((band) => band.minutes[minute] === 1));
      return [...names, ...(isFull ? [] : [tTerms('defaultRate')])].join(', ');
    };
    return weekdays.map((day) => slots.map((slot) => nameOf((day * slotsPerDay + slot) * slotMinutes)));
  }, [bands, t, tTerms]);
}

interface SelectionProps {
  cells: CellRange;
  isErasing: boolean;
  /** Undefined for the default rate. */
  color: string | undefined;
}

/** The current selection from start to end, in words, because a finger covers the ends. */
function Selection({ cells: { firstDay, lastDay, firstSlot, lastSlot }, isErasing, color }: SelectionProps) {
  const style: Record<`--${string}`, string | number> = {
    '--first-day': firstDay,
    '--days': lastDay - firstDay + 1,
    '--first-slot': firstSlot,
    '--slots': lastSlot - firstSlot + 1,
    '--band': color ?? 'var(--mantine-color-dimmed)',
  };
  return (
    <div className={classes.selection} data-erasing={isErasing || undefined} style={style}>
      <span className={`${classes.readout} figures`}>
        {writeTimeOfDay(firstSlot * slotMinutes)}–{writeTimeOfDay((lastSlot + 1) * slotMinutes)}
      </span>
    </div>
  );
}
