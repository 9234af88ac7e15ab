import { inFile, type Mutant } from './mutant.ts';

const notices = 'server/energy/measure-energy.test.ts';
const registers = inFile('server/energy/measure-energy.rules.ts', 'server/energy/registers.test.ts');
const glitches = inFile('server/energy/measure-energy.rules.ts', notices);
const measure = inFile('server/energy/measure-energy.rules.ts', notices);
const power = inFile('server/energy/measure-energy.rules.ts', notices);
const rules = inFile('server/energy/energy.rules.ts', 'server/energy/registers.test.ts');
const removed = inFile('server/energy/remove-readings.ts', 'test/integration/removals.test.ts');
const demand = inFile('server/energy/power.rules.ts', 'server/energy/demand.test.ts');

/** energy-and-cost 1 to 6. */
export const energyMutants: readonly Mutant[] = [
  removed(
    'removed-rows-keep-spans',
    'energy-and-cost, 2 from the first register reading to the last',
    "if (kind === 'readings') await narrowReadings(tx, removal, spans);\n  else",
    "if (kind === 'intervals')",
    'are those of what is left',
  ),
  removed(
    'removed-rows-not-dirty',
    'energy-and-cost, 5 no read is ever stale',
    '  await tx.send([insertDirtyRanges(tx, rangeColumns(dirty))]);\n',
    '',
    'are those of what is left',
  ),
  registers('jitter-floor', 'energy-and-cost, 2 jitter', 'Math.max(0.1, 0.001 * kwh)', 'Math.max(0.01, 0.001 * kwh)'),
  registers('jitter-share', 'energy-and-cost, 2 jitter', 'Math.max(0.1, 0.001 * kwh)', '0.1'),
  registers(
    'jitter-without-tolerance',
    'energy-and-cost, 2 tolerance',
    'isAtMost(a - b, jitterOf(a))',
    'a - b <= jitterOf(a)',
  ),
  registers(
    'jitter-loses-the-step-down',
    'energy-and-cost, 2 jitter keeps the net',
    '{ kwh: differenceOf(b, a), flag: null }',
    '{ kwh: Math.max(0, differenceOf(b, a)), flag: null }',
  ),
  glitches('glitch-of-two', 'energy-and-cost, 2 glitches', 'longestGlitch = 3', 'longestGlitch = 2'),
  glitches('glitch-of-four', 'energy-and-cost, 2 glitches', 'longestGlitch = 3', 'longestGlitch = 4'),
  registers(
    'glitch-of-any-duration',
    'energy-and-cost, 2 glitches last at most 1 h',
    'c.timeMicros - first.timeMicros > glitchPatienceMicros',
    'c.timeMicros - first.timeMicros > 24 * glitchPatienceMicros',
  ),
  registers(
    'glitch-before-a-start-from-zero',
    'energy-and-cost, 2 glitches, a > 0',
    'c === undefined || a.kwh <= 0',
    'c === undefined || a.kwh < 0',
  ),
  registers('glitch-before-a-jump', 'energy-and-cost, 2 glitches, c <= 1.1 a', '1.1 * a.kwh', '11 * a.kwh'),
  registers(
    'glitch-never-a-spike',
    'energy-and-cost, 2 glitches, > c / 0.9',
    '!isLess(kwh, 0.9 * a.kwh) && !isLess(c.kwh / 0.9, kwh)',
    '!isLess(kwh, 0.9 * a.kwh)',
  ),
  glitches('glitch-counts', 'energy-and-cost, 2 glitches are dropped', 'if (isGlitch[at] === true) continue;', ''),
  registers('step-back-bound', 'energy-and-cost, 2 stepBack', 'isAtMost(0.9 * a, b)', 'isAtMost(0.5 * a, b)'),
  registers('step-back-is-a-reset', 'energy-and-cost, 2 stepBack', 'isAtMost(0.9 * a, b)', 'isAtMost(a, b)'),
  registers(
    'rollover-counts-from-zero',
    'energy-and-cost, 2 rollover',
    'kwh: differenceOf(registerMaxKwh, a) + b',
    'kwh: b',
  ),
  registers(
    'rollover-from-anywhere',
    'energy-and-cost, 2 rollover, a >= 0.9 max',
    'isAtMost(0.9 * registerMaxKwh, a)',
    'isAtMost(0.1 * registerMaxKwh, a)',
  ),
  registers(
    'rollover-to-anywhere',
    'energy-and-cost, 2 rollover, b <= 0.1 max',
    'isAtMost(b, 0.1 * registerMaxKwh)',
    'isAtMost(b, 0.8 * registerMaxKwh)',
  ),
  registers(
    'reset-counts-nothing',
    'energy-and-cost, 2 reset',
    "{ kwh: b, flag: 'reset' }",
    "{ kwh: 0, flag: 'reset' }",
  ),
  registers('reset-without-a-flag', 'energy-and-cost, 2 reset', "{ kwh: b, flag: 'reset' }", '{ kwh: b, flag: null }'),
  registers(
    'implausible-counts',
    'energy-and-cost, 2 implausible',
    "{ ...step, kwh: 0, flag: 'implausible' }",
    "{ ...step, flag: 'implausible' }",
  ),
  registers('implausible-bound', 'energy-and-cost, 2 implausible, 1.2 x', '1.2 * ratedPowerKw', '1.0 * ratedPowerKw'),
  registers(
    'implausible-bound-above',
    'energy-and-cost, 2 implausible, 1.2 x',
    '1.2 * ratedPowerKw',
    '2 * ratedPowerKw',
  ),

  measure(
    'null-register-is-zero',
    'energy-and-cost, 2 a register reading that is null is none',
    'if (kwh !== null) found.push({ timeMicros: reading.timeMicros, kwh });',
    'found.push({ timeMicros: reading.timeMicros, kwh: kwh ?? 0 });',
  ),
  measure(
    'zero-register-is-null',
    'energy-and-cost, 2 a register reading that is null is none',
    'if (kwh !== null) found.push',
    'if (kwh) found.push',
  ),
  measure(
    'step-at-the-end-is-lost',
    'energy-and-cost, 3 a range counts E(to) - E(from)',
    'toMicros <= grid.startMicros || fromMicros >= end',
    'toMicros <= grid.startMicros || toMicros >= end',
  ),
  inFile('server/energy/energy.rules.ts', notices)(
    'gap-limit-without-interval',
    'energy-and-cost, 3 gap limit of 3 intervals',
    '3 * (expectedIntervalSeconds ?? 600)',
    '3 * 600',
  ),
  inFile('server/energy/energy-reader.ts', 'test/integration/ranges.test.ts')(
    'cut-by-time',
    'energy-and-cost, 3 a range counts what the readings say between its instants',
    'if (patch !== undefined) applyPatch(day, patch);',
    'if (patch !== undefined) estimateCut(day, cut);',
    'in every answer',
  ),
  inFile('server/energy/energy-reader.ts', 'test/integration/ranges.test.ts')(
    'cut-keeps-the-day',
    'energy-and-cost, 3 a range counts E(to) - E(from)',
    'clearOutside(day, range);',
    '',
    'in every answer',
  ),
  inFile('server/energy/energy-reader.ts', 'test/integration/ranges.test.ts')(
    'cut-without-estimate',
    'energy-and-cost, 3 a cut slot whose readings are no longer kept counts its share of time',
    'else if (estimated.has(keyOf(stored, cut))) estimateCut(day, cut);',
    '',
    'counts by its share of the time',
  ),
  inFile('server/ingest/client-ingest.ts', 'test/integration/energy-vectors.test.ts')(
    'stored-rows-change-nothing',
    'energy-and-cost, 5 a row of any age changes totals at once',
    'return [insertDirtyRanges(database, columns), recordStored(rowCount, columns)];',
    'return [recordStored(rowCount, columns)];',
    'E14 ',
  ),
  measure(
    'auto-ignores-power',
    'energy-and-cost, 2 auto: power outside the registers',
    "if (rules.energySource !== 'register') {",
    "if (rules.energySource === 'power') {",
  ),
  measure(
    'auto-counts-power-beside-registers',
    'energy-and-cost, 2 auto: the registers speak for both directions',
    "rules.energySource === 'auto' ? spans : { imported: null, exported: null }",
    '{ imported: null, exported: null }',
  ),
  measure(
    'auto-export-register-alone',
    'energy-and-cost, 2 auto: for both directions',
    'if (isWithin(spans.imported, before, b) || isWithin(spans.exported, before, b)) continue;',
    'if (isWithin(spans.imported, before, b)) continue;',
  ),
  measure(
    'export-register-ignored',
    'energy-and-cost, 1 two registers',
    "addRegister(measured, readings, 'exported', rules, grid);",
    '',
  ),
  measure(
    'power-device-uses-registers',
    'energy-and-cost, 1 energySource power',
    "if (rules.energySource !== 'power') {",
    'if (rules.energySource) {',
  ),
  measure(
    'step-in-one-slot',
    'energy-and-cost, 3 an increase is spread linearly',
    '(kwh * overlap) / duration',
    'start <= whole.fromMicros ? kwh : 0',
  ),
  measure(
    'gap-limit-reached',
    'energy-and-cost, 3 only a longer gap is interpolated',
    'toMicros - fromMicros > limit',
    'toMicros - fromMicros >= limit',
  ),
  measure(
    'gap-never-interpolated',
    'energy-and-cost, 3 interpolated',
    'if (isInterpolated) interpolated[bucket]',
    'if (false) interpolated[bucket]',
  ),
  measure(
    'gap-of-power-counts',
    'energy-and-cost, 4 energy over a gap of power is unknown',
    'const isKnown = b.timeMicros - before.timeMicros <= limit;',
    'const isKnown = b.timeMicros - before.timeMicros <= 1000 * limit;',
  ),
  measure(
    'gap-of-power-at-its-limit',
    'energy-and-cost, 4 longer than the gap limit',
    'b.timeMicros - before.timeMicros <= limit',
    'b.timeMicros - before.timeMicros < limit',
  ),
  measure(
    'gap-flag-at-the-later-reading',
    'energy-and-cost, 4 the flag of a gap is at its earlier reading',
    '{ fromMicros: timeMicros, toMicros: untilMicros }',
    '{ fromMicros: untilMicros, toMicros: timeMicros }',
  ),
  measure(
    'glitch-without-a-flag',
    'energy-and-cost, 4 flags',
    "if (isGlitch[at] === true) flag(reading.timeMicros, 'glitch');",
    'void at, reading;',
  ),
  measure(
    'flag-at-the-earlier-reading',
    'energy-and-cost, 4 flags are at their own reading',
    'flag(toMicros, step.flag)',
    'flag(fromMicros, step.flag)',
  ),

  rules('gap-limit-floor', 'energy-and-cost, 3 gap limit of 30 min', 'Math.max(1800,', 'Math.max(900,'),
  rules(
    'gap-limit-factor',
    'energy-and-cost, 3 gap limit of 3 intervals',
    '3 * (expectedIntervalSeconds',
    '2 * (expectedIntervalSeconds',
  ),

  power('power-counts-rectangles', 'energy-and-cost, 4 trapezoids', '((px + py) / 2)', 'px'),
  power(
    'power-is-not-split-where-it-crosses-zero',
    'energy-and-cost, 4 zero crossing',
    'crossing !== null && crossing > start && crossing < end',
    'false',
  ),
  power(
    'power-export-is-import',
    'energy-and-cost, 4 negative power is export',
    'add(bucket, 0, -kwh)',
    'add(bucket, -kwh, 0)',
  ),

  demand('demand-of-an-hour', 'energy-and-cost, 6 demand is energy x 4', 'kw: best * 4', 'kw: best'),
  demand(
    'demand-of-a-cut-slot-at-the-start',
    'energy-and-cost, 6 only whole slots',
    'Math.ceil((range.fromMicros - startMicros) / slotMicros)',
    'Math.floor((range.fromMicros - startMicros) / slotMicros)',
  ),
  demand(
    'demand-of-a-cut-slot-at-the-end',
    'energy-and-cost, 6 only whole slots',
    'Math.floor((range.toMicros - startMicros) / slotMicros)',
    'Math.ceil((range.toMicros - startMicros) / slotMicros)',
  ),
  demand(
    'demand-of-interpolated-slots',
    'energy-and-cost, 6 no interpolated energy',
    'kwh > best && isInterpolated[slot] === 0',
    'kwh > best',
  ),
  demand(
    'demand-latest-of-equals',
    'energy-and-cost, 6 the earliest of equals',
    'kwh > best &&',
    'kwh >= best && kwh > 0 &&',
  ),
  demand('demand-of-nothing', 'energy-and-cost, 6 imported energy > 0', 'let best = 0;', 'let best = -1;'),
  demand(
    'demand-of-interpolated-export',
    'energy-and-cost, 6 no interpolated energy',
    'interpolatedImportedKwh[slot] !== 0 || interpolatedExportedKwh[slot] !== 0',
    'interpolatedImportedKwh[slot] !== 0',
  ),
];
