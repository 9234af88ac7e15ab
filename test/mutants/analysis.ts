import { inFile, type Mutant } from './mutant.ts';

const usual = inFile('server/reports/usual.rules.ts', 'server/reports/usual.test.ts');
const baseLoad = inFile('server/reports/base-load.rules.ts', 'server/reports/base-load.test.ts');
const comparison = inFile('server/rates/cost-comparison.rules.ts', 'server/rates/cost-comparison.test.ts');
const tree = inFile('server/energy/device-tree.rules.ts', 'server/energy/device-tree.test.ts');
const states = inFile('shared/states.rules.ts', 'server/fleet/fleet-trouble.test.ts');
const trouble = inFile('server/fleet/fleet-trouble.rules.ts', 'server/fleet/fleet-trouble.test.ts');
const instants = inFile('server/base/instants.ts', 'server/base/instants.test.ts');
const zones = inFile('server/base/instants.ts', 'server/base/time-zones.test.ts');
const dates = inFile('server/base/ranges.ts', 'server/base/ranges.test.ts');
const quality = inFile('server/reports/data-quality.rules.ts', 'server/reports/data-quality.test.ts');
const curve = inFile('server/reports/load-curve.rules.ts', 'server/reports/load-curve.test.ts');
const primitives = inFile('shared/primitives.ts', 'shared/primitives.test.ts');

/** docs/energy.md, and how decisions 1 and 4 read times and names. */
export const analysisMutants: readonly Mutant[] = [
  usual(
    'usual-percentile-steps',
    'docs/energy.md, Usual consumption: percentiles are linear',
    'below + (above - below) * (position - Math.floor(position))',
    'below + 0 * above',
  ),
  usual(
    'usual-counts-unmeasured-weeks',
    'docs/energy.md, Usual consumption: unknown weeks',
    'if (deviceCount > 0 && isMeasured) counts[cell] = 1;',
    'if (deviceCount > 0 || isMeasured) counts[cell] = 1;',
  ),
  usual(
    'usual-with-holidays',
    'docs/energy.md, Usual consumption: odd days are left out',
    'leaveOutOddDays(asked, all, counts);',
    '',
  ),
  usual(
    'usual-without-similar-days',
    'docs/energy.md, Usual consumption: a fifth of the median',
    'minOddShare = 0.2',
    'minOddShare = 0',
  ),
  usual(
    'usual-judges-four-days',
    'docs/energy.md, Usual consumption: five days',
    'minDaysToJudge = 5',
    'minDaysToJudge = 2',
  ),
  usual(
    'usual-fills-with-nothing',
    'docs/energy.md, Usual consumption: filled with its own median',
    'addTo(cell, taken, given);',
    'addTo(cell, 0, 0);',
  ),
  usual(
    'usual-fills-everything',
    'docs/energy.md, Usual consumption: at most a tenth is filled',
    'maxFilledShare = 0.1',
    'maxFilledShare = 0.9',
  ),
  usual(
    'usual-of-no-week',
    'docs/energy.md, Usual consumption: no week, no number',
    'if (values.length === 0) return null;',
    'if (values.length === 0) values.push(0);',
  ),
  usual(
    'usual-of-nothing-asked',
    'docs/energy.md, Usual consumption: no week, no number',
    'if (told === 0 || told < (1 - maxBorrowedShare) * asked) return null;',
    '',
  ),
  usual('usual-of-seven-weeks', 'docs/energy.md, Usual consumption: eight weeks', 'usualWeeks = 8', 'usualWeeks = 7'),
  usual(
    'usual-in-utc',
    'docs/energy.md, Usual consumption: by the clock of the zone',
    'const localOf = (slot: number) => slot + (offsets[slot - earliest] ?? 0);',
    'const localOf = (slot: number) => slot + 0 * (offsets[slot - earliest] ?? 0);',
  ),
  baseLoad(
    'base-load-of-whole-days',
    'docs/energy.md, Base load: a night is from midnight to six',
    'slotsPerNight = 24',
    'slotsPerNight = 96',
  ),
  baseLoad(
    'base-load-of-short-nights',
    'docs/energy.md, Base load: 20 measured quarter-hours',
    'minSlots = 20',
    'minSlots = 4',
  ),
  baseLoad(
    'base-load-of-two-nights',
    'docs/energy.md, Base load: at least three nights',
    'minNights = 3',
    'minNights = 2',
  ),
  baseLoad(
    'base-load-of-a-quarter-hour',
    'docs/energy.md, Base load: the quietest hour',
    'slotsPerHour = 4',
    'slotsPerHour = 1',
  ),
  baseLoad(
    'base-load-over-gaps',
    'docs/energy.md, Base load: the hour has no gap',
    'if (!isMeasured.slice(start, start + slotsPerHour).every(Boolean)) continue;',
    'if (!isMeasured.slice(start, start + slotsPerHour).some(Boolean)) continue;',
  ),
  comparison(
    'comparison-price-is-quantity',
    'docs/energy.md, Cost comparison: price and quantity',
    'quantityEffect: cost.minus(otherCost).minus(price)',
    'quantityEffect: cost.minus(otherCost)',
  ),
  comparison(
    'comparison-without-quantity',
    'docs/energy.md, Cost comparison: the quantity effect',
    'quantityEffect: cost.minus(otherCost).minus(price).toNumber()',
    'quantityEffect: 0',
  ),
  comparison(
    'comparison-at-current-prices',
    'docs/energy.md, Cost comparison: the price effect',
    'current.exact.minus(atOtherPrices.exact)',
    'current.exact.minus(current.exact)',
  ),
  comparison(
    'comparison-of-replaced-periods',
    'docs/energy.md, Cost comparison: what replaced what is one line',
    'const isOne = replaced.length < 2;',
    'const isOne = replaced.length < 200;',
  ),
  comparison(
    'comparison-merges-all-periods',
    'docs/energy.md, Cost comparison: lines by period',
    "cell.kind === 'energy' && isReplaced(cell)",
    "cell.kind === 'energy'",
  ),
  comparison(
    'comparison-without-unpriced-energy',
    'docs/energy.md, Cost comparison: what had no price',
    'const used = (isUsed: (cell: Cell) => boolean) =>\n    cells',
    'const used = (isUsed: (cell: Cell) => boolean) =>\n    cells.slice(1)',
  ),
  comparison(
    'comparison-rounded-line-by-line',
    'docs/energy.md, Cost comparison: rows and columns add up',
    'of roundEach(own, priceEffectOf, roundMoney(exact, digits), digits)) {',
    'of own.map((one) => [one, roundMoney(priceEffectOf(one), digits)] as const)) {',
  ),
  tree(
    'tree-counts-sub-meters-twice',
    'docs/energy.md, Main meters: a sub-meter counts in its main meter',
    'countedIn: listAncestors(device, known).find((id) => isAsked.has(id)) ?? null',
    'countedIn: null',
  ),
  tree(
    'tree-counts-in-meters-that-are-not-asked-for',
    'docs/energy.md, Main meters: the nearest one that is asked for',
    'listAncestors(device, known).find((id) => isAsked.has(id)) ?? null',
    'listAncestors(device, known)[0] ?? null',
  ),
  tree(
    'tree-balance-without-all',
    'docs/energy.md, Main meters: no balance while one is not asked for',
    'subMeterCount === 0 || own.length < subMeterCount',
    'subMeterCount === 0',
  ),
  tree(
    'tree-balance-of-every-device',
    'docs/energy.md, Main meters: a balance of main meters',
    'subMeterCount === 0 || own.length < subMeterCount',
    'own.length < subMeterCount',
  ),
  tree(
    'tree-balance-of-import',
    'docs/energy.md, Main meters: import minus export',
    'const netOf = ({ importedKwh, exportedKwh }: MeasuredEnergy) => importedKwh - exportedKwh;',
    'const netOf = ({ importedKwh }: MeasuredEnergy) => importedKwh;',
  ),
  tree('tree-tolerance', 'docs/energy.md, Main meters: 2 %', 'toleranceShare = 0.02', 'toleranceShare = 0.001'),
  tree(
    'tree-tolerance-of-everything',
    'docs/energy.md, Main meters: 2 %',
    'toleranceShare = 0.02',
    'toleranceShare = 0.5',
  ),
  tree(
    'tree-tolerance-of-a-digit',
    'docs/energy.md, Main meters: the last digit of a register',
    'leastToleranceKwh = 0.1',
    'leastToleranceKwh = 0',
  ),
  tree(
    'tree-balance-below-its-sub-meters',
    'docs/energy.md, Main meters: each level has a balance of its own',
    '.filter(({ parentDeviceId }) => parentDeviceId === id);\n      if',
    '.filter(({ parentDeviceId }) => parentDeviceId !== id);\n      if',
  ),
  states(
    'silent-after-two-intervals',
    'specification, Fleet dashboard: last-push lag',
    'usuallyMissed = 3',
    'usuallyMissed = 2',
  ),
  trouble(
    'silent-without-lag',
    'specification, Fleet dashboard: last-push lag',
    'seenMs === null ? null : Math.max(0, Math.floor(seenSeconds))',
    'seenMs === null ? null : 0',
  ),
  trouble(
    'inactive-customer-in-trouble',
    'specification, Customer disabled',
    "if (!figures.isActive) return 'inactive';",
    '',
  ),
  instants(
    'instant-without-offset',
    'decisions, 4 time needs an offset or Z',
    '(?:[Zz]|([+-])(\\d\\d)(?::?(\\d\\d))?)$/',
    '(?:[Zz]|([+-])(\\d\\d)(?::?(\\d\\d))?)?$/',
  ),
  instants(
    'instant-offset-backwards',
    'decisions, 1 ISO 8601',
    "match[8] === '-' ? -1 : 1",
    "match[8] === '-' ? 1 : -1",
  ),
  instants('instant-of-no-day', 'decisions, 1 ISO 8601', 'day < 1 || day > length', 'day < 1 || day > 31'),
  instants(
    'instant-to-milliseconds',
    'decisions, 1 instants',
    "Number(match[7].padEnd(6, '0').slice(0, 6))",
    "Number(match[7].padEnd(6, '0').slice(0, 3)) * 1000",
  ),
  zones(
    'day-starts-by-one-offset',
    'energy-and-cost, 7 local days of 23, 24 and 25 h',
    'dayNumber * dayMicros - steady.offsetMicros;',
    'dayNumber * dayMicros - offsetAt(fromMicros, timeZone);',
  ),
  zones(
    'zone-name-replaced',
    'decisions, 6 IANA names',
    'return new Temporal.ZonedDateTime(0n, name).timeZoneId;',
    "return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;",
  ),
  dates(
    'calendar-range-in-utc',
    'decisions, 4 calendar ranges: each site its own days',
    'startOfDay(fromDate, timeZone), toMicros: startOfDay(toDate, timeZone)',
    "startOfDay(fromDate, 'UTC'), toMicros: startOfDay(toDate, 'UTC')",
  ),
  dates(
    'calendar-range-inclusive',
    'decisions, 4 toDate is exclusive',
    'toMicros: startOfDay(toDate, timeZone) };',
    'toMicros: startOfDay(toDate, timeZone) + dayMicros };',
  ),
  quality(
    'quality-flags-oldest-first',
    'decisions, 3 flags per device',
    'b.timeMicros - a.timeMicros ||',
    'a.timeMicros - b.timeMicros ||',
  ),
  quality(
    'quality-expects-what-is-on-its-way',
    'decisions, 3 gaps per device',
    'device.isActive && !isSending ? toMicros',
    'device.isActive ? toMicros',
  ),
  quality(
    'quality-expects-inactive-devices',
    'decisions, 3 gaps per device',
    'device.isActive && !isSending ? toMicros',
    '!isSending ? toMicros',
  ),
  curve(
    'curve-unknown-is-zero',
    'decisions, 3 load curve: null where nothing is known',
    'Array.from<number | null>({ length: bucketCount }).fill(null)',
    'Array.from<number | null>({ length: bucketCount }).fill(0)',
  ),
  curve(
    'curve-counts-sub-meters-twice',
    'docs/energy.md, Main meters: a sub-meter counts in its main meter',
    '.filter(addsUp)\n',
    '\n',
  ),
  primitives(
    'names-not-trimmed',
    'decisions, 1 names are trimmed',
    "'mustBeWellFormed').trim().min(",
    "'mustBeWellFormed').min(",
  ),
];
