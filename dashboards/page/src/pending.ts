import { useSyncExternalStore } from 'react';

let pendingCustomers = 0;
const listeners = new Set<() => void>();

/** Passes an answer on, and tells of how many customers of a large fleet it lacks the newest readings. */
export function noted<Answer extends { pendingCustomers?: number | undefined }>(answer: Answer): Answer {
  const { pendingCustomers: count = 0 } = answer;
  if (count !== pendingCustomers) {
    pendingCustomers = count;
    for (const listener of listeners) listener();
  }
  return answer;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Of how many customers the latest answer lacks the newest readings. */
export const usePendingCustomers = () => useSyncExternalStore(subscribe, () => pendingCustomers);
