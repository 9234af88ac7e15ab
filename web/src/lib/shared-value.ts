/** A value of the whole window, which components read with `useSyncExternalStore`. */
export function sharedValue<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    read: (): Value => value,
    write: (next: Value): void => {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
