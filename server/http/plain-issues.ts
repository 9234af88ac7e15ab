import { z } from 'zod';
import { encodeIssue } from '../../shared/issues.ts';

/**
 * Makes the text of a zod issue a message of ours (`decodeIssue`), where its schema does not give one: zod's own sentences are for
 * programmers. What a value of a wrong type should be, errors.ts says.
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
      return encodeIssue('mustBeOneOf', { choices: issue.values.map(String).join(', ') });
    case 'not_multiple_of':
      return encodeIssue('mustBeMultiple', { step: String(issue.divisor) });
    case 'invalid_format':
      return 'wrongForm';
    case 'unrecognized_keys':
      return encodeIssue('noSuchField', { names: issue.keys.map((key) => JSON.stringify(key)).join(', ') });
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_type':
      return 'isNotValid';
    default:
      return undefined;
  }
}

type Small = Extract<z.core.$ZodRawIssue, { code: 'too_small' }>;
type Big = Extract<z.core.$ZodRawIssue, { code: 'too_big' }>;

function tooSmall({ origin, minimum, inclusive, exact }: Small): string {
  const isCounted = origin === 'string' || origin === 'array';
  const min = Number(minimum);
  if (!isCounted) {
    if (inclusive === false) return encodeIssue('mustBeMoreThan', { min });
    return min === 0 ? 'notNegative' : encodeIssue('mustBeAtLeast', { min });
  }
  if (exact === true) return exactly(origin === 'string', min);
  if (min === 1) return 'mustNotBeEmpty';
  return encodeIssue(origin === 'string' ? 'atLeastCharacters' : 'atLeastEntries', { min });
}

function tooBig({ origin, maximum, inclusive, exact }: Big): string {
  const isCounted = origin === 'string' || origin === 'array';
  const max = Number(maximum);
  if (!isCounted) return encodeIssue(inclusive === false ? 'mustBeLessThan' : 'mustBeAtMost', { max });
  if (exact === true) return exactly(origin === 'string', max);
  return encodeIssue(origin === 'string' ? 'atMostCharacters' : 'atMostEntries', { max });
}

const exactly = (isText: boolean, count: number): string =>
  encodeIssue(isText ? 'exactCharacters' : 'exactEntries', { count });
