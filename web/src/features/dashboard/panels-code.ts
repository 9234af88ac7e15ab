import { createElement, use, type ComponentType, type FunctionComponent } from 'react';
import { loadCode } from '../../lib/load-code.ts';

/** The panels below the first numbers of the Overview. The first numbers must not wait for this code. */
export const dashboardPanels = lazily(async () => (await import('./DashboardPanels.tsx')).DashboardPanels);

interface Lazily<Props extends object> {
  /** Loads the code in advance. */
  load: () => Promise<unknown>;
  Component: FunctionComponent<Props>;
}

/**
 * A component whose code is loaded when it is first drawn, or in advance. It is like React's `lazy`, but it is drawn at once if
 * its code has arrived. `lazy` shows the fallback even then, and replacing a fallback is delayed by 300 ms.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): Lazily<Props> {
  let code: Promise<ComponentType<Props>> | null = null;
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = loadCode(load);
  const start = () => {
    code ??= loadOnce().then(
      (component) => (loaded = component),
      (cause: unknown) => {
        // After a failure the code can be requested again in advance.
        code = null;
        throw cause;
      },
    );
    return code;
  };
  // The promise is kept even after a failure, so that the error boundary above sees the error. A new promise at each render
  // would lead to endless requests.
  let drawn: Promise<ComponentType<Props>> | null = null;
  return {
    load: start,
    Component: (props) => createElement(loaded ?? use((drawn ??= start())), props),
  };
}
