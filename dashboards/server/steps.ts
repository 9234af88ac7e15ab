import { type seriesBucket, toolLimits } from '../../shared/dashboard-tool.ts';
import type { z } from 'zod';
import { startOfDay } from '../../server/domain/asked-range.ts';
import { bucketEdges, type BucketSize } from '../../server/domain/buckets.ts';
import { DomainError } from '../../server/domain/errors.ts';
import type { MicrosRange } from '../../server/domain/instants.ts';

export type Step = z.infer<typeof seriesBucket>;

const seconds = { minute: 60, '5min': 300, '15min': 900, hour: 3600, day: 86_400, month: 2_592_000 } as const;
const steps = ['minute', '5min', '15min', 'hour', 'day', 'month'] as const satisfies Step[];
/** About as many points as a chart has pixels. */
const usualPoints = 1_000;

/**
 * The step that is asked for, or the next larger one that keeps to the limit of points. `fits` says of a step with so many points
 * whether it is one that the measure has.
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
  throw new DomainError('invalid', `to: the range is too long for ${toolLimits.points} points; choose a shorter one.`);
}

/** The starts of the buckets that a range touches, and the end of the last one, epoch microseconds. */
export function edgesOf({ fromMicros, toMicros }: MicrosRange, step: Step, timeZone: string): number[] {
  if (step !== 'month') return bucketEdges(fromMicros, toMicros, step, timeZone);
  const edges: number[] = [];
  let month = new Temporal.ZonedDateTime(BigInt(fromMicros) * 1000n, timeZone).toPlainDate().with({ day: 1 });
  for (;;) {
    const edge = startOfDay(month.toString(), timeZone);
    edges.push(edge);
    if (edge >= toMicros) return edges;
    month = month.add({ months: 1 });
  }
}

/** How the portal reads buckets of a step: those of a month are made of the same quarter-hours as those of a day. */
export const sizeOf = (step: Step): BucketSize => (step === 'month' ? 'day' : step);
