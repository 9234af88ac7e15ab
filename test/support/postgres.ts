import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { Database } from '../../server/database/pool.ts';

/** A database of one test file, on the cluster of the run. */
export interface TestDatabase extends AsyncDisposable {
  connectionString: string;
  /** Drops it and cuts all its connections. */
  drop: () => Promise<void>;
}

/**
 * A fresh database: with all migrations of the Client (`client`, a clone of the run's template) or of the Admin,
 * or with nothing in it (`empty`). Call it in `beforeAll` and drop it in `afterAll`, or hold it with `await using`.
 */
export async function createTestDatabase(contents: 'client' | 'admin' | 'empty' = 'client'): Promise<TestDatabase> {
  const { connectionString, templates, workers } = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = contents === 'empty' ? 'template0' : templates[contents];
  const servers = contents === 'admin' ? [connectionString, ...workers] : [connectionString];
  // Copying page by page through the log, which is the default, takes half as long again.
  const create = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
  await Promise.all(servers.map((server) => onMaintenance(server, create)));
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  const drop = async () => {
    for (const server of servers) await onMaintenance(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { connectionString: address.href, drop, [Symbol.asyncDispose]: drop };
}

async function onMaintenance(connectionString: string, text: string): Promise<void> {
  const maintenance = new Database(connectionString, { maxConnections: 1 });
  try {
    await maintenance.query({ text });
  } finally {
    await maintenance.close();
  }
}
