import type { Log } from '../../base/log.ts';
import { clientMeasurements, type EngineOptions, type MeasurementTable, type TimeSeriesEngine } from './engine.ts';
import { nativePartitions } from './native.ts';
import type { Database } from '../pool.ts';
import { errorState } from '../errors.ts';
import { execute, findRow } from '../rows.ts';
import { citusShards } from './citus.ts';
import { listDependents, timescaleHypertable } from './timescale.ts';

interface Offer {
  installed: string | null;
  available: string | null;
  isLoaded: boolean;
  citus: string | null;
}
const nothingOffered: Offer = { installed: null, available: null, isLoaded: false, citus: null };

// If a setting of the library exists, the library is loaded. Reading shared_preload_libraries would need a superuser.
const FIND_OFFER = `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'timescaledb') AS installed,
                (SELECT default_version FROM pg_available_extensions WHERE name = 'timescaledb') AS available,
                current_setting('timescaledb.max_background_workers', true) IS NOT NULL AS "isLoaded",
                (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS citus`;
// Prevents two portals that start at the same time from both creating the extension.
const LOCK_EXTENSION = `SELECT pg_advisory_xact_lock(hashtext('timescaledb extension'))`;
const CREATE_EXTENSION = 'CREATE EXTENSION IF NOT EXISTS timescaledb';
const insufficientPrivilege = '42501';

/**
 * Citus if the database of a fleet has it, else TimescaleDB if this database has it or can have it, otherwise native partitions; the
 * log says which and why.
 */
export async function chooseEngine(database: Database, options: EngineOptions): Promise<TimeSeriesEngine> {
  const { log, table = clientMeasurements } = options;
  const offer = await findRow<Offer>(database, FIND_OFFER);
  const engine = await engineOf(database, offer ?? nothingOffered, { ...options, table });
  log.info({ engine: engine.name }, 'storage engine of the measurements');
  return engine;
}

async function engineOf(database: Database, offer: Offer, options: EngineOptions & { table: MeasurementTable }) {
  const { now, log, table } = options;
  const { citus, installed } = offer;
  if (citus !== null && installed !== null) {
    throw new Error(
      'The database has the extensions Citus and TimescaleDB, which exclude each other; drop one of them, or use another database.',
    );
  }
  if (citus !== null)
    return table.schema === 'fleet' ? citusShards({ version: citus, now, log }) : nativePartitions(now, table);
  const version = await findTimescale(database, offer, table, log);
  return version === null ? nativePartitions(now, table) : timescaleHypertable({ ...options, version });
}

async function findTimescale(
  database: Database,
  { installed, available, isLoaded }: Offer,
  table: MeasurementTable,
  log: Log,
): Promise<string | null> {
  if (installed !== null) {
    if (!isLoaded) {
      throw new Error(
        `The database has the extension TimescaleDB ${installed}, but its library is not loaded: name timescaledb in shared_preload_libraries of PostgreSQL and restart it.`,
      );
    }
    return (await isFree(database, table, log)) ? installed : null;
  }
  if (available === null) return null;
  if (!isLoaded) {
    log.warn({ available }, 'TimescaleDB is installed, but not in shared_preload_libraries');
    return null;
  }
  try {
    await database.transaction(async (tx) => {
      await execute(tx, LOCK_EXTENSION);
      await execute(tx, CREATE_EXTENSION);
    });
  } catch (error) {
    if (errorState(error) !== insufficientPrivilege) throw error;
    log.warn({ available }, 'TimescaleDB is installed, but this account may not create the extension');
    return null;
  }
  return (await isFree(database, table, log)) ? available : null;
}

/** Whether the measurement table is a hypertable or can become one. */
async function isFree(database: Database, table: MeasurementTable, log: Log): Promise<boolean> {
  const views = await listDependents(database, table);
  if (views.length === 0) return true;
  log.warn(
    { views },
    'measurements stay in native partitions because these views depend on them; drop the views, restart and create them again',
  );
  return false;
}
