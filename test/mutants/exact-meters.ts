import { inFile, type Mutant } from './mutant.ts';

/** The rules of energy and demand, checked by generated meters with an exact reference. */
export const exactMutants: readonly Mutant[] = [
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-glitch-of-two',
    'energy-and-cost, 2 glitches',
    'longestGlitch = 3',
    'longestGlitch = 2',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-step-back',
    'energy-and-cost, 2 stepBack',
    "return { kwh: 0, flag: 'stepBack' };",
    "return { kwh: b - a, flag: 'stepBack' };",
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-rollover',
    'energy-and-cost, 2 rollover',
    'kwh: differenceOf(registerMaxKwh, a) + b',
    'kwh: b',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-reset',
    'energy-and-cost, 2 reset',
    "{ kwh: b, flag: 'reset' }",
    "{ kwh: 0, flag: 'reset' }",
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-implausible',
    'energy-and-cost, 2 implausible',
    'isLess(1.2 * ratedPowerKw',
    'isLess(12_000 * ratedPowerKw',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-pro-rata',
    'energy-and-cost, 3 split pro rata',
    'overlap === duration ? kwh : (kwh * overlap) / duration',
    'start <= whole.fromMicros ? kwh : 0',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-not-interpolated',
    'energy-and-cost, 3 interpolated',
    'if (isInterpolated) interpolated[bucket] = (interpolated[bucket] ?? 0) + share;',
    '',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-power-beside-registers',
    'energy-and-cost, 2 auto',
    'if (isWithin(spans.imported, before, b) || isWithin(spans.exported, before, b)) continue;',
    '',
  ),
  inFile('server/energy/energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-gap-limit',
    'energy-and-cost, 3 gap limit',
    '3 * (expectedIntervalSeconds ?? 600)',
    '3 * 600',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-zero-crossing',
    'energy-and-cost, 4 split where it crosses',
    'const parts = isSplit ? [start, crossing, end] : [start, end];',
    'const parts = [start, end];',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-export-lost',
    'energy-and-cost, 4 negative is export',
    'else add(bucket, 0, -kwh);',
    '',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-first-bucket',
    'energy-and-cost, 4 split at slot edges',
    'Math.floor((a.timeMicros - startMicros) / widthMicros)',
    'Math.ceil((a.timeMicros - startMicros) / widthMicros)',
  ),
  inFile('server/energy/power.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-demand',
    'energy-and-cost, 6 energy of a slot x 4',
    'kw: best * 4',
    'kw: best',
  ),
  inFile('server/energy/power.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-demand-interpolated',
    'energy-and-cost, 6 no interpolated energy',
    '&& isInterpolated[slot] === 0',
    '',
  ),
  inFile('server/rates/tariffs.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-day-share',
    'energy-and-cost, 7 its share of a day of 23, 24 or 25 h',
    'share: (toMicros - fromMicros) / (end - micros),',
    'share: (toMicros - fromMicros) / dayMicros,',
  ),
  inFile('server/rates/costs.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-cut-slot-price',
    'energy-and-cost, 7 splits the slot pro rata',
    'const length = Math.min(start + slotMicros, range.toMicros) - Math.max(start, range.fromMicros);',
    'const length = slotMicros;',
  ),
  inFile('server/rates/costs.rules.ts', 'server/energy/exact-meters.test.ts')(
    'exact-cut-slot-whole',
    'energy-and-cost, 7 splits the slot pro rata',
    'addCut(first++, ofFirst)',
    'addCut(first++, 1)',
  ),
];
