import type { Log } from '../../base/log.ts';
import { errorState } from '../errors.ts';
import type { Database, Transaction } from '../pool.ts';
import { columnsOf, execute, instantOf, listValues } from '../rows.ts';

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
   * Converts the measurement table and its rows to this engine, and creates the partitions of the coming months. Can be
   * repeated, continues after any interruption, and is called again from time to time.
   */
  prepare(database: Database): Promise<void>;
  /** Whether rows of these instants (epoch microseconds) may have to wait for `ensurePartitions`. */
  lacksPartitions(timesMicros: Iterable<number>): boolean;
  /**
   * Creates the partitions for rows of these instants (epoch microseconds). Runs before the ingest's own transaction; instances
   * that need the same partition at the same time do not fail.
   */
  ensurePartitions(database: Database, timesMicros: Iterable<number>): Promise<void>;
  /** Whether the rows of customers are on several nodes (reach.ts). */
  readonly isSharded?: true;
  /** Whether a statement that only inserts failed because one of its rows is already stored. */
  isDuplicate(error: unknown): boolean;
  /**
   * Drops partitions that lie entirely before the instant (epoch microseconds), except the kept readings. Call it under the
   * exclusive ingest lock. Null for the fleet, which keeps all.
   */
  readonly dropBefore: ((tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]) => Promise<void>) | null;
}

export interface EngineOptions {
  /** Default: the table of the Client. */
  table?: MeasurementTable;
  /** Chunks older than this are compressed. */
  compressAfterDays: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
}

/** A table of measurements, as an engine sees it. Names come from the code, never from a request. */
export interface MeasurementTable {
  readonly schema: 'monitoring' | 'fleet';
  /** The columns before `time` in the table's unique index; they identify the device. */
  readonly key: 'device_number' | 'customer_id, device_number';
  /** Days of a TimescaleDB chunk. */
  readonly chunkDays: number;
}

/** Chunks of a month, as with native partitions: 4.3 million rows for a hundred meters that send every minute. */
export const clientMeasurements: MeasurementTable = { schema: 'monitoring', key: 'device_number', chunkDays: 30 };
/** Specification, Startup 3. */
export const fleetMeasurements: MeasurementTable = { schema: 'fleet', key: 'customer_id, device_number', chunkDays: 7 };

export const measurementsOf = (runMode: 'Client' | 'Admin') =>
  runMode === 'Client' ? clientMeasurements : fleetMeasurements;

/** SQL: gives a table the comment of another one; LIKE … INCLUDING COMMENTS gives those of its columns only. */
export const commentAs = (table: string, other: string): string =>
  `DO $$ BEGIN EXECUTE format('COMMENT ON TABLE ${table} IS %L', obj_description('${other}'::regclass)); END $$`;

// Index measurements_device_time_key.
const SET_ASIDE = `CREATE TEMPORARY TABLE kept_measurements ON COMMIT DROP AS
  SELECT m.* FROM unnest($1::integer[], $2::bigint[]) AS kept (number, micros)
  JOIN monitoring.measurements m ON m.device_number = kept.number AND m.time >= ${instantOf('kept.micros')}
  WHERE m.time < ${instantOf('$3::bigint')}`;
const PUT_BACK = `INSERT INTO monitoring.measurements SELECT * FROM pg_temp.kept_measurements ON CONFLICT DO NOTHING`;
const LIST_MONTHS = `SELECT DISTINCT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM pg_temp.kept_measurements`;

/**
 * Sets readings before an instant (epoch microseconds) aside while their partitions are dropped. Returns the months of these
 * readings, such as `2026-03`.
 */
export async function setAside(
  tx: Transaction,
  beforeMicros: number,
  kept: readonly KeptReadings[],
): Promise<string[]> {
  await execute(tx, SET_ASIDE, ...columnsOf(kept, ['deviceNumber', 'fromMicros']), beforeMicros);
  return listValues<string>(tx, LIST_MONTHS);
}

/** Puts the readings that were set aside back into the table, in the same transaction. */
export const putBack = (tx: Transaction) => execute(tx, PUT_BACK);

/** Whether a statement failed on a unique index. For engines where only the unique index of the table can report duplicates. */
export const violatesUniqueIndex = (error: unknown): boolean => errorState(error) === '23505';
