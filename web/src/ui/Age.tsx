import { browserTimeZone } from '../lib/time.ts';
import { useFormat } from '../lib/use-format.ts';
import { useNow } from '../lib/use-now.ts';
import { useReadingAge } from '../lib/use-reading-age.ts';

/** How long ago something was, in words; the time itself as a title. */
export function Age({ at }: { at: string }) {
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  return (
    <time dateTime={at} title={format.dateTime(at, browserTimeZone())}>
      {readingAge(at, nowMs)}
    </time>
  );
}
