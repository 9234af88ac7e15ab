import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { sourceOf } from '../base/source-address.ts';
import { waitsOf, whenClosed } from './client-gone.ts';
import type { App } from './guard.ts';
import type { IngestResult } from '../../shared/measurements.ts';

/** How a request ended. */
export interface Answer {
  request: FastifyRequest;
  method: string;
  /** The pattern of the route, or `unmatched`. */
  route: string;
  /** Without the query, which may contain personal data. */
  path: string;
  /** The status that was sent; null if the client went away before the end of the response. */
  status: number | null;
  milliseconds: number;
  /** The budgets for which the request had to wait (base/budgets.ts). */
  waitedFor: readonly string[];
}

/** Calls `onAnswer` once for each request when its response has ended, for whatever reason. */
export function observeAnswers(app: App, onAnswer: (answer: Answer) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    let hasEnded = false;
    const end = (status: number | null) => {
      if (hasEnded) return;
      hasEnded = true;
      onAnswer({
        request,
        method: request.method,
        route: request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched'),
        path: pathOf(request.url),
        status,
        milliseconds: performance.now() - startedAt,
        waitedFor: waitsOf(reply),
      });
    };
    reply.raw.once('finish', () => end(reply.statusCode));
    whenClosed(reply.raw, () => end(null));
    done();
  });
}

/** Paths of the portal, and of the dashboard tool below its prefix. */
const quietPaths = /^(?:\/[\w-]+)*\/(?:health(?:\/|$)|assets\/)|^\/metrics$/;

export interface ApiKeyName {
  id: string;
  name: string;
}
type Asker = { account: string } | { apiKey: ApiKeyName } | { customer: string };
const askers = new WeakMap<FastifyRequest, Asker>();

/** Adds the account, key or customer of a request to all its later log lines. */
export function logWho(request: FastifyRequest, who: Asker): void {
  askers.set(request, who);
}

/** The API key of a request. */
export function findApiKey(request: FastifyRequest): ApiKeyName | undefined {
  const asker = askers.get(request);
  return asker !== undefined && 'apiKey' in asker ? asker.apiKey : undefined;
}

/** The sender of a request: the id of an account, key or customer, else the source address. */
export function whoOf(request: FastifyRequest): string {
  const asker = askers.get(request);
  if (asker === undefined) return sourceOf(request.ip);
  return 'account' in asker ? asker.account : 'apiKey' in asker ? asker.apiKey.id : asker.customer;
}

/** The logger of a request, whose lines have its id and the user; created on demand, because most requests log nothing. */
export function logOf(request: FastifyRequest): FastifyBaseLogger {
  return request.log.child({ reqId: request.id, ...askers.get(request) });
}

/** Longer than any URL of the portal. A URL may have 128 KiB, with which anyone could fill the disk. */
const longestPath = 300;

/** One log line per response: the request, by whom and from where, how it ended and how long it took. */
export function logAnswer({ request, milliseconds, waitedFor, ...answer }: Answer): void {
  if (answer.status !== null && answer.status < 400 && quietPaths.test(answer.path)) return;
  const ms = Math.round(milliseconds * 10) / 10;
  const waits = waitedFor.length > 0 && { waitedFor };
  const line = { ...answer, path: shortened(answer.path), ms, ...waits, source: request.ip };
  logOf(request).info(line, answer.status === null ? 'the client went away before the end of the answer' : 'answered');
}

/** A path as shown in the log or in an answer. */
export const shortened = (path: string) => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path);

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

const seldomMs = 10_000;

/** Calls `write` at most every ten seconds, with the number of calls since the last time. */
export function seldom<Details extends unknown[]>(write: (count: number, ...details: Details) => void) {
  let [count, wroteAt] = [0, -Infinity];
  return (...details: Details): void => {
    count += 1;
    if (performance.now() - wroteAt < seldomMs) return;
    write(count, ...details);
    [count, wroteAt] = [0, performance.now()];
  };
}

type Verdicts = Pick<IngestResult, 'accepted' | 'rejected' | 'duplicates'>;

const summaryEveryMs = 60_000;
/** An ingest that takes longer than this gets a log line of its own, too. */
const slowMs = 1_000;

interface Summary extends Verdicts {
  apiKey: ApiKeyName;
  deliveries: number;
  slowestMs: number;
}

const verdictsOf = new WeakMap<FastifyRequest, Verdicts>();

/** Logs the verdicts on the rows of an ingest. */
export function logDelivery(request: FastifyRequest, verdicts: Verdicts): void {
  verdictsOf.set(request, verdicts);
}

/**
 * Logs one line per minute and API key and not one per request, because gateways send thousands of requests a second. Errors
 * and slow requests get lines of their own.
 */
export class DeliveryLog {
  readonly #log: FastifyBaseLogger;
  readonly #summaries = new Map<string, Summary>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** Adds an answer to the summary of its key. False if the answer needs a line of its own. */
  take({ request, status, milliseconds }: Answer): boolean {
    const verdicts = verdictsOf.get(request);
    const apiKey = findApiKey(request);
    if (verdicts === undefined || apiKey === undefined || status === null) return false;
    const none = () => ({ apiKey, deliveries: 0, accepted: 0, rejected: 0, duplicates: 0, slowestMs: 0 });
    const summary = this.#summaries.getOrInsertComputed(apiKey.id, none);
    summary.deliveries += 1;
    for (const verdict of ['accepted', 'rejected', 'duplicates'] as const) summary[verdict] += verdicts[verdict];
    summary.slowestMs = Math.max(summary.slowestMs, Math.round(milliseconds));
    this.#timer ??= setTimeout(() => this.write(), summaryEveryMs).unref();
    return milliseconds < slowMs;
  }

  /** Writes the summary of the time since the last one. Also called when the portal stops. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const summary of this.#summaries.values()) this.#log.info(summary, 'ingest requests');
    this.#summaries.clear();
  }
}
