import type { Band } from './bands.ts';
import { slotMinutes, slotsPerDay, writeTimeOfDay } from './week-windows.ts';
import { WeekBlocks } from './WeekBlocks.tsx';
import { useWeekdayNames, weekdays } from '../../lib/weekdays.ts';
import classes from './WeekGrid.module.css';

const slots = Array.from({ length: slotsPerDay }, (_, slot) => slot);

/** The week as a picture; the same stands in words beside it. */
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
