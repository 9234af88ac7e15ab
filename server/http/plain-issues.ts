import { z } from 'zod';

/**
 * Says what is wrong with a value in plain English, where its schema does not: zod's own sentences are for programmers, and the page has
 * no other language for them (`shared/sentences.ts` has these). Of a wrong type the answers say what is taken (errors.ts).
 */
export function speakPlainly(): void {
  z.config({ customError: describe });
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return 'does not have the right form';
    case 'unrecognized_keys':
      return `there is no field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} here`;
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'is not valid';
    case 'invalid_type':
      return 'is not valid';
    default:
      return undefined;
  }
}

type Small = Extract<z.core.$ZodRawIssue, { code: 'too_small' }>;
type Big = Extract<z.core.$ZodRawIssue, { code: 'too_big' }>;

function tooSmall({ origin, minimum, inclusive, exact }: Small): string {
  const isCounted = origin === 'string' || origin === 'array';
  if (!isCounted) return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
  if (exact === true) return exactly(origin === 'string', minimum);
  if (Number(minimum) === 1) return 'must not be empty';
  return origin === 'string' ? `must have at least ${minimum} characters` : `must have at least ${minimum} entries`;
}

function tooBig({ origin, maximum, inclusive, exact }: Big): string {
  const isCounted = origin === 'string' || origin === 'array';
  if (!isCounted) return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
  if (exact === true) return exactly(origin === 'string', maximum);
  return origin === 'string' ? `must have at most ${maximum} characters` : `must have at most ${maximum} entries`;
}

const exactly = (isText: boolean, count: number | bigint): string =>
  isText ? `must have exactly ${count} characters` : `must have exactly ${count} entries`;
