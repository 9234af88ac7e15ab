import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarPresets, rangePresets, toInstant } from '../../../shared/time.ts';
import {
  calendarDates,
  calendarSpan,
  fixedSearchOf,
  linkedRange,
  presetRange,
  readSpan,
  readTimeRangeSearch,
  resolveTimeRange,
  searchOfRange,
  shiftRange,
  wirePart,
  wireRange,
} from './time-range.ts';

const berlin = 'Europe/Berlin';
const unknown = { range: 'unknown' } as const;
const iso = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [toInstant(fromMs), toInstant(toMs)];

describe('presets', () => {
  const now = Date.parse('2026-03-29T10:20:30Z');

  it.each([
    ['today', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['yesterday', '2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    ['last24h', '2026-03-28T10:21:00.000Z', '2026-03-29T10:21:00.000Z'],
    ['last7d', '2026-03-22T11:21:00.000Z', '2026-03-29T10:21:00.000Z'],
    ['last30d', '2026-02-27T11:21:00.000Z', '2026-03-29T10:21:00.000Z'],
    ['this-week', '2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['last-week', '2026-03-15T23:00:00.000Z', '2026-03-22T23:00:00.000Z'],
    ['this-month', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['last-month', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
    ['this-year', '2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
    ['last-year', '2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z'],
  ] as const)('%s on the day the clocks go forward in Berlin', (preset, from, to) => {
    expect(iso(presetRange(preset, berlin, now))).toEqual([from, to]);
  });

  it('last month in January is in the previous year', () => {
    const january = Date.parse('2026-01-31T12:00:00Z');
    expect(iso(presetRange('last-month', 'UTC', january))).toEqual([
      '2025-12-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });

  it('today and yesterday meet without gap or overlap, at any moment in any zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) }),
        fc.constantFrom(berlin, 'America/Santiago', 'Asia/Beirut', 'Australia/Lord_Howe'),
        (nowMs, zone) => {
          const today = presetRange('today', zone, nowMs);
          expect(presetRange('yesterday', zone, nowMs).toMs).toBe(today.fromMs);
          expect(today.fromMs <= nowMs && nowMs < today.toMs).toBe(true);
        },
      ),
    );
  });
});

describe('previous and next', () => {
  const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

  it('moves a whole month to the whole month before, whatever its length', () => {
    const march = range('2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z');
    expect(calendarSpan(march, berlin)).toEqual({ count: 1, unit: 'month' });
    expect(iso(shiftRange(march, -1, berlin))).toEqual(['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']);
  });

  it('moves a day of 23 hours to a day of 24', () => {
    const clocksForward = range('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z');
    expect(iso(shiftRange(clocksForward, 1, berlin))).toEqual(['2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z']);
  });

  it('moves a range that does not follow the calendar by its own length', () => {
    const odd = range('2026-03-10T10:07:00Z', '2026-03-10T11:37:00Z');
    expect(iso(shiftRange(odd, 1, berlin))).toEqual(['2026-03-10T11:37:00.000Z', '2026-03-10T13:07:00.000Z']);
  });

  it('forth and back returns to the start, for every preset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) }),
        fc.constantFrom(...rangePresets),
        fc.constantFrom(berlin, 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
        (nowMs, preset, zone) => {
          const start = presetRange(preset, zone, nowMs);
          expect(shiftRange(shiftRange(start, -1, zone), 1, zone)).toEqual(start);
          expect(shiftRange(start, -1, zone).toMs).toBe(start.fromMs);
        },
      ),
    );
  });
});

describe('the range in the URL', () => {
  const now = Date.parse('2026-03-29T10:20:30Z');

  it('is today without parameters', () => {
    expect(resolveTimeRange(readTimeRangeSearch({}), berlin, now)).toEqual(presetRange('today', berlin, now));
  });

  it('drops an unknown zone', () => {
    expect(readTimeRangeSearch({ tz: 'Mars/Base' })).toEqual({});
  });

  it.each([
    { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    { from: 'x', to: 'y' },
    { from: 5, to: 6 },
    { range: 'forever' },
    { range: 7 },
    unknown,
  ])('reports a range that cannot be shown as unknown, and shows today: %j', (search) => {
    expect(readTimeRangeSearch(search)).toEqual(unknown);
    expect(resolveTimeRange(unknown, berlin, now)).toEqual(presetRange('today', berlin, now));
    // The note appeared once: pages opened from there show today, too.
    expect(linkedRange({ ...readTimeRangeSearch(search), tz: berlin })).toEqual({ tz: berlin });
    expect(linkedRange({ range: 'last7d' })).toEqual({ range: 'last7d' });
    expect(readTimeRangeSearch({ ...search, range: 'last-week' })).toEqual({ range: 'last-week' });
  });

  it('keeps a custom range and its zone', () => {
    expect(
      readTimeRangeSearch({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00+01:00', tz: 'Asia/Tokyo', x: 1 }),
    ).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T23:00:00.000Z', tz: 'Asia/Tokyo' });
  });

  it('names a range that is a calendar preset, so that the link stays current tomorrow', () => {
    expect(searchOfRange(presetRange('yesterday', berlin, now), berlin, now)).toEqual({ range: 'yesterday' });
    expect(searchOfRange(presetRange('today', berlin, now), berlin, now)).toEqual({});
  });

  it('reproduces any other range to the millisecond', () => {
    const range = { fromMs: now - 5_000_001, toMs: now };
    expect(resolveTimeRange(readTimeRangeSearch({ ...searchOfRange(range, berlin, now) }), berlin, now)).toEqual(range);
  });
});

describe('a range of days without times', () => {
  const days = { from: '2026-10-24', to: '2026-10-25' };

  it('is from the start of the first to the end of the last, in the zone', () => {
    expect(readTimeRangeSearch(days)).toEqual(days);
    expect(iso(resolveTimeRange(days, berlin, 0))).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  it('may be one day, but neither ends before it starts nor mixes days and instants', () => {
    expect(readTimeRangeSearch({ from: '2026-10-24', to: '2026-10-24' })).not.toEqual(unknown);
    expect(readTimeRangeSearch({ from: '2026-10-25', to: '2026-10-24' })).toEqual(unknown);
    expect(readTimeRangeSearch({ from: '2026-10-24', to: '2026-10-25T00:00:00Z' })).toEqual(unknown);
    expect(readTimeRangeSearch({ from: '2026-13-45', to: '2026-13-46' })).toEqual(unknown);
  });
});

it('a range of more than a century is rejected in a URL', () => {
  const to = '2026-01-01T00:00:00.000Z';
  expect(readTimeRangeSearch({ from: '2000-01-01T00:00:00.000Z', to })).not.toEqual(unknown);
  expect(readTimeRangeSearch({ from: '1925-12-01T00:00:00.000Z', to })).toEqual(unknown);
  expect(readTimeRangeSearch({ from: '0020-01-01', to: '2026-01-01' })).toEqual(unknown);
});

it.each([
  ['0001-01-01', '0001-01-31'],
  ['1999-12-31', '2000-01-31'],
  ['2099-12-01', '2100-01-01'],
  ['9999-01-01', '9999-12-31'],
  ['1999-12-30T23:59:59Z', '2000-01-31T00:00:00Z'],
  ['2099-12-01T00:00:00Z', '2100-01-03T00:00:00Z'],
])(
  'a range before 2000 or after 2099 is rejected in a URL, because the portal rejects it or has nothing: %s..%s',
  (from, to) => {
    expect(readTimeRangeSearch({ from, to })).toEqual(unknown);
    expect(readSpan(`${from}..${to}`)).toBeNull();
  },
);

it('the first and the last measurable day are accepted, in every zone', () => {
  const search = { from: '2000-01-01', to: '2099-12-31' };
  expect(readTimeRangeSearch(search)).toEqual(search);
  const [from, to] = ['1999-12-31T10:00:00.000Z', '2000-01-01T10:00:00.000Z'];
  expect(readTimeRangeSearch({ from, to })).toEqual({ from, to });
});

describe('a range of whole days', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' };
  const zones = [berlin, 'America/New_York', 'Asia/Tokyo', 'Asia/Beirut'];

  it('is sent as dates, the same for every reader, so that each site has its own days', () => {
    for (const zone of zones) {
      const range = resolveTimeRange(october, zone, 0);
      expect(wireRange(range, zone)).toEqual({ fromDate: '2026-10-01', toDate: '2026-11-01' });
      expect(wireRange(shiftRange(range, -1, zone), zone)).toEqual({ fromDate: '2026-09-01', toDate: '2026-10-01' });
    }
  });

  it('holds for every calendar preset, at any moment in any zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) }),
        fc.constantFrom(...calendarPresets),
        fc.constantFrom(...zones),
        (nowMs, preset, zone) => calendarDates(presetRange(preset, zone, nowMs), zone) !== null,
      ),
    );
  });

  it('is in the URL as its first and last day, and reads back as the same range', () => {
    for (const zone of zones) {
      const range = resolveTimeRange(october, zone, 0);
      expect(fixedSearchOf(range, zone)).toEqual(october);
      expect(searchOfRange(range, zone, 0)).toEqual(october);
    }
  });

  it('is sent as its days and the instant that cuts them while it is running; once over, as its days', () => {
    const range = resolveTimeRange(october, berlin, 0);
    const toMs = Date.parse('2026-10-20T12:00:00Z');
    const days = { fromDate: '2026-10-01', toDate: '2026-11-01' };
    expect(wirePart(range, { ...range, toMs }, berlin)).toEqual({ ...days, until: '2026-10-20T12:00:00.000Z' });
    expect(wirePart(range, range, berlin)).toEqual(days);
    const cut = { fromMs: range.fromMs + 60_000, toMs: range.toMs };
    expect(wirePart(cut, { ...cut, toMs }, berlin)).toEqual(wireRange({ ...cut, toMs }, berlin));
  });

  it('is sent as instants if it is any other range', () => {
    const range = { fromMs: Date.parse('2026-10-01T00:30:00Z'), toMs: Date.parse('2026-10-02T00:30:00Z') };
    expect(wireRange(range, berlin)).toEqual({ from: '2026-10-01T00:30:00.000Z', to: '2026-10-02T00:30:00.000Z' });
    expect(fixedSearchOf(range, berlin)).toEqual(wireRange(range, berlin));
  });
});
