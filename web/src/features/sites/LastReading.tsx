import { useDisplayZone } from '../../lib/current-user.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useReadingAge } from '../../lib/use-reading-age.ts';
import classes from './Places.module.css';

/** How long ago the last reading was, and when exactly. */
export function LastReading({ at }: { at: string }) {
  const format = useFormat();
  const timeZone = useDisplayZone();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  return (
    <time dateTime={at} className={classes.reading}>
      <span>{readingAge(at, nowMs)}</span>
      <span className={`${classes.exact} figures`}>{format.dateTime(at, timeZone)}</span>
    </time>
  );
}
