import type { Database } from './pool.ts';

/** How the measurement table is kept in pieces by time. One per database, chosen at start by what the database offers. */
export interface TimeSeriesEngine {
  readonly name: string;
  /** Brings the measurement table into this engine's shape; doing it again changes nothing. */
  prepare(database: Database): Promise<void>;
  /**
   * Makes room for rows of these instants (epoch microseconds). Runs before the ingest's own transaction, and instances
   * that need the same room at the same moment do not fail each other.
   */
  ensureRoom(database: Database, timesMicros: Iterable<number>): Promise<void>;
}
