import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useReadingAge } from '../../lib/use-reading-age.ts';
import classes from './Places.module.css';

interface LastReadingProps {
  at: string;
  /** The site's zone, in which the exact time is shown. */
  timeZone: string;
}

/** How long ago the last reading was, and when exactly by the clocks of the site. */
export function LastReading({ at, timeZone }: LastReadingProps) {
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  return (
    <time dateTime={at} className={classes.reading}>
      <span>{readingAge(at, nowMs)}</span>
      <span className={`${classes.exact} figures`}>{format.dateTime(at, timeZone)}</span>
    </time>
  );
}
