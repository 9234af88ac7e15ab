import { expect, test } from 'vitest';
import { limiterOf } from '../base/budgets.ts';
import { KeptCustomers } from './kept-customers.ts';

const keepingOf = (options: { maxCustomers?: number; keptMs?: number } = {}) =>
  new KeptCustomers({ reading: limiterOf('fleetSlots'), ...options });
const known = (version: number, isPending = false) => ({ version, readAtMs: 0, isPending });
const after = (ms: number) => (readAtMs: number) => readAtMs + ms;

test('Kept figures of a customer stay valid until a batch arrives, or for some seconds if readings are missing', () => {
  const kept = keepingOf();
  kept.keep('a', known(3));
  kept.keep('b', known(3, true));
  expect(kept.holds({ id: 'a', version: 3 }, after(1e9))).toBe(true);
  expect(kept.holds({ id: 'a', version: 4 }, after(0))).toBe(false);
  expect(kept.holds({ id: 'a', version: 2 }, after(0))).toBe(false);
  expect([4_999, 5_000].map((ms) => kept.holds({ id: 'b', version: 3 }, after(ms)))).toEqual([true, false]);
  expect(kept.holds({ id: 'c', version: 0 }, after(0))).toBe(false);
});

test('Figures that change without a batch are read again after a while', () => {
  const kept = keepingOf({ keptMs: 60_000 });
  kept.keep('a', known(3));
  expect([59_999, 60_000].map((ms) => kept.holds({ id: 'a', version: 3 }, after(ms)))).toEqual([true, false]);
});

test('If there are too many customers, the oldest figures are dropped', () => {
  const kept = keepingOf({ maxCustomers: 2 });
  for (const id of ['a', 'b', 'a', 'c']) kept.keep(id, known(1));
  expect([...kept.keys()]).toEqual(['a', 'c']);
});
