import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that ends when it is told to, and what of it has begun. */
function track() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { begun, work, end };
}

test('Turns: work for one key runs one after the other in the order of arrival, other keys run beside it', async () => {
  const { begun, work, end } = track();
  const turns = createTurns(10);
  const all = [turns.take('a', work('a1')), turns.take('a', work('a2')), turns.take('b', work('b1'))];
  await setImmediate();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  await end('a2');
  await end('b1');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

test('Turns: work that fails lets the next one have its turn', async () => {
  const turns = createTurns(10);
  const first = turns.take('a', async () => {
    throw new Error('failed');
  });
  const second = turns.take('a', async () => 'done');
  await expect(first).rejects.toThrow('failed');
  expect(await second).toBe('done');
});

test('Turns: who comes when too many wait is asked to come back, and gets a turn later', async () => {
  const { work, end } = track();
  const turns = createTurns(2);
  const waiting = [turns.take('a', work('a1')), turns.take('b', work('b1'))];
  await expect(turns.take('c', work('c1'))).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  await setImmediate();
  await end('a1');
  await end('b1');
  await Promise.all(waiting);
  expect(await turns.take('c', async () => 'c2')).toBe('c2');
});
