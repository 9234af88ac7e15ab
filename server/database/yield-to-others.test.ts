import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldToOthers, noteConnection } from './yield-to-others.ts';

/** Counts the iterations of the event loop until something is over. */
async function iterationsUntil(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  let count = 0;
  for (; !over.signal.aborted; count += 1) await nextIteration();
  return count;
}

test('one piece of the waiting work runs in each iteration of the event loop, and the kinds of work alternate', async () => {
  const order: string[] = [];
  const piece = async (name: string, kind: string) => {
    await yieldToOthers(kind);
    order.push(name);
  };
  const count = await iterationsUntil(
    Promise.all([
      ...Array.from({ length: 8 }, (_, at) => piece(`body ${at}`, 'bodies')),
      piece('writer 0', 'writers'),
      piece('writer 1', 'writers'),
    ]),
  );
  expect(count).toBeGreaterThanOrEqual(10);
  expect(order.indexOf('writer 1')).toBeLessThan(5);
  expect(order.filter((name) => name.startsWith('body'))).toEqual(Array.from({ length: 8 }, (_, at) => `body ${at}`));
});

test('new connections go before the next piece, but not for ever', async () => {
  const over = new AbortController();
  const connect = async () => {
    for (; !over.signal.aborted; await nextIteration()) noteConnection();
  };
  const connecting = connect();
  const count = await iterationsUntil(yieldToOthers());
  over.abort();
  await connecting;
  expect(count).toBeGreaterThan(20);
  expect(count).toBeLessThan(200);
});
