import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { currentConnection, subscribeToConnection } from './connection.ts';
import { figuresAt } from '../offline/last-seen.ts';
import { useNow } from './use-now.ts';

/** The timestamp of the oldest cached figure while the page is offline; otherwise null. */
export function useFiguresAt(): number | null {
  const client = useQueryClient();
  const isLost = useSyncExternalStore(subscribeToConnection, currentConnection) === 'lost';
  const subscribe = useCallback((listener: () => void) => client.getQueryCache().subscribe(listener), [client]);
  return useSyncExternalStore(subscribe, () => (isLost ? figuresAt(client) : null));
}

/** The reference time of a range: now or, with stored figures, their time. */
export function useRangeNow(everyMs: number): number {
  const nowMs = useNow(everyMs);
  return useFiguresAt() ?? nowMs;
}
