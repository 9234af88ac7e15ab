import { expect, test } from 'vitest';
import { calendarRange, rangesOf, sameEverywhere } from '../base/ranges.ts';
import { chooseStep, edgesOf } from './parts.rules.ts';

const range = (from: string, to: string) => ({ fromMicros: Date.parse(from) * 1000, toMicros: Date.parse(to) * 1000 });
const always = () => true;
const day = range('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z');
const decade = range('2016-03-01T00:00:00Z', '2026-03-01T00:00:00Z');

test('A step is the next larger one of the portal, or coarser if there would be too many points', () => {
  expect(chooseStep(60, day, always)).toBe('minute');
  expect(chooseStep(61, day, always)).toBe('5min');
  expect(chooseStep(3_600, day, always)).toBe('hour');
  expect(chooseStep(86_401, day, always)).toBe('month');
  expect(chooseStep(1, decade, always)).toBe('day');
  expect(chooseStep('auto', day, always)).toBe('5min');
  expect(chooseStep('auto', decade, always)).toBe('month');
});

test('A series has at most 5,000 points, including the one where the range ends', () => {
  const minutes = (count: number) => ({ ...day, toMicros: day.fromMicros + count * 60_000_000 });
  expect(chooseStep(60, minutes(4_999), always)).toBe('minute');
  expect(chooseStep(60, minutes(5_000), always)).toBe('5min');
});

test('A measure without such a step gets its next larger one, or a coarser one', () => {
  expect(chooseStep(60, day, (step) => step === 'day' || step === 'month')).toBe('day');
  expect(chooseStep(2_592_000, day, (step) => step === 'day')).toBe('day');
  expect(() => chooseStep(60, day, () => false)).toThrow('the range is too long');
});

const instantsOf = (edges: readonly number[]) => edges.map((micros) => new Date(micros / 1000).toISOString());

test('Months begin at the local midnight of their first day, also when clocks change', () => {
  const asked = sameEverywhere(range('2026-03-15T00:00:00Z', '2026-05-01T00:00:00Z'));
  const edges = edgesOf(asked, 'month', 'Europe/Berlin');
  expect(instantsOf(edges('Europe/Berlin'))).toEqual([
    '2026-02-28T23:00:00.000Z',
    '2026-03-31T22:00:00.000Z',
    '2026-04-30T22:00:00.000Z',
    '2026-05-31T22:00:00.000Z',
  ]);
  expect(edges('Asia/Tokyo')).toEqual(edges('Europe/Berlin'));
});

test("Months of local dates are each site's own, and equally many in every zone", () => {
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'Pacific/Honolulu'];
  const dates = { fromDate: '2026-03-01', toDate: '2026-05-01' };
  const edges = edgesOf(rangesOf(calendarRange(dates), zones), 'month', 'Europe/Berlin');
  expect(zones.map((zone) => instantsOf(edges(zone)))).toEqual([
    ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z', '2026-04-30T22:00:00.000Z'],
    ['2026-02-28T15:00:00.000Z', '2026-03-31T15:00:00.000Z', '2026-04-30T15:00:00.000Z'],
    ['2026-03-01T10:00:00.000Z', '2026-04-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
  ]);
});
