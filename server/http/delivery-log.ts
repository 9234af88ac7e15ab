import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { IngestResult } from '../../shared/measurements.ts';
import { type Answer, type ApiKeyName, findApiKey } from './request-log.ts';

type Verdicts = Pick<IngestResult, 'accepted' | 'rejected' | 'duplicates'>;

const summaryEveryMs = 60_000;
/** A delivery that takes longer gets a line of its own, too. */
const slowMs = 1_000;

interface Summary extends Verdicts {
  apiKey: ApiKeyName;
  deliveries: number;
  slowestMs: number;
}

const verdictsOf = new WeakMap<FastifyRequest, Verdicts>();

/** Logs what became of the rows of a delivery. */
export function logDelivery(request: FastifyRequest, verdicts: Verdicts): void {
  verdictsOf.set(request, verdicts);
}

/**
 * Logs one line per minute and API key instead of one per delivery, because gateways send thousands a second. Errors and slow
 * deliveries keep lines of their own.
 */
export class DeliveryLog {
  readonly #log: FastifyBaseLogger;
  readonly #summaries = new Map<string, Summary>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** Adds an answer to the summary of its key; false if it is to have a line of its own. */
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

  /** Writes the summary since the last one; also called when the portal stops. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const summary of this.#summaries.values()) this.#log.info(summary, 'deliveries');
    this.#summaries.clear();
  }
}
