import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pushOverview } from '../../../../shared/push.ts';
import { fetchJson } from '../../lib/http.ts';

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
