import type { FastifyReply } from 'fastify';
import { refuse } from '../base/errors.ts';
import { whenClosed } from './response-end.ts';

/**
 * Aborted when the client goes away before the response has ended. The response tells, because the stream of a request closes as
 * soon as its body has been read.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort(refuse('clientGone'));
  };
  if (raw.destroyed) onClose();
  else whenClosed(raw, onClose);
  return gone.signal;
}

/** The queue (that of an account) in which work waits for its turn, and for how long. */
export const turnOf = (key: string, signal: AbortSignal) => ({
  key,
  signal,
  patience: () => AbortSignal.timeout(15_000),
});
