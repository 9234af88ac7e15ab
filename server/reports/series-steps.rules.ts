import { type SeriesAnswer, toolLimits } from '../../shared/dashboard-tool.ts';
import { type CalendarDates, type SiteRanges, startOfDay } from '../base/ranges.ts';
import { type BucketSize, siteEdges } from '../base/buckets.ts';
import { refuse } from '../base/errors.ts';
import { dateAt, type MicrosRange } from '../base/instants.ts';

export type Step = SeriesAnswer['bucket'];

const seconds = { minute: 60, '5min': 300, '15min': 900, hour: 3600, day: 86_400, month: 2_592_000 } as const;
const steps = ['minute', '5min', '15min', 'hour', 'day', 'month'] as const satisfies Step[];
/** About as many points as a chart has pixels. */
const usualPoints = 1_000;

/**
 * The requested step, or the next larger one within the limit of points. `fits` tells whether the measure allows a step with that
 * many points.
 */
export function chooseStep(
  asked: number | 'auto',
  { fromMicros, toMicros }: MicrosRange,
  fits: (step: Step, points: number) => boolean,
): Step {
  const length = (toMicros - fromMicros) / 1_000_000;
  const least = asked === 'auto' ? length / usualPoints : asked;
  const isRight = (step: Step) => {
    const points = Math.ceil(length / seconds[step]) + 1;
    return points <= toolLimits.points && fits(step, points);
  };
  const found = steps.find((step) => seconds[step] >= least && isRight(step)) ?? steps.findLast(isRight);
  if (found !== undefined) return found;
  throw refuse('manyPoints', { max: toolLimits.points }, { field: 'to' });
}

/** The portal's `siteEdges`, with months: the days and months of local dates are each site's own. */
export function edgesOf(ranges: SiteRanges, step: Step, sharedZone: string): (timeZone: string) => readonly number[] {
  if (step !== 'month') return siteEdges(ranges, step, sharedZone);
  const months = monthsOf(ranges.dates ?? datesIn(ranges.all, sharedZone));
  const known = new Map<string, number[]>();
  const edgesIn = (timeZone: string) => months.map((month) => startOfDay(month, timeZone));
  return (timeZone) => known.getOrInsertComputed(ranges.dates === null ? sharedZone : timeZone, edgesIn);
}

/** The first days of the months that some dates touch, and that of the month after. */
function monthsOf({ fromDate, toDate }: CalendarDates): string[] {
  const months: string[] = [];
  for (let month = Temporal.PlainDate.from(fromDate).with({ day: 1 }); ; month = month.add({ months: 1 })) {
    months.push(month.toString());
    if (Temporal.PlainDate.compare(month, toDate) >= 0) return months;
  }
}

/** The local dates that a range touches. */
const datesIn = ({ fromMicros, toMicros }: MicrosRange, timeZone: string): CalendarDates => ({
  fromDate: dateAt(fromMicros, timeZone).toString(),
  toDate: dateAt(toMicros - 1, timeZone)
    .add({ days: 1 })
    .toString(),
});

/** The bucket size by which the portal reads a step: months are read from the same quarter-hours as days. */
export const sizeOf = (step: Step): BucketSize => (step === 'month' ? 'day' : step);
