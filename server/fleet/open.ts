import { shares } from '../base/budgets.ts';
import type { ClientParts } from '../http/client-parts.ts';
import type { Context } from '../http/context.ts';
import type { GuardParts } from '../http/create-guard.ts';
import type { App } from '../http/guard.ts';
import { findFleetScope } from './customer-access.ts';
import { customerDetailRoutes } from './customer-detail.routes.ts';
import { createTokenFinder } from './customers.ts';
import { customerRoutes } from './customers.routes.ts';
import { fleetDashboardRoutes } from './fleet-dashboard.routes.ts';
import { createFleetIngest } from './fleet-ingest.ts';
import { fleetIngestRoutes } from './fleet-ingest.routes.ts';
import { createFleetIntervalIngest } from './fleet-intervals.ts';
import { createFleetRemovals } from './fleet-removals.ts';
import { reconcileRoutes } from './reconcile.routes.ts';

/** The fleet of an Admin. */
export function openFleet({ config, database, engine, now, onStored }: Context) {
  const ofIngest = database.within(engine.isSharded === true ? shares.shardedIngest : shares.ingest);
  const { maxBatchesPerMinute, tokenGraceHours: graceHours } = config.fleetIngest;
  /** Finds whom the guard admits besides accounts. */
  const admitted: Pick<GuardParts, 'findCustomer' | 'findFleetScope'> = {
    findCustomer: createTokenFinder({ database: ofIngest, now }),
    findFleetScope: (account) => findFleetScope(database, account),
  };
  return {
    admitted,
    async routes(app: App, parts: ClientParts): Promise<void> {
      const { guard } = parts;
      const ingest = createFleetIngest({ database: ofIngest, engine, now, onStored });
      const intervals = createFleetIntervalIngest({ database: ofIngest, now });
      const removals = createFleetRemovals({ database: ofIngest, now });
      await app.register(async (scope) =>
        fleetIngestRoutes(scope, { guard, database: ofIngest, ingest, intervals, removals, maxBatchesPerMinute, now }),
      );
      await fleetDashboardRoutes(app, parts, config.timeZone);
      await customerDetailRoutes(app, parts);
      await reconcileRoutes(app, parts);
      await customerRoutes(app, { ...parts, graceHours });
    },
  };
}
