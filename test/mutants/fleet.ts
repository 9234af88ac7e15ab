import { inFile, type Mutant } from './mutant.ts';

const registry = inFile('server/fleet/customers.ts', 'test/integration/customers.test.ts');
const storedRegistry = inFile('server/fleet/customers.sql.ts', 'test/integration/customers.test.ts');
const codes = inFile('shared/fleet.ts', 'test/integration/customers.test.ts');
const access = inFile('server/fleet/customer-access.sql.ts', 'test/integration/customers.test.ts');
const headers = inFile('server/fleet/fleet-ingest.routes.ts', 'test/integration/fleet-sets.test.ts');
const limits = inFile('shared/push.ts', 'test/integration/fleet-sets.test.ts');
const sets = inFile('server/fleet/fleet-sets.sql.ts', 'test/integration/fleet-sets.test.ts');
const setRules = inFile('server/fleet/fleet-sets.ts', 'test/integration/fleet-sets.test.ts');
const events = inFile('server/fleet/ingest-events.sql.ts', 'test/integration/fleet-sets.test.ts');
const measuredEvents = inFile('server/fleet/ingest-events.sql.ts', 'test/integration/fleet-ingest.test.ts');
const refusals = inFile('server/fleet/fleet-batches.ts', 'test/integration/fleet-sets.test.ts');
const measurements = inFile('server/fleet/fleet-ingest.ts', 'test/integration/fleet-ingest.test.ts');
const isolated = inFile('server/fleet/customer-detail.sql.ts', 'test/integration/isolation.test.ts');
const shownSets = inFile('server/fleet/customer-detail.sql.ts', 'test/integration/fleet-sets.test.ts');
const detail = inFile('shared/fleet.ts', 'test/integration/fleet-access.test.ts');
const seen = inFile('server/fleet/fleet-customers.sql.ts', 'test/integration/fleet-access.test.ts');
const dashboard = inFile('server/fleet/fleet-dashboard.routes.ts', 'test/integration/fleet-ingest.test.ts');
const chunks = inFile('server/database/engines/timescale.ts', 'test/timescale/fleet-hypertable.test.ts');
const hours = inFile('server/database/engines/timescale.ts', 'test/timescale/fleet-hypertable.test.ts');

/** specification, Customer, States, Fleet, Fleet ingest; decisions 3, 4 and 9. */
export const fleetMutants: readonly Mutant[] = [
  registry('token-of-16-bytes', 'specification, Customer: 32 random bytes', 'tokenBytes = 32', 'tokenBytes = 16'),
  registry(
    'token-grace-ignored',
    'specification, States: grace window',
    'at.getTime() + graceHours * hourMs',
    'at.getTime() + 24 * hourMs',
  ),
  registry(
    'token-grace-zero',
    'specification, States: grace window zero',
    'graceHours > 0 ?',
    'graceHours >= 0 ?',
    'states and transitions',
  ),
  registry(
    'token-grace-in-minutes',
    'specification, States: grace window of 24 hours',
    'const hourMs = 3_600_000',
    'const hourMs = 60_000',
  ),
  storedRegistry(
    'token-older-previous-works',
    'specification, States: the older previous token stops',
    'THEN NULL ELSE token_hash END',
    'THEN NULL ELSE coalesce(previous_token_hash, token_hash) END',
    'states and transitions',
  ),
  storedRegistry(
    'token-previous-for-ever',
    'specification, States: previous no longer honoured',
    'c.previous_token_expires_at > $2::timestamptz',
    'c.previous_token_expires_at IS NOT NULL AND $2::timestamptz IS NOT NULL',
    'states and transitions',
  ),
  storedRegistry(
    'token-previous-at-its-end',
    'specification, States: PreviousTokenExpiresAt in the future',
    'c.previous_token_expires_at > $2',
    'c.previous_token_expires_at >= $2',
    'states and transitions',
  ),
  storedRegistry(
    'token-previous-never',
    'specification, States: previous token',
    'c.previous_token_expires_at > $2::timestamptz',
    'c.previous_token_expires_at < $2::timestamptz',
    'states and transitions',
  ),
  registry(
    'token-of-inactive-customer',
    'specification, States: an inactive customer rejects both',
    'owner.isActive && owner.isHonoured',
    'owner.isHonoured',
    'states and transitions',
  ),
  storedRegistry(
    'token-issue-date',
    'specification, Customer: token issue date',
    "token_hash = decode($2, 'hex'), token_issued_at = $3",
    "token_hash = decode($2, 'hex'), token_issued_at = coalesce(token_issued_at, $3)",
  ),
  codes(
    'token-grace-bound',
    'decisions, 3 graceHours 0 to 720',
    'maxGraceHours = 720',
    'maxGraceHours = 721',
    'graceHours outside',
  ),
  codes(
    'token-grace-below-zero',
    'decisions, 3 graceHours 0 to 720',
    '.min(0).max(maxGraceHours',
    '.min(-1).max(maxGraceHours',
    'graceHours outside',
  ),
  access(
    'access-is-added',
    'specification, AdminCustomerAccess',
    'await execute(tx, DELETE, userId);',
    '',
    'AdminCustomerAccess',
  ),
  seen(
    'restricted-admin-sees-all',
    'specification, AdminCustomerAccess',
    'WHERE ($1::uuid[] IS NULL OR c.id = ANY ($1::uuid[]))`;\n\n/** What',
    'WHERE ($1::uuid[] IS NULL OR c.id IS NOT NULL)`;\n\n/** What',
  ),

  headers(
    'batch-type-unknown',
    'specification, Fleet ingest rule 1',
    "badHeader('X-Batch-Type', given",
    "badHeader('X-Batch-Mode', given",
  ),
  limits(
    'batch-type-missing',
    'specification, X-Batch-Type',
    "batchType = z.enum([\n  'sites',\n  'devices',\n  'municipalities',",
    "batchType = z.enum([\n  'sites',\n  'devices',",
  ),
  limits(
    'batch-body-limit',
    'decisions, 4 at most 32 MiB decoded',
    'bodyBytes: 32 * 1024 * 1024',
    'bodyBytes: 64 * 1024 * 1024',
    '32 MiB',
  ),
  limits(
    'batch-cursor-length',
    'decisions, 4 a cursor of up to 200 characters',
    'cursorLength: 200',
    'cursorLength: 300',
    'too long',
  ),
  headers(
    'batch-rate-of-all',
    'decisions, 7 FleetIngest__MaxBatchesPerMinute a customer',
    'rate.take(batch.customerId, now())',
    "rate.take('', now())",
    'Rule 7',
  ),
  headers(
    'batch-rate-unlimited',
    'decisions, 7 FleetIngest__MaxBatchesPerMinute',
    'if (waitSeconds === null) return;',
    'if (waitSeconds !== 0) return;',
    'Rule 7',
  ),
  sets(
    'set-without-removal',
    'decisions, 4 a missing record is marked removed',
    'if (!set.isIncomplete) await execute(tx, MARK_REMOVED[type], customerId, type, at);',
    '',
    'Rule 3',
  ),
  sets(
    'set-removal-for-ever',
    'specification, Fleet ingest rule 3 upsert',
    'vat_percent = excluded.vat_percent, export_rate_per_kwh = excluded.export_rate_per_kwh, removed_at = NULL',
    'vat_percent = excluded.vat_percent, export_rate_per_kwh = excluded.export_rate_per_kwh',
  ),
  sets(
    'set-removal-with-the-first-part',
    'decisions, 4 removal once all parts have come',
    'if (set === null || !set.isWhole) return',
    'if (set === null) return',
    'X-Batch-Part',
  ),
  sets(
    'set-removal-of-other-customers',
    'decisions, 9 the customer in the WHERE',
    'WHERE t.customer_id = $1 AND t.removed_at IS NULL ${',
    'WHERE $1::uuid IS NOT NULL AND t.removed_at IS NULL ${',
    'two customers',
  ),
  sets(
    'set-keeps-old-periods',
    'specification, Fleet ingest rule 4',
    'await execute(tx, DELETE_PERIODS, customerId, tariffIds, periodIds);',
    '',
    'Rule 4',
  ),
  sets(
    'set-keeps-old-tariff-rate',
    'specification, Fleet ingest rule 4',
    'default_rate_per_kwh = excluded.default_rate_per_kwh, fixed',
    'default_rate_per_kwh = tariffs.default_rate_per_kwh, fixed',
  ),
  setRules(
    'set-removes-rejected-records',
    'decisions, 4 full sets',
    'cursor: batch.cursor, recordIds, isIncomplete }',
    'cursor: batch.cursor, recordIds: set.records.map(({ id }) => id), isIncomplete }',
    'a rejected record is not removed',
  ),
  events(
    'first-seen-moves',
    'specification, Fleet ingest rule 6 FirstSeenAt',
    'first_seen_at = coalesce(s.first_seen_at, r.seen)',
    'first_seen_at = coalesce(r.seen, s.first_seen_at)',
    'Rule 6',
  ),
  events(
    'last-seen-stays',
    'specification, Fleet ingest rule 6 LastSeenAt',
    'last_seen_at = coalesce(r.seen, s.last_seen_at)',
    'last_seen_at = coalesce(s.last_seen_at, r.seen)',
    'Rule 6',
  ),
  events(
    'last-seen-of-refused-batches',
    'specification, Fleet ingest rule 6 successful batches',
    'own.findLast(({ isStored }) => isStored)?.at ?? null',
    'own.at(-1)?.at ?? null',
    'Rule 6',
  ),
  events(
    'event-without-payload',
    'specification, IngestEvent payload size',
    'column(events, ({ payloadBytes }) => payloadBytes)',
    'column(events, () => 0)',
    'Rule 6',
  ),
  events(
    'event-without-cursor',
    'specification, IngestEvent client cursor',
    'column(events, ({ cursor }) => cursor)',
    'column(events, () => null)',
    'Rule 6',
  ),
  measuredEvents(
    'event-without-time-spread',
    'specification, IngestEvent time spread',
    'column(events, ({ toMicros }) => toMicros)',
    'column(events, ({ fromMicros }) => fromMicros)',
    'time spread',
  ),
  refusals(
    'event-of-refusals-missing',
    'specification, one IngestEvent per batch',
    'const stored = database.transaction((tx) => tx.commit(recordBatches([event])));',
    'const stored = Promise.resolve(event);',
    'Rule 1',
  ),
  measurements(
    'fleet-measurements-rejected-uncounted',
    'decisions, 4 result',
    'rejected: rejected.count,',
    'rejected: 0,',
    'bad rows are rejected',
  ),
  inFile('server/ingest/ingest.sql.ts', 'test/integration/fleet-ingest.test.ts')(
    'fleet-measurements-overwritten',
    'specification, Fleet ingest rule 5',
    'ON CONFLICT DO NOTHING RETURNING',
    'ON CONFLICT (customer_id, device_number, time) DO UPDATE SET voltage_millivolts = 1 RETURNING',
    'Rule 5',
  ),

  isolated(
    'detail-of-all-customers',
    'specification, Fleet copies',
    'FROM fleet.municipalities WHERE customer_id = $1',
    'FROM fleet.municipalities WHERE $1::uuid IS NOT NULL',
  ),
  isolated(
    'detail-events-of-all-customers',
    'specification, customer detail',
    'FROM fleet.ingest_events WHERE customer_id = $1',
    'FROM fleet.ingest_events WHERE $1::uuid IS NOT NULL',
  ),
  shownSets(
    'detail-events-oldest-first',
    'specification, last 20 ingest events',
    'ORDER BY received_at DESC, id DESC LIMIT $2',
    'ORDER BY received_at, id LIMIT $2',
    'newest set',
  ),
  inFile('server/fleet/customer-detail.sql.ts', 'test/integration/fleet-sets.test.ts')(
    'detail-tariffs-in-any-order',
    'decisions, 6 tariffs by their start',
    'removed_at IS NULL\n  ORDER BY effective_from DESC, is_active DESC, lower(name), id`',
    'removed_at IS NULL\n  ORDER BY effective_from, is_active DESC, lower(name), id`',
  ),
  shownSets(
    'detail-removed-devices',
    'decisions, 4 removed records are not shown',
    'WHERE d.customer_id = $1 AND d.removed_at IS NULL',
    'WHERE d.customer_id = $1',
    'newest set',
  ),
  detail(
    'detail-measurements-49',
    'specification, last 50 measurements',
    'measurements: 50',
    'measurements: 49',
    'last 50 measurements',
  ),
  detail(
    'detail-measurements-51',
    'specification, last 50 measurements',
    'measurements: 50',
    'measurements: 51',
    'last 50 measurements',
  ),
  detail(
    'detail-events-19',
    'specification, last 20 ingest events',
    'ingestEvents: 20',
    'ingestEvents: 19',
    'last 20 batches',
  ),
  dashboard(
    'fleet-counts-inactive-customers',
    'specification, Fleet dashboard: active customer count',
    'customers.filter(({ customer }) => customer.isActive).length',
    'customers.length',
  ),
  dashboard(
    'fleet-total-of-today',
    'specification, Fleet dashboard: total measurements',
    'totalMeasurements: sum(customers.map(({ totalMeasurements }) => totalMeasurements))',
    'totalMeasurements: sum(customers.map(({ measurementsToday }) => measurementsToday))',
  ),
  dashboard(
    'fleet-today-of-all-time',
    "specification, Fleet dashboard: today's measurements",
    'todayMeasurements: sum(customers.map(({ measurementsToday }) => measurementsToday))',
    'todayMeasurements: sum(customers.map(({ totalMeasurements }) => totalMeasurements))',
  ),

  inFile('server/database/engines/engine.ts', 'test/timescale/fleet-hypertable.test.ts')(
    'fleet-chunks-of-a-day',
    'specification, Startup rule 3: chunks of 7 days',
    'chunkDays: 7',
    'chunkDays: 1',
    'chunks of 7 days',
  ),
  chunks(
    'fleet-compressed-by-device-alone',
    'specification, Startup rule 3: segmented by customer and device',
    "timescaledb.compress_segmentby = '${key}'",
    "timescaledb.compress_segmentby = 'device_number'",
    'compressed by customer',
  ),
  chunks(
    'fleet-compressed-oldest-first',
    'specification, Startup rule 3: time descending',
    "timescaledb.compress_orderby = 'time DESC'",
    "timescaledb.compress_orderby = 'time ASC'",
    'newest first',
  ),
  hours(
    'fleet-hours-of-three-days',
    'specification, Startup rule 3: 30-day refresh start offset',
    "start_offset => INTERVAL '30 days'",
    "start_offset => INTERVAL '3 days'",
  ),
  hours(
    'fleet-hours-not-real-time',
    'specification, Startup rule 3: real-time aggregate',
    'materialized_only = false',
    'materialized_only = true',
  ),
];
