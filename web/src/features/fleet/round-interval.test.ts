import { expect, it } from 'vitest';
import { roundInterval } from './round-interval.ts';

it('a rhythm is said in whole units', () => {
  expect([27, 61, 100, 1700, 7000].map(roundInterval)).toEqual([30, 60, 120, 1680, 7200]);
});
