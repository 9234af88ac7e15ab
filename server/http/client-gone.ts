import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { refuse } from '../base/errors.ts';
import { waitedFor } from '../base/limiter.ts';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `then` when a response has closed, finished or not. All callers share one listener. With a listener for each caller, in
 * addition to those of Fastify and of streams, Node would warn of a leak from the eleventh on.
 */
export function whenClosed(response: ServerResponse, then: () => void): void {
  const others = waiting.get(response);
  if (others !== undefined) {
    others.push(then);
    return;
  }
  const all = [then];
  waiting.set(response, all);
  response.once('close', () => {
    for (const one of all) one();
  });
}

const signals = new WeakMap<ServerResponse, AbortSignal[]>();

/** The budgets in which work of a request waited for its turn. */
export function waitsOf({ raw }: FastifyReply): readonly string[] {
  const own = signals.get(raw);
  return own === undefined ? nothing : [...new Set(own.flatMap((signal) => [...waitedFor(signal)]))];
}
const nothing: readonly string[] = [];

/**
 * Aborted when the client disconnects before the response has ended, or by one of the other signals. The response is watched,
 * because the stream of a request closes as soon as its body has been read.
 */
export function clientGone({ raw }: FastifyReply, ...others: AbortSignal[]): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort(refuse('clientGone'));
  };
  if (raw.destroyed) onClose();
  else whenClosed(raw, onClose);
  const signal = others.length === 0 ? gone.signal : AbortSignal.any([gone.signal, ...others]);
  signals.getOrInsertComputed(raw, () => []).push(signal);
  return signal;
}

/** The queue (of the account that asks) in which work waits for its turn, and how long it may wait. */
export const turnOf = (key: string, signal: AbortSignal) => ({
  key,
  signal,
  patience: () => AbortSignal.timeout(15_000),
});
