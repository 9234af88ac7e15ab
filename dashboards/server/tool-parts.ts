import type { FleetDays } from '../../server/fleet/fleet-days.ts';
import type { Database } from '../../server/database/pool.ts';
import type { Limiter } from '../../server/base/limiter.ts';
import type { ToolSettings } from './settings.ts';
import type { Shipped } from './store.ts';

/** What the routes of the tool share. */
export interface ToolParts {
  settings: ToolSettings;
  /** Epoch milliseconds. */
  now: () => number;
  /** Read-only. */
  database: Database;
  /** For writing dashboards. */
  writing: Database;
  questions: Limiter;
  /** For a fleet that is too large to read customer by customer. */
  fleet: FleetDays;
  shipped: Shipped;
}
