import { createElement, use, type ComponentType, type FunctionComponent } from 'react';
import { loadCode } from '../../lib/load-code.ts';

/** What stands below the first numbers of the Overview, which are not to wait for its code. */
export const dashboardPanels = lazily(async () => (await import('./DashboardPanels.tsx')).DashboardPanels);

interface Lazily<Props extends object> {
  /** Loads the code ahead. */
  load: () => Promise<unknown>;
  Component: FunctionComponent<Props>;
}

/**
 * A component whose code comes when it is first drawn, or was asked for: like React's `lazy`, but drawn at once where its code is
 * there. `lazy` shows the fallback even then, and what gives way to a fallback is held back for 300 ms.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): Lazily<Props> {
  let code: Promise<ComponentType<Props>> | null = null;
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = loadCode(load);
  const start = () => {
    code ??= loadOnce().then(
      (component) => (loaded = component),
      (cause: unknown) => {
        // Whoever asks ahead once more tries again.
        code = null;
        throw cause;
      },
    );
    return code;
  };
  // Kept also where it failed, so that the boundary above is told; another one with each drawing would be asked for without end.
  let drawn: Promise<ComponentType<Props>> | null = null;
  return {
    load: start,
    Component: (props) => createElement(loaded ?? use((drawn ??= start())), props),
  };
}
