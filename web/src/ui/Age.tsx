import { useFormat } from '../lib/use-format.ts';
import { useNow } from '../lib/use-now.ts';
import { useReadingAge } from '../lib/use-reading-age.ts';
import { useDisplayZone } from '../lib/current-user.ts';

/** How long ago something happened, in words; the time itself is the title. */
export function Age({ at }: { at: string }) {
  const format = useFormat();
  const zone = useDisplayZone();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  return (
    <time dateTime={at} title={format.dateTime(at, zone)}>
      {readingAge(at, nowMs)}
    </time>
  );
}
