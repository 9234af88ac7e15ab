import type { Log } from '../../base/log.ts';
import type { MeasurementTable } from './measurement-table.ts';
import type { Database, Transaction } from '../pool.ts';

/** Readings of a device from an instant on (epoch microseconds). */
export interface KeptReadings {
  deviceNumber: number;
  fromMicros: number;
}

/** How the measurement table is partitioned by time; chosen at start by what the database offers. */
export interface TimeSeriesEngine {
  /** `TimescaleDB 2.28.3` or `native partitions`. */
  readonly name: string;
  /**
   * Converts the measurement table and its rows to this engine and creates the partitions of the months ahead. It can be
   * repeated, continues what was interrupted at any moment, and is called again from time to time.
   */
  prepare(database: Database): Promise<void>;
  /** Whether rows of these instants (epoch microseconds) may have to wait for `ensurePartitions`. */
  lacksPartitions(timesMicros: Iterable<number>): boolean;
  /**
   * Creates the partitions for rows of these instants (epoch microseconds). Runs before the ingest's own transaction; instances
   * that need the same partition at the same time do not fail.
   */
  ensurePartitions(database: Database, timesMicros: Iterable<number>): Promise<void>;
  /**
   * Drops partitions that lie entirely before the instant (epoch microseconds), except the kept readings. Call it under the
   * exclusive ingest lock. Null for the fleet, which keeps all.
   */
  readonly dropBefore: ((tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]) => Promise<void>) | null;
}

export interface EngineOptions {
  /** The Client's where it is left out. */
  table?: MeasurementTable;
  /** Chunks older than this are compressed. */
  compressAfterDays: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
}
