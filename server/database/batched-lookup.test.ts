import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchedLookup } from './batched-lookup.ts';

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

test('Batched look-up: keys that come while a load runs share the next one', async () => {
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

test('Batched look-up: nothing is remembered, so what was taken away is not found again', async () => {
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

test('Batched look-up: a load that fails fails those who wait for it, and no one else', async () => {
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
