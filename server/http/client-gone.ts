import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { refuse } from '../base/errors.ts';
import { waitedFor } from '../base/limiter.ts';
import { whenClosed } from './response-end.ts';

const signals = new WeakMap<ServerResponse, AbortSignal[]>();

/** The budgets in which work of a request waited for its turn. */
export const waitsOf = ({ raw }: FastifyReply): string[] => [
  ...new Set(signals.get(raw)?.flatMap((signal) => [...waitedFor(signal)])),
];

/**
 * Aborted when the client goes away before the response has ended. The response tells, because the stream of a request closes as
 * soon as its body has been read. Or by one of the others.
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

/** The queue (that of an account) in which work waits for its turn, and for how long. */
export const turnOf = (key: string, signal: AbortSignal) => ({
  key,
  signal,
  patience: () => AbortSignal.timeout(15_000),
});
