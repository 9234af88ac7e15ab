import { inFile, type Mutant } from './mutant.ts';

const backoff = inFile('server/base/backoff.ts', 'server/base/backoff.test.ts');
const answers = inFile('server/push/fleet-answer.ts', 'server/push/fleet-answer.test.ts');
const halves = inFile('server/push/send-in-halves.ts', 'server/push/send-in-halves.test.ts');
const rows = inFile('server/push/push-rows.ts', 'test/integration/push.test.ts');
const rowFailures = inFile('server/push/push-rows.ts', 'test/integration/push-failures.test.ts');
const sets = inFile('server/push/push-sets.ts', 'test/integration/push.test.ts');
const outbox = inFile('server/push/push-outbox.sql.ts', 'test/integration/push.test.ts');
const state = inFile('server/push/push-state.sql.ts', 'test/integration/push.test.ts');
const removed = inFile('server/push/push-removals.sql.ts', 'test/integration/fleet-removals.test.ts');
const sent = inFile('server/push/fleet-client.ts', 'test/integration/push.test.ts');

/** specification, States (push backoff) and Client push behaviour; decisions 5. */
export const pushMutants: readonly Mutant[] = [
  backoff('backoff-starts-at-two', 'specification, backoff from 1 minute', '2 ** (failures - 1)', '2 ** failures'),
  backoff(
    'backoff-does-not-grow',
    'specification, backoff grows exponentially',
    'minSeconds * 2 ** (failures - 1)',
    'minSeconds * failures',
  ),
  backoff(
    'backoff-without-cap',
    'specification, backoff up to 30 minutes',
    'Math.min(maxSeconds, minSeconds * 2 ** (failures - 1) * (1 + jitter * random))',
    'minSeconds * 2 ** (failures - 1) * (1 + jitter * random)',
  ),
  backoff('backoff-without-jitter', 'decisions, 5 jittered', '(1 + jitter * random));', '1);'),
  backoff('backoff-jitter-of-half', 'decisions, 5 jittered', 'jitter = 0.1', 'jitter = 0.5'),
  halves(
    'batch-not-halved',
    'specification, 413 halves the batch',
    'Math.floor(Math.min(size, batch.count()) / 2)',
    'Math.min(size, batch.count()) - 1',
  ),
  halves('batch-halved-to-nothing', 'decisions, 5 down to 1 row', 'if (half === 0)', 'if (batch.count() <= 2)'),
  answers('retry-after-ignored', 'specification, 429 with Retry-After is honoured', 'retryAfterSeconds ??', ''),
  answers('retry-after-as-a-date', 'decisions, 5 Retry-After as a date', '(Date.parse(text) - nowMs) / 1000', 'NaN'),
  answers(
    'retry-after-in-milliseconds',
    'decisions, 5 Retry-After in seconds',
    '? Number(text) :',
    '? Number(text) / 1000 :',
  ),
  answers(
    'retry-after-of-429-alone',
    'decisions, 5 503 honours Retry-After',
    'if (status === 429 || status === 503)',
    'if (status === 429)',
  ),
  answers(
    'rejected-token-retried-soon',
    'decisions, 5 401 backs off at the cap',
    "new Set(['unauthorized', 'refused'])",
    "new Set(['refused'])",
  ),
  answers(
    'server-errors-last',
    'decisions, 5 5xx are retried',
    "if (status >= 500) return failed('broken', sentence);",
    '',
  ),
  answers(
    'too-large-is-a-failure',
    'specification, 413 halves the batch',
    'if (status === 413) return tooLarge(sentence);',
    '',
  ),
  removed(
    'removed-rows-stay-away',
    'decisions, 5 what loses nothing means',
    '  await execute(tx, RESEND_READINGS, id);\n',
    '',
    'took the place',
  ),
  rows('four-batches-a-tick', 'specification, up to 3 batches per tick', 'batchesPerTick = 3', 'batchesPerTick = 4'),
  rows('two-batches-a-tick', 'specification, up to 3 batches per tick', 'batchesPerTick = 3', 'batchesPerTick = 2'),
  rowFailures(
    'too-large-row-not-told',
    'decisions, 5 skipped, visibly',
    'moveOn(null, { rows: 1, error })',
    'moveOn(null, null)',
  ),
  inFile('server/push/push-state.sql.ts', 'test/integration/push.test.ts')(
    'push-order',
    'specification, push in order',
    "  'sites',\n  'devices',",
    "  'devices',\n  'sites',",
    'in this order',
  ),
  sent(
    'push-without-cursor',
    'specification, sends the cursor header',
    "'x-push-cursor': cursor,",
    '',
    'in this order',
  ),
  sent(
    'push-without-token',
    'specification, sends the token header',
    "'x-customer-token': token",
    "'x-customer': token",
    'in this order',
  ),
  sent(
    'push-not-compressed',
    'decisions, 5 gzip',
    'new Uint8Array(await compress(body, { level: gzipLevel }))',
    'new Uint8Array(Buffer.from(body))',
    'in this order',
  ),
  sets(
    'sets-with-each-tick',
    'decisions, 5 sets',
    'if (isCurrent && now() >= sentMs && now() < sentMs + repeatAfterMs) return null;',
    '',
    'not with each tick',
  ),
  sets(
    'set-parts-not-numbered',
    'decisions, 4 X-Batch-Part',
    'parts.length === 1 ? null : `${at + 1}/${parts.length}`',
    'null',
    'numbered parts',
  ),
  outbox(
    'outbox-passes-open-transactions',
    'decisions, 5 never pass a row that has not committed',
    'AND l.classid = ((${ingestLock}::bigint >> 32) & 4294967295)::oid',
    'AND l.classid = 0 AND ${ingestLock}::bigint > 0',
    'commits late',
  ),
  outbox(
    'outbox-without-device-in-its-order',
    'decisions, 5 page by (ReceivedAt, time, deviceId)',
    '(m.time, d.id) > (e.sent_time, e.sent_device_id)',
    'm.time > e.sent_time',
    '20,000 rows',
  ),
  outbox(
    'outbox-repeats-the-last-row',
    'decisions, 5 page by the tuple',
    '(m.time, d.id) > (e.sent_time, e.sent_device_id)',
    '(m.time, d.id) >= (e.sent_time, e.sent_device_id)',
    '20,000 rows',
  ),
  outbox(
    'outbox-in-any-order',
    'decisions, 5 page by the tuple',
    'ORDER BY e.received_at, m.time, d.id LIMIT',
    'ORDER BY e.received_at, d.id, m.time LIMIT',
    '20,000 rows',
  ),
  state(
    'two-portals-push',
    'decisions, 5 two portals never push at once',
    "pg_try_advisory_lock(hashtext('monitoring.push_state'))",
    'true',
    'two portals',
  ),
  inFile('server/push/push-state.sql.ts', 'test/integration/push-failures.test.ts')(
    'success-keeps-failures',
    'specification, backoff',
    'failures = 0, next_attempt_at = NULL,\n    last_success_at',
    'next_attempt_at = NULL,\n    last_success_at',
  ),
];
