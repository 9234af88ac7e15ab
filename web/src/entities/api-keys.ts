import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { apiKey } from '../../../shared/accounts.ts';
import { fetchJson } from '../lib/http.ts';

export const apiKeysPath = '/api/api-keys';

/** `GET /api/api-keys`; asked again now and then, because gateways use the keys meanwhile. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => fetchJson(apiKeysPath, z.array(apiKey), { signal }),
  refetchInterval: 60_000,
});
