import { inFile, type Mutant } from './mutant.ts';

const ranges = inFile('server/http/ranges.ts', 'test/integration/measurements.test.ts');
const buckets = inFile('server/reports/measurements.routes.ts', 'test/integration/measurements.test.ts');
const limits = inFile('shared/measurements.ts', 'test/integration/measurements.test.ts');
const sizes = inFile('shared/primitives.ts', 'test/integration/measurements.test.ts');
const caps = inFile('shared/reports.ts', 'test/integration/raw-export.test.ts');
const ingest = inFile('server/ingest/client-ingest.ts', 'test/integration/ingest.test.ts');
const fileName = inFile('server/reports/answer-export.ts', 'test/integration/raw-export.test.ts');
const rows = inFile('server/ingest/readings.rules.ts', 'server/ingest/readings.test.ts');
const quantity = inFile('shared/quantities.ts', 'server/ingest/readings.test.ts');
const units = inFile('server/base/quantities.ts', 'server/base/fixed-units.test.ts');
const calendar = inFile('server/base/buckets.ts', 'server/base/buckets.test.ts');
const current = inFile('server/energy/power.rules.ts', 'test/integration/dashboard.test.ts');
const currentLimits = inFile('shared/states.rules.ts', 'shared/states.test.ts');
const statistics = inFile('server/energy/statistics.rules.ts', 'test/integration/measurements.test.ts');

/** specification, Measurements and dashboard; decisions 4. */
export const measurementMutants: readonly Mutant[] = [
  sizes(
    'bucket-missing',
    'specification, Measurements rule 1',
    "['minute', '5min', '15min', 'hour', 'day']",
    "['minute', '15min', 'hour', 'day']",
  ),
  sizes(
    'bucket-more',
    'specification, Measurements rule 1',
    "'15min', 'hour', 'day']",
    "'15min', 'hour', 'day', 'week']",
    'Rule 1',
  ),
  inFile('messages/en/errors.ts', 'test/integration/measurements.test.ts')(
    'bucket-message',
    'specification, Measurements rule 1',
    "'{field} must be one of {choices}; got {got}'",
    "'{field} must be another one; got {got}'",
    'Rule 1',
  ),
  ranges(
    'range-of-no-length',
    'specification, Measurements rule 2',
    'if (toMicros <= fromMicros) {',
    'if (toMicros < fromMicros) {',
    'measurement rules 2 and 3',
  ),
  ranges(
    'range-backwards',
    'specification, Measurements rule 2',
    'if (toMicros <= fromMicros) {',
    'if (toMicros === fromMicros) {',
    'measurement rules 2 and 3',
  ),
  inFile('messages/en/errors.ts', 'test/integration/measurements.test.ts')(
    'range-message',
    'specification, Measurements rule 2',
    "'{field} must be after from; got from {from} and to {to}'",
    "'The range is wrong: {from} {to}'",
    'measurement rules 2 and 3',
  ),
  inFile('server/http/ranges.ts', 'test/integration/measurements.test.ts')(
    'device-ids-not-named',
    'specification, Measurements rule 3',
    "refuse('notGuids', { got: came(item), kind }",
    "refuse('notGuids', { got: '', kind }",
    'Rule 3',
  ),
  ranges('device-ids-not-trimmed', 'specification, Measurements rule 3', '.map((item) => item.trim())', '', 'Rule 3'),
  ranges(
    'device-ids-empty-items',
    'specification, Measurements rule 3',
    ".filter((item) => item !== '')",
    '',
    'Rule 3',
  ),
  ranges(
    'device-ids-empty-means-none',
    'specification, Measurements rule 3',
    'devices.length === 0 && sites.length === 0 ? allDevices : { devices, sites }',
    '({ devices, sites })',
    'Rule 3',
  ),
  limits(
    'raw-limit-default',
    'specification, Measurements rule 4',
    'rawPageDefault: 200',
    'rawPageDefault: 100',
    'measurement rule 4',
  ),
  limits(
    'raw-limit-maximum',
    'specification, Measurements rule 4',
    'rawPageMax: 1000',
    'rawPageMax: 999',
    'measurement rule 4',
  ),
  ranges(
    'raw-limit-clamped',
    'specification, Measurements rule 4',
    'count >= 1 && count <= max ? count : fallback',
    'count >= 1 ? Math.min(count, max) : fallback',
    'measurement rule 4',
  ),
  ranges(
    'raw-limit-zero',
    'specification, Measurements rule 4',
    'count >= 1 && count <= max',
    'count >= 0 && count <= max',
    'measurement rule 4',
  ),
  buckets(
    'raw-offset-ignored',
    'specification, Measurements rule 4',
    'readWholeNumber(query.offset) ?? 0',
    'readWholeNumber(undefined) ?? 0',
    'measurement rule 4',
  ),
  caps('row-cap-default', 'specification, Measurements rule 5', 'default: 100_000', 'default: 50_000', 'Rule 5'),
  caps('row-cap-maximum', 'specification, Measurements rule 5', 'max: 250_000', 'max: 250_001', 'Rule 5'),

  inFile('server/reports/raw-readings.ts', 'test/integration/measurements.test.ts')(
    'raw-count-of-the-page',
    'specification, Measurements rule 4 totalCount',
    'return {\n    totalCount,\n    rowCount,',
    'return {\n    totalCount: rowCount,\n    rowCount,',
    'measurement rule 4',
  ),
  fileName(
    'file-name-of-one-meter',
    'specification, Measurements rule 5 file name',
    "countedWord(chosenIds(scope) ?? [], 'meter')",
    "countedWord([...(chosenIds(scope) ?? []), ...(chosenIds(scope) ?? [])], 'meter')",
    'Rule 5: the name',
  ),
  fileName(
    'file-name-of-all-meters',
    'specification, Measurements rule 5 file name',
    "countedWord(chosenIds(scope) ?? [], 'meter')",
    "countedWord(chosenIds(scope) ?? [''], 'meter')",
    'Rule 5: the name',
  ),
  ingest(
    'ingest-of-nothing',
    'specification, Measurements rule 6',
    "if (readings.count + rejected.count === 0) throw refuse('emptyListOfRows');",
    '',
    'ingest rule 6',
  ),
  inFile('messages/en/errors.ts', 'test/integration/ingest.test.ts')(
    'ingest-message',
    'specification, Measurements rule 6',
    'at least one row is required',
    'it is wrong',
    'ingest rule 6',
  ),
  inFile('server/ingest/ingest.sql.ts', 'test/integration/energy-vectors.test.ts')(
    'ingest-overwrites',
    'specification, Measurements rule 7',
    'ON CONFLICT DO NOTHING RETURNING',
    'ON CONFLICT (device_number, time) DO UPDATE SET energy_imported_milliwatthours = excluded.energy_imported_milliwatthours RETURNING',
    'E19 ',
  ),
  inFile('shared/measurements.ts', 'test/integration/ingest.test.ts')(
    'ingest-lists-fewer-errors',
    'decisions, 4 at most 100 errors',
    'ingestListedErrors: 100',
    'ingestListedErrors: 99',
    'at most 100',
  ),
  inFile('shared/measurements.ts', 'test/integration/ingest.test.ts')(
    'ingest-lists-more-errors',
    'decisions, 4 at most 100 errors',
    'ingestListedErrors: 100',
    'ingestListedErrors: 101',
    'at most 100',
  ),
  inFile('shared/measurements.ts', 'test/integration/ingest.test.ts')(
    'ingest-body-limit',
    'decisions, 4 body limit 32 MiB',
    'ingestBodyBytes: 32 * 1024 * 1024',
    'ingestBodyBytes: 33 * 1024 * 1024',
    'encodings and sizes',
  ),
  sizes(
    'buckets-of-any-count',
    'decisions, 4 more than 50,000 buckets',
    'bucketsMax: 50_000',
    'bucketsMax: 50_001',
    '50,000',
  ),
  calendar(
    'bucket-day-in-utc',
    'decisions, 4 full local days',
    'dayStarts({ fromMicros, toMicros }, timeZone)',
    "dayStarts({ fromMicros, toMicros }, 'UTC')",
  ),
  calendar(
    'bucket-hour-in-utc',
    'decisions, 4 full local hours',
    'return hourEdges(fromMicros, toMicros, timeZone);',
    "return hourEdges(fromMicros, toMicros, 'UTC');",
  ),
  buckets(
    'bucket-empty-not-left-out',
    'decisions, 4 a bucket with neither is left out',
    'energyImportedKwh === 0 && energyExportedKwh === 0) continue;',
    'energyImportedKwh < 0) continue;',
    'left out',
  ),
  buckets(
    'bucket-unknown-device',
    'decisions, 4 an unknown deviceId is 404',
    "throw notFound('device');\n        const",
    'return [];\n        const',
    'unknown one 404',
  ),
  statistics(
    'power-factor-mean',
    'energy-and-cost, 6 average power factor',
    'Math.hypot(activeSum, reactiveSum)',
    'Math.abs(activeSum) + Math.abs(reactiveSum)',
    'power factor comes from',
  ),
  inFile('messages/en/errors.ts', 'server/base/buckets.test.ts')(
    'buckets-next-coarser',
    'decisions, 4 the next coarser bucket',
    "'choose bucket {bucket} or a shorter range'",
    "'choose a shorter range or {bucket}'",
  ),

  rows('time-ahead', 'decisions, 4 time at most 24 h ahead', 'hoursAhead: 24', 'hoursAhead: 25'),
  rows('time-before-2000', 'decisions, 4 time not before 2000', 'timeMicros < earliestMicros', 'timeMicros < 0'),
  rows('power-not-required', 'decisions, 4 activePowerKw is required', ' && !rule.isRequired', ''),
  quantity('power-factor-bound', 'decisions, 4 powerFactor in [-1, 1]', 'limits: [-1, 1]', 'limits: [-1, 2]'),
  quantity('power-factor-below', 'decisions, 4 powerFactor in [-1, 1]', 'limits: [-1, 1]', 'limits: [-2, 1]'),
  quantity('voltage-below-zero', 'decisions, 4 voltage >= 0', 'decimals: 3,\n    limits: [0],', 'decimals: 3,'),
  quantity('frequency-below-zero', 'decisions, 4 frequency >= 0', 'decimals: 4,\n    limits: [0],', 'decimals: 4,'),
  rows('infinite-values', 'decisions, 4 all must be finite', '!Number.isFinite(value) ||', ''),
  units(
    'units-of-watts',
    'decisions, 4 1 mW',
    'milliOfKilo = scaleOf({ decimals: 6',
    'milliOfKilo = scaleOf({ decimals: 3',
  ),
  quantity('units-of-frequency', 'decisions, 4 0.1 mHz', 'decimals: 4,', 'decimals: 3,'),
  units('units-cut-off', 'decisions, 4 half away from zero', 'scaled - whole < 0.5 ? whole : whole + 1', 'whole'),
  units(
    'units-too-large',
    'decisions, 4 a value that does not fit',
    'if (magnitude > scale.maxNumber) return null;',
    '',
  ),

  currentLimits(
    'current-for-half-an-hour',
    'decisions, 4 younger than 15 min',
    'Math.max(15 * minute, 2',
    'Math.max(30 * minute, 2',
  ),
  currentLimits(
    'current-for-one-interval',
    'decisions, 4 2 x its expectedIntervalSeconds',
    '2 * (expectedIntervalSeconds',
    '1 * (expectedIntervalSeconds',
  ),
  current(
    'current-of-inactive-devices',
    'decisions, 4 each active device',
    'isActive && currentPower.has(number)',
    'currentPower.has(number)',
  ),
  current(
    'current-is-zero-without-readings',
    'decisions, 4 currentPowerKw',
    'summed.length === 0 ? null',
    'summed.length < 0 ? null',
  ),
];
