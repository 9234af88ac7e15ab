import { queryOptions } from '@tanstack/react-query';
import { incoming, keyDeliveries, type Arrival } from '../../../../../shared/arrivals.ts';
import { fetchJson } from '../../../lib/http.ts';

/** `GET /api/incoming`, while someone looks. */
export const incomingQuery = queryOptions({
  queryKey: ['incoming'],
  queryFn: ({ signal }) => fetchJson('/api/incoming', incoming, { signal }),
  refetchInterval: 2_000,
  staleTime: 0,
});

/** `GET /api/api-keys/{id}/deliveries` */
export const keyDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['api-keys', id, 'deliveries'],
    queryFn: ({ signal }) => fetchJson(`/api/api-keys/${id}/deliveries`, keyDeliveries, { signal }),
    refetchInterval: 10_000,
    staleTime: 0,
  });

/** The fields by which arrivals are searched and sorted. */
export const arrivalName = ({ externalId, device }: Arrival): string =>
  `${device?.name ?? ''} ${device?.siteName ?? ''} ${externalId ?? ''}`.trim();
