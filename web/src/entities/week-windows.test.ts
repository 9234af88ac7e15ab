import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coverageOf,
  coverageOfCells,
  coveredMinutes,
  daySpansOf,
  minutesPerWeek,
  overlapsItself,
  readTimeOfDay,
  windowsOf,
  writeTimeOfDay,
  type WeekWindow,
} from './week-windows.ts';

const window = (daysOfWeek: number, start: string, end: string): WeekWindow => ({
  daysOfWeek,
  startMinute: readTimeOfDay(start) ?? NaN,
  endMinute: readTimeOfDay(end) ?? NaN,
});

const anyWindow = fc
  .record({
    daysOfWeek: fc.integer({ min: 1, max: 127 }),
    startMinute: fc.integer({ min: 0, max: 1439 }),
    endMinute: fc.integer({ min: 1, max: 1440 }),
  })
  .filter(({ startMinute, endMinute }) => startMinute !== endMinute);

describe('windows and the minutes that they cover', () => {
  it('a period that runs past midnight belongs to the day on which it starts', () => {
    const friday = coverageOf([window(16, '22:00', '06:00')]);
    expect(daySpansOf(friday, 4)).toEqual([{ startMinute: 1320, endMinute: 1440 }]);
    expect(daySpansOf(friday, 5)).toEqual([{ startMinute: 0, endMinute: 360 }]);
    expect(coveredMinutes(friday)).toBe(480);
  });

  it('what runs past Sunday midnight goes on on Monday', () => {
    expect(daySpansOf(coverageOf([window(64, '22:00', '06:00')]), 0)).toEqual([{ startMinute: 0, endMinute: 360 }]);
  });

  it('painted nights of the whole week become one period past midnight', () => {
    const early = coverageOfCells({ firstDay: 0, lastDay: 6, firstSlot: 0, lastSlot: 11 });
    const late = coverageOfCells({ firstDay: 0, lastDay: 6, firstSlot: 44, lastSlot: 47 });
    const night = early.map((minute, at) => minute | (late[at] ?? 0));
    expect(windowsOf(night)).toEqual([window(127, '22:00', '06:00')]);
  });

  it('a weekend without a break is cut at midnights, and its whole days share one window', () => {
    const weekend = coverageOf([
      window(16, '18:00', '24:00'),
      window(96, '00:00', '24:00'),
      window(1, '00:00', '06:00'),
    ]);
    expect(windowsOf(weekend)).toEqual([
      window(1, '00:00', '06:00'),
      window(16, '18:00', '24:00'),
      window(96, '00:00', '24:00'),
    ]);
  });

  it('the whole week is one window, an empty one none', () => {
    expect(windowsOf(new Uint8Array(minutesPerWeek).fill(1))).toEqual([window(127, '00:00', '24:00')]);
    expect(windowsOf(new Uint8Array(minutesPerWeek))).toEqual([]);
  });

  it('exactly 24 hours from one morning to the next are no period of equal times', () => {
    const day = coverageOf([window(2, '10:00', '24:00'), window(4, '00:00', '10:00')]);
    expect(windowsOf(day)).toEqual([window(2, '10:00', '24:00'), window(4, '00:00', '10:00')]);
  });

  it('any minutes of the week come back from their windows, which never have equal times or cover a minute twice', () => {
    fc.assert(
      fc.property(fc.array(anyWindow, { maxLength: 8 }), (windows) => {
        const coverage = coverageOf(windows);
        const again = windowsOf(coverage);
        expect(Buffer.compare(coverageOf(again), coverage)).toBe(0);
        expect(overlapsItself(again)).toBe(false);
        for (const { startMinute, endMinute } of again) expect(startMinute).not.toBe(endMinute);
      }),
    );
  });

  it('windows that were made from minutes stay as they are when they are made again', () => {
    fc.assert(
      fc.property(fc.array(anyWindow, { maxLength: 8 }), (windows) => {
        const once = windowsOf(coverageOf(windows));
        expect(windowsOf(coverageOf(once))).toEqual(once);
      }),
    );
  });

  it('cells of half an hour come back as they were painted', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 336, maxLength: 336 }), (cells) => {
        const coverage = new Uint8Array(minutesPerWeek).map((_, minute) => (cells[Math.floor(minute / 30)] ? 1 : 0));
        const again = coverageOf(windowsOf(coverage));
        expect(Array.from(cells, (_, cell) => again[cell * 30] === 1 && again[cell * 30 + 29] === 1)).toEqual(cells);
      }),
    );
  });

  it('overlaps within a list are noticed', () => {
    expect(overlapsItself([window(127, '22:00', '06:00'), window(1, '05:59', '07:00')])).toBe(true);
    expect(overlapsItself([window(127, '22:00', '06:00'), window(1, '06:00', '07:00')])).toBe(false);
  });
});

describe('times of day', () => {
  it.each([
    ['7', 420],
    ['07:10', 430],
    ['7.10', 430],
    ['0710', 430],
    ['710', 430],
    ['24:00', 1440],
    ['0', 0],
  ])('%s is read', (text, minute) => expect(readTimeOfDay(text)).toBe(minute));

  it.each(['', '24:01', '25', '7:60', '7:1', '-1', 'noon'])('"%s" is none', (text) =>
    expect(readTimeOfDay(text)).toBeUndefined(),
  );

  it('what is written is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1440 }), (minute) => {
        expect(readTimeOfDay(writeTimeOfDay(minute))).toBe(minute);
      }),
    );
  });
});
