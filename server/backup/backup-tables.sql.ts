import { clientMeasurements, fleetMeasurements } from '../database/engines/measurement-table.ts';
import type { Queryable } from '../database/pool.ts';
import { listRows, listValues } from '../database/rows.ts';
import { conversionTables } from '../database/engines/timescale-conversion.ts';

/** A table that is part of a backup. */
export interface TableToBackUp {
  /** `monitoring.devices`, quoted where needed. */
  name: string;
  /** Without generated columns. */
  columns: string[];
  /** The columns of its primary key; empty if it has none. */
  key: string[];
  /** The tables that its foreign keys refer to. */
  references: string[];
}

/** All schemas of the portal; `fleet` is the Admin's, `monitoring` the Client's. */
const schemas = ['portal', 'monitoring', 'fleet', 'dashboards'];
/** The migrator's ledger, which has rows as soon as there is a schema. */
export const ledgerTable = 'portal.schema_migrations';
/** A Client's and an Admin's; `time` is the first column in a backup. */
export const measurementTables: readonly string[] = [clientMeasurements, fleetMeasurements].map(
  ({ schema }) => `${schema}.measurements`,
);
const timeColumn = 'time';

// From the catalog, so that no table can be forgotten. Partitions and chunks belong to their parent, and objects of an
// extension come with the extension.
const LIST_TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT a.attname::text FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, position)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
          WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.position) AS key,
    ARRAY(SELECT DISTINCT format('%I.%I', fn.nspname, f.relname) FROM pg_constraint k
          JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
          WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid ORDER BY 1) AS references
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
    AND format('%I.%I', n.nspname, c.relname) <> ALL ($2::text[])
    AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1`;
const LIST_SEQUENCES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1::text[]) AND c.relkind = 'S' ORDER BY 1`;

/** The portal's tables, each after those that it refers to. */
export async function listTables(db: Queryable): Promise<TableToBackUp[]> {
  const rows = await listRows<TableToBackUp>(db, LIST_TABLES, schemas, conversionTables);
  for (const table of rows) if (measurementTables.includes(table.name)) table.columns = timeFirst(table.columns);
  return inOrderOfReferences(rows);
}

export const listSequences = (db: Queryable) => listValues<string>(db, LIST_SEQUENCES, schemas);

/** The names as a list for a statement. */
export const columnList = (names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');

const timeFirst = (columns: readonly string[]) => [timeColumn, ...columns.filter((column) => column !== timeColumn)];

/** Throws if tables refer to each other in a circle, because none could be loaded first. */
export function inOrderOfReferences<Table extends { name: string; references: readonly string[] }>(
  tables: readonly Table[],
): Table[] {
  const ordered = new Map<string, Table>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ references }) => references.every((name) => ordered.has(name)));
    if (ready.length === 0) {
      throw new Error(`These tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`);
    }
    for (const table of ready) ordered.set(table.name, table);
    waiting = waiting.filter(({ name }) => !ordered.has(name));
  }
  return [...ordered.values()];
}
