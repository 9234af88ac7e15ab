import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ingestInterval, intervalLimits } from '../../shared/intervals.ts';
import { ingestResult, type IngestResult, ingestRow, limits } from '../../shared/measurements.ts';
import type { ErrorKind } from '../../shared/messages.ts';
import type { ArrivalLog } from './arrivals.ts';
import { type ClientIngest, type ClientSender, ofClient } from './client-ingest.ts';
import type { IngestOutcome, IngestRequest } from './ingest.ts';
import type { IntervalIngest } from './intervals.ts';
import { someAdministrator } from './arrivals.rules.ts';
import { limiterOf } from '../base/budgets.ts';
import { about, DomainError, inEnglish, message, refuseField } from '../base/errors.ts';
import type { Guard, App } from '../http/guard.ts';
import { logDelivery, findApiKey } from '../http/request-log.ts';
import { leaveBodiesUnread, takeList } from './list-upload.ts';

export interface IngestRoutesParts {
  guard: Guard;
  ingest: ClientIngest;
  intervals: IntervalIngest;
  /** Counts rows by verdict for /metrics. */
  recordIngest: (result: Pick<IngestResult, 'accepted' | 'rejected' | 'duplicates'>) => void;
  /** Keeps recent arrivals by sender. */
  noteArrivals: ArrivalLog['note'];
  /** How long a body waits for memory. */
  patienceMs?: number;
}

const dryRunQuery = z.object({
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true answers what would happen, and stores nothing.' }),
});
const isDryRun = ({ query }: FastifyRequest): boolean => {
  const asked = dryRunQuery.safeParse(query).data;
  if (asked === undefined) throw refuseField('dryRun', message('mustBeOneOf', { choices: 'true, false' }));
  return asked.dryRun === 'true';
};

/** The kinds of errors for which the sender must change the body. */
const refusedBodies: ReadonlySet<ErrorKind> = new Set(['invalid', 'tooLarge', 'unsupportedMediaType']);
const refusedWhole = ({ refusal }: DomainError) => ({
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  latest: [],
  errors: [{ externalId: null, problem: about('body', refusal) }],
});

/**
 * `POST /api/ingest/measurements`: specification, measurement rules 6 and 7; decisions.md 4. Intervals have the same kind of
 * route: docs/adr/0081.
 */
export async function ingestRoutes(
  app: App,
  { guard, ingest, intervals, recordIngest, noteArrivals, patienceMs }: IngestRoutesParts,
): Promise<void> {
  const bodies = limiterOf('rowsHeld');
  leaveBodiesUnread(app);

  const store = (
    request: FastifyRequest,
    reply: FastifyReply,
    maxEntries: number,
    upload: Pick<IngestRequest<IngestOutcome>, 'judge' | 'store'>,
  ): Promise<IngestOutcome> =>
    takeList(
      request,
      reply,
      {
        bodies,
        key: request.headers.authorization ?? guard.current(request).accountId,
        maxBytes: limits.ingestBodyBytes,
        maxEntries,
        patienceMs,
      },
      upload,
    );

  const present = ({ accepted, duplicates, rejected }: IngestOutcome): IngestResult => ({
    accepted,
    rejected: rejected.count,
    duplicates,
    errors: rejected.first.map(({ index, externalId, problem }) => ({
      index,
      externalId,
      reason: inEnglish(problem),
      refusal: problem,
    })),
  });

  const senderOf = (request: FastifyRequest): ClientSender => ({ ...ofClient, key: guard.recalledKey(request) });

  const take = async (
    request: FastifyRequest,
    storing: Promise<IngestOutcome>,
    isTrial: boolean,
  ): Promise<IngestResult> => {
    // A dry run is not counted, because it stores nothing.
    if (isTrial) return present(await storing);
    const sender = findApiKey(request)?.id ?? someAdministrator;
    const outcome = await storing.catch(async (error: unknown) => {
      // The key is confirmed before the answer tells what is wrong with the body.
      if (error instanceof DomainError && error.kind !== 'unavailable') await guard.recalledKey(request)?.confirm();
      if (error instanceof DomainError && refusedBodies.has(error.kind)) noteArrivals(sender, refusedWhole(error));
      throw error;
    });
    const result = present(outcome);
    noteArrivals(sender, { ...result, errors: outcome.rejected.first, latest: outcome.latest });
    recordIngest(result);
    logDelivery(request, result);
    return result;
  };

  // The command validates row by row; a schema would refuse the good rows together with the bad ones.
  const ofRows = {
    bodyLimit: limits.ingestBodyBytes,
    validatorCompiler: () => () => true,
  };

  app.post(
    '/api/ingest/measurements',
    {
      ...ofRows,
      onRequest: guard.ingestOrRecall,
      schema: {
        tags: ['Measurements'],
        operationId: 'ingestMeasurements',
        summary: 'Store measurements',
        description: `Validates each row by itself; sending a row again changes nothing. At most 32 MiB, decoded, and ${limits.ingestRows} rows. Accepts gzip and zstd.`,
        querystring: dryRunQuery,
        body: z.array(ingestRow),
        response: { 200: ingestResult },
      },
    },
    async (request, reply) => {
      // With a query string the key is confirmed now. Otherwise it is checked together with the rows.
      if (request.url.includes('?')) await guard.recalledKey(request)?.confirm();
      const isTrial = isDryRun(request);
      const { judge, store: keep, tryOut } = ingest.begin(senderOf(request));
      const upload = { judge, store: isTrial ? tryOut : keep };
      return take(request, store(request, reply, limits.ingestRows, upload), isTrial);
    },
  );

  app.post(
    '/api/ingest/intervals',
    {
      ...ofRows,
      onRequest: guard.ingest,
      schema: {
        tags: ['Measurements'],
        operationId: 'ingestIntervals',
        summary: 'Store energy of intervals, such as a load profile',
        description: `Validates each row by itself; sending a row again changes nothing. A row that overlaps another interval of its device is rejected. At most 32 MiB, decoded, and ${intervalLimits.rows} rows. Accepts gzip and zstd.`,
        querystring: dryRunQuery,
        body: z.array(ingestInterval),
        response: { 200: ingestResult },
      },
    },
    async (request, reply) => {
      const isTrial = isDryRun(request);
      const upload = intervals.begin(ofClient, { isDryRun: isTrial });
      return take(request, store(request, reply, intervalLimits.rows, upload), isTrial);
    },
  );
}
