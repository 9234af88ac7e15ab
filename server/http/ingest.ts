import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { ingestResult, type IngestResult, ingestRow, limits } from '../../shared/measurements.ts';
import type { Ingest } from '../commands/ingest.ts';
import { DomainError } from '../domain/errors.ts';
import type { App } from './app.ts';
import { decodeBody } from './body-encoding.ts';
import type { Guard } from './guard.ts';

export interface IngestRoutesParts {
  guard: Guard;
  ingest: Ingest;
  /** Counts rows by verdict for /metrics. */
  recordIngest: (result: Pick<IngestResult, 'accepted' | 'rejected' | 'duplicates'>) => void;
}

/** `POST /api/ingest/measurements`: specification, measurement rules 6 and 7; decisions.md 4. */
export async function ingestRoutes(app: App, { guard, ingest, recordIngest }: IngestRoutesParts): Promise<void> {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseRows(body),
  );

  app.post(
    '/api/ingest/measurements',
    {
      onRequest: guard.ingest,
      preParsing: decodeBody(limits.ingestBodyBytes),
      bodyLimit: limits.ingestBodyBytes,
      // Rows are judged one by one in the command; a schema would refuse the good ones together with the bad.
      validatorCompiler: () => () => true,
      schema: {
        tags: ['Measurements'],
        summary: 'Store measurements; rows are judged one by one, and re-delivery changes nothing',
        description: 'At most 32 MiB, decoded; gzip and zstd are accepted.',
        body: z.array(ingestRow),
        response: { 200: ingestResult },
      },
    },
    async (request): Promise<IngestResult> => {
      const rows: unknown = request.body;
      if (!Array.isArray(rows))
        throw new DomainError('invalid', 'The body must be a JSON list of rows; nothing was stored.');
      const outcome = await ingest.ingest(rows);
      const result = {
        accepted: outcome.accepted,
        rejected: outcome.rejected.length,
        duplicates: outcome.duplicates,
        errors: outcome.rejected.slice(0, limits.ingestListedErrors),
      };
      recordIngest(result);
      return result;
    },
  );
}

function parseRows(body: Buffer): unknown {
  if (!isUtf8(body))
    throw new DomainError('invalid', 'The body is not valid JSON (it is not UTF-8); nothing was stored.');
  try {
    const text = body.toString('utf8');
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it could not be read';
    throw new DomainError('invalid', `The body is not valid JSON (${reason}); nothing was stored.`);
  }
}
