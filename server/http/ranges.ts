import { z } from 'zod';
import { type Bucket, bucket, limits } from '../../shared/measurements.ts';
import { guid } from '../../shared/primitives.ts';
import { countBuckets, nextCoarser } from '../domain/buckets.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant, parseInstant } from '../domain/instants.ts';

/** A half-open range of instants: epoch microseconds and their text for the database. */
export interface Range {
  fromMicros: number;
  toMicros: number;
  from: string;
  to: string;
}

const instantDescription = 'ISO 8601 with an offset or Z';
/** Query parameters are read as text, so that their refusals can say exactly what the specification wants. */
export const rangeQuery = z.object({
  from: z
    .string()
    .optional()
    .meta({ format: 'date-time', description: `start, inclusive; required; ${instantDescription}` }),
  to: z
    .string()
    .optional()
    .meta({ format: 'date-time', description: `end, exclusive; required; ${instantDescription}` }),
});
export const deviceIdsQuery = z.object({
  deviceIds: z.string().optional().meta({ description: 'comma-separated GUIDs; empty or absent means all devices' }),
});
export const bucketQuery = z.object({
  bucket: z
    .string()
    .optional()
    .meta({ description: `one of ${bucket.options.join(', ')}; required` }),
});

/** Measurement rule 2: `to` must be after `from`. */
export function readRange(query: { from?: string | undefined; to?: string | undefined }): Range {
  const fromMicros = readInstant('from', query.from);
  const toMicros = readInstant('to', query.to);
  if (toMicros <= fromMicros) {
    throw new DomainError('invalid', `to must be after from; got from ${query.from ?? ''} and to ${query.to ?? ''}.`);
  }
  return { fromMicros, toMicros, from: formatInstant(fromMicros), to: formatInstant(toMicros) };
}

/** Measurement rule 3: trimmed items, empty ones dropped; null means all devices. */
export function readDeviceIds(deviceIds: string | undefined): string[] | null {
  const items = (deviceIds ?? '').split(',').map((item) => item.trim());
  const ids = items.filter((item) => item !== '').map((item) => readGuid('deviceIds', item));
  return ids.length === 0 ? null : [...new Set(ids)];
}

export function readGuid(field: string, item: string | undefined): string {
  if (item === undefined || item.trim() === '')
    throw new DomainError('invalid', `${field} is missing; it takes the GUID of a device.`);
  const parsed = guid.safeParse(item.trim());
  if (!parsed.success)
    throw new DomainError('invalid', `${field}: ${JSON.stringify(item.slice(0, 60))} is not a GUID.`);
  return parsed.data;
}

/** Measurement rule 1, and no more buckets of the range than decisions.md 4 allows. */
export function readBucket(name: string | undefined, range: Range): Bucket {
  const parsed = bucket.safeParse(name);
  if (!parsed.success) {
    throw new DomainError(
      'invalid',
      `bucket must be one of ${bucket.options.join(', ')}; got ${name === undefined ? 'nothing' : JSON.stringify(name.slice(0, 40))}.`,
    );
  }
  const count = countBuckets(range.fromMicros, range.toMicros, parsed.data);
  if (count > limits.bucketsMax) {
    const coarser = nextCoarser(parsed.data);
    const advice = coarser === null ? 'choose a shorter range' : `choose bucket ${coarser} or a shorter range`;
    throw new DomainError(
      'invalid',
      `The range has ${count} buckets of ${parsed.data}, more than ${limits.bucketsMax}; ${advice}.`,
    );
  }
  return parsed.data;
}

function readInstant(field: string, text: string | undefined): number {
  if (text === undefined || text.trim() === '') {
    throw new DomainError(
      'invalid',
      `${field} is missing; it takes an ISO 8601 instant with an offset or Z, such as 2026-03-10T10:00:00Z.`,
    );
  }
  // A plus sign that was not escaped in the address arrives as a space.
  const micros = parseInstant(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+'));
  if (micros === null) {
    throw new DomainError(
      'invalid',
      `${field} is ${JSON.stringify(text.slice(0, 60))}; it takes an ISO 8601 instant with an offset or Z, such as 2026-03-10T10:00:00Z.`,
    );
  }
  return micros;
}
