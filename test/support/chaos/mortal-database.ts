import { mkdir } from 'node:fs/promises';
import { type Binaries, usableFolder } from '../../../server/database/local/binaries.ts';
import { createCluster, findCluster } from '../../../server/database/local/cluster.ts';
import { connectionStringTo, ensurePortalDatabase } from '../../../server/database/local/connection.ts';
import { openDataFolder } from '../../../server/database/local/data-folder.ts';
import { bringUp, type Running, shutDown } from '../../../server/database/local/server.ts';

/** A database that is killed, and returns on the same port with its committed rows. */
export interface MortalDatabase extends AsyncDisposable {
  connectionString: string;
  /** SIGKILL for the server; resolves when it is back. */
  kill: () => Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined };

export async function startMortalDatabase(dataPath: string, binaries: Binaries): Promise<MortalDatabase> {
  const { signal } = new AbortController();
  await mkdir(dataPath, { recursive: true, mode: 0o755 });
  const data = await openDataFolder(dataPath);
  const folder = await usableFolder(binaries, { account: data.account, dataPath: data.path });
  await createCluster(data, { binaries, folder, signal });
  const made = await findCluster(data.cluster);
  if (made.state !== 'whole') throw new Error(`There is no cluster in ${data.cluster}.`);
  const { password } = made.cluster;
  const site = { data, folder, hasTimescaleDb: binaries.timescaleDb !== undefined, password, log: silent };

  const leave = async ({ pid, port, connection }: Running) => {
    await connection.client.end();
    return { pid, port };
  };
  const first = await bringUp(site, signal);
  await ensurePortalDatabase(first.connection.client);
  let server = await leave(first);
  return {
    connectionString: connectionStringTo(server.port, password),
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      server = await leave(await bringUp(site, signal, server.port));
    },
    [Symbol.asyncDispose]: () => shutDown(site, server.pid),
  };
}
