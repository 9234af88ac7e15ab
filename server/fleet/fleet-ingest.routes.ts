import { randomUUIDv7 } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import {
  batchType,
  type BatchType,
  clientReport,
  type ClientReport,
  clientReportLimits,
  fleetIngestHeaders,
  fleetIngestLimits as limits,
  type FleetIngestResult,
  fleetIngestResult,
  fleetRecord,
} from '../../shared/push.ts';
import { errorBody } from '../../shared/primitives.ts';
import { type Batch, type BatchOutcome, createRefusalLog, type RejectedRecord } from './fleet-batches.ts';
import type { FleetIngest } from './fleet-ingest.ts';
import type { FleetIntervalIngest } from './fleet-intervals.ts';
import type { FleetRemovals } from './fleet-removals.ts';
import { storeSet } from './fleet-sets.ts';
import { knownReach } from '../database/engines/reach.ts';
import type { Database } from '../database/pool.ts';
import type { ErrorKind } from '../../shared/messages.ts';
import { limiterOf } from '../base/budgets.ts';
import { about, DomainError, inEnglish, message, refuse } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { TokenBuckets } from '../base/limiter.ts';
import { clientGone } from '../http/client-gone.ts';
import { answerError, wrongContentType } from '../http/errors.ts';
import { createSetJudge } from './fleet-sets.routes.ts';
import type { Guard, App } from '../http/guard.ts';
import { leaveBodiesUnread, takeList } from '../ingest/list-upload.ts';
import { answerWith } from '../http/resources.ts';

export interface FleetIngestParts {
  guard: Guard;
  database: Database;
  ingest: FleetIngest;
  intervals: FleetIntervalIngest;
  removals: FleetRemovals;
  maxBatchesPerMinute: number;
  /** Epoch milliseconds. */
  now: () => number;
  /** How long a body waits for memory. */
  patienceMs?: number;
}

const lookAgainMs = 1_000;

/** `POST /api/fleet/ingest`: specification, Fleet ingest; decisions.md 4. Admin mode only. */
export async function fleetIngestRoutes(
  app: App,
  { guard, database, ingest, intervals, removals, maxBatchesPerMinute, now, patienceMs }: FleetIngestParts,
): Promise<void> {
  const bodies = limiterOf('batchesHeld');
  const sets = limiterOf('fleetSets');
  const rate = new TokenBuckets(maxBatchesPerMinute);
  const onProblem = (error: unknown) => app.log.warn({ err: error }, 'could not record a rejected batch');
  const refusalLog = createRefusalLog({ database, now, onProblem });
  app.addHook('onClose', () => refusalLog.close());
  leaveBodiesUnread(app);

  const noteRefusedToken = (request: FastifyRequest) => {
    const refused = guard.refusedCustomer(request);
    if (refused === undefined) return;
    const batch = { ...batchOf(request, refused.customerId), payloadBytes: declaredLength(request) };
    // The rejection is recorded without waiting, so that the answer takes as long as for any unknown token.
    refusalLog.record(batch, about('X-Customer-Token', refused.refusal), { isTokenRefused: true }).catch(onProblem);
  };
  const admit: onRequestAsyncHookHandler = async function (request, reply) {
    try {
      await guard.customer.call(this, request, reply);
    } catch (error) {
      noteRefusedToken(request);
      throw error;
    }
  };

  const openUpload = (batch: Batch, type: BatchType, part: { part: number; parts: number }, reply: FastifyReply) => {
    if (type === 'measurements') return ingest.begin(batch);
    if (type === 'intervals') return intervals.begin(batch);
    if (type === 'removals') return removals.begin(batch);
    const { judge, judged } = createSetJudge(type);
    const gone = clientGone(reply);
    const store = () => storeSet(database.until(gone), batch, judged(), part, new Date(now()));
    return { judge, store: () => sets.run(store, { key: batch.customerId, signal: gone }) };
  };

  const store = (request: FastifyRequest, reply: FastifyReply, batch: Incoming): Promise<BatchOutcome> => {
    // It would only keep the batches of others waiting.
    if (knownReach(database).away.has(batch.customerId)) throw refuse('databaseAway');
    refuseExcess(rate.take(batch.customerId, now()), maxBatchesPerMinute);
    refuseLongCursor(headerOf(request, 'x-push-cursor'));
    const type = readType(headerOf(request, 'x-batch-type'));
    const part = readPart(headerOf(request, 'x-batch-part'));
    batch.isCorrection = readMode(headerOf(request, 'x-batch-mode'));
    const upload = openUpload(batch, type, part, reply);
    const asked = performance.now();
    // The token is checked again, because it may have been revoked while the body arrived.
    const storeStill = async () => {
      if (performance.now() - asked > lookAgainMs) await admit.call(app, request, reply);
      return upload.store();
    };
    return takeList(
      request,
      reply,
      {
        bodies,
        key: batch.customerId,
        maxBytes: limits.bodyBytes,
        maxEntries: type === 'measurements' ? limits.rows : limits.records,
        patienceMs,
        onBytes: (bytes) => {
          batch.payloadBytes += bytes;
        },
        onEncodedBytes: (bytes) => {
          batch.encodedBytes += bytes;
        },
      },
      { judge: upload.judge, store: storeStill },
    );
  };

  app.post(
    '/api/fleet/ingest',
    {
      onRequest: admit,
      bodyLimit: limits.bodyBytes,
      async errorHandler(error, request, reply) {
        // Fastify refuses other content types before it calls the handler.
        if (!(error instanceof DomainError) && error.statusCode === 415) {
          const batch = batchOf(request, guard.pushingCustomer(request));
          const refused = { ...batch, payloadBytes: declaredLength(request) };
          await refusalLog.record(refused, wrongContentType(request).refusal).catch(onProblem);
        }
        return answerError(error, request, reply);
      },
      // No validation here: headers have error messages of their own, and records are judged one by one.
      validatorCompiler: () => () => true,
      schema: {
        tags: ['Fleet'],
        operationId: 'ingestBatch',
        // The guard of this route is the one for customers, which also notes rejected tokens.
        security: [{ pushToken: [] }],
        summary: 'Store a batch from a Client; sending it again changes nothing',
        description: `Needs the push token of a customer. At most 32 MiB, decoded, and ${limits.records} records of a full set (with ${limits.periods} tariff periods), ${limits.removals} removals, ${limits.records} intervals or ${limits.rows} measurements; gzip and zstd are accepted. Of a full set, a record that is missing from a newer one is marked as removed; an empty one removes all. Records are judged one by one.`,
        headers: fleetIngestHeaders,
        body: z.array(fleetRecord),
        response: {
          200: answerWith(
            { 'X-Customer-Id': { type: 'string', description: 'The id of the customer whose token it is.' } },
            fleetIngestResult,
          ),
          401: errorBody,
          429: errorBody,
        },
      },
    },
    async (request, reply): Promise<FleetIngestResult> => {
      const batch = batchOf(request, guard.pushingCustomer(request));
      try {
        const { accepted, rejected, errors } = await store(request, reply, batch);
        // A Client that sees a new customer id sends everything again.
        reply.header('x-customer-id', batch.customerId);
        return { accepted, rejected, errors: errors.slice(0, limits.listedErrors).map(onWire) };
      } catch (error) {
        // The rejection is recorded, so that the people who run the fleet see it.
        if (error instanceof DomainError && refusals.has(error.kind)) {
          const payloadBytes = Math.max(batch.payloadBytes, batch.encodedBytes, declaredLength(request));
          await refusalLog.record({ ...batch, payloadBytes }, error.refusal);
        }
        throw error;
      }
    },
  );
}

/** A batch with the number of bytes that were received of an encoded body. */
interface Incoming extends Batch {
  encodedBytes: number;
}

const maxListedType = 40;

/** The batch as its headers describe it, before its rows are judged. */
const batchOf = (request: FastifyRequest, customerId: string): Incoming => ({
  id: randomUUIDv7(),
  customerId,
  type: headerOf(request, 'x-batch-type')?.slice(0, maxListedType) ?? '',
  cursor: headerOf(request, 'x-push-cursor')?.slice(0, limits.cursorLength) ?? null,
  payloadBytes: 0,
  encodedBytes: 0,
  report: readReport(headerOf(request, 'x-client-report')),
});

/** Reads the report of a Client. A batch is accepted whatever its report contains. */
function readReport(given: string | undefined): ClientReport | null {
  if (given === undefined || given.length > clientReportLimits.characters) return null;
  return clientReport.safeParse(parseJson(given)).data ?? null;
}

/** The value of Content-Length, which may be wrong. */
const declaredLength = ({ headers }: FastifyRequest): number =>
  Math.min(Number(headers['content-length'] ?? 0), Number.MAX_SAFE_INTEGER);

/** The kinds of errors that reject a batch as a whole. */
const refusals: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'invalid',
  'tooLarge',
  'unsupportedMediaType',
  'tooManyRequests',
]);

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const onWire = ({ index, id, problem }: RejectedRecord) => ({
  index,
  id,
  reason: inEnglish(problem),
  refusal: problem,
});

function refuseExcess(waitSeconds: number | null, maxBatchesPerMinute: number): void {
  if (waitSeconds === null) return;
  throw refuse('manyBatches', { max: maxBatchesPerMinute }, { retryAfterSeconds: waitSeconds });
}

const came = (given: string | undefined) =>
  given === undefined ? message('missingValue') : JSON.stringify(given.slice(0, 60));
const badHeader = (field: string, given: string | undefined, accepted: string) =>
  refuse('badHeader', { got: came(given), accepted }, { field });

function readType(given: string | undefined): BatchType {
  const type = batchType.safeParse(given).data;
  if (type !== undefined) return type;
  throw badHeader('X-Batch-Type', given, batchType.options.join(', '));
}

function readPart(given: string | undefined): { part: number; parts: number } {
  if (given === undefined) return { part: 1, parts: 1 };
  const [, part = 0, parts = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? []).map(Number);
  if (part >= 1 && part <= parts && parts <= limits.parts) return { part, parts };
  throw badHeader('X-Batch-Part', given, `i/n, such as 1/3, with n at most ${limits.parts}`);
}

function readMode(given: string | undefined): boolean {
  if (given === undefined || given === 'correct') return given === 'correct';
  throw badHeader('X-Batch-Mode', given, 'correct, or is left out');
}

function refuseLongCursor(given = ''): void {
  if (given.length <= limits.cursorLength) return;
  throw refuse('cursorTooLong', { count: given.length, max: limits.cursorLength }, { field: 'X-Push-Cursor' });
}
