import { createElement, use, type ComponentType, type FunctionComponent } from 'react';
import { loadCode } from '../../lib/load-code.ts';

/** The panels below the first numbers of the Overview, which must not wait for this code. */
export const dashboardPanels = lazily(async () => (await import('./DashboardPanels.tsx')).DashboardPanels);

interface Lazily<Props extends object> {
  /** Loads the code ahead. */
  load: () => Promise<unknown>;
  Component: FunctionComponent<Props>;
}

/**
 * A component whose code is loaded when it is first drawn, or ahead. It is like React's `lazy`, but drawn at once if its code is
 * there: `lazy` shows the fallback even then, and replacing a fallback is delayed by 300 ms.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): Lazily<Props> {
  let code: Promise<ComponentType<Props>> | null = null;
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = loadCode(load);
  const start = () => {
    code ??= loadOnce().then(
      (component) => (loaded = component),
      (cause: unknown) => {
        // A second request ahead tries again.
        code = null;
        throw cause;
      },
    );
    return code;
  };
  // Also kept after a failure, so that the error boundary above sees it; a new one at each render would be requested endlessly.
  let drawn: Promise<ComponentType<Props>> | null = null;
  return {
    load: start,
    Component: (props) => createElement(loaded ?? use((drawn ??= start())), props),
  };
}
