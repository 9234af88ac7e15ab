import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import type { ClientParts } from '../http/client-parts.ts';
import type { Context } from '../http/context.ts';
import type { App } from '../http/guard.ts';
import { createArrivalLog } from './arrivals.ts';
import { arrivalRoutes } from './arrivals.routes.ts';
import { createClientIngest } from './client-ingest.ts';
import { createIntervalIngest } from './intervals.ts';
import { type IngestRoutesParts, ingestRoutes } from './ingest.routes.ts';
import { removalRoutes } from './removals.routes.ts';

/** The ingest of a Client, and its recent arrivals. */
export async function openIngest(
  app: App,
  { database, engine, log, now, onStored }: Context,
  { recordIngest, ...parts }: ClientParts & Pick<IngestRoutesParts, 'recordIngest'>,
): Promise<void> {
  const ingest = createClientIngest({ database: database.within(shares.ingest), engine, now, onStored });
  const intervals = createIntervalIngest({ database: database.within(shares.ingest), now, onStored });
  const arrivals = createArrivalLog({ database, now, onProblem: warns(log, 'could not record recent arrivals') });
  app.addHook('onClose', arrivals.write);
  // In a Fastify scope of its own, because these routes parse JSON bodies themselves.
  await app.register(async (scope) =>
    ingestRoutes(scope, { guard: parts.guard, ingest, intervals, recordIngest, noteArrivals: arrivals.note }),
  );
  await arrivalRoutes(app, { ...parts, arrivals });
  await removalRoutes(app, { ...parts, onStored });
}
