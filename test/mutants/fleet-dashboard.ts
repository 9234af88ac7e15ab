import { inFile, type Mutant } from './mutant.ts';

const activity = inFile('server/fleet/fleet-activity.ts', 'test/integration/fleet-activity.test.ts');
const kept = inFile('server/fleet/kept-customers.ts', 'test/integration/fleet-activity.test.ts');
const unplaced = inFile('server/fleet/fleet-activity.sql.ts', 'test/integration/fleet-activity.test.ts');
const versions = inFile('server/fleet/ingest-events.sql.ts', 'test/integration/fleet-activity.test.ts');
const ingest = inFile('server/fleet/fleet-ingest.routes.ts', 'test/integration/fleet-ingest.test.ts');
const refusals = inFile('server/fleet/fleet-batches.ts', 'test/integration/fleet-ingest.test.ts');
const counts = inFile('server/fleet/fleet-activity.sql.ts', 'test/integration/fleet-ingest.test.ts');
const trouble = inFile('server/fleet/fleet-trouble.rules.ts', 'server/fleet/fleet-trouble.test.ts');
const codes = inFile('shared/fleet.ts', 'test/scripts/customer-codes.test.ts');
const branding = inFile('server/branding/branding.ts', 'test/integration/branding.test.ts');

/** specification, Fleet, IngestEvent and Customer; decisions 4: figures of one instant, codes of customers. */
export const fleetDashboardMutants: readonly Mutant[] = [
  kept(
    'instant-kept-too-long',
    'decisions, 4 of one instant',
    'own?.version === version &&',
    'own !== undefined &&',
    'one instant',
  ),
  activity(
    'instant-pending-untold',
    'decisions, 4 says which customers are pending',
    'own.isPending || own.version !== version',
    'own.isPending',
    'nobody waits for them',
  ),
  activity(
    'instant-uncomputed-untold',
    'decisions, 4 says which customers are pending',
    'const isPending = isUncomputed || isWaiting || !isWhole;',
    'const isPending = isWaiting || !isWhole;',
    'if there is no time to compute',
  ),
  activity(
    'instant-not-computed',
    'decisions, 4 of one instant',
    'needsComputing: isWhole && isUncomputed && dirtyRanges <= maxDirtyRanges',
    'needsComputing: false',
    'just accepted',
  ),
  activity(
    'instant-parts-as-whole',
    'decisions, 4 says which customers are pending',
    'version: isWhole ? version : neverRead',
    'version',
    'after a start',
  ),
  activity(
    'today-with-yesterday',
    'specification, FleetDashboard: today',
    'measurementsToday: 0, energyTodayKwh: 0, version: neverRead',
    'version: neverRead',
    'when a day begins',
  ),
  activity(
    'instant-unplaced-uncounted',
    'decisions, 4 no total counts a row beside a today that does not',
    'const unplacedToday = removed + waiting;',
    'const unplacedToday = 0;',
    'before their device',
  ),
  inFile('server/fleet/seen-customers.ts', 'test/integration/fleet-activity.test.ts')(
    'instant-renamed-untold',
    'decisions, 4 of one instant',
    'now?.name !== name || ',
    '',
    'what changes without a batch',
  ),
  unplaced(
    'instant-removed-uncounted',
    'decisions, 4 no total counts a row beside a today that does not',
    '(removed_at IS NOT NULL OR NOT EXISTS (',
    '(false OR NOT EXISTS (',
    'before their device',
  ),
  versions(
    'instant-batches-uncounted',
    'decisions, 4 of one instant',
    'batch_count = s.batch_count + r.batches,',
    'batch_count = s.batch_count,',
    'one instant',
  ),

  ingest(
    'refused-content-type-unrecorded',
    'specification, IngestEvent: one per received batch',
    'error.statusCode === 415',
    'error.statusCode === 499',
    'IngestEvent',
  ),
  ingest(
    'refused-size-not-declared',
    'specification, IngestEvent: payload size in bytes',
    'Math.max(batch.payloadBytes, batch.encodedBytes, declaredLength(request))',
    'batch.payloadBytes',
    'IngestEvent',
  ),
  ingest(
    'refused-size-unbounded',
    'specification, IngestEvent: payload size in bytes',
    "Math.min(Number(headers['content-length'] ?? 0), Number.MAX_SAFE_INTEGER)",
    "Number(headers['content-length'] ?? 0)",
    'IngestEvent',
  ),
  ingest(
    'refused-cursor-missing',
    'specification, IngestEvent: client cursor',
    "headerOf(request, 'x-push-cursor')?.slice(0, limits.cursorLength) ?? null",
    'null',
    'IngestEvent',
  ),
  ingest(
    'refused-token-unrecorded',
    'specification, IngestEvent: one per received batch',
    'noteRefusedToken(request);\n      throw error;',
    'throw error;',
    'an inactive customer is 401',
  ),
  refusals(
    'refused-others-uncounted',
    'specification, IngestEvent: one per received batch',
    'last.batches += 1;',
    '',
    'a few of many rejected batches',
  ),
  refusals(
    'refused-others-lost-at-stop',
    'specification, IngestEvent: one per received batch',
    'clearTimeout(timer);\n      await count();',
    'clearTimeout(timer);',
    'when the portal stops',
  ),
  counts(
    'refused-others-not-in-hours',
    'specification, IngestEvent: one per received batch',
    'AS hour, sum(batches) AS count',
    'AS hour, count(*) AS count',
    'a few of many rejected batches',
  ),
  ingest(
    'refused-token-as-any-failure',
    'specification, States: ingest accepted again',
    '{ isTokenRefused: true }',
    '{ isTokenRefused: false }',
    'on again',
  ),
  trouble(
    'refused-token-behind-others',
    'specification, States: ingest returns 401',
    "isRecent(figures.tokenRefusedMs) ? 'token' : ",
    '',
    'a refused token',
  ),

  codes('code-ends-with-hyphen', 'decisions, 4 a customer code', '{0,37}[a-z0-9])$/', '{0,37}[a-z0-9-])$/'),
  codes('code-of-40', 'decisions, 4 a customer code', '{0,37}[a-z0-9])$/', '{0,38}[a-z0-9])$/'),
  inFile('deploy/lib.sh', 'test/scripts/customer-codes.test.ts')(
    'code-of-script-ends-with-hyphen',
    'decisions, 4 a customer code',
    '| -* | *- | ?',
    '| -* | ?',
  ),
  branding(
    'branding-left-out-is-reset',
    'specification, Branding',
    'if (given[field] !== undefined) values[field] = given[field];',
    'values[field] = given[field] ?? null;',
  ),
];
