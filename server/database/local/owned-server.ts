import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePortalDatabase, sayLeaving, type ServerConnection, takeOwnership } from './connection.ts';
import { bringUp, isGoing, type Running, shutDown, type Site } from './server.ts';

const steadyMs = 10 * 60_000;
const maxFailures = 12;
const longestPauseMs = 60_000;
const holdAttempts = 3;

/**
 * Starts the server of a cluster and owns both until `stop`. If the server dies it is restarted on the same port, at once and then
 * after ever longer pauses; after twelve failures, each within ten minutes, it stays down. Throws when another portal owns it.
 */
export async function ownServer(site: Site, signal: AbortSignal) {
  const { log } = site;
  const stopping = new AbortController();
  let held: Running | undefined = await hold(site, signal);
  // A portal that was told to stop has work to finish first, for which one that starts meanwhile waits.
  signal.addEventListener('abort', () => held && sayLeaving(held.connection), { once: true });
  const { isAdopted, port } = held;
  let heldSince = performance.now();
  let failures = 0;
  let recovery: Promise<void> | undefined;

  const watch = async ({ connection }: Running) => {
    await connection.ended;
    if (stopping.signal.aborted) return;
    held = undefined;
    if (performance.now() - heldSince > steadyMs) failures = 0;
    recovery = recover();
  };

  const recover = async () => {
    log.warn({ port }, 'the local database went away; bringing it back');
    while (!stopping.signal.aborted) {
      failures += 1;
      if (failures > maxFailures) {
        log.warn(
          { failures },
          'the local database keeps failing and is left alone; see its log, then start the portal again',
        );
        return;
      }
      try {
        await sleep(pauseBefore(failures), undefined, { signal: stopping.signal });
        held = await hold(site, stopping.signal, port);
        heldSince = performance.now();
        log.info({ port }, 'the local database is back');
        void watch(held);
        return;
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the local database did not come back');
      }
    }
  };

  const stop = async () => {
    stopping.abort();
    await recovery;
    if (held === undefined) return;
    const { connection, pid } = held;
    held = undefined;
    await shutDown(site, pid);
    await close(connection);
  };

  void watch(held);
  let stopped: Promise<void> | undefined;
  return { port, isAdopted, stop: () => (stopped ??= stop()) };
}

/** The server, with the lock that marks it as ours and the portal's database in it. */
async function hold(site: Site, signal: AbortSignal, port?: number): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await bringUp(site, signal, port);
    let heldBy: string | undefined;
    try {
      heldBy = await own(site, running, signal);
    } catch (error) {
      await close(running.connection);
      // A server that was found running may have been shutting down.
      if (signal.aborted || attempt >= holdAttempts) throw error;
      continue;
    }
    if (heldBy !== undefined) {
      await close(running.connection);
      throw new Error(
        `The data folder ${site.data.path} is in use by another portal that runs (${heldBy}). ` +
          'Stop that one first, or set Storage__DataPath of this one to another folder.',
      );
    }
    if (port === undefined || port === running.port) return running;
    await shutDown(site, running.pid);
  }
}

/** Takes the lock, or returns the name of its owner. On failure no server of ours is left running. */
async function own(site: Site, running: Running, signal: AbortSignal): Promise<string | undefined> {
  const { client } = running.connection;
  let isOurs = !running.isAdopted;
  try {
    const other = await takeOwnership(client, signal);
    // The previous portal releases its lock once it has told the server to shut down.
    if (other === undefined && (await isGoing(site))) throw new Error('The local database is shutting down.');
    isOurs = other === undefined;
    if (other === undefined) await ensurePortalDatabase(client);
    return other?.heldBy;
  } catch (error) {
    if (isOurs) await shutDown(site, running.pid);
    throw error;
  }
}

async function close({ client }: ServerConnection): Promise<void> {
  await client.end().catch(() => undefined);
}

function pauseBefore(failure: number): number {
  return failure === 1 ? 0 : Math.min(longestPauseMs, 100 * 2 ** failure);
}
