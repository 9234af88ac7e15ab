import { useEffect, useSyncExternalStore } from 'react';

let title: string | null = null;
const listeners = new Set<() => void>();

function change(next: string | null): void {
  title = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names the page in the document's title while it is shown, where the route alone cannot: a site's name. Null while it loads. */
export function usePageTitle(name: string | null): void {
  useEffect(() => {
    change(name);
    return () => change(null);
  }, [name]);
}

export function useNamedPageTitle(): string | null {
  return useSyncExternalStore(subscribe, () => title);
}
