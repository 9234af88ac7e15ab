import { insertPushStates, listPushStates, type PushState, setFailed } from './push-state.sql.ts';
import { isWaiting, nextAttempt } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';
import { createIntervalPush, createMeasurementPush } from './push-rows.ts';
import { createRemovalPush } from './push-removals.ts';
import { createSetPush } from './push-sets.ts';
import { createReconcile } from './reconcile.ts';

/**
 * One round of pushing, in the order of the specification. After a failure only the resource that failed waits. The comparison
 * comes last.
 */
export function createTick(parts: PushParts): (ending: Ending) => Promise<void> {
  const { database } = parts;
  const pushSet = createSetPush(parts);
  const pushMeasurements = createMeasurementPush(parts);
  const pushIntervals = createIntervalPush(parts);
  const pushRemovals = createRemovalPush(parts);
  const reconcile = createReconcile(parts);

  const pushOne = (state: PushState, ending: Ending) => {
    const { resource } = state;
    if (resource === 'removals') return pushRemovals(ending);
    if (resource === 'measurements') return pushMeasurements(state, ending);
    if (resource === 'intervals') return pushIntervals(state, ending);
    return pushSet(resource, state, ending);
  };

  return async (ending) => {
    await insertPushStates(database);
    for (const state of await listPushStates(database)) {
      if (ending.stopping.aborted) return;
      const { resource } = state;
      if (ending.isAsked !== true && isWaiting(state, parts)) continue;
      const failure = await pushOne(state, ending);
      if (failure === null) continue;
      await setFailed(database, { resource, error: failure.error, ...nextAttempt(failure, state.failures, parts) });
      if (failure.error.kind === 'unreachable') return;
    }
    if (!ending.stopping.aborted) await reconcile(ending);
  };
}
