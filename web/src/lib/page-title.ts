import { useEffect, useSyncExternalStore } from 'react';
import { sharedValue } from './shared-value.ts';

const title = sharedValue<string | null>(null);

/** Names the page in the document's title while it is shown, where the route alone cannot: a site's name. Null while it loads. */
export function usePageTitle(name: string | null): void {
  useEffect(() => {
    title.write(name);
    return () => title.write(null);
  }, [name]);
}

export function useNamedPageTitle(): string | null {
  return useSyncExternalStore(title.subscribe, title.read);
}
