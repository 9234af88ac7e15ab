import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type Language, languages, type MessageParam } from '../../shared/messages.ts';
import { guid } from '../../shared/primitives.ts';
import { type AskedRange, calendarRange, isDate } from '../base/ranges.ts';
import { DomainError, message, refuse } from '../base/errors.ts';
import { canonicalTimeZone, formatInstant, parseInstant } from '../base/instants.ts';
import { allDevices, type DeviceScope } from '../base/scopes.ts';
import type { Guard, Named } from './guard.ts';

const instantDescription = 'ISO 8601 with an offset or Z';
/** Ids in a query: separated by commas, or given several times. */
export const idList = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type: 'array', items: { type: 'string', format: 'uuid' }, description });
const instantParameter = (description: string) => z.string().optional().meta({ format: 'date-time', description });
const dateParameter = (description: string) => z.string().optional().meta({ format: 'date', description });

/**
 * The query parameters in the API document. The functions below read them instead of a validator, so that the messages are
 * exactly those of the specification.
 */
export const rangeQuery = z.object({
  from: instantParameter(`Start, inclusive. ${instantDescription}. Required unless fromDate and toDate are given.`),
  to: instantParameter(`End, exclusive. ${instantDescription}. Required together with from.`),
  fromDate: dateParameter(
    'First local day, instead of from. Each site has its own days, in the time zone of its municipality.',
  ),
  toDate: dateParameter('The local day after the last one, exclusive. Required together with fromDate.'),
});
export const untilQuery = z.object({
  until: instantParameter(
    `Ends the days of every site at this instant. Only with fromDate and toDate. ${instantDescription}.`,
  ),
});
/** The range to compare with the first one. */
export const otherRangeQuery = z.object({
  otherFrom: instantParameter(
    'Start of the other range. Takes otherTo with it; or give otherFromDate and otherToDate.',
  ),
  otherTo: instantParameter('End of the other range, exclusive.'),
  otherFromDate: dateParameter('First local day of the other range, instead of otherFrom.'),
  otherToDate: dateParameter('The local day after the last one of the other range, exclusive.'),
  otherUntil: instantParameter(
    'Ends the days of the other range at this instant. Only with otherFromDate and otherToDate.',
  ),
});
export const askedQuery = rangeQuery.extend({
  deviceIds: idList('Devices, separated by commas. None means all devices.'),
  siteIds: idList('Sites, separated by commas. Adds their devices to deviceIds.'),
});
/** For exports. */
export const languageQuery = z.object({
  language: z.enum(languages).optional().meta({
    description: 'The language of a workbook. CSV and NDJSON have field names instead.',
    default: 'en',
  }),
});
/** For routes whose parameters are read by these functions, without validation. */
export const readByHand: FastifySchemaCompiler<unknown> = () => () => true;

/** The user and parameters of a query, for the functions below. */
export const question = <Query, Answer>(
  { signedIn: onRequest }: Guard,
  { answer, ...schema }: Named & { summary: string; description?: string; querystring: Query; answer: Answer },
) => ({
  onRequest,
  validatorCompiler: readByHand,
  schema: { tags: ['Dashboard'], ...schema, response: { 200: answer } },
});

/** The four parameters of a range. */
export interface RangeParameters {
  from?: unknown;
  to?: unknown;
  fromDate?: unknown;
  toDate?: unknown;
}

const isGiven = (value: unknown) => value !== undefined && value !== '';

/** Measurement rule 2: `to` must be after `from`. Local dates may be given instead: decisions.md 4. */
export function readRange(query: RangeParameters): AskedRange {
  if (isGiven(query.fromDate) || isGiven(query.toDate)) return readDates(query);
  const fromMicros = readInstant('from', query.from);
  const toMicros = readInstant('to', query.to);
  if (toMicros <= fromMicros) {
    throw refuse('rangeReversed', { from: formatInstant(fromMicros), to: formatInstant(toMicros) }, { field: 'to' });
  }
  return { fromMicros, toMicros, dates: null };
}

function readDates(query: RangeParameters): AskedRange {
  for (const field of ['from', 'to'] as const) {
    if (!isGiven(query[field])) continue;
    throw refuse('besideDates', {}, { field });
  }
  const dates = { fromDate: readDate('fromDate', query.fromDate), toDate: readDate('toDate', query.toDate) };
  if (dates.toDate <= dates.fromDate) {
    throw refuse('datesReversed', { from: dates.fromDate, to: dates.toDate }, { field: 'toDate' });
  }
  return calendarRange(dates);
}

/** A range whose last day may end at `until`. */
export function readRangeUntil(query: RangeParameters & { until?: unknown }): AskedRange {
  const range = readRange(query);
  if (!isGiven(query.until)) return range;
  if (range.dates === null) {
    throw refuse('untilWithoutDates', {}, { field: 'until' });
  }
  return { ...range, untilMicros: readInstant('until', query.until) };
}

/** The range to compare with. Errors name the parameters as they were given. */
export function readOtherRange(query: { [Field in keyof z.infer<typeof otherRangeQuery>]?: unknown }): AskedRange {
  const { otherFrom: from, otherTo: to, otherFromDate: fromDate, otherToDate: toDate, otherUntil: until } = query;
  try {
    return readRangeUntil({ from, to, fromDate, toDate, until });
  } catch (error) {
    throw error instanceof DomainError ? refuse('otherRange', { problem: error.refusal }) : error;
  }
}

/** Whether the query has a range to compare with. */
export const hasOtherRange = (query: Record<string, unknown>): boolean =>
  Object.keys(otherRangeQuery.shape).some((name) => isGiven(query[name]));

/** The devices and range of a query, and the account that asks. */
export function readAsked(
  guard: Guard,
  request: FastifyRequest & { query: RangeParameters & AskedDevices },
  range = readRange(request.query),
) {
  return { range, scope: readDeviceScope(request.query), accountId: guard.current(request).accountId };
}

interface AskedDevices {
  deviceIds?: unknown;
  siteIds?: unknown;
}

/** Measurement rule 3: without ids, all devices are meant. Sites and single devices may be combined. */
export function readDeviceScope({ deviceIds, siteIds }: AskedDevices): DeviceScope {
  return scopeOf(readIds('deviceIds', 'devices', deviceIds), readIds('siteIds', 'sites', siteIds));
}

/** The devices to compare with, read in the same way. */
export function readOtherScope(query: { otherDeviceIds?: unknown; otherSiteIds?: unknown }): DeviceScope {
  const devices = readIds('otherDeviceIds', 'devices', query.otherDeviceIds);
  return scopeOf(devices, readIds('otherSiteIds', 'sites', query.otherSiteIds));
}

const scopeOf = (devices: string[], sites: string[]): DeviceScope =>
  devices.length === 0 && sites.length === 0 ? allDevices : { devices, sites };

/** Measurement rule 3: trimmed items, empty ones dropped. */
export function readIds(field: string, kind: string, value: unknown): string[] {
  const lists = Array.isArray(value) ? value : [value ?? ''];
  const items = lists.flatMap((list) => String(list).split(',')).map((item) => item.trim());
  const ids = items
    .filter((item) => item !== '')
    .map((item) => {
      const parsed = guid.safeParse(item);
      if (parsed.success) return parsed.data;
      throw refuse('notGuids', { got: came(item), kind }, { field });
    });
  return [...new Set(ids)];
}

/** One of several allowed words: measurement rule 1. */
export function readOption<Option extends string>(field: string, options: readonly Option[], given: unknown): Option {
  const found = options.find((option) => option === given);
  if (found !== undefined) return found;
  throw refuse('parameterOneOf', { choices: options.join(', '), got: came(given) }, { field });
}

export const readLanguage = ({ language }: { language?: unknown }): Language =>
  isGiven(language) ? readOption('language', languages, language) : 'en';

/** A whole number from 1 to `max`; anything else falls back to the default (rules 4 and 5). */
export function readCount(text: unknown, fallback: number, max: number): number {
  const count = readWholeNumber(text) ?? 0;
  return count >= 1 && count <= max ? count : fallback;
}

/** A whole number of 0 or more, or null for anything else. */
export const readWholeNumber = (text: unknown) =>
  typeof text === 'string' && /^\d+$/.test(text.trim()) ? Number(text) : null;

/** The IANA zone of a query parameter, null if it is absent. Throws `invalid`. */
export function readZone(field: string, text: unknown): string | null {
  if (!isGiven(text)) return null;
  try {
    return canonicalTimeZone(String(text));
  } catch {
    throw badParameter(field, text, 'an IANA time zone such as Europe/Berlin');
  }
}

/** The instant of a query parameter, in epoch microseconds. Throws `invalid`. */
export function readInstant(field: string, text: unknown): number {
  // A plus sign that is not escaped in a URL arrives as a space.
  const micros = typeof text === 'string' ? parseInstant(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+')) : null;
  if (micros !== null) return micros;
  throw badParameter(field, text, message('isoInstant'));
}

function readDate(field: 'fromDate' | 'toDate', value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (isDate(text)) return text;
  throw refuse('badLocalDate', { got: came(value) }, { field });
}

/** `accepted` describes the values that the parameter accepts. */
export const badParameter = (field: string, value: unknown, accepted: MessageParam) =>
  refuse('badParameter', { got: came(value), accepted }, { field });

/** The received query parameter, shortened for a message. */
export function came(value: unknown): MessageParam {
  if (value === undefined || value === '') return message('missingValue');
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : 'given more than once';
}
