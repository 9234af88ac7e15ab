import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { apiKey } from '../../../shared/accounts.ts';
import { fetchJson } from '../lib/http.ts';

export const apiKeysPath = '/api/api-keys';

/** `GET /api/api-keys`; refreshed from time to time, because gateways use the keys. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => fetchJson(apiKeysPath, z.array(apiKey), { signal }),
  refetchInterval: 60_000,
});
