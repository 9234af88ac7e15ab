import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { keptReport, reportChanges, reportSubscription } from '../../../../shared/report-subscriptions.ts';
import { fetchJson } from '../../lib/http.ts';

export const subscriptionsPath = '/api/admin/report-subscriptions';
export const reportsPath = '/api/reports';

/** `GET /api/admin/report-subscriptions`. */
export const subscriptionsQuery = queryOptions({
  queryKey: ['report-subscriptions'],
  queryFn: ({ signal }) => fetchJson(subscriptionsPath, z.array(reportSubscription), { signal }),
});

/** `GET /api/reports`, refreshed from time to time, because the portal makes new reports. */
export const keptReportsQuery = queryOptions({
  queryKey: ['kept-reports'],
  queryFn: ({ signal }) => fetchJson(reportsPath, z.array(keptReport), { signal }),
  refetchInterval: 60_000,
});

/** `GET /api/reports/{id}/changes`. */
export const changesQuery = (id: string) =>
  queryOptions({
    queryKey: ['kept-reports', id, 'changes'],
    queryFn: ({ signal }) => fetchJson(`${reportsPath}/${id}/changes`, reportChanges, { signal }),
    staleTime: 60_000,
  });
