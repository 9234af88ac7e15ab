/** Whether the session of the signed-in user has ended while a page of theirs is open. */
let isOver = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  if (isOver === next) return;
  isOver = next;
  for (const listener of listeners) listener();
}

export const markSessionOver = (): void => change(true);
export const markSessionBack = (): void => change(false);
export const isSessionOver = (): boolean => isOver;

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
