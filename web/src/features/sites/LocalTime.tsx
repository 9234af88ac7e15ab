import { utcOffset } from '../../lib/time-zones.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './Places.module.css';

/** The current local time in the zone, and the name of the zone. */
export function LocalTime({ timeZone }: { timeZone: string }) {
  const format = useFormat();
  const nowMs = useNow(10_000);
  return (
    <span className={classes.reading}>
      <span className="figures">{format.clock(nowMs, timeZone)}</span>
      <span className={`${classes.exact} ${classes.zone} figures`}>
        <span>{format.timeZoneName(timeZone)}</span>
        <span>{utcOffset(timeZone, nowMs)}</span>
      </span>
    </span>
  );
}
