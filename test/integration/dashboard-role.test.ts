import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { dashboardRole, ensureDashboardRole, renewDashboardPassword } from '../../server/db/dashboard-role.ts';
import { Database } from '../../server/db/pool.ts';
import { dashboardsConnection, withAccount } from '../support/dashboard-role.ts';
import { createTestDatabase } from '../support/postgres.ts';

const randomName = (what: string) => `${what}_${randomBytes(8).toString('hex')}`;

/** Every relation and column outside of PostgreSQL itself that the account can read or write, and whose it is. */
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
      'fleet.customers': ['id code name'],
      'fleet.customer_access': ['customer_id user_id'],
    },
  ],
] as const)(
  'In the mode %s the role of the dashboard tool reads the data and the branding, writes dashboards, and nothing else',
  async (mode, data) => {
    await using fresh = await createTestDatabase(mode);
    await using tool = asTool(await dashboardsConnection(fresh.connectionString));
    const { rows } = await tool.database.query<{ name: string; rights: string[] }>(REACHABLE);
    const reached = Object.fromEntries(
      rows.filter(({ rights }) => rights.length > 0).map((row) => [row.name, row.rights]),
    );
    const isOfDashboards = (name: string) => name.startsWith('dashboards.');
    const dashboards = Object.entries(reached).filter(([name]) => isOfDashboards(name));
    expect(Object.fromEntries(Object.entries(reached).filter(([name]) => !isOfDashboards(name)))).toEqual({
      ...data,
      'portal.branding': ['SELECT'],
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

test('What is granted is mended at each start: what is missing comes back, and what is too much goes', async () => {
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

test('An account that may not create roles leaves the role out, and grants to it where it is there', async () => {
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

test('The role signs in with its new password, reads by default, and may write where it says so', async () => {
  await using fresh = await createTestDatabase('client');
  const portal = new Database(fresh.connectionString);
  try {
    // One of its own: the password of the role is that of all databases of the server.
    const role = randomName('viewer');
    await ensureDashboardRole(portal, role);
    const connectionString = withAccount(fresh.connectionString, role, await renewDashboardPassword(portal, role));
    const write = { text: 'DELETE FROM dashboards.dashboards' };
    await using plain = asTool(connectionString, undefined);
    await expect(plain.database.query(write)).rejects.toMatchObject({ cause: { code: '25006' } });
    await using writing = asTool(connectionString, false);
    await writing.database.query(write);
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
