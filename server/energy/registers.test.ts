import { describe, expect, it } from 'vitest';
import { type EnergyRules, gapLimitMicros, microsPerHour } from './energy.rules.ts';
import { findGlitches, registerSteps } from './measure-energy.rules.ts';

const rules: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};
const minuteMicros = microsPerHour / 60;

/** The increases of registers that are read every `minutes`, and their flags; glitches are dropped first. */
function increasesOf(registers: readonly number[], own: Partial<EnergyRules> = {}, minutes = 60) {
  const readings = registers.map((kwh, at) => ({ timeMicros: at * minutes * minuteMicros, kwh }));
  return registerSteps(readings, findGlitches(readings), { ...rules, ...own }).map(({ kwh, flag }) => [kwh, flag]);
}

/** By position. */
const glitchesOf = (registers: readonly number[], minutes = 1) =>
  findGlitches(registers.map((kwh, at) => ({ timeMicros: at * minutes * minuteMicros, kwh }))).flatMap((is, at) =>
    is ? [at] : [],
  );

describe('energy-and-cost 2: the increase between two readings', () => {
  it.each([
    ['a step down of 0.05 kWh at 10 kWh is jitter, of at least 0.1 kWh', [10, 9.95], -0.05, null],
    ['a step down of 0.15 kWh at 10 kWh is more than jitter', [10, 9.85], 0, 'stepBack'],
    ['a step down of a thousandth is jitter', [1000, 999], -1, null],
    ['a step down of more than a thousandth is not', [1000, 998.9], 0, 'stepBack'],
    ['1.1 less 1.0 is 0.1, also in binary', [1.1, 1], -0.1, null],
    ['down to nine tenths is a step back', [100, 90], 0, 'stepBack'],
    ['below nine tenths is a reset', [100, 89], 89, 'reset'],
  ])('%s', (_rule, registers, kwh, flag) => {
    expect(increasesOf(registers)).toEqual([[expect.closeTo(kwh, 9), flag]]);
  });

  it.each([
    ['from nine tenths of the maximum to one tenth', [900, 100], 200, 'rollover'],
    ['from below nine tenths', [899, 50], 50, 'reset'],
    ['to above one tenth', [950, 101], 101, 'reset'],
  ])('a register of at most 1000 kWh %s', (_rule, registers, kwh, flag) => {
    expect(increasesOf(registers, { registerMaxKwh: 1000 })).toEqual([[expect.closeTo(kwh, 9), flag]]);
  });

  it.each([
    [12, 12, null],
    [12.1, 0, 'implausible'],
  ])(
    '%s kWh in an hour at a rated power of 10 kW counts as %s: 1.2 times as much is plausible',
    (kwh, counted, flag) => {
      expect(increasesOf([100, 100 + kwh], { ratedPowerKw: 10 })).toEqual([[expect.closeTo(counted, 9), flag]]);
    },
  );
});

describe('energy-and-cost 2: a run of readings is a glitch', () => {
  it.each([
    ['only after a register above 0', [0, 5, 0], []],
    ['if the register then goes on: up to a tenth above', [100, 0, 110], [1]],
    ['not if it then is far above', [100, 0, 200], []],
    ['if the register then is at most jitter below', [100, 0, 99.9], [1]],
    ['not if it then is further below', [100, 0, 99.8], []],
    ['if each reading is below nine tenths', [100, 90, 100], []],
    ['or above what follows by a ninth', [100, 112, 100], [1]],
    ['not if one is above it by less', [100, 111, 100], []],
  ])('%s', (_rule, registers, glitches) => {
    expect(glitchesOf(registers)).toEqual(glitches);
  });

  it.each([
    [60, [1]],
    [61, []],
  ])('with the reading after it %s min after its first one: at most 1 h', (minutes, glitches) => {
    expect(glitchesOf([100, 0, 100], minutes)).toEqual(glitches);
  });
});

describe('energy-and-cost 3: the gap limit', () => {
  it.each([
    [null, 30],
    [60, 30],
    [600, 30],
    [900, 45],
    [3600, 180],
  ])('of a device that should report every %s s is %s min', (expectedIntervalSeconds, minutes) => {
    expect(gapLimitMicros({ ...rules, expectedIntervalSeconds })).toBe(minutes * minuteMicros);
  });
});
