import type { Database } from '../db/pool.ts';
import type { FleetClient } from './fleet-client.ts';

export interface PushParts {
  database: Database;
  client: FleetClient;
  /** Names the fleet; another one has nothing yet. */
  target: string;
  /** Rows of a batch, as configured. */
  batchSize: number;
  /** Epoch milliseconds. */
  now: () => number;
  /** Between two pushes. */
  intervalSeconds: number;
  /** How much longer than a comparison lasts it rests. */
  restFactor?: number;
  /** Milliseconds until ingest is quiet; 0 if it is. */
  quietInMs: () => number;
}

/** How the push is told to end. */
export interface Ending {
  /** Before the next batch. */
  stopping: AbortSignal;
  /** In the middle of one. */
  givenUp: AbortSignal;
  /** Somebody asks for it now: nothing waits after a failure, not even one of the tick before. */
  isAsked?: boolean;
}

/** The fleet takes 32 MiB. */
export const maxBodyBytes = 16 * 1024 * 1024;
