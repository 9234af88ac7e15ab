import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, fromLocal, fromLocalText, isAhead, startOf, toLocal, toLocalText, toOffsetText } from './time.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Pacific/Apia',
  'UTC',
] as const;
const zoned = (ms: number, timeZone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);

/** A zone and an instant in it, half of them within a day of a clock change, where calendar code goes wrong. */
const moment = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    anyMs: fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2035, 0) }),
    besideMs: fc.option(fc.integer({ min: -26 * 3_600_000, max: 26 * 3_600_000 })),
  })
  .map(({ timeZone, anyMs, besideMs }) => {
    const change = besideMs === null ? null : zoned(anyMs, timeZone).getTimeZoneTransition('next');
    return { timeZone, ms: change === null ? anyMs : change.epochMilliseconds + (besideMs ?? 0) };
  });
const runs = { numRuns: 500 };

describe('calendar arithmetic agrees with Temporal in every zone', () => {
  it('reads the clocks of the zone', () => {
    fc.assert(
      fc.property(moment, ({ ms, timeZone }) => {
        const { year, month, day, hour, minute, second } = zoned(ms, timeZone);
        expect(toLocal(ms, timeZone)).toEqual({ year, month, day, hour, minute, second });
      }),
      runs,
    );
  });

  it('finds the instant of a local time, the first of two, and past a gap', () => {
    fc.assert(
      fc.property(moment, ({ ms, timeZone }) => {
        const local = toLocal(ms, timeZone);
        const expected = Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds;
        expect(fromLocal(local, timeZone)).toBe(expected);
      }),
      runs,
    );
  });

  it('finds the start of day, week, month and year', () => {
    fc.assert(
      fc.property(moment, ({ ms, timeZone }) => {
        const at = zoned(ms, timeZone);
        const start = (date: Temporal.ZonedDateTime) => date.startOfDay().epochMilliseconds;
        expect(startOf('day', ms, timeZone)).toBe(start(at));
        expect(startOf('week', ms, timeZone)).toBe(start(at.subtract({ days: at.dayOfWeek - 1 })));
        expect(startOf('month', ms, timeZone)).toBe(start(at.with({ day: 1 })));
        expect(startOf('year', ms, timeZone)).toBe(start(at.with({ month: 1, day: 1 })));
      }),
      runs,
    );
  });

  it('adds days, months and years', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -40, max: 40 }), ({ ms, timeZone }, count) => {
        const at = zoned(Math.floor(ms / 1000) * 1000, timeZone);
        const shown = at.toPlainDateTime();
        const expected = (moved: Temporal.PlainDateTime) => moved.toZonedDateTime(timeZone).epochMilliseconds;
        expect(add(count, 'day', at.epochMilliseconds, timeZone)).toBe(expected(shown.add({ days: count })));
        expect(add(count, 'month', at.epochMilliseconds, timeZone)).toBe(expected(shown.add({ months: count })));
        expect(add(count, 'year', at.epochMilliseconds, timeZone)).toBe(expected(shown.add({ years: count })));
      }),
      runs,
    );
  });
});

describe('days of clock changes in Berlin', () => {
  const berlin = 'Europe/Berlin';
  const hours = (from: number) => (add(1, 'day', from, berlin) - from) / 3_600_000;

  it('has 23 hours on the day the clocks go forward and 25 when they go back', () => {
    expect(hours(startOf('day', Date.parse('2026-03-29T12:00:00Z'), berlin))).toBe(23);
    expect(hours(startOf('day', Date.parse('2026-10-25T12:00:00Z'), berlin))).toBe(25);
  });

  it('takes a time that the clocks skip as the same distance after the gap', () => {
    expect(fromLocalText('2026-03-29T02:30', berlin)).toBe(Date.parse('2026-03-29T01:30:00Z'));
  });

  it('takes a time that occurs twice as its first occurrence', () => {
    expect(fromLocalText('2026-10-25T02:30', berlin)).toBe(Date.parse('2026-10-25T00:30:00Z'));
  });
});

describe('the text of datetime-local fields', () => {
  it('comes back as the minute it was written from', () => {
    const at = Date.parse('2026-07-03T21:45:00Z');
    expect(toLocalText(at, 'Asia/Kathmandu')).toBe('2026-07-04T03:30');
    expect(fromLocalText('2026-07-04T03:30', 'Asia/Kathmandu')).toBe(at);
  });

  it.each(['', '2026-07-04', 'yesterday', '2026-07-04 03:30'])('is refused when it reads %j', (text) => {
    expect(fromLocalText(text, 'UTC')).toBeNull();
  });
});

it('the years before 100 are those, not years of the last century', () => {
  const ms = fromLocalText('0020-05-01T12:30', 'UTC');
  expect(ms === null ? null : new Date(ms).toISOString()).toBe('0020-05-01T12:30:00.000Z');
});

it.each([
  ['2026-10-25T00:00:00Z', 'Europe/Berlin', '2026-10-25T02:00:00+02:00'],
  ['2026-10-25T01:00:00Z', 'Europe/Berlin', '2026-10-25T02:00:00+01:00'],
  ['2026-07-03T21:45:07Z', 'Asia/Kathmandu', '2026-07-04T03:30:07+05:45'],
  ['2026-07-03T21:45:00Z', 'America/St_Johns', '2026-07-03T19:15:00-02:30'],
])('%s on a clock of %s reads %s with its offset', (instant, zone, text) => {
  expect(toOffsetText(Date.parse(instant), zone)).toBe(text);
});

it('a newest reading a minute or more ahead is one of a clock that runs ahead', () => {
  const now = Date.UTC(2026, 6, 1);
  const ahead = (ms: number) => isAhead(new Date(now + ms).toISOString(), now);
  expect([-60_000, 59_999, 60_000].map(ahead)).toEqual([false, false, true]);
});
