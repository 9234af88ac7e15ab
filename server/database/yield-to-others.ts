import { setImmediate as nextIteration } from 'node:timers/promises';
import { limiterOf } from '../base/budgets.ts';

/** While this many iterations of the event loop each bring new connections, they go before the next piece of work. */
const maxIterations = 50;

const pieces = limiterOf('pieces');
let connections = 0;

/** To be called for each new connection. */
export function noteConnection(): void {
  connections += 1;
}

/**
 * Yields to the event loop between two pieces of long work. Each iteration of the loop runs one of the waiting pieces, and the kinds
 * of work alternate: with a piece of every request in it, an iteration under load took 30 ms, and since Node accepts one connection
 * an iteration, the 500th waited for 8 s. That is why new connections go first, too.
 */
export function yieldToOthers(kind = ''): Promise<void> {
  return pieces.run(untilNobodyConnects, { key: kind });
}

/** The same, and throws once the client of the work has gone away. */
export async function yieldOrAbort(gone: AbortSignal | undefined): Promise<void> {
  await yieldToOthers();
  gone?.throwIfAborted();
}

async function untilNobodyConnects(): Promise<void> {
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const before = connections;
    await nextIteration();
    if (connections === before) return;
  }
}
