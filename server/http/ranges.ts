import type { FastifySchemaCompiler } from 'fastify';
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

/** Measurement rule 3: trimmed items, empty ones dropped; null means all devices. */
export function readDeviceIds(deviceIds: unknown): string[] | null {
  const lists = Array.isArray(deviceIds) ? deviceIds : [deviceIds ?? ''];
  const items = lists.flatMap((list) => String(list).split(',')).map((item) => item.trim());
  const ids = items.filter((item) => item !== '').map((item) => readGuid('deviceIds', item));
  return ids.length === 0 ? null : [...new Set(ids)];
}

export function readGuid(field: string, item: unknown): string {
  const parsed = guid.safeParse(typeof item === 'string' ? item.trim() : item);
  if (!parsed.success) throw new DomainError('invalid', `${field} is ${came(item)}; it takes the GUID of a device.`);
  return parsed.data;
}

/** Measurement rule 1, and no more buckets of the range than decisions.md 4 allows. */
export function readBucket(name: unknown, range: Range): Bucket {
  const parsed = bucket.safeParse(name);
  if (!parsed.success) {
    throw new DomainError('invalid', `bucket must be one of ${bucket.options.join(', ')}; got ${came(name)}.`);
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
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : 'given more than once';
}
