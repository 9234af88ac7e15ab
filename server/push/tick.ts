import { insertPushStates, listPushStates, setFailed } from './push-state.sql.ts';
import { isWaiting, nextAttempt } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';
import { createIntervalPush } from './push-intervals.ts';
import { createMeasurementPush } from './push-measurements.ts';
import { createSetPush } from './push-sets.ts';
import { createReconcile } from './reconcile.ts';

/** One round of pushing, in the order of the specification; each resource waits on its own after a failure. Then it compares. */
export function createTick(parts: PushParts): (ending: Ending) => Promise<void> {
  const { database } = parts;
  const pushSet = createSetPush(parts);
  const pushMeasurements = createMeasurementPush(parts);
  const pushIntervals = createIntervalPush(parts);
  const reconcile = createReconcile(parts);

  return async (ending) => {
    await insertPushStates(database);
    for (const state of await listPushStates(database)) {
      if (ending.stopping.aborted) return;
      const { resource } = state;
      if (ending.isAsked !== true && isWaiting(state, parts)) continue;
      const failure =
        resource === 'measurements'
          ? await pushMeasurements(state, ending)
          : resource === 'intervals'
            ? await pushIntervals(state, ending)
            : await pushSet(resource, state, ending);
      if (failure === null) continue;
      await setFailed(database, { resource, error: failure.error, ...nextAttempt(failure, state.failures, parts) });
      if (failure.error.kind === 'unreachable') return;
    }
    if (!ending.stopping.aborted) await reconcile(ending);
  };
}
