import { createHash } from 'node:crypto';
import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import type { Database } from '../database/pool.ts';
import { pause, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import { createFleetClient } from './fleet-client.ts';
import type { Ending } from './parts.ts';
import { createReporter, giveUpRecording } from './push.ts';
import { isSessionAlive, tryLockPush } from './push-state.sql.ts';
import { createTick } from './tick.ts';

export interface PushSettings {
  url: string;
  token: string;
  batchSize: number;
  intervalSeconds: number;
  backoffMinSeconds: number;
  backoffMaxSeconds: number;
  /** The version of this portal. */
  version: string;
}

export interface Push {
  /** Begins the next tick at once. */
  wake: () => void;
  /** Stops after the current batch, and aborts the batch if it takes longer than some seconds. */
  stop: () => Promise<void>;
}

/** Pushes to the configured fleet, if there is one, until it is stopped. */
export function openPush({ config, database, log, now }: Context, quietInMs: () => number): Push | null {
  const { enabled, url, token } = config.fleetIngest;
  if (config.runMode !== 'Client' || !enabled || url === undefined || token === undefined) return null;
  const onProblem = warns(log, 'push failed; the next one runs on schedule');
  const { fetch } = globalThis;
  const parts = { database: database.within(shares.worker), fetch, now, random: Math.random, quietInMs, onProblem };
  return pushTo({ ...config.fleetIngest, url, token, version: config.version }, parts);
}

/** Ends a recording that no push has emptied for a week. */
export const endUnusedRecording =
  ({ log, now }: Context) =>
  async (database: Database): Promise<void> => {
    if (!(await giveUpRecording(database, now()))) return;
    log.warn(
      'no successful push for a week: new rows are no longer recorded, and the next push starts with all stored data',
    );
  };

export function pushTo(
  settings: PushSettings,
  parts: {
    database: Database;
    fetch: typeof globalThis.fetch;
    /** Epoch milliseconds. */
    now: () => number;
    /** A random number from 0 to 1. */
    random: () => number;
    quietInMs: () => number;
    onProblem: (error: unknown) => void;
  },
): Push {
  const { url, batchSize, intervalSeconds, backoffMinSeconds: minSeconds, backoffMaxSeconds: maxSeconds } = settings;
  const report = createReporter(parts.database, settings.version);
  const client = createFleetClient({ ...settings, ...parts, report });
  // The address is hashed, because it may contain a password.
  const target = createHash('sha256').update(url).digest('hex');
  const tick = createTick({
    ...parts,
    client,
    target,
    batchSize,
    intervalSeconds,
    backoff: { minSeconds, maxSeconds },
  });
  return startPush({ ...parts, tick, intervalSeconds });
}

/**
 * A batch that takes longer than this is aborted when the portal stops. No harm is done: the fleet ignores rows that it gets
 * twice.
 */
const stopPatienceMs = 5_000;

/** Pushes as long as the portal runs. Of several portals on a database, only one pushes at a time. */
function startPush(parts: {
  database: Database;
  tick: (ending: Ending) => Promise<void>;
  intervalSeconds: number;
  onProblem: (error: unknown) => void;
}): Push {
  const { database, tick, intervalSeconds, onProblem } = parts;
  const givenUp = new AbortController();
  let woken = new AbortController();

  const tickOnTime = async (stopping: AbortSignal) => {
    const isAsked = woken.signal.aborted;
    woken = new AbortController();
    const began = performance.now();
    try {
      await tick({ stopping, givenUp: givenUp.signal, isAsked });
    } catch (error) {
      if (!stopping.aborted) onProblem(error);
    }
    await pause(Math.max(0, intervalSeconds * 1000 - (performance.now() - began)), stopping, woken.signal);
  };

  const { stop } = startRepeating({
    onProblem,
    // The lock is released with its connection, whatever happens to the portal.
    work: (stopping) =>
      database.session(async (session) => {
        if (!(await tryLockPush(session))) return;
        while (!stopping.aborted && (await isSessionAlive(session))) await tickOnTime(stopping);
      }),
    rest: (stopping) => pause(intervalSeconds * 1000, stopping),
  });

  return {
    wake: () => woken.abort(),
    async stop() {
      const patience = setTimeout(() => givenUp.abort(), stopPatienceMs);
      await stop();
      clearTimeout(patience);
    },
  };
}
