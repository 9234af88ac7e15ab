import { z } from 'zod';
import { errorBody } from '../../../shared/primitives.ts';
import { markConnectionLost } from './connection.ts';

/** The portal answered with an error status. `message` is the server's sentence, empty where it sent none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** From `Retry-After`, seconds from now; null where the header is absent. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer from the portal at all: the network, or a proxy that cannot reach it. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

/** The portal answered something this page does not understand: most likely it is a newer version than the page. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

type QueryValue = string | number | boolean | null | undefined;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Null, undefined and '' are left out. */
  query?: Record<string, QueryValue>;
  json?: unknown;
  form?: FormData;
  /** An API key that is sent in the place of the session. */
  bearer?: string;
  signal?: AbortSignal;
}

/**
 * One request whose JSON answer is parsed with `schema`.
 * @throws ApiError, OfflineError, ContractError, or the signal's AbortError
 */
export async function fetchJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: RequestOptions = {},
): Promise<z.output<Schema>> {
  const response = await send(path, options);
  const body: unknown = await response.json().catch(() => undefined);
  options.signal?.throwIfAborted();
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ContractError(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** One request whose answer has no body worth reading. Throws like {@link fetchJson}. */
export async function fetchNothing(path: string, options: RequestOptions): Promise<void> {
  await send(path, options);
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query, json, form, bearer, signal } = options;
  const headers = new Headers({ accept: 'application/json' });
  const init: RequestInit = { method, headers };
  if (signal !== undefined) init.signal = signal;
  if (form !== undefined) init.body = form;
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    headers.set('content-type', 'application/json');
  }
  if (bearer !== undefined) {
    init.credentials = 'omit';
    headers.set('authorization', `Bearer ${bearer}`);
  }
  let response: Response;
  try {
    response = await fetch(path + queryString(query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    markConnectionLost();
    throw new OfflineError(`No answer from ${path}`, { cause: error });
  }
  if (response.ok) return response;
  const sentence = await readSentence(response);
  // A reverse proxy says so when the portal behind it is restarting.
  if (sentence === '' && (response.status === 502 || response.status === 504)) {
    markConnectionLost();
    throw new OfflineError(`No answer from ${path}: ${response.status}`);
  }
  throw new ApiError(response.status, sentence, readRetryAfter(response.headers.get('retry-after'), Date.now()));
}

async function readSentence(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = errorBody.safeParse(body);
  return parsed.success ? parsed.data.error : '';
}

/** Seconds until the moment of a `Retry-After` header, which is a number of seconds or a date. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

/** `?a=1&b=2`, or nothing when no value is left. */
export function queryString(query: Record<string, QueryValue> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
