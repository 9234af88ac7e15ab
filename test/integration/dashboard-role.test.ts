import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  dashboardRole,
  ensureDashboardRole,
  renewDashboardAccount,
} from '../../server/dashboards/dashboard-role.sql.ts';
import { Database } from '../../server/database/pool.ts';
import { dashboardsConnection, withAccount } from '../support/dashboard-role.ts';
import { createTestDatabase } from '../support/postgres.ts';

const randomName = (what: string) => `${what}_${randomBytes(8).toString('hex')}`;

/** Every relation and column outside of PostgreSQL itself that the account can read or write, and its owner. */
const REACHABLE = {
  text: `SELECT format('%I.%I', n.nspname, c.relname) AS name,
      array_remove(ARRAY[
        CASE WHEN has_table_privilege(c.oid, 'SELECT') THEN 'SELECT' END,
        CASE WHEN has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') THEN 'write' END,
        CASE WHEN NOT has_table_privilege(c.oid, 'SELECT') AND has_any_column_privilege(c.oid, 'SELECT') THEN
          (SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND has_column_privilege(c.oid, a.attnum, 'SELECT')) END,
        CASE WHEN has_any_column_privilege(c.oid, 'INSERT, UPDATE') AND NOT has_table_privilege(c.oid, 'INSERT, UPDATE') THEN 'column write' END
      ], NULL) AS rights
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname !~ '^(_timescaledb|timescaledb|pg_temp|pg_toast_temp)'
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND has_schema_privilege(n.oid, 'USAGE')
      AND (c.relkind <> 'S' OR has_sequence_privilege(c.oid, 'USAGE, SELECT, UPDATE')) ORDER BY 1`,
};
const energy = [
  'devices',
  'energy_days',
  'energy_dirty_ranges',
  'energy_failures',
  'energy_flags',
  'energy_gaps',
  'energy_state',
  'energy_sums',
  'energy_weeks',
  'intervals',
  'measurements',
  'municipalities',
  'retention',
  'sites',
  'tariff_periods',
  'tariffs',
];
const readOnly = (schema: string, tables: readonly string[]) =>
  Object.fromEntries(tables.map((table) => [`${schema}.${table}`, ['SELECT']]));

test.each([
  ['client', readOnly('monitoring', energy)],
  [
    'admin',
    {
      ...readOnly('fleet', energy),
      'fleet.customers': ['id code name is_active'],
      'fleet.customer_access': ['customer_id user_id'],
      'fleet.customer_state': [
        'customer_id first_seen_at last_seen_at last_error batch_count push_interval_seconds last_measured_at push_gaps_seconds ' +
          'last_failed_at last_failure is_refused failing_since token_refused_since token_refused_at token_refusal',
      ],
    },
  ],
] as const)(
  'In the mode %s the role of the dashboard tool reads the data, the branding and time zones, writes dashboards, and nothing else',
  async (mode, data) => {
    await using fresh = await createTestDatabase(mode);
    await using tool = asTool(await dashboardsConnection(fresh.connectionString));
    const { rows } = await tool.database.query<{ name: string; rights: string[] }>(REACHABLE);
    const reached = Object.fromEntries(
      // Views of Citus, which everybody may read.
      rows
        .filter(({ name, rights }) => rights.length > 0 && !name.startsWith('public.citus_'))
        .map((row) => [row.name, row.rights]),
    );
    const isOfDashboards = (name: string) => name.startsWith('dashboards.');
    const dashboards = Object.entries(reached).filter(([name]) => isOfDashboards(name));
    expect(Object.fromEntries(Object.entries(reached).filter(([name]) => !isOfDashboards(name)))).toEqual({
      ...data,
      'portal.accounts': ['id time_zone'],
      'portal.branding': ['SELECT'],
      'portal.display': ['SELECT'],
    });
    expect(dashboards).toEqual(
      expect.arrayContaining([
        ['dashboards.dashboards', ['SELECT', 'write']],
        ['dashboards.versions', ['SELECT', 'write']],
      ]),
    );
  },
);

test('Accounts, sessions, keys and the audit trail are refused, and writing outside of the dashboards', async () => {
  await using fresh = await createTestDatabase('client');
  await using tool = asTool(await dashboardsConnection(fresh.connectionString), false);
  for (const text of [
    'SELECT * FROM portal.accounts',
    'SELECT * FROM portal.sessions',
    'SELECT * FROM portal.audit_events',
    'SELECT * FROM monitoring.api_keys',
    'UPDATE monitoring.devices SET name = name',
    'UPDATE portal.branding SET footer_text = $$x$$',
    'CREATE TABLE dashboards.mine (id integer)',
    'SELECT pg_read_file($$/etc/passwd$$)',
  ]) {
    await expect(tool.database.query({ text }), text).rejects.toMatchObject({ code: '42501' });
  }
  await tool.database.query({ text: 'DELETE FROM dashboards.dashboards' });
});

test('Grants are corrected at each start: missing ones return, and excess ones are revoked', async () => {
  await using fresh = await createTestDatabase('client');
  const portal = new Database(fresh.connectionString);
  try {
    await using tool = asTool(await dashboardsConnection(fresh.connectionString));
    await portal.query({ text: `GRANT SELECT ON portal.accounts TO ${dashboardRole}` });
    await portal.query({ text: `GRANT UPDATE (name) ON monitoring.sites TO ${dashboardRole}` });
    await portal.query({ text: `REVOKE SELECT ON monitoring.sites FROM ${dashboardRole}` });
    expect(await ensureDashboardRole(portal)).toBe('ready');
    await expect(tool.database.query({ text: 'SELECT * FROM portal.accounts' })).rejects.toMatchObject({
      code: '42501',
    });
    const { rows } = await tool.database.query<{ may: boolean }>({
      text: `SELECT has_any_column_privilege('monitoring.sites', 'UPDATE') AS may`,
    });
    expect(rows).toEqual([{ may: false }]);
    await tool.database.query({ text: 'SELECT * FROM monitoring.sites' });
    await Promise.all([ensureDashboardRole(portal), ensureDashboardRole(portal), ensureDashboardRole(portal)]);
  } finally {
    await portal.close();
  }
});

test('An account that may not create roles skips the role, and grants to it if it exists', async () => {
  await using fresh = await createTestDatabase('empty');
  const admin = new Database(fresh.connectionString);
  try {
    const [owner, role] = [randomName('owner'), randomName('viewer')];
    await admin.query({ text: `CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'` });
    await admin.query({ text: `CREATE SCHEMA portal AUTHORIZATION ${owner} CREATE TABLE branding (only_row boolean)` });
    await using portal = asTool(withAccount(fresh.connectionString, owner, owner), false);
    expect(await ensureDashboardRole(portal.database, role)).toBe('missing');
    await admin.query({ text: `CREATE ROLE ${role} LOGIN PASSWORD '${role}'` });
    expect(await ensureDashboardRole(portal.database, role)).toBe('ready');
    await using tool = asTool(withAccount(fresh.connectionString, role, role));
    await tool.database.query({ text: 'SELECT * FROM portal.branding' });
  } finally {
    await admin.close();
  }
});

test('A portal signs in with an account of its own that has what the role has, reads by default, and may write where it says so', async () => {
  await using fresh = await createTestDatabase('client');
  const portal = new Database(fresh.connectionString);
  try {
    await ensureDashboardRole(portal);
    const key = randomName('portal');
    const { name, password } = await renewDashboardAccount(portal, key);
    const write = { text: 'DELETE FROM dashboards.dashboards' };
    await using plain = asTool(withAccount(fresh.connectionString, name, password), undefined);
    await expect(plain.database.query(write)).rejects.toMatchObject({ cause: { code: '25006' } });
    await using writing = asTool(withAccount(fresh.connectionString, name, password), false);
    await writing.database.query(write);

    const other = await renewDashboardAccount(portal, randomName('portal'));
    expect(other.name).not.toBe(name);
    await using mine = asTool(withAccount(fresh.connectionString, name, password));
    await mine.database.query({ text: 'SELECT * FROM monitoring.sites' });
    const renewed = await renewDashboardAccount(portal, key);
    expect(renewed.name).toBe(name);
    await using old = asTool(withAccount(fresh.connectionString, name, password));
    await expect(old.database.query({ text: 'SELECT 1' })).rejects.toMatchObject({ code: '28P01' });
  } finally {
    await portal.close();
  }
});

test('Into the audit trail the role adds events of dashboards and nothing else', async () => {
  await using fresh = await createTestDatabase('client');
  const portal = new Database(fresh.connectionString);
  try {
    await using tool = asTool(await dashboardsConnection(fresh.connectionString), false);
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const add = (what: string, after: object = {}) =>
      tool.database.query({ text: 'SELECT portal.record_dashboard_change($1, $1, $2, $3, null, $4)' }, [
        id,
        what,
        'Mine',
        JSON.stringify(after),
      ]);
    await add('change', { version: 2 });
    const { rows } = await portal.query({ text: 'SELECT action, subject_name, after FROM portal.audit_events' });
    expect(rows).toEqual([{ action: 'dashboard.change', subject_name: 'Mine', after: { version: 2 } }]);
    await expect(add('create')).rejects.toMatchObject({ code: '23505' });
    await expect(add('session.begin')).rejects.toMatchObject({ code: '23514' });
    await expect(add('delete', { text: 'x'.repeat(16_000) })).rejects.toMatchObject({ code: '23514' });
  } finally {
    await portal.close();
  }
});

function asTool(connectionString: string, isReadOnly: boolean | undefined = true) {
  const database = new Database(connectionString, {
    maxConnections: 2,
    ...(isReadOnly !== undefined && { isReadOnly }),
  });
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
