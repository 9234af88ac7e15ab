import { expect, it } from 'vitest';
import { movedWindow } from './RangeSlider.tsx';

const hour = 3_600_000;
const range = { fromMs: 0, toMs: 100 * hour };
const window = { fromMs: 20 * hour, toMs: 40 * hour };
const moved = (part: 'from' | 'to' | 'window', hours: number) => {
  const to = movedWindow({ part, window }, hours * hour, range);
  return to === null ? null : [to.fromMs / hour, to.toMs / hour];
};

it('either end moves on its own, not past the other or out of the range', () => {
  expect(moved('from', -5)).toEqual([15, 40]);
  expect(moved('from', -50)).toEqual([0, 40]);
  expect(moved('from', 90)?.map((at) => Math.round(at * 60))).toEqual([40 * 60 - 5, 40 * 60]);
  expect(moved('to', 10)).toEqual([20, 50]);
  expect(moved('to', -90)?.map((at) => Math.round(at * 60))).toEqual([20 * 60, 20 * 60 + 5]);
  expect(moved('to', 90)).toEqual([20, 100]);
});

it('the window moves as a whole and stops at the ends', () => {
  expect(moved('window', 30)).toEqual([50, 70]);
  expect(moved('window', 90)).toEqual([80, 100]);
});

it('the whole range is not a zoom', () => {
  expect(movedWindow({ part: 'to', window: { fromMs: 0, toMs: 90 * hour } }, 10 * hour, range)).toBeNull();
});
