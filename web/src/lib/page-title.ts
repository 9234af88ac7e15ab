import { useEffect, useSyncExternalStore } from 'react';
import { sharedValue } from './shared-value.ts';

const title = sharedValue<string | null>(null);

/**
 * Adds a name, such as a site's, to the document's title while the page is shown, because the route alone does not know it. Null
 * while it loads.
 */
export function usePageTitle(name: string | null): void {
  useEffect(() => {
    title.write(name);
    return () => title.write(null);
  }, [name]);
}

export function useNamedPageTitle(): string | null {
  return useSyncExternalStore(title.subscribe, title.read);
}
