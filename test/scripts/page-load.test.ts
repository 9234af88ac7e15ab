import { expect, it } from 'vitest';
import { interactiveMs } from '../../bench/support/page-load.ts';

const task = (startMs: number, durationMs: number) => ({ startMs, durationMs });

it.each([
  ['as soon as it is painted where nothing keeps it busy', [], 900],
  ['before its first paint it may be busy', [task(100, 400)], 900],
  ['after the last of the tasks that follow each other', [task(3_000, 200), task(1_000, 80)], 3_200],
  ['what begins before the paint and ends after it counts', [task(800, 300)], 1_100],
  ['what comes after five quiet seconds is no part of the load', [task(1_000, 100), task(6_100, 500)], 1_100],
  ['five seconds less a moment are not quiet enough', [task(1_000, 100), task(6_099, 500)], 6_599],
])('a page is interactive %s', (_rule, longTasks, expected) => {
  expect(interactiveMs({ firstPaintMs: 900, longTasks })).toBe(expected);
});
