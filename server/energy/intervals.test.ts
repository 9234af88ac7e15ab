import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerSpans } from '../../test/support/register-spans.ts';
import { intervalCases, rulesOf } from '../../test/support/vectors.ts';
import {
  type EnergyReading,
  type EnergyRules,
  type Grid,
  slotMicros,
  energyColumns,
  gapsOfIntervals,
  type IntervalEnergy,
  partsOutside,
} from './energy.rules.ts';
import { measureEnergy } from './measure-energy.rules.ts';

const micros = (time: string) => Date.parse(time) * 1000;
const instant = (at: number) => new Date(at / 1000).toISOString().replace('.000Z', 'Z');
const total = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
const day = 96 * slotMicros;
const usual: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

describe('the energy of intervals (docs/energy.md)', () => {
  it.each(intervalCases)('$id $what', ({ device, intervals: sent, readings: rows, expect: wanted }) => {
    const intervals = sent.map(({ from, to, importedKwh = 0, exportedKwh = 0 }) => ({
      fromMicros: micros(from),
      toMicros: micros(to),
      importedKwh,
      exportedKwh,
    }));
    const readings = rows.map((row) => ({
      timeMicros: micros(row.time),
      activePowerKw: row.activePowerKw,
      importedKwh: row.energyImportedKwh ?? null,
      exportedKwh: row.energyExportedKwh ?? null,
    }));
    const first = Math.floor(Math.min(...intervals.map(({ fromMicros }) => fromMicros)) / day) * day;
    const grid = { startMicros: first, widthMicros: slotMicros, count: 3 * 96 };
    const measured = measureEnergy(readings, rulesOf(device), registerSpans(readings), grid, intervals);
    expect(total(measured.importedKwh)).toBeCloseTo(wanted.importedKwh, 6);
    expect(total(measured.exportedKwh)).toBeCloseTo(wanted.exportedKwh, 6);
    const interpolated = total(measured.interpolatedImportedKwh) + total(measured.interpolatedExportedKwh);
    expect(interpolated).toBeCloseTo(wanted.interpolatedKwh, 6);
    expect(measured.flags.map(({ timeMicros, kind }) => ({ time: instant(timeMicros), kind }))).toEqual(wanted.flags);
    const slots = [...measured.importedKwh.keys()].flatMap((at) => {
      const [importedKwh = 0, exportedKwh = 0] = [measured.importedKwh[at], measured.exportedKwh[at]];
      if (Math.abs(importedKwh) < 1e-9 && Math.abs(exportedKwh) < 1e-9) return [];
      return [{ start: instant(first + at * slotMicros), importedKwh, exportedKwh }];
    });
    expect(slots).toEqual(
      wanted.slots.map(({ start, importedKwh, exportedKwh }) => ({
        start,
        importedKwh: expect.closeTo(importedKwh, 6),
        exportedKwh: expect.closeTo(exportedKwh, 6),
      })),
    );
  });

  const start = micros('2026-03-10T00:00:00Z');
  const anyIntervals = fc
    .uniqueArray(fc.integer({ min: 0, max: 2 * 1440 }), { minLength: 2, maxLength: 40 })
    .map((minutes) =>
      minutes
        .toSorted((a, b) => a - b)
        .flatMap((from, at, all): IntervalEnergy[] => {
          const to = all[at + 1];
          // Every third is missing.
          if (to === undefined || at % 3 === 2) return [];
          const [fromMicros, toMicros] = [start + from * 60_000_000, start + to * 60_000_000];
          return [{ fromMicros, toMicros, importedKwh: (from % 7) / 4, exportedKwh: (to % 5) / 8 }];
        }),
    );
  const anyReadings = fc.uniqueArray(fc.integer({ min: 0, max: 2 * 1440 }), { maxLength: 60 }).map((minutes) =>
    minutes
      .toSorted((a, b) => a - b)
      .map((minute): EnergyReading => ({
        timeMicros: start + minute * 60_000_000,
        activePowerKw: (minute % 9) - 2,
        importedKwh: null,
        exportedKwh: null,
      })),
  );

  it('counts completely where no register has readings, whatever else is there', () => {
    fc.assert(
      fc.property(anyIntervals, (intervals) => {
        const grid = { startMicros: start, widthMicros: slotMicros, count: 3 * 96 };
        const measured = measureEnergy([], usual, registerSpans([]), grid, intervals);
        const sum = intervals.reduce((all, { importedKwh }) => all + importedKwh, 0);
        expect(total(measured.importedKwh)).toBeCloseTo(sum, 9);
      }),
    );
  });

  it('a slot is the same to the bit, whatever the grid around it', () => {
    fc.assert(
      fc.property(
        anyIntervals,
        anyReadings,
        fc.nat(190),
        fc.integer({ min: 1, max: 40 }),
        (intervals, readings, at, count) => {
          const spans = registerSpans(readings);
          const whole: Grid = { startMicros: start, widthMicros: slotMicros, count: 3 * 96 };
          const part: Grid = { startMicros: start + at * slotMicros, widthMicros: slotMicros, count };
          const end = part.startMicros + count * slotMicros;
          // Those in the grid, and the next one on both sides, as they are read.
          const before = intervals.findLastIndex(({ fromMicros }) => fromMicros <= part.startMicros);
          const after = intervals.findIndex(({ fromMicros }) => fromMicros >= end);
          const near = intervals.slice(Math.max(0, before), after === -1 ? undefined : after + 1);
          const [all, own] = [
            measureEnergy(readings, usual, spans, whole, intervals),
            measureEnergy(readings, usual, spans, part, near),
          ];
          for (const name of energyColumns) expect(own[name]).toEqual(all[name].slice(at, at + count));
          const isIn = (time: number, until: number | null) => time < end && (until ?? 0) > part.startMicros;
          expect(own.flags).toEqual(all.flags.filter(({ timeMicros, untilMicros }) => isIn(timeMicros, untilMicros)));
        },
      ),
    );
  });

  it('time between intervals and readings is a gap, and time between readings is not reported twice', () => {
    const span = (firstMicros: number, lastMicros: number) => ({ firstMicros, lastMicros });
    const range = (fromMicros: number, toMicros: number) => ({ fromMicros, toMicros });
    const gaps = (holes: [number, number][], intervals: [number, number], readings: [number, number] | null) =>
      gapsOfIntervals(
        holes.map(([from, to]) => range(from, to)),
        { intervals: span(...intervals), readings: readings && span(...readings) },
      );
    expect(gaps([[10, 20]], [0, 30], null)).toEqual([range(10, 20)]);
    expect(gaps([[10, 20]], [0, 30], [12, 15])).toEqual([range(10, 12), range(15, 20)]);
    expect(gaps([[10, 20]], [0, 30], [5, 40])).toEqual([]);
    expect(gaps([], [0, 30], [40, 50])).toEqual([range(30, 40)]);
    expect(gaps([], [40, 50], [0, 30])).toEqual([range(30, 40)]);
    expect(partsOutside(range(0, 10), [])).toEqual([range(0, 10)]);
  });
});
