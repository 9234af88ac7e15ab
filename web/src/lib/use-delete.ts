import { useMutation } from '@tanstack/react-query';
import { fetchNothing } from './http.ts';

/**
 * Deletes one of what the path lists, unless somebody else has changed it since it was read, and then renews what shows it, also
 * where that was refused. `versionOf` is null where nothing of it can change.
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
