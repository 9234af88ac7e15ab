import type { Database, Transaction } from './pool.ts';

/** Readings of a device from an instant on (epoch microseconds). */
export interface KeptReadings {
  deviceNumber: number;
  fromMicros: number;
}

/** How the measurement table is kept in pieces by time. One per database, chosen at start by what the database offers. */
export interface TimeSeriesEngine {
  /** `TimescaleDB 2.28.3` or `native partitions`. */
  readonly name: string;
  /**
   * Brings the measurement table, with what is in it, into this engine's shape, and makes room for what comes next; doing it
   * again changes nothing, and what was interrupted at any moment goes on. Also for a portal that has run for months.
   */
  prepare(database: Database): Promise<void>;
  /** Whether rows of these instants (epoch microseconds) may have to wait for `ensurePartitions`. */
  lacksPartitions(timesMicros: Iterable<number>): boolean;
  /**
   * Makes room for rows of these instants (epoch microseconds). Runs before the ingest's own transaction, and instances
   * that need the same room at the same moment do not fail each other.
   */
  ensurePartitions(database: Database, timesMicros: Iterable<number>): Promise<void>;
  /**
   * Takes away pieces that lie before the instant (epoch microseconds) whole, but for the kept readings. Readings of a piece
   * that the instant cuts stay. Under the exclusive ingest lock.
   */
  dropBefore(tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]): Promise<void>;
}

export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
