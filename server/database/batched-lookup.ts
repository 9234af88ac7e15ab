/**
 * Combines concurrent look-ups into one query. Keys that arrive while a query runs wait for the next one, which takes them all.
 * Every answer therefore comes from a query that began after its question, and nothing is cached.
 */
export function batchedLookup<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; loaded: Promise<ReadonlyMap<Key, Value>> } | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = (keys: Set<Key>) => {
    const loaded = running.then(() => {
      next = undefined;
      return load([...keys]);
    });
    running = loaded.catch(() => undefined);
    return { keys, loaded };
  };

  return async (key) => {
    next ??= begin(new Set());
    next.keys.add(key);
    return (await next.loaded).get(key);
  };
}
