import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/** Reads anew what queries with these keys show. */
export function useRenew(...queryKeys: readonly QueryKey[]): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
