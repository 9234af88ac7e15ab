import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePowerKw, knownParts, listPowerParts, measuredHours } from './power.rules.ts';
import { calendarRange, rangesOf } from '../base/ranges.ts';
import { microsPerHour } from './energy.rules.ts';

const hours = (from: number, to: number) => ({ fromMicros: from * microsPerHour, toMicros: to * microsPerHour });
const span = (from: number, to: number) => ({ firstMicros: from * microsPerHour, lastMicros: to * microsPerHour });
/** A device at a site that has had the whole range, or this many hours of it. */
const part = (
  importedKwh: number,
  known: ReturnType<typeof hours>[],
  exportedKwh = 0,
  passed: number | null = null,
) => ({
  passedMicros: passed && passed * microsPerHour,
  energy: { importedKwh, exportedKwh },
  known,
});

const rules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
} as const;

describe('the average power of a range', () => {
  it('leaves out the hours without measurements: before the first reading, after the last, in gaps', () => {
    const known = knownParts(hours(0, 8760), span(100, 200), [hours(120, 140), hours(150, 160)]);
    expect(known).toEqual([hours(100, 120), hours(140, 150), hours(160, 200)]);
    expect(averagePowerKw([part(140, known)])).toBe(2);
  });

  it('counts hours from the first reading to the last within the range, without gaps of unknown energy', () => {
    const range = hours(0, 24);
    expect(
      [span(5, 9), span(-3, 9), span(20, 100), span(30, 40), null].map((one) => measuredHours(range, one, [])),
    ).toEqual([4, 9, 4, 0, 0]);
    expect(measuredHours(range, span(-3, 20), [hours(-1, 2), hours(5, 11), hours(19, 30)])).toBe(11);
  });

  it('is import minus export', () => {
    expect(averagePowerKw([part(48, [hours(0, 24)], 12)])).toBe(1.5);
  });

  it('never adds the averages of devices that measured at different times', () => {
    // Two devices of 4 kW and 2 kW, measured half a day each: 3 kW on average, not 6.
    expect(averagePowerKw([part(48, [hours(0, 12)]), part(24, [hours(12, 24)])])).toBe(3);
    // If both measured at the same time, it is 6.
    expect(averagePowerKw([part(48, [hours(0, 12)]), part(24, [hours(0, 12)])])).toBe(6);
  });

  it('treats a date in each zone as one day, and leaves out sub-meters and gaps of others', () => {
    const spans = { any: span(0, 48), imported: null, exported: null, intervals: null };
    const devices = [
      { number: 1, timeZone: 'Etc/GMT-9', countedIn: null, rules, spans },
      { number: 2, timeZone: 'Etc/GMT+5', countedIn: null, rules, spans },
      { number: 3, timeZone: 'Etc/GMT+5', countedIn: 'main', rules, spans },
    ];
    const ranges = rangesOf(calendarRange({ fromDate: '1970-01-02', toDate: '1970-01-03' }), []);
    const gap = { deviceNumber: 2, kind: 'gap', timeMicros: 30 * microsPerHour, untilMicros: 31 * microsPerHour };
    const energyOf = (number: number) => ({ importedKwh: number, exportedKwh: 0 });
    const partsAt = (nowHour: number) =>
      listPowerParts(devices, ranges, { flags: [gap], nowMicros: nowHour * microsPerHour, energyOf });
    expect(partsAt(1000)).toEqual([part(1, [hours(0, 24)]), part(2, [hours(0, 1), hours(2, 19)])]);
    // Tokyo's day is over when New York's has lasted 11 hours.
    expect(partsAt(40).map(({ passedMicros }) => passedMicros && passedMicros / microsPerHour)).toEqual([null, 11]);
  });

  it('adds up sites whose days have progressed differently: time still to come is not time without power', () => {
    expect(averagePowerKw([part(96, [hours(0, 24)]), part(44, [hours(0, 11)], 0, 11)])).toBe(8);
    // A day on which one of them stopped at 11 is different.
    expect(averagePowerKw([part(96, [hours(0, 24)]), part(48, [hours(0, 11)])])).toBe(6);
  });

  it('does not double in a completed month that is an hour longer at one of its sites', () => {
    const ranges = rangesOf(calendarRange({ fromDate: '2026-10-01', toDate: '2026-11-01' }), []);
    const middle = Date.parse('2026-10-16T00:00Z') * 1000;
    // One meter replaces the other.
    const devices = ['Europe/Berlin', 'America/New_York'].map((timeZone, number) => {
      const { fromMicros, toMicros } = ranges.of(timeZone);
      const any = { firstMicros: number === 0 ? fromMicros : middle, lastMicros: number === 0 ? middle : toMicros };
      return {
        number,
        timeZone,
        countedIn: null,
        rules,
        spans: { any, imported: null, exported: null, intervals: null },
      };
    });
    const energyOf = (number: number) => {
      const { firstMicros, lastMicros } = devices[number]?.spans.any ?? { firstMicros: 0, lastMicros: 0 };
      return { importedKwh: (10 * (lastMicros - firstMicros)) / microsPerHour, exportedKwh: 0 };
    };
    const now = { flags: [], nowMicros: Date.parse('2026-11-25') * 1000, energyOf };
    expect(averagePowerKw(listPowerParts(devices, ranges, now))).toBeCloseTo(10, 0);
  });

  it('is unknown if nothing is known', () => {
    expect(averagePowerKw([])).toBeNull();
    expect(averagePowerKw([part(0, [])])).toBeNull();
    expect(knownParts(hours(0, 24), null, [])).toEqual([]);
    expect(knownParts(hours(0, 24), span(30, 40), [])).toEqual([]);
    expect(knownParts(hours(0, 24), span(5, 5), [])).toEqual([]);
  });

  it('known time and gaps make up the time between the first and the last reading', () => {
    const hour = fc.integer({ min: 0, max: 200 });
    const pair = fc.tuple(hour, hour).map(([a, b]) => hours(Math.min(a, b), Math.max(a, b)));
    fc.assert(
      fc.property(pair, pair, fc.array(pair, { maxLength: 6 }), (range, own, gaps) => {
        const parts = knownParts(range, { firstMicros: own.fromMicros, lastMicros: own.toMicros }, gaps);
        const isIn = (at: number, one: { fromMicros: number; toMicros: number }) =>
          one.fromMicros <= at && at < one.toMicros;
        for (let at = microsPerHour / 2; at < 201 * microsPerHour; at += microsPerHour) {
          const isKnown = isIn(at, range) && isIn(at, own) && !gaps.some((gap) => isIn(at, gap));
          expect(parts.filter((part) => isIn(at, part)).length).toBe(isKnown ? 1 : 0);
        }
      }),
    );
  });
});
