import { vi, expect } from 'vitest';
import { findHorizon } from '../../server/push/push-outbox.sql.ts';
import { listPushStates, type PushResource, type PushState } from '../../server/push/push-state.sql.ts';
import { createFleetClient } from '../../server/push/fleet-client.ts';
import { createTick } from '../../server/push/tick.ts';
import type { TestApp } from './app.ts';
import type { FleetReceiver } from './fleet-receiver.ts';

const never = new AbortController().signal;

/** Pushes from a test application to a receiver, one tick at a time. */
export function createPusher(
  { database }: TestApp,
  receiver: Pick<FleetReceiver, 'url' | 'batches'>,
  options: {
    batchSize?: number;
    now?: () => number;
    timeoutMs?: number;
    target?: string;
    token?: string;
    intervalSeconds?: number;
    quietInMs?: () => number;
    fetch?: typeof globalThis.fetch;
  } = {},
) {
  const { batchSize = 5000, now = Date.now, timeoutMs = 10_000, target = 'fleet', token = 'a'.repeat(64) } = options;
  const { intervalSeconds = 30, quietInMs = () => 0, fetch = globalThis.fetch } = options;
  const client = createFleetClient({ url: receiver.url, token, fetch, now, timeoutMs });
  const backoff = { minSeconds: 60, maxSeconds: 1800 };
  const tick = createTick({
    database,
    client,
    target,
    batchSize,
    intervalSeconds,
    backoff,
    now,
    random: () => 0,
    restFactor: 0,
    quietInMs,
  });
  return {
    tick: (ending = { stopping: never, givenUp: never }) => tick(ending),
    /** Ticks until everything stored now has been sent, at most this many times. */
    async drain(maxTicks = 100): Promise<number> {
      await untilDue({ database });
      for (let ticks = 1; ticks <= maxTicks; ticks += 1) {
        const before = receiver.batches.filter(({ type }) => type === 'measurements').length;
        await tick({ stopping: never, givenUp: never });
        if (receiver.batches.filter(({ type }) => type === 'measurements').length === before) return ticks;
      }
      throw new Error(`There was still something to push after ${maxTicks} ticks.`);
    },
  };
}

/** Waits until the stored rows lie before the horizon. */
export async function untilDue({ database }: Pick<TestApp, 'database'>): Promise<void> {
  const { rows } = await database.query<{ now: string }>({ text: 'SELECT clock_timestamp() AS now' });
  await vi.waitFor(async () => expect((await findHorizon(database)) > (rows[0]?.now ?? '')).toBe(true), 45_000);
}

export async function stateOf({ database }: TestApp, resource: PushResource): Promise<PushState> {
  const state = (await listPushStates(database)).find((one) => one.resource === resource);
  if (state === undefined) throw new Error(`There is no state of ${resource}.`);
  return state;
}

/** Forgets everything that was measured and pushed. */
export async function clearPush({ database }: TestApp): Promise<void> {
  await database.query({
    text: `TRUNCATE monitoring.measurements, monitoring.intervals, monitoring.energy_dirty_ranges, monitoring.push_outbox, monitoring.push_recording,
             monitoring.push_state, monitoring.push_removals, monitoring.push_reconciliation, monitoring.push_differences`,
  });
}
