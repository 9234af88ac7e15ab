import { expect, it } from 'vitest';
import { minuteOfDay, timeOfDay } from './times-of-day.ts';

it.each([
  ['00:00', 0],
  ['00:01', 1],
  ['07:30', 450],
  ['23:59', 1439],
  ['24:00', 1440],
])('%s is minute %i of the day, and back', (time, minute) => {
  expect(minuteOfDay(time)).toBe(minute);
  expect(timeOfDay(minute)).toBe(time);
});
