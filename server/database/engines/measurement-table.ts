/** A table of measurements, as an engine sees it. Names come from the code, never from a request. */
export interface MeasurementTable {
  readonly schema: 'monitoring' | 'fleet';
  /** The columns of its unique index before `time`, which identify the device. */
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
