import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cost } from '../../../../test/support/vectors.ts';
import { bandCoverage, bandsOf, findOverlaps, isPaintedWith, paint, periodsOf, type Band } from './bands.ts';
import type { CellRange } from '../../entities/week-windows.ts';

const band = (key: string, times: [daysOfWeek: number, start: string, end: string][] = []): Band => ({
  key,
  name: key,
  rate: '0.1',
  times: times.map(([daysOfWeek, start, end], index) => ({ key: `${key}${index}`, daysOfWeek, start, end })),
});
const plain = ({ times }: Band) => times.map(({ daysOfWeek, start, end }) => [daysOfWeek, start, end]);
const cells = (firstDay: number, lastDay: number, firstSlot: number, lastSlot: number): CellRange => ({
  firstDay,
  lastDay,
  firstSlot,
  lastSlot,
});

const anyCells = fc
  .tuple(fc.nat(6), fc.nat(6), fc.nat(47), fc.nat(47))
  .map(([a, b, c, d]) => cells(Math.min(a, b), Math.max(a, b), Math.min(c, d), Math.max(c, d)));
const anyStrokes = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', null), cells: anyCells }), {
  maxLength: 12,
});

describe('painting', () => {
  it('two strokes at both ends of the days become one period past midnight', () => {
    const once = paint([band('Night')], 'Night', cells(0, 6, 44, 47));
    const [night] = paint(once, 'Night', cells(0, 6, 0, 11));
    expect(night && plain(night)).toEqual([[127, '22:00', '06:00']]);
  });

  it('what is painted over leaves the other band, to the minute', () => {
    const bands = [band('Peak', [[31, '07:10', '09:40']]), band('Sun')];
    const [peak, sun] = paint(bands, 'Sun', cells(0, 4, 16, 17));
    expect(peak && plain(peak)).toEqual([
      [31, '07:10', '08:00'],
      [31, '09:00', '09:40'],
    ]);
    expect(sun && plain(sun)).toEqual([[31, '08:00', '09:00']]);
  });

  it('the default rate takes the cells from every band', () => {
    const [peak] = paint([band('Peak', [[127, '00:00', '24:00']])], null, cells(6, 6, 0, 47));
    expect(peak && plain(peak)).toEqual([[63, '00:00', '24:00']]);
  });

  it('a band that is not touched keeps its times as they were typed', () => {
    const typed = band('Night', [
      [1, '22:00', '23:00'],
      [1, '23:00', '24:00'],
      [2, '9', 'x'],
    ]);
    const [night] = paint([typed, band('Peak')], 'Peak', cells(0, 0, 20, 21));
    expect(night).toBe(typed);
  });

  it('a time that cannot be read yet outlives the painting of its band', () => {
    const [peak] = paint([band('Peak', [[1, '7', 'x']])], 'Peak', cells(1, 1, 20, 21));
    expect(peak && plain(peak)).toEqual([
      [2, '10:00', '11:00'],
      [1, '7', 'x'],
    ]);
  });

  it('after any strokes each cell belongs to the last stroke over it, and nothing overlaps', () => {
    fc.assert(
      fc.property(anyStrokes, (strokes) => {
        const bands = strokes.reduce(
          (before, stroke) => paint(before, stroke.key, stroke.cells),
          [band('a'), band('b'), band('c')],
        );
        expect(findOverlaps(bands)).toEqual([]);
        const last = strokes.at(-1);
        if (last !== undefined) expect(isPaintedWith(bands, last.key, last.cells)).toBe(true);
        const coverages = bands.map((one) => ({ key: one.key, coverage: bandCoverage(one) }));
        const wrong: string[] = [];
        for (let day = 0; day < 7; day += 1) {
          for (let slot = 0; slot < 48; slot += 1) {
            const holds = ({ firstDay, lastDay, firstSlot, lastSlot }: CellRange) =>
              firstDay <= day && day <= lastDay && firstSlot <= slot && slot <= lastSlot;
            const expected = strokes.findLast((stroke) => holds(stroke.cells))?.key ?? null;
            const owner = coverages.find(({ coverage }) => coverage[day * 1440 + slot * 30] === 1)?.key ?? null;
            if (owner !== expected) wrong.push(`day ${day}, slot ${slot}: ${owner}, not ${expected}`);
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('bands and the periods of the wire', () => {
  it('periods of one name and rate are one band, and come back as they were', () => {
    const periods = [
      { name: 'Peak', daysOfWeek: 31, startTime: '07:10', endTime: '09:00', ratePerKwh: 0.4 },
      { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1 },
      { name: 'Peak', daysOfWeek: 31, startTime: '17:00', endTime: '20:00', ratePerKwh: 0.4 },
      { name: 'Peak', daysOfWeek: 96, startTime: '17:00', endTime: '24:00', ratePerKwh: 0.35 },
    ];
    const bands = bandsOf(periods, ',');
    expect(bands.map(({ name, rate }) => [name, rate])).toEqual([
      ['Peak', '0,4'],
      ['Night', '0,1'],
      ['Peak', '0,35'],
    ]);
    const byName = (list: typeof periods) => list.map((period) => JSON.stringify(period)).toSorted();
    expect(byName(periodsOf(bands, ','))).toEqual(byName(periods));
  });

  it('the periods of every tariff of the vectors come back as they were', () => {
    for (const { id, tariffs } of cost) {
      for (const { periods } of tariffs) expect(periodsOf(bandsOf(periods, '.'), '.'), id).toEqual(periods);
    }
  });

  it('an end of 00:00 is the end of the day', () => {
    expect(periodsOf([band('Late', [[1, '22:00', '00:00']])], '.')).toMatchObject([
      { startTime: '22:00', endTime: '24:00' },
    ]);
  });

  it('times of one band that overlap are written as one, because the portal refuses overlaps', () => {
    const double = band('Day', [
      [1, '08:00', '12:00'],
      [1, '11:00', '14:00'],
    ]);
    expect(periodsOf([double], '.')).toMatchObject([{ daysOfWeek: 1, startTime: '08:00', endTime: '14:00' }]);
  });
});

describe('overlaps', () => {
  it('are told with both bands and the times, also past midnight', () => {
    const [night, early] = [band('Night', [[16, '22:00', '06:00']]), band('Early', [[32, '05:10', '08:00']])];
    expect(findOverlaps([night, early])).toEqual([
      { first: night, second: early, windows: [{ daysOfWeek: 32, startMinute: 310, endMinute: 360 }] },
    ]);
  });

  it('neighbours do not overlap', () => {
    expect(findOverlaps([band('a', [[127, '22:00', '06:00']]), band('b', [[127, '06:00', '22:00']])])).toEqual([]);
  });
});
