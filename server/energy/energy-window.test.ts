import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRules, hostileReadingsFrom } from '../../test/support/hostile-readings.ts';
import { registerSpans } from '../../test/support/register-spans.ts';
import { type EnergyReading, type EnergyRules, slotMicros } from './energy.rules.ts';
import { barrierOf, type SideName } from './energy-window.rules.ts';
import { measureEnergy } from './measure-energy.rules.ts';

const start = Date.parse('2026-03-10T00:00:00Z') * 1000;
const slots = 5 * 96;

/** By time; of readings with the same time, the first. */
function inOrder(readings: readonly EnergyReading[]): EnergyReading[] {
  const first = new Map<number, EnergyReading>();
  for (const reading of readings) if (!first.has(reading.timeMicros)) first.set(reading.timeMicros, reading);
  return [...first.values()].toSorted((a, b) => a.timeMicros - b.timeMicros);
}

const isOn = (side: SideName, atMicros: number) => (reading: EnergyReading) =>
  side === 'before' ? reading.timeMicros < atMicros : reading.timeMicros >= atMicros;

/** The slots on the other side of an instant. */
function measureBeyond(readings: readonly EnergyReading[], rules: EnergyRules, side: SideName, slot: number) {
  const [first, end] = side === 'before' ? [slot, slots] : [0, slot];
  const grid = { startMicros: start + first * slotMicros, widthMicros: slotMicros, count: end - first };
  return measureEnergy(readings, rules, registerSpans(readings), grid);
}

describe('a barrier (energy-and-cost.md 5)', () => {
  it.each(['before', 'after'] as const)(
    '%s an instant: nothing behind it changes the slots beyond the instant',
    (side) => {
      let [barriers, changes] = [0, 0];
      fc.assert(
        fc.property(
          hostileReadingsFrom(start),
          anyRules,
          fc.integer({ min: 1, max: slots - 1 }),
          fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }),
          (hostile, rules, anySlot, stays) => {
            const all = inOrder(hostile);
            // Half of the hostile days end soon.
            const lastSlot = Math.ceil(((all.at(-1)?.timeMicros ?? start) - start) / slotMicros);
            const slot = Math.max(1, lastSlot < 40 ? anySlot % (lastSlot + 1) : anySlot);
            const atMicros = start + slot * slotMicros;
            const near = all.filter(isOn(side, atMicros));
            const beyond = registerSpans(all.filter((reading) => !near.includes(reading)));
            const known = side === 'before' ? near.slice(-16) : near.slice(0, 16);
            const barrier = barrierOf({ side, atMicros }, known, beyond, rules);
            if (barrier === null) return;
            const isBehind = ({ timeMicros }: EnergyReading) =>
              side === 'before' ? timeMicros < barrier : timeMicros > barrier;
            const without = all.filter((reading, at) => !isBehind(reading) || stays[at] === true);
            barriers += 1;
            if (without.length < all.length) changes += 1;
            expect(measureBeyond(without, rules, side, slot)).toEqual(measureBeyond(all, rules, side, slot));
          },
        ),
        { numRuns: Number(process.env['BARRIER_RUNS'] ?? 3_000) },
      );
      // Otherwise the case would prove nothing.
      expect(barriers).toBeGreaterThan(300);
      expect(changes).toBeGreaterThan(100);
    },
  );

  const registers = (count: number, kwhOf = (at: number) => 100 + at): EnergyReading[] =>
    Array.from({ length: count }, (_, at) => ({
      timeMicros: start + at * slotMicros,
      activePowerKw: 1,
      importedKwh: kwhOf(at),
      exportedKwh: null,
    }));
  const rules = { energySource: 'auto' } as const;
  const goesOn = { imported: { firstMicros: start, lastMicros: start + 99 * slotMicros }, exported: null };
  const atMicros = start + 20 * slotMicros;

  it('is the third register reading before one that three readings prove not to be a glitch', () => {
    const before = { side: 'before', atMicros } as const;
    expect(barrierOf(before, registers(20), goesOn, rules)).toBe(start + 13 * slotMicros);
    expect(barrierOf(before, registers(7), goesOn, rules)).toBe(start);
    expect(barrierOf(before, registers(6), goesOn, rules)).toBeNull();
  });

  it('is the nearest reading if no register continues beyond the instant, or if energy comes from power', () => {
    const before = { side: 'before', atMicros } as const;
    const ended = { imported: { firstMicros: start, lastMicros: atMicros - 1 }, exported: null };
    expect(barrierOf(before, registers(2), ended, rules)).toBe(start + slotMicros);
    expect(barrierOf(before, registers(2), goesOn, { energySource: 'power' })).toBe(start + slotMicros);
    expect(barrierOf(before, [], goesOn, rules)).toBeNull();
  });
});
