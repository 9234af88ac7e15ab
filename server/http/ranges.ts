import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type Bucket, bucket, limits } from '../../shared/measurements.ts';
import { guid } from '../../shared/primitives.ts';
import { bucketEdges, countBuckets, nextCoarser } from '../domain/buckets.ts';
import { dayMicros } from '../domain/energy-day.ts';
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
/**
 * What the API document says of the query parameters. They are read by the functions below instead of being validated, so
 * that their refusals say exactly what the specification wants.
 */
export const rangeQuery = z.object({
  from: z.string().meta({ format: 'date-time', description: `start, inclusive; ${instantDescription}` }),
  to: z.string().meta({ format: 'date-time', description: `end, exclusive; ${instantDescription}` }),
});
export const deviceIdsQuery = z.object({
  deviceIds: z.string().optional().meta({ description: 'comma-separated GUIDs; empty or absent means all devices' }),
});
export const bucketQuery = z.object({ bucket });
/** For routes whose parameters these functions read: lets them through as they came. */
export const readByHand: FastifySchemaCompiler<unknown> = () => () => true;

/** Measurement rule 2: `to` must be after `from`. */
export function readRange(query: { from: unknown; to: unknown }): Range {
  const fromMicros = readInstant('from', query.from);
  const toMicros = readInstant('to', query.to);
  if (toMicros <= fromMicros) {
    throw new DomainError(
      'invalid',
      `to must be after from; got from ${formatInstant(fromMicros)} and to ${formatInstant(toMicros)}.`,
    );
  }
  return { fromMicros, toMicros, from: formatInstant(fromMicros), to: formatInstant(toMicros) };
}

/** A century: each day of a range is a step of its own where fixed charges or qualities are counted. */
export const maxDays = 36_600;

/** Refuses a range of more days than a question can answer at once. */
export function refuseTooLong(range: Range, maxDays: number): Range {
  const days = (range.toMicros - range.fromMicros) / dayMicros;
  if (days <= maxDays) return range;
  throw new DomainError('invalid', `to: the range may have at most ${maxDays} days; got ${Math.ceil(days)}.`);
}

/** Measurement rule 3: trimmed items, empty ones dropped; null means all devices. */
export function readDeviceIds(deviceIds: unknown): string[] | null {
  const lists = Array.isArray(deviceIds) ? deviceIds : [deviceIds ?? ''];
  const items = lists.flatMap((list) => String(list).split(',')).map((item) => item.trim());
  const ids = items
    .filter((item) => item !== '')
    .map((item) => {
      const parsed = guid.safeParse(item);
      if (parsed.success) return parsed.data;
      throw new DomainError(
        'invalid',
        `deviceIds has ${came(item)}, which is no GUID; it takes GUIDs of devices, separated by commas.`,
      );
    });
  return ids.length === 0 ? null : [...new Set(ids)];
}

/** Measurement rule 1. */
export function readBucket(name: unknown): Bucket {
  const parsed = bucket.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new DomainError('invalid', `bucket must be one of ${bucket.options.join(', ')}; got ${came(name)}.`);
}

/**
 * Refuses a range with more buckets than decisions.md 4 allows, or, where there are several series, more values of all of
 * them than are good to send; names the next coarser bucket.
 */
export function refuseTooManyBuckets(size: Bucket, range: Range, seriesCount = 1): Bucket {
  const count = countBuckets(range.fromMicros, range.toMicros, size);
  const isTooMany = count > limits.bucketsMax || count * seriesCount > limits.seriesValuesMax;
  if (!isTooMany) return size;
  const coarser = nextCoarser(size);
  const advice = coarser === null ? 'choose a shorter range' : `choose bucket ${coarser} or a shorter range`;
  const [what, most] =
    count > limits.bucketsMax
      ? [`${count} buckets of ${size}`, limits.bucketsMax]
      : [`${count} buckets of ${size} for each of ${seriesCount} series`, limits.seriesValuesMax];
  throw new DomainError('invalid', `The range has ${what}, more than ${most}; ${advice}.`);
}

/** The starts of the buckets that a range touches, and the end of the last one; epoch microseconds. */
export function edgesOf(range: Range, size: Bucket, timeZone: string): number[] {
  return bucketEdges(range.fromMicros, range.toMicros, size, timeZone);
}

/** The zone that all devices share, or the other one. */
export function sharedZone(devices: readonly { timeZone: string }[], otherwise: string): string {
  const zones = new Set(devices.map((device) => device.timeZone));
  const [zone = otherwise] = zones.size === 1 ? zones : [otherwise];
  return zone;
}

function readInstant(field: string, text: unknown): number {
  // A plus sign that was not escaped in the address arrives as a space.
  const micros = typeof text === 'string' ? parseInstant(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+')) : null;
  if (micros !== null) return micros;
  throw new DomainError(
    'invalid',
    `${field} is ${came(text)}; it takes an ISO 8601 instant with an offset or Z, such as 2026-03-10T10:00:00Z.`,
  );
}

/** What came in a query parameter, short enough for a sentence. */
export function came(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : 'given more than once';
}
