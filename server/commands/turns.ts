import { DomainError } from '../domain/errors.ts';

/** Lets work for one key run one after the other, in the order of arrival, and work for different keys side by side. */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** `maxWaiting` bounds what a flood can pile up over all keys; who comes after that is asked to come back. */
export function createTurns(maxWaiting: number): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  let waiting = 0;
  return {
    async take(key, work) {
      if (waiting >= maxWaiting) {
        throw new DomainError('unavailable', 'Too many people are signing in at this moment; try again shortly.', 2);
      }
      waiting += 1;
      const before = lastOf.get(key) ?? Promise.resolve();
      const turn = before.then(work, work);
      lastOf.set(key, turn);
      try {
        return await turn;
      } finally {
        waiting -= 1;
        if (lastOf.get(key) === turn) lastOf.delete(key);
      }
    },
  };
}
