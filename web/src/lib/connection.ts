/** Whether the portal answers at all. Any request that gets no answer marks it lost; the banner watches `/health/ready` until it is back. */
export type Connection = 'connected' | 'lost';

let state: Connection = 'connected';
const listeners = new Set<() => void>();

function change(next: Connection): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export const markConnectionLost = (): void => change('lost');
export const markConnected = (): void => change('connected');
export const currentConnection = (): Connection => state;

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Runs each time that a lost connection comes back. */
export const whenConnected = (run: () => void): (() => void) =>
  subscribeToConnection(() => {
    if (state === 'connected') run();
  });
