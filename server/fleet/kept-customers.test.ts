import { expect, test } from 'vitest';
import { limiterOf } from '../base/budgets.ts';
import { KeptCustomers } from './kept-customers.ts';

const keepingOf = (options: { maxCustomers?: number; keptMs?: number } = {}) =>
  new KeptCustomers({ reading: limiterOf('fleetSlots'), ...options });
const known = (version: number, isPending = false) => ({ version, readAtMs: 0, isPending });
const after = (ms: number) => (readAtMs: number) => readAtMs + ms;

test('What is kept of a customer holds until a batch has come, and for some seconds where readings are not included yet', () => {
  const kept = keepingOf();
  kept.keep('a', known(3));
  kept.keep('b', known(3, true));
  expect(kept.holds({ id: 'a', version: 3 }, after(1e9))).toBe(true);
  expect(kept.holds({ id: 'a', version: 4 }, after(0))).toBe(false);
  expect(kept.holds({ id: 'a', version: 2 }, after(0))).toBe(false);
  expect([4_999, 5_000].map((ms) => kept.holds({ id: 'b', version: 3 }, after(ms)))).toEqual([true, false]);
  expect(kept.holds({ id: 'c', version: 0 }, after(0))).toBe(false);
});

test('What changes without a batch is read again after a while', () => {
  const kept = keepingOf({ keptMs: 60_000 });
  kept.keep('a', known(3));
  expect([59_999, 60_000].map((ms) => kept.holds({ id: 'a', version: 3 }, after(ms)))).toEqual([true, false]);
});

test('Where there are too many customers, those that were kept first are forgotten', () => {
  const kept = keepingOf({ maxCustomers: 2 });
  for (const id of ['a', 'b', 'a', 'c']) kept.keep(id, known(1));
  expect([...kept.keys()]).toEqual(['a', 'c']);
});
