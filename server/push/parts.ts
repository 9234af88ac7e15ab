import type { BackoffBounds } from '../base/backoff.ts';
import type { Database } from '../database/pool.ts';
import type { FleetClient } from './fleet-client.ts';

export interface PushParts {
  database: Database;
  client: FleetClient;
  /** Identifies the fleet; for another fleet everything starts over. */
  target: string;
  /** Rows of a batch, as configured. */
  batchSize: number;
  /** The waits after failures. */
  backoff: BackoffBounds;
  /** From 0 to 1. */
  random: () => number;
  /** Epoch milliseconds. */
  now: () => number;
  /** The time between two pushes. */
  intervalSeconds: number;
  /** After a comparison it rests this many times as long as the comparison took. */
  restFactor?: number;
  /** Milliseconds until ingest is quiet; 0 if it is. */
  quietInMs: () => number;
}

/** The signals that end the push. */
export interface Ending {
  /** Ends it before the next batch. */
  stopping: AbortSignal;
  /** Aborts it in the middle of a batch. */
  givenUp: AbortSignal;
  /** Whether an administrator has just requested it: then earlier failures delay nothing. */
  isAsked?: boolean;
}
