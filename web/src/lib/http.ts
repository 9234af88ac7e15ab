import { z } from 'zod';
import type { Message } from '../../../shared/messages.ts';
import { errorBody, withoutDirections } from '../../../shared/primitives.ts';
import { markConnectionLost } from './connection.ts';
import { dayMs } from '../../../shared/time.ts';

/** The portal answered with an error status. `message` is the sentence of the server; empty if it sent none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The message of the error, by code; null if the server sent no error of ours. */
  readonly refusal: Message | null;
  /** From `Retry-After`, seconds from now; null without the header. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null, refusal: Message | null = null) {
    super(message);
    this.status = status;
    this.refusal = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The portal did not answer at all: because of the network, or of a proxy that cannot reach the portal. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

/** The portal sent an answer that this page does not understand. Most likely the portal is newer than the page. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** The answer ended before it was complete. The portal broke it off because of an error, or the network failed. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError';
}

/** A proxy in front of the portal may answer without a code. */
const anyError = errorBody.partial({ code: true, params: true });

/** How long a request may wait for an answer, and then for the end of the answer, before the connection counts as lost; ms. */
const patienceMs = { read: 30_000, longRange: 120_000, write: 120_000 } as const;
const longRangeMs = 400 * dayMs;

type QueryValue = string | number | boolean | null | undefined;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Null, undefined and '' are left out. */
  query?: Record<string, QueryValue>;
  json?: unknown;
  form?: FormData;
  /** The version that a PUT changes. */
  ifMatch?: string | undefined;
  /** An API key to send instead of the session. */
  bearer?: string;
  signal?: AbortSignal;
  /** Called with the headers of the answer before its body is read. */
  onHeaders?: (headers: Headers) => void;
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
  const wait = new Wait(options);
  try {
    const response = await send(path, options, wait);
    options.onHeaders?.(response.headers);
    const body = await readBody(response);
    options.signal?.throwIfAborted();
    if (wait.isOver) throw lost(path);
    return read(path, schema, body);
  } finally {
    wait.end();
  }
}

/** Undefined if the text is not JSON. Names from elsewhere must not change the direction of the surrounding text. */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '');
  try {
    return JSON.parse(withoutDirections(text));
  } catch {
    return undefined;
  }
}

function read<Schema extends z.ZodType>(path: string, schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ContractError(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** One request whose answer has no useful body. Throws like {@link fetchJson}. */
export async function fetchNothing(path: string, options: RequestOptions): Promise<void> {
  const wait = new Wait(options);
  try {
    await send(path, options, wait);
  } finally {
    wait.end();
  }
}

export interface StreamOptions extends RequestOptions {
  /** Called with the headers before any part; if it throws, the request ends. */
  onBegin: (headers: Headers) => void;
  /** Called with the parts in their order, already decoded. */
  onPart: (part: Uint8Array<ArrayBuffer>) => void;
}

/**
 * One request whose answer is read part by part; it resolves once the answer is complete. The time limit is on silence, not on
 * the length of the answer.
 * @throws ApiError, OfflineError, BrokenOffError, whatever `onBegin` throws, or the signal's AbortError
 */
export async function fetchStream(path: string, options: StreamOptions): Promise<void> {
  const wait = new Wait(options);
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  try {
    const response = await send(path, options, wait, '*/*');
    reader = response.body?.getReader();
    options.onBegin(response.headers);
    for (;;) {
      const part = await reader?.read().catch((cause: unknown) => {
        options.signal?.throwIfAborted();
        throw wait.isOver ? lost(path) : new BrokenOffError(`${path} broke off`, { cause });
      });
      if (part?.value === undefined) return;
      wait.startAgain();
      options.onPart(part.value);
    }
  } finally {
    wait.end();
    // Does nothing after the end of the answer. Before that, it tells the sender to stop.
    await reader?.cancel().catch(() => undefined);
  }
}

/**
 * The time limit of one request. Its signal is aborted when the page no longer needs the answer, or when the answer takes too
 * long.
 */
class Wait {
  readonly signal: AbortSignal;
  readonly #limit = new AbortController();
  readonly #limitMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RequestOptions) {
    this.#limitMs = limitOf(options);
    this.signal =
      options.signal === undefined ? this.#limit.signal : AbortSignal.any([options.signal, this.#limit.signal]);
    this.startAgain();
  }

  /** Data arrived: the time limit starts again. */
  startAgain(): void {
    this.end();
    this.#timer = setTimeout(() => this.#limit.abort(), this.#limitMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  get isOver(): boolean {
    return this.#limit.signal.aborted;
  }
}

function limitOf({ method = 'GET', query }: RequestOptions): number {
  if (method !== 'GET') return patienceMs.write;
  const length = Date.parse(String(query?.to)) - Date.parse(String(query?.from));
  return length > longRangeMs ? patienceMs.longRange : patienceMs.read;
}

function lost(path: string, cause?: unknown): OfflineError {
  markConnectionLost();
  return new OfflineError(`No answer from ${path}`, { cause });
}

async function send(path: string, options: RequestOptions, wait: Wait, accept = 'application/json'): Promise<Response> {
  const { method = 'GET', query, json, form, ifMatch, bearer, signal } = options;
  const headers = new Headers({ accept });
  const init: RequestInit = { method, headers, signal: wait.signal };
  if (form !== undefined) init.body = form;
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    headers.set('content-type', 'application/json');
  }
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  if (bearer !== undefined) {
    init.credentials = 'omit';
    headers.set('authorization', `Bearer ${bearer}`);
  }
  let response: Response;
  try {
    response = await fetch(path + queryString(query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw lost(path, error);
  }
  wait.startAgain();
  if (response.ok) return response;
  const body = await readError(response);
  if (wait.isOver) throw lost(path);
  // The answer of a reverse proxy while its portal restarts.
  if (body === null && (response.status === 502 || response.status === 504)) {
    markConnectionLost();
    throw new OfflineError(`No answer from ${path}: ${response.status}`);
  }
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'), Date.now());
  const { error = '', code, params, field } = body ?? {};
  const refusal = code === undefined || params === undefined ? null : { code, params, field };
  throw new ApiError(response.status, error, retryAfterSeconds, refusal);
}

/** Null if something else answered. */
async function readError(response: Response) {
  return anyError.safeParse(await readBody(response)).data ?? null;
}

/** Seconds until the time in a `Retry-After` header, which is a number of seconds or a date. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

/** `?a=1&b=2`, or an empty text without values. */
export function queryString(query: Record<string, QueryValue> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
