import type { BackoffBounds } from '../base/backoff.ts';
import type { Database } from '../database/pool.ts';
import type { FleetClient } from './fleet-client.ts';

export interface PushParts {
  database: Database;
  client: FleetClient;
  /** Identifies the fleet; for another fleet everything starts over. */
  target: string;
  /** The maximum number of rows in a batch, as configured. */
  batchSize: number;
  /** The waits after failures. */
  backoff: BackoffBounds;
  /** A random number from 0 to 1. */
  random: () => number;
  /** Epoch milliseconds. */
  now: () => number;
  /** The time between two pushes. */
  intervalSeconds: number;
  /** After a comparison the push rests this many times as long as the comparison took. */
  restFactor?: number;
  /** How many milliseconds remain until ingest is quiet; 0 if it is quiet. */
  quietInMs: () => number;
}

/** The signals that end the push. */
export interface Ending {
  /** Ends the push before the next batch. */
  stopping: AbortSignal;
  /** Aborts the push in the middle of a batch. */
  givenUp: AbortSignal;
  /** Whether an administrator has just requested a push. Then it does not wait because of earlier failures. */
  isAsked?: boolean;
}
