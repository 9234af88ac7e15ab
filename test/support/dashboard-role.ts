import { randomBytes } from 'node:crypto';
import { dashboardRole, ensureDashboardRole } from '../../server/dashboards/dashboard-role.sql.ts';
import { Database } from '../../server/database/pool.ts';

/**
 * A connection string with the permissions of the dashboard tool. It belongs to a member of its role, because a password of the
 * role itself would be shared by all tests.
 */
export async function dashboardsConnection(connectionString: string): Promise<string> {
  const database = new Database(connectionString, { maxConnections: 1 });
  try {
    await ensureDashboardRole(database);
    const name = `tool_${randomBytes(8).toString('hex')}`;
    await database.query({ text: `CREATE ROLE ${name} LOGIN PASSWORD '${name}' IN ROLE ${dashboardRole}` });
    return withAccount(connectionString, name, name);
  } finally {
    await database.close();
  }
}

/** The same database for another account. */
export function withAccount(connectionString: string, name: string, password: string): string {
  const address = new URL(connectionString);
  address.username = name;
  address.password = password;
  return address.href;
}
