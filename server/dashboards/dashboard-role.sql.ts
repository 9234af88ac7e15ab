import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/pool.ts';
import { errorState } from '../database/errors.ts';
import { execute, findRow, listRows } from '../database/rows.ts';

/**
 * The database role of the dashboard tool and of other viewers of the data. It reads what queries need. Of accounts it reads
 * only their time zones.
 */
export const dashboardRole = 'portal_dashboards';

const energyTables = [
  'municipalities',
  'tariffs',
  'tariff_periods',
  'sites',
  'devices',
  'measurements',
  'intervals',
  'retention',
  'energy_days',
  'energy_gaps',
  'energy_flags',
  'energy_failures',
  'energy_dirty_ranges',
  'energy_state',
  'energy_weeks',
  'energy_sums',
];

/**
 * The tables that the role may read; if columns are given, only those columns. In schema `dashboards` it may read and write
 * everything.
 */
const readable: readonly { schema: string; table: string; columns?: readonly string[] }[] = [
  { schema: 'portal', table: 'branding' },
  { schema: 'portal', table: 'display' },
  // The zone in which a user sees times.
  { schema: 'portal', table: 'accounts', columns: ['id', 'time_zone'] },
  ...['monitoring', 'fleet'].flatMap((schema) => energyTables.map((table) => ({ schema, table }))),
  // The hashes of tokens are not among them.
  { schema: 'fleet', table: 'customers', columns: ['id', 'code', 'name', 'is_active'] },
  { schema: 'fleet', table: 'customer_access', columns: ['customer_id', 'user_id'] },
  {
    schema: 'fleet',
    table: 'customer_state',
    columns: [
      'customer_id',
      // Changes when a batch has arrived.
      'batch_count',
      // The state of a customer follows from the others.
      'first_seen_at',
      'last_seen_at',
      'last_measured_at',
      'push_interval_seconds',
      'push_gaps_seconds',
      'last_error',
      'last_failed_at',
      'last_failure',
      'is_refused',
      'failing_since',
      'token_refused_since',
      'token_refused_at',
      'token_refusal',
    ],
  },
];
const schemas = ['portal', 'monitoring', 'fleet', 'dashboards'];

const FIND_ROLE = `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "isThere",
    (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS "mayCreate"`;
// Defaults for the sessions of the role, which may change them. The real limits are its privileges.
const defaults = [
  `default_transaction_read_only = on`,
  `statement_timeout = '30s'`,
  `idle_in_transaction_session_timeout = '60s'`,
];

// Partitions and chunks are read through their parent.
const LIST_RELATIONS = `SELECT n.nspname AS schema, c.relname AS "table", c.relkind = 'v' AS "isView"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p', 'v') AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
  ORDER BY 1, 2`;
/** The only permission of the role in the audit trail: to add events of dashboards (portal.record_dashboard_change). */
const recorder = 'portal.record_dashboard_change';
const FIND_RECORDER = `SELECT to_regproc('${recorder}')::oid::regprocedure::text AS name WHERE to_regproc('${recorder}') IS NOT NULL`;
const LIST_GRANTED = `WITH role AS (SELECT oid FROM pg_roles WHERE rolname = $2)
  SELECT 'SCHEMA' AS kind, format('%I', n.nspname) AS name, a.privilege_type AS privilege
  FROM role, pg_namespace n, aclexplode(n.nspacl) a WHERE a.grantee = role.oid AND n.nspname = ANY ($1::text[])
  UNION ALL
  SELECT 'TABLE', format('%I.%I', n.nspname, c.relname), a.privilege_type
  FROM role, pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
  WHERE a.grantee = role.oid AND n.nspname = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
  UNION ALL
  SELECT 'TABLE', format('%I.%I', n.nspname, c.relname), format('%s (%I)', a.privilege_type, t.attname)
  FROM role, pg_attribute t JOIN pg_class c ON c.oid = t.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(t.attacl) a
  WHERE a.grantee = role.oid AND n.nspname = ANY ($1::text[])
  UNION ALL
  SELECT 'FUNCTION', p.oid::regprocedure::text, a.privilege_type
  FROM role, pg_proc p, aclexplode(p.proacl) a WHERE a.grantee = role.oid AND p.oid = to_regproc('${recorder}')`;
// Prevents two portals that start at the same time from updating the same rows of the catalog.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('${dashboardRole}'))`;

interface Grant {
  kind: 'SCHEMA' | 'TABLE' | 'FUNCTION';
  name: string;
  privilege: string;
}

/**
 * Creates the role if needed (and if the portal's account may create roles), and grants exactly the privileges that the role
 * needs in this database. `missing` means: the role does not exist, and this account may not create it.
 */
export async function ensureDashboardRole(database: Database, role = dashboardRole): Promise<'ready' | 'missing'> {
  const found = await findRow<{ isThere: boolean; mayCreate: boolean }>(database, FIND_ROLE, role);
  if (found?.isThere !== true) {
    if (found?.mayCreate !== true) return 'missing';
    await createRole(database, role);
  }
  await database.transaction(async (tx) => {
    await execute(tx, LOCK);
    const [wanted, granted] = [await listWanted(tx), await listRows<Grant>(tx, LIST_GRANTED, schemas, role)];
    const keyOf = ({ kind, name, privilege }: Grant) => `${privilege} ON ${kind} ${name}`;
    const [wantedKeys, grantedKeys] = [new Set(wanted.map(keyOf)), new Set(granted.map(keyOf))];
    // Grants only what is missing, because TimescaleDB repeats each grant for every chunk.
    for (const key of grantedKeys.difference(wantedKeys)) await execute(tx, `REVOKE ${key} FROM ${role}`);
    for (const key of wantedKeys.difference(grantedKeys)) await execute(tx, `GRANT ${key} TO ${role}`);
  });
  return 'ready';
}

/**
 * An account with the privileges of the role and a new password, for a tool on this machine. Each portal has an account of its
 * own, named by `portalKey`. All databases of a server share accounts: if two portals shared one, a new password for one portal
 * would lock out the other.
 */
export async function renewDashboardAccount(
  database: Database,
  portalKey: string,
  role = dashboardRole,
): Promise<{ name: string; password: string }> {
  const name = `${role}_${createHash('sha256').update(portalKey).digest('hex').slice(0, 16)}`;
  const password = randomBytes(24).toString('base64url');
  const found = await findRow<{ isThere: boolean }>(database, FIND_ROLE, name);
  if (found?.isThere !== true) await createRole(database, name, `IN ROLE ${role}`);
  // The server receives only the hash that it stores anyway. It may log that hash.
  await whileOthersDoSo(() => execute(database, `ALTER ROLE ${name} LOGIN PASSWORD '${scramSecret(password)}'`));
  return { name, password };
}

async function createRole(database: Database, role: string, membership = ''): Promise<void> {
  try {
    await execute(database, `CREATE ROLE ${role} NOLOGIN CONNECTION LIMIT 20 ${membership}`);
  } catch (error) {
    // A portal on another database of this server has created it first.
    if (!['42710', '23505'].includes(errorState(error) ?? '')) throw error;
    return;
  }
  for (const setting of defaults) await whileOthersDoSo(() => execute(database, `ALTER ROLE ${role} SET ${setting}`));
}

async function listWanted(db: Queryable): Promise<Grant[]> {
  const relations = await listRows<{ schema: string; table: string; isView: boolean }>(db, LIST_RELATIONS, schemas);
  const grants: Grant[] = [];
  const { name } = (await findRow<{ name: string }>(db, FIND_RECORDER)) ?? {};
  if (name !== undefined) grants.push({ kind: 'FUNCTION', name, privilege: 'EXECUTE' });
  for (const schema of new Set(relations.map((one) => one.schema))) {
    grants.push({ kind: 'SCHEMA', name: schema, privilege: 'USAGE' });
  }
  for (const { schema, table, isView } of relations) {
    const grant = (privilege: string) => grants.push({ kind: 'TABLE', name: `${schema}.${table}`, privilege });
    if (schema === 'dashboards') {
      for (const privilege of isView ? ['SELECT'] : ['SELECT', 'INSERT', 'UPDATE', 'DELETE']) grant(privilege);
    }
    const own = readable.find((one) => one.schema === schema && one.table === table);
    if (own !== undefined && own.columns === undefined) grant('SELECT');
    for (const column of own?.columns ?? []) grant(`SELECT (${column})`);
  }
  return grants;
}

const catalogAttempts = 10;

/** Roles belong to the server. So portals on other databases may change the same row of its catalog (XX000). */
async function whileOthersDoSo(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isShared = error instanceof Error && error.message.includes('tuple concurrently updated');
      if (!isShared || attempt >= catalogAttempts) throw error;
    }
  }
}

const rounds = 4096;

/** The form in which PostgreSQL stores a password (RFC 5802). */
function scramSecret(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const keyed = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
