import { type PushOverview, pushOverview } from '../../../../../shared/push.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { fetchJson } from '../../../lib/http.ts';

const path = '/api/admin/push';

/** `GET /api/admin/push`; asked again all the time, because somebody watches it go on. */
export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => fetchJson(path, pushOverview, { signal }),
  refetchInterval: 5_000,
});

/** Asks for something and shows what the portal answers. */
function useAsk(action: 'run' | 'reconcile') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => fetchJson(`${path}/${action}`, pushOverview, { method: 'POST' }),
    onSuccess: (overview) => client.setQueryData(pushQuery.queryKey, overview),
  });
}

/** `POST /api/admin/push/run`. */
export const usePushNow = () => useAsk('run');

/** `POST /api/admin/push/reconcile`. */
export const useCompareNow = () => useAsk('reconcile');

export type PushResourceState = PushOverview['resources'][number];

/** `refused` does not mend itself; `waiting` does. `starting`: nothing has arrived at the fleet yet. */
export type PushHealth = 'off' | 'refused' | 'waiting' | 'starting' | 'catchingUp' | 'running';

/** Batches of measurements of one round of pushing. */
const batchesPerRound = 3;

const lasting = new Set<PushResourceState['lastErrorKind']>(['unauthorized', 'refused']);

/** How pushing goes as a whole, and the resource that says why it does not go well. */
export function pushHealth({ isEnabled, resources }: PushOverview): {
  health: PushHealth;
  worst: PushResourceState | null;
} {
  if (!isEnabled) return { health: 'off', worst: null };
  const failing = resources.filter(({ failures }) => failures > 0);
  const refused = failing.find(({ lastErrorKind }) => lasting.has(lastErrorKind));
  if (refused !== undefined) return { health: 'refused', worst: refused };
  const [waiting] = failing;
  if (waiting !== undefined) return { health: 'waiting', worst: waiting };
  if (resources.every(({ lastSuccessAt }) => lastSuccessAt === null)) return { health: 'starting', worst: null };
  const isBehind = resources.some(({ backlogRows, batchSize }) => (backlogRows ?? 0) > batchesPerRound * batchSize);
  return { health: isBehind ? 'catchingUp' : 'running', worst: null };
}

export type ReconciliationHealth = 'running' | 'waiting' | 'never' | 'differs' | 'inStep';

/** How comparing with the fleet goes, or what it found. */
export function reconciliationHealth(state: PushOverview['reconciliation']): ReconciliationHealth {
  if (state.isRunning) return state.failures > 0 ? 'waiting' : 'running';
  if (state.inStepUpTo === null) return 'never';
  return state.differingDays > 0 ? 'differs' : 'inStep';
}

/** When the portal received the last measurement that was sent; null where none was, or where it still sends older ones. */
export function sentUpTo(cursor: string | null): string | null {
  const [receivedAt = ''] = cursor?.split('/') ?? [];
  return Number.isNaN(Date.parse(receivedAt)) ? null : receivedAt;
}
