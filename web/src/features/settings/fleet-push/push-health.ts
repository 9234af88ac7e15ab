import { type PushOverview, pushOverview } from '../../../../../shared/push.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { fetchJson } from '../../../lib/http.ts';

const path = '/api/admin/push';

/** `GET /api/admin/push`; refreshed often, because people watch its progress. */
export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => fetchJson(path, pushOverview, { signal }),
  refetchInterval: 5_000,
});

/** Posts a request and shows the answer of the portal. */
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

/** `refused` needs someone's help; `waiting` recovers on its own. `starting`: nothing has arrived at the fleet yet. */
export type PushHealth = 'off' | 'refused' | 'waiting' | 'starting' | 'catchingUp' | 'running';

/** Batches of measurements of one round of pushing. */
const batchesPerRound = 3;

const lasting = new Set<PushResourceState['lastErrorKind']>(['unauthorized', 'refused']);

/** The overall state of pushing, and the resource that explains a problem. */
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

/** The state of reconciliation with the fleet, or its result. */
export function reconciliationHealth(state: PushOverview['reconciliation']): ReconciliationHealth {
  if (state.isRunning) return state.failures > 0 ? 'waiting' : 'running';
  if (state.inStepUpTo === null) return 'never';
  return state.differingDays > 0 ? 'differs' : 'inStep';
}

/**
 * When the portal received the measurement that was sent last. Null if none was sent, or while older ones are still being sent.
 */
export function sentUpTo(cursor: string | null): string | null {
  const [receivedAt = ''] = cursor?.split('/') ?? [];
  return Number.isNaN(Date.parse(receivedAt)) ? null : receivedAt;
}
