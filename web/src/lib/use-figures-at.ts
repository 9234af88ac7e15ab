import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { currentConnection, subscribeToConnection } from './connection.ts';
import { figuresAt } from '../offline/last-seen.ts';
import { useNow } from './use-now.ts';

/** Timestamp of the oldest cached figure while the page is offline; else null. */
export function useFiguresAt(): number | null {
  const client = useQueryClient();
  const isLost = useSyncExternalStore(subscribeToConnection, currentConnection) === 'lost';
  const subscribe = useCallback((listener: () => void) => client.getQueryCache().subscribe(listener), [client]);
  return useSyncExternalStore(subscribe, () => (isLost ? figuresAt(client) : null));
}

/** The time that a range is meant by: now, or that of the figures that were kept. */
export function useRangeNow(everyMs: number): number {
  const nowMs = useNow(everyMs);
  return useFiguresAt() ?? nowMs;
}
