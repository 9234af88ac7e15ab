import type { FastifyReply } from 'fastify';
import { letOthersRun } from '../db/turns.ts';
import { DomainError } from '../domain/errors.ts';

/**
 * Aborted when the client goes away before the response has ended. The response tells, because the stream of a request closes as
 * soon as its body has been read.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort(new DomainError('abandoned', 'The client went away before the response.'));
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return gone.signal;
}

/** Gives other requests a turn during long work, and ends the work when its client has gone away. */
export async function takeTurns(gone: AbortSignal): Promise<void> {
  await letOthersRun();
  gone.throwIfAborted();
}

/** How long something waits for its turn, in the line of its account. */
export const turnOf = (key: string, signal: AbortSignal) => ({
  key,
  signal,
  patience: () => AbortSignal.timeout(15_000),
});
