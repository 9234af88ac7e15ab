import { describe, expect, test } from 'vitest';
import { createNoise } from './place.ts';

describe('noise', () => {
  test('the same seed, label and place give the same value, in any order', () => {
    const one = createNoise(7, 'cloud');
    const forward = [1, 2, 3].map((index) => one.uniform(index));
    const other = createNoise(7, 'cloud');
    expect([3, 2, 1].map((index) => other.uniform(index)).toReversed()).toEqual(forward);
  });

  test('another seed or another label gives different noise', () => {
    const values = [createNoise(1, 'a'), createNoise(2, 'a'), createNoise(1, 'b')].map((noise) => noise.uniform(5));
    expect(new Set(values).size).toBe(3);
  });

  test('uniform values fill [0, 1) evenly', () => {
    const noise = createNoise(1, 'even');
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < 20_000; index += 1) {
      const tenth = Math.floor(noise.uniform(index) * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test('smooth values stay in [-1, 1] and do not jump', () => {
    const noise = createNoise(1, 'smooth');
    let last = noise.smooth(-50);
    for (let position = -50; position < 50; position += 0.01) {
      const value = noise.smooth(position);
      expect(Math.abs(value)).toBeLessThanOrEqual(1);
      expect(Math.abs(value - last)).toBeLessThan(0.04);
      last = value;
    }
  });
});
