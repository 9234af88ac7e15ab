import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerSpans } from '../../test/support/register-spans.ts';
import { demand, energy, ranges, rulesOf, type VectorReading } from '../../test/support/vectors.ts';
import { markInterpolated, peakDemand } from './power.rules.ts';
import { type EnergyReading, type EnergyRules, type Grid, slotMicros, energyColumns } from './energy.rules.ts';
import { measureEnergy } from './measure-energy.rules.ts';

const micros = (time: string) => Date.parse(time) * 1000;
const instant = (at: number) => new Date(at / 1000).toISOString().replace('.000Z', 'Z');

/** By time; of readings with the same time, the first. */
function inOrder(readings: readonly EnergyReading[]): EnergyReading[] {
  const seen = new Set<number>();
  const first = readings.filter(({ timeMicros }) => !seen.has(timeMicros) && seen.add(timeMicros));
  return first.toSorted((a, b) => a.timeMicros - b.timeMicros);
}

const readingsOf = (rows: readonly VectorReading[]) =>
  inOrder(
    rows.map((row) => ({
      timeMicros: micros(row.time),
      activePowerKw: row.activePowerKw,
      importedKwh: row.energyImportedKwh ?? null,
      exportedKwh: row.energyExportedKwh ?? null,
    })),
  );

/** Whole days around the readings. */
function gridOf(readings: readonly EnergyReading[]): Grid {
  const day = 96 * slotMicros;
  const start = Math.floor((readings[0]?.timeMicros ?? 0) / day) * day;
  const end = (Math.floor((readings.at(-1)?.timeMicros ?? 0) / day) + 1) * day;
  return { startMicros: start, widthMicros: slotMicros, count: (end - start) / slotMicros };
}

const measureAll = (readings: readonly EnergyReading[], rules: EnergyRules, grid = gridOf(readings)) =>
  measureEnergy(readings, rules, registerSpans(readings), grid);

/** One bucket between two instants. */
const between = (from: number, to: number): Grid => ({ startMicros: from, widthMicros: to - from, count: 1 });
const total = (values: Float64Array) => values.reduce((all, value) => all + value, 0);

describe('energy-and-cost.md 1 to 5: vectors', () => {
  it.each(energy)('$id $what', ({ device, readings: rows, expect: wanted }) => {
    const readings = readingsOf(rows);
    const grid = gridOf(readings);
    const measured = measureAll(readings, rulesOf(device), grid);
    expect(total(measured.importedKwh)).toBeCloseTo(wanted.importedKwh, 6);
    expect(total(measured.exportedKwh)).toBeCloseTo(wanted.exportedKwh, 6);
    const interpolatedKwh = total(measured.interpolatedImportedKwh) + total(measured.interpolatedExportedKwh);
    expect(interpolatedKwh).toBeCloseTo(wanted.interpolatedKwh, 6);
    expect(measured.flags.map(({ timeMicros, kind }) => ({ time: instant(timeMicros), kind }))).toEqual(wanted.flags);
    const slots = [...measured.importedKwh.keys()].flatMap((at) => {
      const [importedKwh = 0, exportedKwh = 0] = [measured.importedKwh[at], measured.exportedKwh[at]];
      if (Math.abs(importedKwh) < 1e-9 && Math.abs(exportedKwh) < 1e-9) return [];
      return [{ start: instant(grid.startMicros + at * slotMicros), importedKwh, exportedKwh }];
    });
    const near = (value: number) => expect.closeTo(value, 6);
    expect(slots).toEqual(
      wanted.slots.map(({ start, importedKwh, exportedKwh }) => ({
        start,
        importedKwh: near(importedKwh),
        exportedKwh: near(exportedKwh),
      })),
    );
  });

  it.each(ranges)('$id $what', ({ device, readings: rows, from, to, expect: wanted }) => {
    const measured = measureAll(readingsOf(rows), rulesOf(device), between(micros(from), micros(to)));
    expect({
      importedKwh: total(measured.importedKwh),
      exportedKwh: total(measured.exportedKwh),
      interpolatedKwh: total(measured.interpolatedImportedKwh) + total(measured.interpolatedExportedKwh),
    }).toEqual({
      importedKwh: expect.closeTo(wanted.importedKwh, 6),
      exportedKwh: expect.closeTo(wanted.exportedKwh, 6),
      interpolatedKwh: expect.closeTo(wanted.interpolatedKwh, 6),
    });
  });

  it.each(demand)('$id $what', ({ device, readings: rows, expect: wanted }) => {
    const readings = readingsOf(rows);
    const grid = gridOf(readings);
    const measured = measureAll(readings, rulesOf(device), grid);
    const isInterpolated = new Uint8Array(grid.count);
    markInterpolated(isInterpolated, measured);
    const peak = peakDemand(
      { importedKwh: measured.importedKwh, isInterpolated, startMicros: grid.startMicros },
      { fromMicros: grid.startMicros, toMicros: grid.startMicros + grid.count * slotMicros },
    );
    expect([peak?.kw, peak && instant(peak.slotStartMicros)]).toEqual([expect.closeTo(wanted.kw, 6), wanted.slot]);
  });
});

const noValues = new Float64Array();
const start = micros('2026-03-10T00:00:00Z');
const minute = 60_000_000;
const rules: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

/** A day of a meter that glitches, resets, falls silent and has registers only now and then. */
const hostileReadings = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 1439 }),
      activePowerKw: fc.integer({ min: -50, max: 50 }),
      importedKwh: fc.option(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0, 1000, 1000.2, 99_999))),
      exportedKwh: fc.option(fc.integer({ min: 0, max: 5 })),
    }),
    { maxLength: 60 },
  )
  .map((rows) => inOrder(rows.map(({ minutes, ...row }) => ({ ...row, timeMicros: start + minutes * minute }))));
const anyRules = fc.record<EnergyRules>({
  energySource: fc.constantFrom('auto', 'register', 'power'),
  ratedPowerKw: fc.option(fc.constantFrom(5, 100)),
  registerMaxKwh: fc.option(fc.constantFrom(1000, 100_000)),
  expectedIntervalSeconds: fc.option(fc.constantFrom(60, 3600)),
});
const day: Grid = { startMicros: start, widthMicros: slotMicros, count: 96 };

describe('energy-and-cost.md: laws', () => {
  it('conservation: the slots of a register that only grows add up to its own difference', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 1439 }), kwh: fc.integer({ min: 0, max: 900 }) }), {
          minLength: 2,
          maxLength: 50,
        }),
        (rows) => {
          const grown = inOrder(
            rows.map((row) => ({
              timeMicros: start + row.minutes * minute,
              activePowerKw: 1,
              importedKwh: 0,
              exportedKwh: null,
            })),
          );
          // From 10,000 on, no growth of these sizes is a glitch.
          let register = 10_000;
          const readings = grown.map((reading, at) => {
            const importedKwh = register;
            register += rows[at]?.kwh ?? 0;
            return { ...reading, importedKwh };
          });
          const difference = (readings.at(-1)?.importedKwh ?? 0) - (readings[0]?.importedKwh ?? 0);
          expect(total(measureAll(readings, rules, day).importedKwh)).toBeCloseTo(difference, 6);
        },
      ),
    );
  });

  it('a bucket is the same, to the bit, in any surrounding grid', () => {
    fc.assert(
      fc.property(
        hostileReadings,
        anyRules,
        fc.integer({ min: 0, max: 95 }),
        fc.integer({ min: 1, max: 96 }),
        (readings, own, first, length) => {
          const count = Math.min(length, 96 - first);
          const part: Grid = { startMicros: start + first * slotMicros, widthMicros: slotMicros, count };
          const [whole, cut] = [measureAll(readings, own, day), measureAll(readings, own, part)];
          expect(cut.importedKwh).toEqual(whole.importedKwh.slice(first, first + count));
          expect(cut.exportedKwh).toEqual(whole.exportedKwh.slice(first, first + count));
          for (const name of ['interpolatedImportedKwh', 'interpolatedExportedKwh'] as const) {
            expect(cut[name]).toEqual(whole[name].slice(first, first + count));
          }
          const end = part.startMicros + count * slotMicros;
          expect(cut.flags).toEqual(
            whole.flags.filter(
              ({ timeMicros, untilMicros }) => timeMicros < end && (untilMicros ?? timeMicros + 1) > part.startMicros,
            ),
          );
        },
      ),
    );
  });

  it('two buckets that meet at any instant add up to the one that spans both', () => {
    const anyInstant = fc.integer({ min: start, max: start + 96 * slotMicros });
    fc.assert(
      fc.property(
        hostileReadings,
        anyRules,
        fc.uniqueArray(anyInstant, { minLength: 3, maxLength: 3 }),
        (readings, own, instants) => {
          const [from = 0, middle = 0, to = 0] = instants.toSorted((a, b) => a - b);
          const [first, second, both] = [between(from, middle), between(middle, to), between(from, to)].map((grid) =>
            measureAll(readings, own, grid),
          );
          for (const name of energyColumns) {
            expect(total(first?.[name] ?? noValues) + total(second?.[name] ?? noValues)).toBeCloseTo(
              total(both?.[name] ?? noValues),
              6,
            );
          }
        },
      ),
    );
  });

  it('the buckets of minutes add up to the slots', () => {
    fc.assert(
      fc.property(hostileReadings, anyRules, (readings, own) => {
        const slots = measureAll(readings, own, day);
        const minutes = measureAll(readings, own, { startMicros: start, widthMicros: minute, count: 1440 });
        for (let slot = 0; slot < 96; slot += 1) {
          expect(total(minutes.importedKwh.slice(slot * 15, slot * 15 + 15))).toBeCloseTo(
            slots.importedKwh[slot] ?? 0,
            6,
          );
        }
      }),
    );
  });

  it('power: import less export is the integral of the power', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 90 }), (powers) => {
        const readings = powers.map((activePowerKw, at) => ({
          timeMicros: start + at * 7 * minute,
          activePowerKw,
          importedKwh: null,
          exportedKwh: null,
        }));
        const measured = measureAll(readings, rules, day);
        let integral = 0;
        for (let at = 1; at < powers.length; at += 1) {
          integral += ((((powers[at] ?? 0) + (powers[at - 1] ?? 0)) / 2) * 7) / 60;
        }
        expect(total(measured.importedKwh) - total(measured.exportedKwh)).toBeCloseTo(integral, 6);
        expect(Math.min(...measured.importedKwh, ...measured.exportedKwh)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('energy-and-cost.md 1 to 4: what counts', () => {
  /** At 10 kW, read every `minutes`. */
  const read = (registers: readonly Partial<EnergyReading>[], minutes = 15) =>
    registers.map((own, at) => ({
      timeMicros: start + at * minutes * minute,
      activePowerKw: 10,
      importedKwh: null,
      exportedKwh: null,
      ...own,
    }));
  const importOf = (readings: readonly EnergyReading[], own: Partial<EnergyRules> = {}) =>
    total(measureAll(readings, { ...rules, ...own }, day).importedKwh);

  it.each([
    ['power', 2.5],
    ['register', 7],
    ['auto', 7],
  ] as const)('of a device whose energySource is %s: %s kWh', (energySource, kwh) => {
    expect(importOf(read([{ importedKwh: 100 }, { importedKwh: 107 }]), { energySource })).toBeCloseTo(kwh, 9);
  });

  it('auto: if one direction has a register, power does not count for the other', () => {
    expect(importOf(read([{ exportedKwh: 100 }, { exportedKwh: 107 }]))).toBe(0);
    expect(importOf(read([{ exportedKwh: 100 }, { exportedKwh: 107 }, {}]))).toBeCloseTo(2.5, 9);
  });

  it.each([
    [30, 0],
    [31, 7],
  ])('an increase over %s min has %s kWh of interpolated energy: the limit is 30 min', (minutes, kwh) => {
    const measured = measureAll(read([{ importedKwh: 100 }, { importedKwh: 107 }], minutes), rules, day);
    expect(total(measured.interpolatedImportedKwh)).toBeCloseTo(kwh, 9);
    expect(total(measured.importedKwh)).toBeCloseTo(7, 9);
  });

  it.each([
    [30, 5, 0],
    [31, 0, 1],
  ])('power over %s min counts %s kWh and has %s gaps: the limit is 30 min', (minutes, kwh, gaps) => {
    const measured = measureAll(read([{}, {}], minutes), rules, day);
    expect(total(measured.importedKwh)).toBeCloseTo(kwh, 9);
    expect(measured.flags).toHaveLength(gaps);
  });
});
