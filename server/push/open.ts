import { createHash } from 'node:crypto';
import type { Database } from '../database/pool.ts';
import { createFleetClient } from './fleet-client.ts';
import { type Push, startPush } from './loop.ts';
import { createTick } from './tick.ts';

export interface PushSettings {
  url: string;
  token: string;
  batchSize: number;
  intervalSeconds: number;
  backoffMinSeconds: number;
  backoffMaxSeconds: number;
}

/** Pushes to the fleet of the settings until it is stopped. */
export function openPush(
  settings: PushSettings,
  parts: {
    database: Database;
    fetch: typeof globalThis.fetch;
    /** Epoch milliseconds. */
    now: () => number;
    /** From 0 to 1. */
    random: () => number;
    quietInMs: () => number;
    onProblem: (error: unknown) => void;
  },
): Push {
  const { url, batchSize, intervalSeconds, backoffMinSeconds: minSeconds, backoffMaxSeconds: maxSeconds } = settings;
  const client = createFleetClient({ ...settings, ...parts });
  // Hashed, because the address may contain a password.
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
