import { useQuery } from '@tanstack/react-query';
import type { DashboardToolStatus } from '../../../../shared/embedded-dashboards.ts';

/** Whether the tool is there. A portal behind a proxy that passes the prefix on itself does not know; then the page asks. */
export function useIsThere({ state, path }: DashboardToolStatus): boolean {
  const answers = useQuery({
    queryKey: ['dashboard-tool', path],
    // JSON, so that the portal does not answer with its own page.
    queryFn: async ({ signal }) => {
      const answer = await fetch(`${path}/`, { headers: { accept: 'application/json' }, signal }).catch(() => null);
      await answer?.text().catch(() => '');
      return answer?.ok ?? false;
    },
    enabled: state === 'off',
    refetchInterval: ({ state: { data } }) => (data === true ? false : 10_000),
  });
  return state === 'running' || (state === 'off' && answers.data === true);
}
