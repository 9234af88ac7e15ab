import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../base/errors.ts';

const maxTries = 6;
const pauseMs = 1_000;

/**
 * Retries a change that found the database busy. For changes that take the exclusive ingest lock, for which all ingests wait:
 * several short attempts, between which ingest goes on, rather than one long one. Throws what the last attempt throws.
 */
export async function retryBusy<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      if (tries === maxTries || !(error instanceof DomainError && error.kind === 'unavailable')) throw error;
    }
    await sleep(pauseMs);
  }
}
