import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('An allowance is as many at once as the limit, grows back over the period, and is each one’s own', () => {
  const allowance = new Allowance(30, 3_600_000);
  for (let taken = 0; taken < 30; taken += 1) expect(allowance.take('a', 0)).toBeNull();
  expect(allowance.take('a', 0)).toBe(120);
  expect(allowance.take('b', 0)).toBeNull();
  expect(allowance.take('a', 119_000)).toBe(1);
  expect(allowance.take('a', 120_000)).toBeNull();
  expect(allowance.take('a', 120_000)).toBe(120);
});

test('A clock that is set back by more than the period makes nobody wait for as long', () => {
  const allowance = new Allowance(2, 60_000);
  const hour = 3_600_000;
  for (const allowed of [true, true, false]) expect(allowance.take('a', hour) === null).toBe(allowed);
  for (const allowed of [true, true, false]) expect(allowance.take('a', 0) === null).toBe(allowed);
  expect(allowance.take('a', 30_000)).toBeNull();
});
