import { expect, test } from 'vitest';
import { TokenBuckets } from './limiter.ts';

test('A bucket starts full, grows back over the period, and belongs to one key', () => {
  const buckets = new TokenBuckets(30, 3_600_000);
  for (let taken = 0; taken < 30; taken += 1) expect(buckets.take('a', 0)).toBeNull();
  expect(buckets.take('a', 0)).toBe(120);
  expect(buckets.take('b', 0)).toBeNull();
  expect(buckets.take('a', 119_000)).toBe(1);
  expect(buckets.take('a', 120_000)).toBeNull();
  expect(buckets.take('a', 120_000)).toBe(120);
});

test('A clock set back by more than the period delays nobody for that long', () => {
  const buckets = new TokenBuckets(2, 60_000);
  const hour = 3_600_000;
  for (const allowed of [true, true, false]) expect(buckets.take('a', hour) === null).toBe(allowed);
  for (const allowed of [true, true, false]) expect(buckets.take('a', 0) === null).toBe(allowed);
  expect(buckets.take('a', 30_000)).toBeNull();
});

test('A clock set back a little fills no bucket and delays nobody for longer', () => {
  const buckets = new TokenBuckets(2, 60_000);
  for (const allowed of [true, true, false]) expect(buckets.take('a', 240_000) === null).toBe(allowed);
  expect(buckets.take('a', 0)).toBe(30);
  expect(buckets.take('a', 30_000)).toBeNull();
});

test('The 10,000 keys that took a token last are remembered', () => {
  const buckets = new TokenBuckets(1);
  for (let key = 0; key <= 10_000; key += 1) expect(buckets.take(String(key), 0)).toBeNull();
  expect(buckets.take('10000', 0)).toBe(60);
  expect(buckets.take('0', 0)).toBeNull();
});

test('A returned token can be taken again', () => {
  const buckets = new TokenBuckets(1);
  buckets.take('a', 0);
  buckets.giveBack('a');
  expect(buckets.take('a', 0)).toBeNull();
  expect(buckets.take('a', 0)).toBe(60);
});
