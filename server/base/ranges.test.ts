import { describe, expect, it } from 'vitest';
import {
  calendarRange,
  daysIn,
  isDate,
  lastDateOf,
  lengthOf,
  rangesOf,
  refuseTooLong,
  segmentsOf,
  spanOf,
} from './ranges.ts';
import { siteEdges } from './buckets.ts';
import { formatInstant, parseInstant } from './instants.ts';

const march = { fromDate: '2026-03-01', toDate: '2026-04-01' };
const texts = ({ fromMicros, toMicros }: { fromMicros: number; toMicros: number }) =>
  [fromMicros, toMicros].map(formatInstant);
const zones = ['Europe/Berlin', 'America/Chicago', 'Asia/Tokyo'];

describe('a calendar range (decisions.md 4)', () => {
  it("is each site's own local days, with their hours of DST", () => {
    expect(texts(daysIn(march, 'Europe/Berlin'))).toEqual(['2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z']);
    expect(texts(daysIn(march, 'America/Chicago'))).toEqual(['2026-03-01T06:00:00Z', '2026-04-01T05:00:00Z']);
    expect(texts(daysIn(march, 'Asia/Tokyo'))).toEqual(['2026-02-28T15:00:00Z', '2026-03-31T15:00:00Z']);
  });

  it('covers the range of every time zone', () => {
    const asked = calendarRange(march);
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const { fromMicros, toMicros } = daysIn(march, zone);
      expect(asked.fromMicros, zone).toBeLessThanOrEqual(fromMicros);
      expect(asked.toMicros, zone).toBeGreaterThanOrEqual(toMicros);
    }
    expect(texts(calendarRange({ fromDate: '0001-01-01', toDate: '9999-12-31' }))[0]).toBe('0001-01-01T00:00:00Z');
  });

  it('has the length of its dates, and the union of the ranges of its sites', () => {
    expect(lengthOf(calendarRange(march))).toBe(31 * 86_400e6);
    expect(texts(rangesOf(calendarRange(march), zones).all)).toEqual(['2026-02-28T15:00:00Z', '2026-04-01T05:00:00Z']);
    expect(texts(rangesOf(calendarRange(march), []).all)).toEqual(['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z']);
    expect(lastDateOf(march)).toBe('2026-03-31');
  });

  it('may be cut at an instant: days that are over at a site stay whole, and days that have not begun are left out', () => {
    const untilMicros = parseInstant('2026-03-31T18:00:00Z') ?? NaN;
    const ranges = rangesOf({ ...calendarRange({ fromDate: '2026-03-31', toDate: '2026-04-01' }), untilMicros }, zones);
    expect(texts(ranges.of('Asia/Tokyo'))).toEqual(['2026-03-30T15:00:00Z', '2026-03-31T15:00:00Z']);
    expect(texts(ranges.of('America/Chicago'))).toEqual(['2026-03-31T05:00:00Z', '2026-03-31T18:00:00Z']);
    const next = rangesOf({ ...calendarRange({ fromDate: '2026-04-01', toDate: '2026-04-02' }), untilMicros }, zones);
    expect(texts(next.of('Asia/Tokyo'))).toEqual(['2026-03-31T15:00:00Z', '2026-03-31T18:00:00Z']);
    expect(texts(next.of('America/Chicago'))).toEqual(['2026-03-31T18:00:00Z', '2026-03-31T18:00:00Z']);
  });

  it('instants are the same everywhere', () => {
    const range = { fromMicros: 1, toMicros: 5 };
    const ranges = rangesOf({ ...range, dates: null }, zones);
    expect([ranges.all, ranges.of('Asia/Tokyo')]).toEqual([range, range]);
  });

  describe('has at most a century, 36,600 days', () => {
    const start = parseInstant('1926-01-01T00:00:00Z') ?? NaN;
    const ofMicros = (micros: number) => ({ dates: null, fromMicros: start, toMicros: start + micros });
    const ofDates = (days: number) => {
      const fromDate = Temporal.PlainDate.from('1926-01-01');
      return calendarRange({ fromDate: fromDate.toString(), toDate: fromDate.add({ days }).toString() });
    };
    it('exactly the maximum is accepted, as instants and as dates', () => {
      for (const range of [ofMicros(36_600 * 86_400e6), ofDates(36_600)]) expect(refuseTooLong(range)).toBe(range);
    });
    it('a microsecond or a date more is rejected, and the error names the field', () => {
      expect(() => refuseTooLong(ofMicros(36_600 * 86_400e6 + 1))).toThrow(
        'to: the range may have at most 36600 days; got 36601.',
      );
      expect(() => refuseTooLong(ofDates(36_601))).toThrow('toDate: the range may have at most 36600 days; got 36601.');
    });
    it('a special limit is enforced in the same way', () => {
      expect(refuseTooLong(ofDates(35), 35)).toEqual(ofDates(35));
      expect(() => refuseTooLong(ofDates(36), 35, 'usualTooLong')).toThrow(
        'toDate: typical values cover at most 35 days; got 36.',
      );
    });
    it('two ranges together may have the same length', () => {
      const [first, last] = [ofMicros(86_400e6), { ...ofMicros(0), fromMicros: start + 86_400e6 }];
      const until = (days: number) => ({ ...last, toMicros: start + days * 86_400e6 });
      expect(spanOf(first, until(36_600))).toMatchObject({ fromMicros: start, toMicros: until(36_600).toMicros });
      expect(() => spanOf(first, { ...last, toMicros: until(36_600).toMicros + 1 })).toThrow('at most 36600 days');
    });
  });

  it('distinguishes dates from other texts', () => {
    expect(['2028-02-29', '2026-01-31'].every(isDate)).toBe(true);
    expect(['2026-02-29', '2026-1-1', '2026-01-01T00:00:00Z', '0000-01-01', ''].some(isDate)).toBe(false);
  });

  it('is cut where the days of a zone begin or end, newest first, with the devices that count in each part', () => {
    const devices = zones.map((timeZone) => ({ timeZone }));
    const segments = segmentsOf(rangesOf(calendarRange(march), zones), devices);
    expect(segments.map((one) => [formatInstant(one.fromMicros), one.devices.map(({ timeZone }) => timeZone)])).toEqual(
      [
        ['2026-03-31T22:00:00Z', ['America/Chicago']],
        ['2026-03-31T15:00:00Z', ['Europe/Berlin', 'America/Chicago']],
        ['2026-03-01T06:00:00Z', zones],
        ['2026-02-28T23:00:00Z', ['Europe/Berlin', 'Asia/Tokyo']],
        ['2026-02-28T15:00:00Z', ['Asia/Tokyo']],
      ],
    );
  });
});

describe('the buckets of a calendar range', () => {
  it('days are local to each zone, one for each date, even for a date that the zone skipped', () => {
    const dates = { fromDate: '2011-12-29', toDate: '2012-01-01' };
    const edgesOf = siteEdges(rangesOf(calendarRange(dates), ['Pacific/Apia', 'UTC']), 'day', 'UTC');
    expect(edgesOf('UTC').map(formatInstant)).toEqual([
      '2011-12-29T00:00:00Z',
      '2011-12-30T00:00:00Z',
      '2011-12-31T00:00:00Z',
      '2012-01-01T00:00:00Z',
    ]);
    // The zone skipped the 30th.
    expect(edgesOf('Pacific/Apia').map(formatInstant)).toEqual([
      '2011-12-29T10:00:00Z',
      '2011-12-30T10:00:00Z',
      '2011-12-30T10:00:00Z',
      '2011-12-31T10:00:00Z',
    ]);
  });

  it('hours are in one time zone for all, from the earliest start to the latest end', () => {
    const edgesOf = siteEdges(rangesOf(calendarRange(march), zones), 'hour', 'Europe/Berlin');
    expect(edgesOf('Asia/Tokyo')).toBe(edgesOf('Europe/Berlin'));
    expect(edgesOf('UTC')[0]).toBe(parseInstant('2026-02-28T15:00:00Z'));
  });
});
