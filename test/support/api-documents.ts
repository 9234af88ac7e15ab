import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../server/compose.ts';
import { readConfig } from '../../server/settings/read-config.ts';
import { nativePartitions } from '../../server/database/engines/native.ts';
import { Database } from '../../server/database/pool.ts';
import { createLog } from '../../server/logging.ts';
import { type RunMode, runMode } from '../../shared/app.ts';

export interface ApiDocument {
  mode: RunMode;
  text: string;
}

/** The OpenAPI document of each run mode, as `/api/openapi.json` answers it. Needs no database. */
export const readApiDocuments = (): Promise<ApiDocument[]> =>
  Promise.all(runMode.options.map(async (mode) => ({ mode, text: await readApiDocument(mode) })));

async function readApiDocument(mode: RunMode): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-api-'));
  // Nothing listens there; composing a portal asks its database for nothing.
  const connectionString = 'postgres://nobody@127.0.0.1:1/none';
  const database = new Database(connectionString);
  try {
    const read = readConfig({
      environment: { Application__RunMode: mode, Database__ConnectionString: connectionString },
      envFile: undefined,
      workingFolder: folder,
      defaultDataPath: join(folder, 'data'),
      version: '0.0.0',
    });
    if ('violations' in read) throw new Error(read.violations.join('\n'));
    const log = createLog({ write: () => undefined });
    const engine = nativePartitions(Date.now);
    const app = await compose({ config: read.config, database, engine, log, now: Date.now });
    try {
      return (await app.inject('/api/openapi.json')).body;
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
