import fc from 'fast-check';
import type { EnergyReading, EnergyRules } from '../../server/energy/energy.rules.ts';

const minute = 60_000_000;

/** Some hours of a register that glitches all the time, in runs that touch each other. */
const glitchingReadings = (start: number) =>
  fc
    .array(
      fc.record({
        minutes: fc.integer({ min: 0, max: 150 }),
        importedKwh: fc.option(fc.constantFrom(0, 10, 1000, 1000.5, 1001, 1040, 5000, 99_999), { freq: 9 }),
      }),
      { minLength: 4, maxLength: 60 },
    )
    .map((rows) =>
      rows.map(({ minutes, importedKwh }): EnergyReading => ({
        timeMicros: start + minutes * minute,
        activePowerKw: 1,
        importedKwh,
        exportedKwh: null,
      })),
    );
/** Days of a meter that glitches, resets, pauses for long, and has registers only sometimes. */
const silentReadings = (start: number) =>
  fc
    .array(
      fc.record({
        minutes: fc.oneof(
          fc.integer({ min: 0, max: 240 }),
          fc.integer({ min: 0, max: 5 * 1440 - 1 }),
          fc.constantFrom(1439, 1440, 1441),
        ),
        activePowerKw: fc.integer({ min: -50, max: 50 }),
        importedKwh: fc.option(
          fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0, 1000, 1000.2, 1000.4, 1001, 99_999)),
        ),
        exportedKwh: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 }),
      }),
      { minLength: 1, maxLength: 70 },
    )
    .map((rows) =>
      rows.map(({ minutes, ...row }): EnergyReading => ({ ...row, timeMicros: start + minutes * minute })),
    );
/** Readings of a meter with every fault, from an instant on (epoch microseconds). */
export const hostileReadingsFrom = (start: number): fc.Arbitrary<EnergyReading[]> =>
  fc.oneof(glitchingReadings(start), silentReadings(start));

export const anyRules = fc.record<EnergyRules>({
  energySource: fc.constantFrom('auto', 'register', 'power'),
  ratedPowerKw: fc.option(fc.constantFrom(5, 100)),
  registerMaxKwh: fc.option(fc.constantFrom(1000, 100_000)),
  expectedIntervalSeconds: fc.option(fc.constantFrom(60, 3600)),
});
