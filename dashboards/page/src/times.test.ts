import { afterEach, expect, test } from 'vitest';
import { otherClock, timesIn } from './texts.ts';
import { axisLabel, hasStartLabel } from './times.ts';
import { showZone, zone } from './zone.ts';

const before = zone();
afterEach(() => showZone(before));

test.each(['America/Chicago', 'UTC', 'Asia/Tokyo'])(
  'Midnight of a browser whose clock is UTC is the day that begins nearest to it by the clock of %s',
  (timeZone) => {
    showZone(timeZone);
    expect(axisLabel(30 * 86_400_000)(Date.UTC(2026, 10, 1))).toMatch(/1/);
    expect(axisLabel(30 * 86_400_000)(Date.UTC(2026, 10, 1))).not.toMatch(/31|2/);
  },
);

test('The start of an axis has a label only if it is a midnight', () => {
  showZone('Europe/Berlin');
  const day = 86_400_000;
  const midnight = Date.parse('2026-11-20T00:00:00+01:00');
  expect([midnight, midnight + day / 2].map(hasStartLabel)).toEqual([true, false]);
});

test('a time in another zone than that of page or reader names the zone', () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const other = own === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo';
  showZone(own);
  expect([otherClock(own), otherClock(other)]).toEqual(['', timesIn(other)]);
  showZone(other);
  expect([otherClock(own), otherClock(other)]).toEqual([own, other].map(timesIn));
});
