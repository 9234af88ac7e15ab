import { useMemo } from 'react';
import { bandCoverage, type Band } from './bands.ts';
import {
  daySpansOf,
  minutesPerDay,
  minutesPerWeek,
  slotMinutes,
  slotsPerDay,
  writeTimeOfDay,
} from '../../entities/week-windows.ts';
import { weekdays, useWeekdayNames } from '../../lib/weekdays.ts';
import classes from './WeekGrid.module.css';

const slots = Array.from({ length: slotsPerDay }, (_, slot) => slot);

/** The week as a picture; the text beside it says the same. */
export function WeekPicture({ bands, colors }: { bands: readonly Band[]; colors: readonly string[] }) {
  const names = useWeekdayNames();
  return (
    <div className={classes.frame} aria-hidden>
      <div className={classes.head}>
        <span />
        {weekdays.map((day) => (
          <span key={day} className={classes.day}>
            {names.short[day]}
          </span>
        ))}
      </div>
      <div className={classes.body}>
        {slots.map((slot) => (
          <div key={slot} className={classes.row} data-hour={slot % 2 === 0 || undefined}>
            <span className={classes.time}>
              {slot % 4 === 0 && (
                <span className={`${classes.clock} figures`}>{writeTimeOfDay(slot * slotMinutes)}</span>
              )}
            </span>
            {weekdays.map((day) => (
              <span key={day} className={classes.plainCell} />
            ))}
          </div>
        ))}
        <div className={classes.overlay}>
          <WeekBlocks bands={bands} colors={colors} />
        </div>
      </div>
    </div>
  );
}

interface WeekBlocksProps {
  bands: readonly Band[];
  /** One color for each band, in the order of the bands. */
  colors: readonly string[];
}

/** A block of at least this height has space for its number, and one of this height for its name. */
const numberMinutes = 60;
const nameMinutes = 150;

/**
 * The bands as blocks over the seven days, to the minute. They differ in number, name and pattern, not only in color. Minutes
 * in two bands are marked.
 */
export function WeekBlocks({ bands, colors }: WeekBlocksProps) {
  const blocks = useMemo(() => blocksOf(bands), [bands]);
  return (
    <div className={classes.days}>
      {weekdays.map((day) => (
        <div key={day} className={classes.column}>
          {blocks[day]?.map(({ index, startMinute, endMinute }) => {
            const length = endMinute - startMinute;
            return (
              <div
                key={`${index} ${startMinute}`}
                className={index === overlapIndex ? classes.overlap : classes.block}
                data-pattern={index % 5}
                style={placed(startMinute, length, colors[index])}
              >
                {index !== overlapIndex && length >= numberMinutes && (
                  <span className={classes.number}>{index + 1}</span>
                )}
                {index !== overlapIndex && length >= nameMinutes && (
                  <span className={classes.blockName}>{bands[index]?.name}</span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

const overlapIndex = -1;

interface Block {
  /** The index of the band; {@link overlapIndex} for minutes in two bands. */
  index: number;
  startMinute: number;
  endMinute: number;
}

function blocksOf(bands: readonly Band[]): Block[][] {
  const claims = new Uint8Array(minutesPerWeek);
  const coverages = bands.map(bandCoverage);
  for (const coverage of coverages) {
    for (const [minute, isCovered] of coverage.entries()) claims[minute] = (claims[minute] ?? 0) + isCovered;
  }
  const twice = claims.map((count) => (count > 1 ? 1 : 0));
  return weekdays.map((day) => [
    ...coverages.flatMap((coverage, index) => daySpansOf(coverage, day).map((span) => ({ index, ...span }))),
    ...daySpansOf(twice, day).map((span) => ({ index: overlapIndex, ...span })),
  ]);
}

const placed = (startMinute: number, length: number, color = 'transparent'): Record<`--${string}`, string> => ({
  '--top': `${((startMinute / minutesPerDay) * 100).toFixed(4)}%`,
  '--height': `${((length / minutesPerDay) * 100).toFixed(4)}%`,
  '--band': color,
});
