import { setImmediate, setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchedLookup, noteConnection, yieldToOthers } from './turns.ts';

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

test('new connections come before the next piece of work, but not forever', async () => {
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

/** A load that ends when it is told to. */
function track() {
  const loads: { keys: readonly string[]; end: (found: [string, string][]) => void; fail: (error: Error) => void }[] =
    [];
  const find = batchedLookup<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        loads.push({ keys, end: (found) => resolve(new Map(found)), fail: reject });
      }),
  );
  return { loads, find };
}

test('Batched look-up: keys that arrive while a load runs share the next one', async () => {
  const { loads, find } = track();
  const first = find('a');
  await setImmediate();
  const others = [find('a'), find('b'), find('c'), find('b')];
  await setImmediate();
  expect(loads.map(({ keys }) => keys)).toEqual([['a']]);
  loads[0]?.end([['a', 'old']]);
  await setImmediate();
  expect(loads.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b', 'c']]);
  loads[1]?.end([['b', 'B']]);
  expect(await first).toBe('old');
  expect(await Promise.all(others)).toEqual([undefined, 'B', undefined, 'B']);
});

test('Batched look-up: nothing is cached, so deleted rows are not found again', async () => {
  const { loads, find } = track();
  const before = find('a');
  await setImmediate();
  loads[0]?.end([['a', 'A']]);
  expect(await before).toBe('A');
  const after = find('a');
  await setImmediate();
  loads[1]?.end([]);
  expect(await after).toBeUndefined();
});

test('Batched look-up: a failed load rejects only those who wait for it', async () => {
  const { loads, find } = track();
  const first = find('a');
  await setImmediate();
  const second = find('b');
  loads[0]?.fail(new Error('out of reach'));
  await expect(first).rejects.toThrow('out of reach');
  await setImmediate();
  loads[1]?.end([['b', 'B']]);
  expect(await second).toBe('B');
});
