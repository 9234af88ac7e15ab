import { expect, test } from 'vitest';
import { Sharing } from './parts.rules.ts';

/** A source whose reads are counted and end when told to. */
function source() {
  const sharing = new Sharing<number>();
  const reads: PromiseWithResolvers<number>[] = [];
  const read = () => {
    const one = Promise.withResolvers<number>();
    reads.push(one);
    return one.promise;
  };
  const ask = (key = 'a', weight = 1, turn: Promise<unknown> = Promise.resolve()) =>
    sharing.during(async (cameAt) => {
      await turn;
      return sharing.read(key, { cameAt, weight }, read);
    });
  return { sharing, reads, ask };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('Queries share a read that began after they arrived', async () => {
  const { sharing, reads, ask } = source();
  const all = [ask(), ask(), ask(), ask('b')];
  await settle();
  expect(reads).toHaveLength(2);
  reads[0]?.resolve(1);
  reads[1]?.resolve(2);
  expect(await Promise.all(all)).toEqual([1, 1, 1, 2]);
  expect(sharing.size).toBe(0);
});

test('A read that began before a query is not its answer, however recent it is', async () => {
  const { reads, ask } = source();
  const first = ask();
  await settle();
  const second = ask();
  await settle();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve(2);
  reads[0]?.resolve(1);
  expect([await first, await second]).toEqual([1, 2]);
});

test('Waiting queries get what was read in the meantime, and nothing is kept without a waiting query', async () => {
  const { sharing, reads, ask } = source();
  const turn = Promise.withResolvers<void>();
  const first = ask();
  const waiting = ask('a', 1, turn.promise);
  await settle();
  reads[0]?.resolve(1);
  expect(await first).toBe(1);
  expect(sharing.size).toBe(1);
  turn.resolve();
  expect(await waiting).toBe(1);
  expect([reads.length, sharing.size]).toEqual([1, 0]);
});

test('If the first client disconnects, another query reads for itself', async () => {
  const { reads, ask } = source();
  const [first, second] = [ask(), ask()];
  await settle();
  reads[0]?.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await settle();
  reads[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('A result that is too large is not kept', async () => {
  const { sharing, reads, ask } = source();
  const [first, second] = [ask('a', 20_001), ask('a', 20_001)];
  await settle();
  expect([reads.length, sharing.size]).toEqual([2, 0]);
  for (const one of reads) one.resolve(1);
  await Promise.all([first, second]);
});
