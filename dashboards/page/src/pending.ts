import { useSyncExternalStore } from 'react';

let pendingCustomers = 0;
const listeners = new Set<() => void>();

/** Passes an answer on, and records how many customers of a large fleet are not up to date in it. */
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

/** How many customers are not up to date in the latest answer. */
export const usePendingCustomers = () => useSyncExternalStore(subscribe, () => pendingCustomers);
