import { insertPushStates, listPushStates, type PushState, setFailed } from './push-state.sql.ts';
import { type BackoffBounds, backoffSeconds, capSeconds } from '../base/backoff.ts';
import { type FleetFailure, maxRetryAfterSeconds } from './fleet-client.ts';
import type { Ending, PushParts } from './parts.ts';
import { createMeasurementPush } from './push-measurements.ts';
import { createSetPush } from './push-sets.ts';
import { createReconcile } from './reconcile.ts';

export interface TickParts extends PushParts {
  backoff: BackoffBounds;
  /** From 0 to 1. */
  random: () => number;
}

/** One round of pushing, in the order of the specification; each resource waits on its own after a failure. Then it compares. */
export function createTick(parts: TickParts): (ending: Ending) => Promise<void> {
  const { database, backoff, random, now } = parts;
  const longestWaitMs = Math.max(maxRetryAfterSeconds, backoff.maxSeconds) * 1000;
  const pushSet = createSetPush(parts);
  const pushMeasurements = createMeasurementPush(parts);

  const waitOf = (failures: number, { retryAfterSeconds, isLasting }: FleetFailure) => {
    if (retryAfterSeconds !== null) return retryAfterSeconds;
    return isLasting ? capSeconds(backoff, random()) : backoffSeconds(failures + 1, backoff, random());
  };

  // A wait that was set by a wrong clock does not count.
  const isWaiting = ({ nextAttemptAt, lastErrorAt }: Pick<PushState, 'nextAttemptAt' | 'lastErrorAt'>) => {
    if (nextAttemptAt === null || lastErrorAt === null) return false;
    const [nowMs, nextMs, failedMs] = [now(), Date.parse(nextAttemptAt), Date.parse(lastErrorAt)];
    return failedMs <= nowMs && nowMs < nextMs && nextMs <= failedMs + longestWaitMs;
  };
  const reconcile = createReconcile({ ...parts, waitOf, isWaiting });

  return async (ending) => {
    await insertPushStates(database);
    for (const state of await listPushStates(database)) {
      if (ending.stopping.aborted) return;
      const { resource } = state;
      if (ending.isAsked !== true && isWaiting(state)) continue;
      const answer =
        resource === 'measurements' ? await pushMeasurements(state, ending) : await pushSet(resource, state, ending);
      if (answer?.kind !== 'failed') continue;
      const nowMicros = now() * 1000;
      const nextMicros = nowMicros + Math.ceil(waitOf(state.failures, answer) * 1e6);
      await setFailed(database, { resource, nextMicros, error: answer.error, nowMicros });
      // The others would only time out as well.
      if (answer.error.kind === 'unreachable') return;
    }
    if (!ending.stopping.aborted) await reconcile(ending);
  };
}
