import { sharedValue } from './shared-value.ts';

/**
 * Whether the portal responds at all. Any request without an answer marks the connection as lost; the banner polls
 * `/health/ready` until it is back.
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
