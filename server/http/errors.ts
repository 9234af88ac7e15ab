import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  decodeIssue,
  encodeIssue,
  asSentence,
  type Message,
  type MessageParam,
  statusOfKind,
} from '../../shared/messages.ts';
import type { ErrorBody } from '../../shared/primitives.ts';
import { DomainError, inEnglish, message, refuse, refuseField } from '../base/errors.ts';
import { logOf, pathOf, shortened } from './request-log.ts';

speakPlainly();

/** Turns errors into responses. Unknown errors are logged and reveal nothing to the caller. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, refusal, retryAfterSeconds } = present(error, request);
  if (status >= 500 && status !== 503) logOf(request).error({ err: error }, 'request failed');
  else if (status === 503) logOf(request).warn({ err: error }, 'request refused for now');
  if (retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return reply.code(status).type('application/json; charset=utf-8').send(errorBodyOf(refusal));
}

/**
 * Answers like `answerError`, but with an empty body if the client is not signed in, as the specification requires for
 * `GET /api/auth/me`.
 */
export const answerErrorOrEmpty401: typeof answerError = (error, request, reply) =>
  error instanceof DomainError && error.kind === 'unauthenticated'
    ? reply.code(401).send()
    : answerError(error, request, reply);

/** The body of an error: the English sentence, and the data from which other languages make theirs. */
export const errorBodyOf = (refusal: Message): ErrorBody => ({ error: asSentence(inEnglish(refusal)), ...refusal });

interface Presented {
  status: number;
  refusal: Message;
  retryAfterSeconds?: number | undefined;
}

function present(error: unknown, request: FastifyRequest): Presented {
  const known = error instanceof DomainError ? error : refusalOf(error, request);
  if (known !== null) {
    return { status: statusOfKind[known.kind], refusal: known.refusal, retryAfterSeconds: known.retryAfterSeconds };
  }
  const status = isFastifyError(error) ? (error.statusCode ?? 500) : 500;
  // The message of a library is for programmers, so it is not shown. Its status is kept, even if none of our codes has that
  // status.
  if (isFastifyError(error) && status < 500)
    return { status, refusal: message('badRequest', { reason: error.message }) };
  return { status: 500, refusal: message('portalFault', { request: request.id }) };
}

/** The refusal for an error of Fastify or of a schema; null for every other error. */
function refusalOf(error: unknown, request: FastifyRequest): DomainError | null {
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An id that is not a GUID is treated as unknown (decisions.md 1).
    if (error.validationContext === 'params') return nothingAt(request);
    const [first] = error.validation;
    return refuseIssue(first, error.validationContext, request);
  }
  if (!isFastifyError(error)) return null;
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return nothingAt(request);
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY') return refuse('bodyNotJson');
  if (error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return refuse('bodyEmpty');
  if (error.code === 'FST_ERR_BAD_URL') return refuse('badUrl');
  if (error.statusCode === 413) return refuse('bodyTooLarge');
  return error.statusCode === 415 ? wrongContentType(request) : null;
}

/** The error for a content type that the route does not accept. */
export function wrongContentType(request: FastifyRequest): DomainError {
  const schema: unknown = request.routeOptions.schema;
  const consumes = typeof schema === 'object' && schema !== null && 'consumes' in schema ? schema.consumes : undefined;
  return refuse('wrongContentType', { accepted: Array.isArray(consumes) ? consumes.join(' or ') : 'application/json' });
}

/** The error for an unknown URL. */
export const nothingAt = (request: FastifyRequest): DomainError =>
  refuse('nothingHere', { method: request.method, path: shortened(pathOf(request.url)) });

interface Issue {
  message?: string;
  params?: object | undefined;
}

function refuseIssue(
  issue: (Issue & { instancePath: string }) | undefined,
  context: string | undefined,
  request: FastifyRequest,
): DomainError {
  const field = (issue?.instancePath ?? '').split('/').filter(Boolean).join('.');
  const source = context === 'querystring' ? request.query : context === 'params' ? request.params : request.body;
  const part = context ?? 'request';
  if (field === '' && (source === null || source === undefined)) return refuse('partMissing', { part });
  const value = valueAt(source, field);
  const problem = describeIssue(issue, issue?.params);
  if (field === '') return refuse('partNotValid', { part, problem });
  const accepted = problem.params['accepted'];
  if (value === undefined && accepted !== undefined) return refuseField(field, message('fieldMissing', { accepted }));
  const got = /password|token|key/i.test(field) ? message('somethingElse') : describeValue(value);
  return refuseField(field, { ...problem, params: { ...problem.params, got } });
}

/** The problems of a table cell, by the rules of its field. */
export function describeCell(issue: Issue, value: unknown): Message {
  if (value === undefined) return message('mustNotBeEmpty');
  const { code, params } = describeIssue(issue, issue);
  return { code, params: { ...params, got: describeValue(value) } };
}

function describeIssue(issue: Issue | undefined, params: object | undefined): Message {
  const accepted = params !== undefined && 'expected' in params ? typeNames.get(params.expected) : undefined;
  return accepted === undefined
    ? decodeIssue(issue?.message ?? '')
    : message('fieldTakes', { accepted: message(accepted) });
}

// zod's names of the JSON types.
const typeNames = new Map<unknown, 'aText' | 'aNumber' | 'aWholeNumber' | 'trueOrFalse' | 'aList' | 'anObject'>([
  ['string', 'aText'],
  ['number', 'aNumber'],
  ['int', 'aWholeNumber'],
  ['boolean', 'trueOrFalse'],
  ['array', 'aList'],
  ['object', 'anObject'],
]);

function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const key of path.split('.')) {
    if (key === '') continue;
    if (typeof value !== 'object' || value === null) return undefined;
    value = new Map(Object.entries(value)).get(key);
  }
  return value;
}

/** The received value, shortened so that it fits into a message. */
function describeValue(value: unknown): MessageParam {
  if (value === undefined) return message('nothingGiven');
  if (typeof value === 'string')
    return value.length > 60 ? message('aTextOf', { count: value.length }) : withUnseen(JSON.stringify(value));
  if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) return message('anObject');
    return value.length < 2 ? message('aList') : message('aListOf', { count: value.length });
  }
  return String(value);
}

/** Writes invisible characters as escapes, so that the sender finds them. */
const withUnseen = (text: string): string =>
  text.replace(/[\p{Cf}\u2028\u2029]/gu, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`);

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

/**
 * Replaces the text of a zod issue with a message of ours (`decodeIssue`), unless its schema provides one. The sentences of zod
 * are for programmers. For a value of a wrong type, `describeIssue` says which type is expected.
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
