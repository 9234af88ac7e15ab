import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { webhook } from '../../../../shared/alarms.ts';
import { fetchJson } from '../../lib/http.ts';

export const webhooksPath = '/api/admin/webhooks';

/** `GET /api/admin/webhooks`. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => fetchJson(webhooksPath, z.array(webhook), { signal }),
});
