import { useEffect, useSyncExternalStore } from 'react';
import { sharedValue } from './shared-value.ts';

const title = sharedValue<string | null>(null);

/**
 * While the page is shown, adds a name, such as that of a site, to the title of the document. The route alone does not know it.
 * Null while it loads.
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
