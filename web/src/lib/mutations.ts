import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { type QueryKey, useQueryClient, useMutation } from '@tanstack/react-query';
import { fetchNothing } from './http.ts';

/**
 * Deletes an item at a path, unless someone else has changed the item since it was read. Then refreshes the pages that show it,
 * even after a rejection. `versionOf` is null for items that never change.
 */
export const useDelete = <Seen extends { id: string }>(
  path: string,
  versionOf: ((seen: Seen) => string) | null,
  renew: () => Promise<unknown>,
) =>
  useMutation({
    mutationFn: (seen: Seen) =>
      fetchNothing(`${path}/${seen.id}`, {
        method: 'DELETE',
        ...(versionOf !== null && { ifMatch: `"${versionOf(seen)}"` }),
      }),
    onSettled: renew,
  });

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The user opened the page to create something. */
    creates?: boolean;
  }
}

/** Opens the form for a new item, once, if the user came here from the command palette for that. */
export function useCreates(openForm: () => void): void {
  const isWanted = useLocation({ select: ({ state }) => state.creates === true });
  const navigate = useNavigate();
  const create = useEffectEvent(() => {
    void navigate({ to: '.', search: true, replace: true });
    openForm();
  });
  useEffect(() => {
    if (isWanted) create();
  }, [isWanted]);
}

/** Refetches the queries with these keys. */
export function useRenew(...queryKeys: readonly QueryKey[]): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
