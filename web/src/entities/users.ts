import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { user } from '../../../shared/accounts.ts';
import { fetchJson } from '../lib/http.ts';

/** `GET /api/users`. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => fetchJson('/api/users', z.array(user), { signal }),
});
