/** The caches of a browser, as far as the page and its worker use them. */
export function createCaches(origin: string) {
  const stores = new Map<string, Map<string, Response>>();
  const disk = { isFull: false };
  const pathOf = (asked: string) => new URL(asked, origin).pathname;
  const storeOf = (name: string) => {
    const store = stores.getOrInsertComputed(name, () => new Map());
    return {
      match: async (asked: string) => store.get(pathOf(asked))?.clone(),
      put: async (asked: string, answer: Response) => {
        if (disk.isFull) throw new DOMException('no room', 'QuotaExceededError');
        store.set(pathOf(asked), answer);
      },
    };
  };
  return {
    disk,
    open: async (name: string) => storeOf(name),
    match: async (asked: string, { cacheName }: { cacheName?: string } = {}) => {
      for (const [name, store] of stores) {
        const found = cacheName === undefined || cacheName === name ? store.get(pathOf(asked)) : undefined;
        if (found !== undefined) return found.clone();
      }
      return undefined;
    },
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
  };
}
