import { useSyncExternalStore } from 'react';

let pendingCustomers = 0;
const listeners = new Set<() => void>();

/** Passes an answer on, and records for how many customers of a large fleet it is not up to date. */
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

/** For how many customers the latest answer is not up to date. */
export const usePendingCustomers = () => useSyncExternalStore(subscribe, () => pendingCustomers);
