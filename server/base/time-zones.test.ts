import { expect, test } from 'vitest';
import { startOfDay } from './ranges.ts';
import { canonicalTimeZone, dayStarts } from './instants.ts';

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
  ['utc', 'UTC'],
])('a time zone gets its IANA spelling, whatever the case of the input: %s', (given, expected) => {
  expect(canonicalTimeZone(given)).toBe(expected);
});

test('a name that is only a link to another zone stays as given', () => {
  expect(canonicalTimeZone('Asia/Kolkata')).toBe('Asia/Kolkata');
  expect(canonicalTimeZone('Asia/Calcutta')).toBe('Asia/Calcutta');
});

test('an unknown zone name is rejected', () => {
  expect(() => canonicalTimeZone('Mars/Olympus')).toThrow(RangeError);
});

test.each([
  ['Europe/Berlin', '2026-03-27', 6],
  ['America/Havana', '2026-03-06', 4],
  ['America/Sao_Paulo', '2018-11-02', 4],
  ['Australia/Lord_Howe', '2026-04-03', 4],
  ['Asia/Kathmandu', '1985-12-30', 4],
  ['Europe/Amsterdam', '1937-06-28', 6],
  // The clock turned back from 00:01 to 23:01, and at midnight to 21:00.
  ['America/St_Johns', '2010-11-05', 4],
  ['Antarctica/Casey', '2010-03-03', 4],
  // Zones that skipped whole dates or had them twice.
  ['Pacific/Apia', '2011-12-28', 5],
  ['Pacific/Kwajalein', '1993-08-19', 5],
  ['America/Juneau', '1867-10-16', 5],
])('the days of %s from %s on begin where Temporal says', (zone, first, days) => {
  const dates = Array.from({ length: days + 1 }, (_, day) =>
    Temporal.PlainDate.from(first).add({ days: day }).toString(),
  );
  const edges = [...new Set(dates.map((date) => startOfDay(date, zone)))];
  const [fromMicros = 0, toMicros = 0] = [edges[0], edges.at(-1)];
  const starts = dayStarts({ fromMicros, toMicros }, zone);
  expect(starts.map(({ micros }) => micros)).toEqual(edges);
  for (const { micros, dayNumber } of starts) {
    expect(startOfDay(new Date(dayNumber * 86_400_000).toISOString().slice(0, 10), zone)).toBe(micros);
  }
  // A range cut inside its days touches the same days.
  expect(dayStarts({ fromMicros: fromMicros + 1, toMicros: toMicros - 1 }, zone)).toEqual(starts);
});

test('the first and the last instant of a day belong only to that day', () => {
  const [fromMicros, toMicros] = [
    startOfDay('2026-11-01', 'America/Havana'),
    startOfDay('2026-11-02', 'America/Havana'),
  ];
  const days = (from: number, to: number) => dayStarts({ fromMicros: from, toMicros: to }, 'America/Havana').length - 1;
  expect(toMicros - fromMicros).toBe(25 * 3_600_000_000);
  expect(days(fromMicros, toMicros)).toBe(1);
  expect(days(fromMicros - 1, toMicros)).toBe(2);
  expect(days(fromMicros, toMicros + 1)).toBe(2);
  expect(days(toMicros - 1, toMicros)).toBe(1);
});
