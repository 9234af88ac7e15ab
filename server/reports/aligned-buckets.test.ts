import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignBuckets,
  type AlignedSide,
  type Alignment,
  rowsOf,
  sumRows,
  usualAlignment,
  valuesOn,
} from './aligned-buckets.rules.ts';
import { daysIn } from '../base/ranges.ts';
import { bucketEdges, type BucketSize } from '../base/buckets.ts';

const side = (fromDate: string, toDate: string, size: BucketSize = 'hour', timeZone = 'Europe/Berlin'): AlignedSide => {
  const { fromMicros, toMicros } = daysIn({ fromDate, toDate }, timeZone);
  return { starts: bucketEdges(fromMicros, toMicros, size, timeZone).slice(0, -1), timeZone };
};
const clock = ({ starts, timeZone }: AlignedSide, at: number | null) =>
  at === null
    ? null
    : Temporal.Instant.fromEpochMilliseconds((starts[at] ?? 0) / 1000)
        .toZonedDateTimeISO(timeZone)
        .toString()
        .slice(0, 'YYYY-MM-DDTHH:mm'.length);
const pairs = (own: AlignedSide, other: AlignedSide, align: Alignment = 'day') =>
  alignBuckets(own, other, align).map((row) => [clock(own, row.at), clock(other, row.otherAt)]);

describe('docs/energy.md, comparing two sides', () => {
  it('works for days whose microseconds exceed exact integers', () => {
    expect(pairs(side('9999-12-30', '9999-12-31'), side('2999-12-30', '2999-12-31'))).toHaveLength(24);
  });

  it('this week over last week: weekday on weekday, hour on hour', () => {
    const rows = pairs(side('2026-03-16', '2026-03-23'), side('2026-03-09', '2026-03-16'));
    expect(rows).toHaveLength(168);
    for (const [own, other] of rows) {
      expect(own?.slice(11)).toBe(other?.slice(11));
      expect(Date.parse(`${own}Z`) - Date.parse(`${other}Z`)).toBe(7 * 86_400_000);
    }
  });

  it('the hour that spring skips is a row of only the other week', () => {
    const rows = pairs(side('2026-03-23', '2026-03-30'), side('2026-03-16', '2026-03-23'));
    expect(rows).toHaveLength(168);
    expect(rows.filter((row) => row.includes(null))).toEqual([[null, '2026-03-22T02:00']]);
    expect(rows.at(-1)).toEqual(['2026-03-29T23:00', '2026-03-22T23:00']);
  });

  it('the repeated autumn hour is another row, in the order of time, also in quarters', () => {
    const day = (size: BucketSize) =>
      pairs(side('2026-10-25', '2026-10-26', size), side('2026-10-18', '2026-10-19', size));
    expect(day('hour')).toHaveLength(25);
    expect(day('hour').slice(2, 5)).toEqual([
      ['2026-10-25T02:00', '2026-10-18T02:00'],
      ['2026-10-25T02:00', null],
      ['2026-10-25T03:00', '2026-10-18T03:00'],
    ]);
    const quarters = alignBuckets(
      side('2026-10-25', '2026-10-26', '15min'),
      side('2026-10-18', '2026-10-19', '15min'),
      'day',
    );
    expect(quarters.flatMap(({ at }) => at ?? [])).toEqual([...Array(100).keys()]);
  });

  it('months of different length: by day, the 31st is alone; by weekday, the days at both ends', () => {
    const [october, september] = [side('2026-10-01', '2026-11-01', 'day'), side('2026-09-01', '2026-10-01', 'day')];
    const byDay = pairs(october, september);
    expect(byDay).toHaveLength(31);
    expect(byDay.at(-1)).toEqual(['2026-10-31T00:00', null]);
    const byWeekday = alignBuckets(october, september, 'weekday');
    // The first of October is a Thursday, that of September a Tuesday.
    expect(byWeekday.slice(0, 3)).toEqual([
      { day: -2, minute: 0, at: null, otherAt: 0 },
      { day: -1, minute: 0, at: null, otherAt: 1 },
      { day: 0, minute: 0, at: 0, otherAt: 2 },
    ]);
    expect(byWeekday).toHaveLength(33);
  });

  it('weekday is the default from two weeks on, day below that: today is aligned with yesterday', () => {
    const days = (count: number) => count * 86_400_000_000;
    expect(usualAlignment(days(31), days(30))).toBe('weekday');
    expect(usualAlignment(days(7), days(30))).toBe('day');
    expect(usualAlignment(days(1), days(1))).toBe('day');
  });

  it('sites in two zones are aligned by local time', () => {
    const rows = pairs(side('2026-06-01', '2026-06-02'), side('2026-06-01', '2026-06-02', 'hour', 'Asia/Kolkata'));
    expect(rows).toHaveLength(24);
    expect(rows.every(([own, other]) => own === other)).toBe(true);
  });

  it('whole days of sites in several zones: the first day is that of the range, even if a site further east begins earlier', () => {
    const early = (fromDate: string, timeZone: string): AlignedSide => {
      const { starts } = side(fromDate, '2026-06-09', 'hour', 'Asia/Kolkata');
      return { starts, timeZone, fromDate };
    };
    const rows = alignBuckets(early('2026-06-08', 'Europe/Berlin'), early('2026-06-08', 'UTC'), 'day');
    expect(rows[0]).toEqual({ day: -1, minute: 18.5 * 60, at: null, otherAt: 0 });
  });

  it('for any ranges and zones, each bucket is in one row, in order, and weekdays match', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu', 'UTC');
    const sides = fc
      .tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 40 }), zone)
      .map(([start, length, timeZone]) => {
        const from = Temporal.PlainDate.from('2025-01-01').add({ days: start });
        return side(from.toString(), from.add({ days: length }).toString(), 'hour', timeZone);
      });
    fc.assert(
      fc.property(sides, sides, fc.constantFrom<Alignment>('weekday', 'day'), (own, other, align) => {
        const rows = alignBuckets(own, other, align);
        expect(rows.flatMap(({ at }) => at ?? [])).toEqual([...own.starts.keys()]);
        expect(rows.flatMap(({ otherAt }) => otherAt ?? [])).toEqual([...other.starts.keys()]);
        for (const { at, otherAt } of rows) {
          const [a, b] = [clock(own, at), clock(other, otherAt)];
          if (a === null || b === null) continue;
          expect(a.slice(11)).toBe(b.slice(11));
          const apart = (Date.parse(a.slice(0, 10)) - Date.parse(b.slice(0, 10))) / 86_400_000;
          if (align === 'weekday') expect(apart % 7).toBeCloseTo(0);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('what two ranges have in common', () => {
  const row = (at: number | null, otherAt: number | null) => ({ day: 0, minute: 0, at, otherAt });
  const rows = [row(0, 0), row(1, null), row(2, 1), row(3, 2)];
  const energy = valuesOn(rows, 'at', [1, 2, null, 8]);
  const other = valuesOn(rows, 'otherAt', [10, 20, 40]);

  it('is what both measured in buckets that are over', () => {
    expect([energy, other]).toEqual([
      [1, 2, null, 8],
      [10, null, 20, 40],
    ]);
    const totals = { energyImportedKwh: 11, otherEnergyImportedKwh: 70 };
    const isRunning = rowsOf(rows, new Set([3]), new Set());
    expect(isRunning).toEqual([false, false, false, true]);
    expect(sumRows(energy, other, isRunning)).toEqual({
      totals,
      common: { rowCount: 1, energyImportedKwh: 1, otherEnergyImportedKwh: 10 },
    });
    expect(sumRows(energy, other, [])).toEqual({
      totals,
      common: { rowCount: 2, energyImportedKwh: 9, otherEnergyImportedKwh: 50 },
    });
  });
});
