import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ErrorBody } from '../../shared/primitives.ts';
import { identifySentence } from '../../shared/sentences.ts';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { speakPlainly } from './plain-issues.ts';
import { logOf, pathOf, shortened } from './request-log.ts';

speakPlainly();

const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  stale: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  tooManyRequests: 429,
  unavailable: 503,
  // The status that some servers log for this; no client ever sees it.
  abandoned: 499,
} as const satisfies Record<ErrorCode, number>;

// By code, then by status; the messages of the libraries repeat parts of the body or address programmers.
const fixedText = new Map<string | number, string>([
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'The body is not valid JSON.'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'The body is empty; it must be JSON.'],
  ['FST_ERR_BAD_URL', 'The URL is not valid: its percent encoding is broken.'],
  [413, 'The body is larger than this endpoint accepts; send less at a time.'],
]);

/** Turns errors into responses. Unknown errors are logged and reveal nothing to the caller. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, retryAfterSeconds } = present(error, request);
  if (status >= 500 && status !== 503) logOf(request).error({ err: error }, 'request failed');
  else if (status === 503) logOf(request).warn({ err: error }, 'request refused for now');
  if (retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return reply.code(status).type('application/json; charset=utf-8').send(errorBodyOf(status, message));
}

/** Answers like `answerError`, but with an empty body to whoever is not signed in, as the specification says of `GET /api/auth/me`. */
export const answerErrorOrEmpty401: typeof answerError = (error, request, reply) =>
  error instanceof DomainError && error.code === 'unauthenticated'
    ? reply.code(401).send()
    : answerError(error, request, reply);

/** The message with its code; a message without one gets the kind of the error as its code. */
export function errorBodyOf(status: number, message: string): ErrorBody {
  const kind = Object.entries(statusOf).find(([, of]) => of === status)?.[0] ?? (status < 500 ? 'invalid' : 'failed');
  return { error: message, ...(identifySentence(message) ?? { code: kind }) };
}

function present(
  error: unknown,
  request: FastifyRequest,
): { status: number; message: string; retryAfterSeconds?: number | undefined } {
  if (error instanceof DomainError) {
    return { status: statusOf[error.code], message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An id that is not a GUID is treated as unknown (decisions.md 1).
    if (error.validationContext === 'params') return { status: 404, message: nothingAt(request) };
    const [first] = error.validation;
    return { status: 400, message: describeIssue(first, error.validationContext, request) };
  }
  if (isFastifyError(error) && error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return { status: 404, message: nothingAt(request) };
  }
  const status = isFastifyError(error) ? (error.statusCode ?? 500) : 500;
  if (status >= 500 || !isFastifyError(error)) {
    return {
      status: 500,
      message: `Something went wrong in the portal; its log has the details under request ${request.id}.`,
    };
  }
  if (status === 415) return { status, message: wrongContentType(request) };
  return { status, message: fixedText.get(error.code) ?? fixedText.get(status) ?? sentence(error.message) };
}

/** The message where the content type of a body is not the one that its route takes. */
export function wrongContentType(request: FastifyRequest): string {
  const schema: unknown = request.routeOptions.schema;
  const consumes = typeof schema === 'object' && schema !== null && 'consumes' in schema ? schema.consumes : undefined;
  const accepted = Array.isArray(consumes) ? consumes.join(' or ') : 'application/json';
  return `The content type of the body is not accepted here; send ${accepted}.`;
}

/** The message for an unknown URL. */
export const nothingAt = (request: FastifyRequest) =>
  `There is nothing at ${request.method} ${shortened(pathOf(request.url))}.`;

function describeIssue(
  issue: { instancePath: string; message?: string; params: object } | undefined,
  context: string | undefined,
  request: FastifyRequest,
): string {
  const field = (issue?.instancePath ?? '').split('/').filter(Boolean).join('.');
  const source = context === 'querystring' ? request.query : context === 'params' ? request.params : request.body;
  if (field === '' && (source === null || source === undefined))
    return `The ${context ?? 'request'} is missing; send JSON.`;
  const value = valueAt(source, field);
  const { accepted, problem } = describeProblem(issue, issue?.params);
  if (field !== '' && value === undefined && accepted !== undefined)
    return `${field} is missing; it takes ${accepted}.`;
  const came = /password|token|key/i.test(field) ? 'something else' : describeValue(value);
  return field === ''
    ? sentence(`The ${context ?? 'request'} is not valid: ${problem}`)
    : sentence(`${field}: ${problem}; got ${came}`);
}

/** What is wrong with a cell of a table, by the rules of its field. */
export const describeCell = (issue: { message: string }, value: unknown): string =>
  value === undefined ? 'must not be empty' : `${describeProblem(issue, issue).problem}; got ${describeValue(value)}`;

function describeProblem(
  issue: { message?: string } | undefined,
  params: object | undefined,
): { accepted?: string; problem: string } {
  const accepted = params !== undefined && 'expected' in params ? typeNames.get(params.expected) : undefined;
  if (accepted !== undefined) return { accepted, problem: `takes ${accepted}` };
  return { problem: issue?.message ?? 'is not valid' };
}

// zod's names of the JSON types.
const typeNames = new Map<unknown, string>([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
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

/** The received value, shortened for a message. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return value.length > 60 ? `a text of ${value.length} characters` : withUnseen(JSON.stringify(value));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? listOf(value.length) : 'an object';
  return String(value);
}

/** What cannot be seen is written out, so that whoever is refused for it finds it. */
const withUnseen = (text: string): string =>
  text.replace(/[\p{Cf}\u2028\u2029]/gu, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`);

const listOf = (count: number) => (count < 2 ? 'a list' : `a list of ${count} entries`);

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}
