import { z } from 'zod';
import { messageShape } from './messages.ts';

/** A GUID in any version and either case; answered in lower case. */
export const guid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'mustBeGuid')
  .toLowerCase()
  .meta({ format: 'uuid' });

/** An instant on the wire: ISO 8601 in UTC with `Z`, at most microseconds. */
export const instant = z.string().meta({ format: 'date-time', example: '2026-03-10T10:00:00Z' });

/** A local date on the wire. */
export const localDate = z.string().meta({ format: 'date', example: '2026-03-10' });

/** The range that an answer is about. */
export const answeredRange = {
  from: instant.meta({ description: 'The earliest start. With fromDate and toDate each site has its own days.' }),
  to: instant.meta({ description: 'The latest end, exclusive.' }),
  fromDate: localDate.nullable().meta({ description: 'As requested; null if the request had instants.' }),
  toDate: localDate.nullable(),
};

/** PostgreSQL cannot store NUL in text, so none of our texts may contain it. */
const withoutNul = (value: string) => !value.includes('\u0000');

/** Half of a UTF-16 pair cannot be written in UTF-8: another character would be stored. */
const isWellFormed = (value: string) => value.isWellFormed();

/** Trimmed text of `min` to `max` characters. */
export const text = (min: number, max: number) =>
  z.string().refine(withoutNul, 'mustBeWithoutNul').refine(isWellFormed, 'mustBeWellFormed').trim().min(min).max(max);

/**
 * Embeddings, overrides and isolates change the direction of the text around them; the marks used in writing Arabic and Hebrew do
 * not.
 */
const directions = '\\u202A-\\u202E\\u2066-\\u2069';
const unfitForNames = new RegExp(`[\\p{Cc}\\u2028\\u2029${directions}]`, 'u');
const directing = new RegExp(`[${directions}]`, 'g');

/** All characters are invisible: zero-width and blank ones. */
const invisible = /^[\p{DI}\p{Cf}\p{White_Space}\u2800]*$/u;

/**
 * The name of one thing among many: one line of visible text that does not change the direction of its surroundings.
 */
export const name = (max: number) =>
  text(1, max)
    .refine((value) => value === '' || !invisible.test(value), 'mustNotBeEmpty')
    .refine((value) => !unfitForNames.test(value), 'mustBeLine');

const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** A form for comparing the names that gateways give devices: two ids that look alike are the same. */
export const externalId = text(1, 200)
  .refine((value) => invisible.test(value) || !unseen.test(value), 'mustBeVisible')
  .refine((value) => value === '' || !invisible.test(value), 'mustNotBeEmpty');

/** How spreadsheets shorten a long number: `4.711E+12` for 4711000000123, which loses its last digits. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;

/** An external id in a cell of a table. */
export const externalIdCell = externalId.refine((value) => !shortened.test(value), 'shortenedNumber');

/** Without the characters that change the direction of the surrounding text. */
export const withoutDirections = (value: string): string => value.replace(directing, '');

/** `#rgb` or `#rrggbb`. */
export const hexColor = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'mustBeColor');

export const email = z
  .string()
  .trim()
  .max(254)
  .refine(isWellFormed, 'mustBeWellFormed')
  .regex(/^[^\s@\u0000]+@[^\s@\u0000]+$/, 'mustBeEmail');

/** The body of every error, whatever its status. */
export const errorBody = messageShape.extend({
  error: z.string().meta({ description: 'What is wrong and what to do, in English.' }),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const idParams = z.object({ id: guid });

const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const withThousandths = 'BHD IQD JOD KWD LYD OMR TND';

/**
 * The decimals of a currency's minor unit (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD. Not those of Intl, which follow the coins
 * in use: 0 for HUF and IDR.
 */
export function minorDigits(currency: string): number {
  if (withoutMinorUnit.includes(currency)) return 0;
  return withThousandths.includes(currency) ? 3 : 2;
}

const isTimeZone = (name: string) => {
  try {
    // Not Intl, which accepts names that Temporal rejects, such as PST and US/Pacific-New.
    new Temporal.ZonedDateTime(0n, name);
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
};

export const timeZone = z.string().trim().refine(isTimeZone, 'mustBeTimeZone').meta({ example: 'Europe/Berlin' });

/** The lengths of the steps of a curve. */
export const bucket = z.enum(['minute', '5min', '15min', 'hour', 'day']);
export type Bucket = z.infer<typeof bucket>;

export const bucketLimits = {
  bucketsMax: 50_000,
  /** The maximum number of values of a load curve: buckets times series. */
  seriesValuesMax: 250_000,
} as const;
