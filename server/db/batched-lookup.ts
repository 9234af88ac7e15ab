/**
 * Turns look-ups that come at the same time into one. While a load runs, the keys that come wait for the next one, which
 * takes them all; so each answer is from a load that began after its question came, and nothing is remembered.
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
