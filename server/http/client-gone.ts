import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../domain/errors.ts';

/**
 * Aborted when the client goes away before the end of its answer. The request does not tell: its stream is closed as soon as
 * its body was read.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort(new DomainError('abandoned', 'The client went away before its answer.'));
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return gone.signal;
}

/** Lets other requests have their turn in the middle of long work, and ends the work when its client has gone. */
export async function takeTurns(gone: AbortSignal): Promise<void> {
  await letOthersRun();
  gone.throwIfAborted();
}
