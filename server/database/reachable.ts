import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../base/errors.ts';
import type { Queryable } from './pool.ts';

const PING = { name: 'ping', text: 'SELECT 1' };
const pauseMs = 500;

/** Whether the database answers; false also when it is starting or stopping. */
export async function isReachable(database: Queryable): Promise<boolean> {
  try {
    await database.query(PING);
    return true;
  } catch {
    return false;
  }
}

export interface WaitOptions {
  /** How long to try, in milliseconds. */
  patienceMs: number;
  signal: AbortSignal;
  onWaiting: (reason: string) => void;
}

/**
 * Waits until the database answers. Throws if it does not within the patience, and at once if it refuses for good (wrong
 * password, no such database).
 */
export async function waitUntilReachable(database: Queryable, options: WaitOptions): Promise<void> {
  const { patienceMs, signal, onWaiting } = options;
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      await database.query(PING);
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (!(error instanceof DomainError)) {
        throw new Error(`The database refused the connection: ${reason}. Check Database__ConnectionString.`, {
          cause: error,
        });
      }
      if (performance.now() + pauseMs >= deadline) {
        throw new Error(
          `The database was out of reach for ${Math.round(patienceMs / 1000)} seconds (${reason}). ` +
            'Start it, or check Database__ConnectionString.',
          { cause: error },
        );
      }
      if (attempt === 1) onWaiting(reason);
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** The driver's message; an AggregateError (one error per address) has none of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
