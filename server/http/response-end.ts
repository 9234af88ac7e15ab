import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `then` when a response has closed, finished or not. All who wait share one listener: with one each, and those of Fastify and
 * of streams, Node warns of a leak from the eleventh on.
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
