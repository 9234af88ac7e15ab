import { shares } from '../../base/budgets.ts';
import { errorState } from '../errors.ts';
import type { Database, Transaction } from '../pool.ts';
import { execute, findValue, listRows, listValues } from '../rows.ts';
import { watchNodes } from './reach.ts';
import { type EngineOptions, fleetMeasurements, type TimeSeriesEngine, violatesUniqueIndex } from './engine.ts';
import { nativePartitions } from './native.ts';

interface ShardsOptions extends Pick<EngineOptions, 'now' | 'log'> {
  /** The version of the extension. */
  version: string;
}

// If two portals start at the same time, the second one waits here and then finds the work done.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('fleet shards'))`;
// With these settings a transaction uses one connection to each node and runs its statements there one after the other. So it
// reads one snapshot of each node, and can write rows that it has read or written before. A node that does not answer is given up
// before the statement is, which can then be repeated without its customers.
const LACKS_SETTINGS = `SELECT (current_setting('citus.max_adaptive_executor_pool_size'), current_setting('citus.multi_shard_modify_mode'),
    current_setting('citus.node_connection_timeout')) <> ('1', 'sequential', '5s') AS "lacksThem"`;
const KEEP_SETTINGS = `DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET citus.max_adaptive_executor_pool_size = 1', current_database());
  EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode = ''sequential''', current_database());
  EXECUTE format('ALTER DATABASE %I SET citus.node_connection_timeout = ''5s''', current_database());
END $$`;
// Ends the other sessions of portals, which then connect again.
const END_OTHERS = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = current_user
    AND application_name = current_setting('application_name')`;
const CHANGE_IN_SEQUENCE = `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`;
// `registry` is copied to every node. `local` stays on the coordinator, because it refers to accounts, which only the
// coordinator has.
const registry = 'fleet.customers';
const first = 'fleet.customer_state';
const local = 'fleet.customer_access';
// The tables come from the catalog, so none can be forgotten, not even a table of a later migration.
const LIST_WHOLE = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.oid <> '${local}'::regclass
    AND NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid AND (d.partmethod = 'h' OR d.repmodel = 't'))
    AND (c.oid = '${registry}'::regclass
         OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'customer_id'))
  ORDER BY c.oid <> '${registry}'::regclass, c.oid <> '${first}'::regclass, name`;
// Foreign keys to the registry come first, because others may need them.
const LIST_REFERENCES = `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND confrelid::regclass::text LIKE 'fleet.%'
    AND (conrelid::regclass::text = ANY ($1::text[]) OR conrelid = '${local}'::regclass)
  ORDER BY confrelid <> '${registry}'::regclass, conname`;
// The name that PostgreSQL gives to the row key of a partition.
const rowKey = 'customer_id_device_number_time_idx';
const LIST_UNIDENTIFIED = `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'fleet.measurements'::regclass AND c.relreplident <> 'i'`;
const MAKE_REFERENCE = `SELECT create_reference_table($1)`;
const DISTRIBUTE = `SELECT create_distributed_table($1, 'customer_id', colocate_with => $2)`;
// Deletes the copies that the coordinator still has of rows that are now on other nodes.
const FORGET_COPIES = `SELECT truncate_local_data_after_distributing_table($1::regclass)`;
const COUNT_WORKERS = `SELECT count(*)::integer AS count FROM citus_get_active_worker_nodes()`;

/**
 * Citus (decisions.md 9): all rows of a customer are on one of several nodes, in monthly partitions; the registry of customers
 * is on every node. Rows are never compressed (docs/adr/0086).
 */
export function citusShards({ version, now, log }: ShardsOptions): TimeSeriesEngine {
  const partitions = nativePartitions(now, fleetMeasurements);
  return {
    ...partitions,
    name: `Citus ${version}`,
    isSharded: true,
    async prepare(database) {
      watchNodes(database);
      await keepSettings(database);
      await partitions.prepare(database);
      await identifyRows(database);
      if ((await listWhole(database)).length > 0) await distributeAll(database.within(shares.background), log);
    },
    async ensurePartitions(database, timesMicros) {
      await partitions.ensurePartitions(database, timesMicros);
      await identifyRows(database);
    },
    // If a COPY meets a duplicate on another node, it fails with an internal error.
    isDuplicate: (error) => violatesUniqueIndex(error) || errorState(error) === 'XX000',
  };
}

/** Settings of a database apply to new sessions only, so older sessions are ended. */
async function keepSettings(database: Database): Promise<void> {
  if ((await findValue<boolean>(database, LACKS_SETTINGS)) !== true) return;
  await database.session(async (session) => {
    await execute(session, KEEP_SETTINGS);
    await execute(session, END_OTHERS);
  });
}

/** Sets the replica identity of partitions. Without it no shard can be moved while rows are written to it. */
async function identifyRows(database: Database): Promise<void> {
  const partitions = await listValues<string>(database, LIST_UNIDENTIFIED);
  for (const name of partitions) {
    await execute(database, `ALTER TABLE fleet.${name} REPLICA IDENTITY USING INDEX ${name}_${rowKey}`);
  }
}

const listWhole = (db: Database | Transaction) => listValues<string>(db, LIST_WHOLE);

/**
 * Distributes all tables that are not distributed yet, with their rows, in one transaction. Other portals wait for this
 * transaction.
 */
async function distributeAll(database: Database, log: ShardsOptions['log']): Promise<void> {
  if ((await findValue<number>(database, COUNT_WORKERS)) === 0)
    log.warn(
      {},
      'Citus has no worker yet: all customers are on the coordinator until one is added and shards are moved',
    );
  await database.transaction(async (tx) => {
    await execute(tx, LOCK);
    await execute(tx, CHANGE_IN_SEQUENCE);
    const names = await listWhole(tx);
    const references = await listRows<{ table: string; name: string; definition: string }>(tx, LIST_REFERENCES, names);
    for (const { table, name } of references) await execute(tx, `ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const [at, name] of names.entries()) {
      log.info({ table: name, number: at + 1, of: names.length }, 'distributing the fleet over the nodes of Citus');
      if (name === registry) await execute(tx, MAKE_REFERENCE, name);
      else await execute(tx, DISTRIBUTE, name, name === first ? 'none' : first);
    }
    for (const { table, name, definition } of references) {
      if (table !== local) await execute(tx, `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    for (const name of names) if (name !== registry) await execute(tx, FORGET_COPIES, name);
  });
}
