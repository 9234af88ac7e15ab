import { sharedValue } from './shared-value.ts';

/**
 * Whether the portal answers at all. If a request gets no answer, the connection counts as lost. The banner then polls
 * `/health/ready` until the portal answers.
 */
export type Connection = 'connected' | 'lost';

const connection = sharedValue<Connection>('connected');

export const markConnectionLost = (): void => connection.write('lost');
export const markConnected = (): void => connection.write('connected');
export const { read: currentConnection, subscribe: subscribeToConnection } = connection;

/** Runs each time a lost connection returns. */
export const whenConnected = (run: () => void): (() => void) =>
  subscribeToConnection(() => {
    if (currentConnection() === 'connected') run();
  });
